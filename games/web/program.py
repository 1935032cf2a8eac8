"""Which program a page was made by: one of another program loads itself again when it asks for news."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.template import engines


@cache
def program() -> str:
    """What pages are made of: changes with the version, with every static file, and with every template."""
    digest = hashlib.sha256(settings.VERSION.encode())
    digest.update(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for template in _templates():
        digest.update(template.read_bytes())
    return digest.hexdigest()[:12]


def is_other_program(request: HttpRequest) -> bool:
    """Whether the page that asks was made by another program, if it says by which."""
    return request.GET.get("program", program()) != program()


def _templates() -> Iterator[Path]:
    for folder in engines["jinja2"].template_dirs:  # type: ignore[attr-defined]
        yield from sorted(Path(folder).rglob("*.html"))
