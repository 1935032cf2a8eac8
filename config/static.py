"""Static files as they are served: made small by machine, so that their sources can be written for people."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

NOTE = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.DOTALL | re.MULTILINE)
LINE_NOTE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
PIECE = re.compile(r'"[^"\n]*"|/\*.*?\*/|[^"/]+|/', re.DOTALL)
"""A quoted text or comment of a style sheet, or what is between them."""
BLANKS = re.compile(r";?\s*(?=})|\s+(?={)|(?<=[{};:,])\s+(?!;)")
"""Blanks before a brace or after a sign, and the last semicolon of a block. A blank that is a value stays."""


def small(name: str, text: str) -> str:
    """A style sheet or script without indentation and without comments that have lines to themselves.

    Otherwise a script keeps its lines as they are; our scripts have no text that spans several lines. A style
    sheet becomes one line without the blanks that separate nothing.
    """
    text = NOTE.sub("", text)
    if name.endswith(".js"):
        text = LINE_NOTE.sub("", text)
    text = "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())
    return text if name.endswith(".js") else PIECE.sub(_dense, text)


def _dense(piece: re.Match[str]) -> str:
    """A piece of a style sheet made dense: quotes and comments stay, the rest loses blanks beside signs."""
    words = piece[0]
    return words if words.startswith(('"', "/*")) else BLANKS.sub("", words).replace("\n", " ")


def is_ours(name: str) -> bool:
    """Whether this is a style sheet or script of the project: what others wrote is served as it is."""
    return name.endswith((".css", ".js")) and not name.startswith(("admin/", "vendor/"))


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed names, compressed, our own scripts and styles without their comments."""

    def _save(self, name: str, content: Any) -> str:
        if is_ours(name.replace("\\", "/")):
            content.seek(0)
            content = ContentFile(small(name, content.read().decode()).encode())
        return super()._save(name, content)


class GzippedStaticFilesStorage(SmallStaticFilesStorage):
    """The same, without brotli, for a laptop in a club: it takes far longer, and plain http never uses it."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
