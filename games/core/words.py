"""Sentences that are translated when they are read, never when they are written.

Rules speak in `Line`s: a message id and its arguments. A line that Red's phone wrote in English is read on
Blue's phone in another language, years later.

A Chinese translation writes spaces around a name (`等待 %(name)s`), as a name may be either: 等待 Ada, but
等待红方. They stay next to Latin letters and digits, and close up between Chinese words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, dataclass_transform
from unicodedata import bidirectional

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Struct, frozen=True):
    """A small immutable value that is made by the thousand, such as a sentence or an offer.

    It is a msgspec struct, made, compared and hashed in C: a frozen dataclass takes four times as long.
    """


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class ViewModel(Record, frozen=True):
    """A record that a template receives: what was rendered from one serves every equal one."""


def gettext_noop(message: str) -> str:
    """Mark a message for translation without translating it."""
    return message


COMMA = gettext_noop(", ")
"""The separator of an enumeration."""
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
"""Put around a text with a direction of its own (Unicode's FSI and PDI); they are invisible."""


class Term(Record):
    """An argument that is itself translated: a zone, a condition, a seat's colour."""

    message: str


class Line(Record):
    """One sentence of the log, a label or a refusal.

    `message` is the English message id with named placeholders in percent form, `plural` its plural form if
    it depends on `count`, `arguments` what fills the placeholders: names (frozen as text when written),
    numbers, `Term`s, further lines, or a tuple of these, which is joined with the reader's comma. A line with
    `to` is for that seat alone.
    """

    message: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    plural: str | None = None
    count: int | None = None
    to: str | None = None

    def __str__(self) -> str:
        """The English sentence, as transcripts and tests show it."""
        return self.render(
            lambda message: message, lambda singular, plural, n: singular if n == 1 else plural
        )

    def render(self, gettext: Any, ngettext: Any) -> str:
        """The sentence in the language of the two functions given."""
        if self.plural is not None and self.count is not None:
            template: str = ngettext(self.message, self.plural, self.count)
        else:
            template = gettext(self.message)
            if not self.arguments:
                return template
        values = {name: _value(value, gettext, ngettext) for name, value in self.arguments.items()}
        if self.count is not None:
            values.setdefault("count", self.count)
        return template % values if values else template

    def to_json(self) -> dict[str, Any]:
        """The line as plain JSON, without empty parts."""
        stored: dict[str, Any] = {"message": self.message}
        if self.arguments:
            stored["arguments"] = {name: _stored(value) for name, value in self.arguments.items()}
        if self.plural is not None:
            stored |= {"plural": self.plural, "count": self.count}
        if self.to is not None:
            stored["to"] = self.to
        return stored

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Line:
        """The line that `to_json` stored."""
        arguments = {name: _restored(value) for name, value in stored.get("arguments", {}).items()}
        return cls(stored["message"], arguments, stored.get("plural"), stored.get("count"), stored.get("to"))


Argument: TypeAlias = "str | int | Term | Line | tuple[Argument, ...]"


def say(message: str, **arguments: Argument) -> Line:
    """A line from a message and its arguments, as rules write them."""
    return Line(message, arguments)


def say_count(singular: str, plural: str, count: int, **arguments: Argument) -> Line:
    """A line whose message depends on a number, which both messages may name as `count`.

    Standing here marks the two for translation as a pair; marked one by one, no catalogue could pair them.
    """
    return Line(singular, arguments, plural, count)


def first_sentence(stored: list[dict[str, Any]]) -> Line:
    """What an action is called: the first of the sentences that the log stores for it."""
    return Line.from_json(stored[0]) if stored else say(gettext_noop("a change"))


def _value(value: Argument, gettext: Any, ngettext: Any) -> str | int:
    if isinstance(value, str):
        return isolated(value)
    if isinstance(value, int):
        return value
    if isinstance(value, Term):
        return str(gettext(value.message))
    if isinstance(value, Line):
        return value.render(gettext, ngettext)
    return str(gettext(COMMA)).join(str(_value(each, gettext, ngettext)) for each in value)


def isolated(text: str) -> str:
    """A name inside a text: isolated if written from right to left, so that it does not move numbers."""
    return text if text.isascii() else _isolated(text)


@lru_cache(maxsize=1000)
def _isolated(text: str) -> str:
    is_turned = any(bidirectional(character) in ("R", "AL") for character in text)
    return f"{ISOLATE}{text}{END_OF_ISOLATE}" if is_turned else text


def _stored(value: Argument) -> str | int | dict[str, Any]:
    if isinstance(value, Line):
        return {"line": value.to_json()}
    if isinstance(value, tuple):
        return {"list": [_stored(each) for each in value]}
    return {"term": value.message} if isinstance(value, Term) else value


def _restored(value: str | int | dict[str, Any]) -> Argument:
    if not isinstance(value, dict):
        return value
    if "list" in value:
        return tuple(_restored(each) for each in value["list"])
    return Line.from_json(value["line"]) if "line" in value else Term(value["term"])


# --- Chinese -------------------------------------------------------------------------------------

_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60]"
"""Chinese characters, and punctuation of the same width."""
_STARTS, _ENDS = re.compile(_WIDE), re.compile(f"{_WIDE}$")
_PLACE = re.compile(rf"(?P<before>(?<={_WIDE}) )?%\((?P<name>\w+)\)s(?P<after> (?={_WIDE}))?")


class Sentence(str):
    """A translation with placeholders; once values are filled in, no space is left over."""

    __slots__ = ()

    def __mod__(self, values: Any) -> str:
        return str(closed(self, values) % values)


def closed(sentence: str, values: Any) -> str:
    """The sentence without the spaces that these values do not need next to them."""
    if not isinstance(values, Mapping):
        return str(sentence)

    def place(match: re.Match[str]) -> str:
        value = str(values[match["name"]])
        before = "" if _STARTS.match(value) else match["before"] or ""
        after = "" if _ENDS.search(value) else match["after"] or ""
        return f"{before}%({match['name']})s{after}"

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
