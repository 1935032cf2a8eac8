"""Spaces around a value in a Chinese sentence: next to Latin letters and digits, not between Chinese words.

A translation writes them around a name (`等待 %(name)s`), as a name may be either: 等待 Ada, but 等待红方.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60]"
"""Chinese characters, and punctuation of the same width."""
_STARTS, _ENDS = re.compile(_WIDE), re.compile(f"{_WIDE}$")
_PLACE = re.compile(rf"(?P<before>(?<={_WIDE}) )?%\((?P<name>\w+)\)s(?P<after> (?={_WIDE}))?")


class Sentence(str):
    """A translation with placeholders; once values are filled in, no space is left over."""

    __slots__ = ()

    def __mod__(self, values: Any) -> str:
        return closed(self, values) % values


def closed(sentence: str, values: Any) -> str:
    """The sentence without the spaces that these values do not need next to them."""
    if not isinstance(values, Mapping):
        return str(sentence)

    def place(found: re.Match[str]) -> str:
        value = str(values[found["name"]])
        before = "" if _STARTS.match(value) else found["before"] or ""
        after = "" if _ENDS.search(value) else found["after"] or ""
        return f"{before}%({found['name']})s{after}"

    return _PLACE.sub(place, sentence)


def together(sentences: Iterable[str]) -> str:
    """Sentences one after the other; a Chinese full stop already includes its space."""
    text = ""
    for sentence in sentences:
        text += going_on(text, sentence)
    return text


def going_on(text: str, sentence: str) -> str:
    """A sentence as it goes on after a text: with the space between them, if one is needed."""
    return sentence if not text or _ENDS.search(text) else f" {sentence}"
