"""Texts: sentences that are translated when they are read, and every text and number that comes in.

Rules speak in `Line`s: a message id and its arguments. A line that Red's phone wrote in English is read on
Blue's phone in another language, years later.

A Chinese translation writes spaces around a name (`等待 %(name)s`), as a name may be either: 等待 Ada, but
等待红方. They stay next to Latin letters and digits, and close up between Chinese words.

Every text and every number from outside passes here, once. What passes can be stored, compared and shown
anywhere. What is refused comes back as `Unreadable`: one sentence for the player and the status of the
response. Nothing else is ever raised, whatever comes in.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, dataclass_transform
from unicodedata import bidirectional

import regex
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


_ = gettext_noop

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


# --- what comes in from outside ------------------------------------------------------------------

NAME_GRAPHEMES = 40
PIECE_GRAPHEMES = 80
NOTE_GRAPHEMES = 200
TEXT_BYTES = 64 * 1024
POINTS_PER_GRAPHEME = 4
"""A name of n graphemes never holds more than 4 n code points: a column must fit that many."""

_OVERSIZED = 4_096
_MARKS_PER_GRAPHEME = 3

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,5})")
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)

_CONTROL = regex.compile(r"[\p{Cc}\u2028\u2029]")
_CONTROL_IN_TEXT = regex.compile(r"[\p{Cc}--[\t\n]]", regex.V1)
_OVERRIDE = regex.compile("[\u202a-\u202e\u2066-\u2069\u061c]")
_NOT_CHARACTERS = regex.compile("[\\p{Co}\\p{Cn}\U000e0000-\U000e007f\ufff9-\ufffb]")
_ICON = regex.compile(r"(?<!\S)\p{Co}+")
"""A bullet in the private area of an icon font, as word processors write them."""
_UNSEEN = regex.compile("[\u00ad\u180e\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff]")
_SPACES = regex.compile(r"\p{Z}+")
_WIDE_SPACE = regex.compile(r"\p{Zs}")
_VISIBLE = regex.compile(r"[^\p{Z}\p{C}\p{M}\p{DI}\u2800]")
_GRAPHEME = regex.compile(r"\X")
_VARIATION = regex.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MARK = regex.compile(r"\p{M}")

_BREAK_TAG = re.compile(r"<(?:br|/?p|/?div|/?li|/?ul|/?ol|/?tr|/?h[1-6])\b[^<>]*>", re.IGNORECASE)
_PLAIN_TAG = re.compile(r"</?(?:span|b|strong|i|em|a|td|table|tbody|font)\b[^<>]*>", re.IGNORECASE)
_LINE_END = re.compile("\r\n|[\r\x85\u2028\u2029]")

_FILE_MARKS = ("PK\x03\x04", "%PDF-", "\x1f\x8b", "\x89PNG", "GIF8", "\xff\xd8\xff", "7z\xbc\xaf", "Rar!")


class Unreadable(ValueError):
    """Input that cannot be accepted. `line` tells a player why; `status` is 422, 413 or 415."""

    def __init__(self, line: Line, status: int = 422) -> None:
        super().__init__(str(line))
        self.line = line
        self.status = status


class RequestRefused(Exception):
    """An action that was refused: a sentence for the player, the rule, and the HTTP status."""

    def __init__(self, line: Line, status: int, error: str, rule: str = "") -> None:
        super().__init__(str(line))
        self.line = line
        self.status = status
        self.error = error
        self.rule = rule


def clean_name(raw: object, limit_graphemes: int = NAME_GRAPHEMES) -> str:
    """A name on one line: normalised (NFC), trimmed, single-spaced, with something visible in it.

    Right-to-left names and emoji are names like any other and are counted as people count, by grapheme;
    `limit_graphemes` is 40 for a player, 80 for a piece.
    """
    name = _one_line(raw, limit_graphemes)
    if not name:
        raise Unreadable(say(_("Please enter a name.")))
    return name


def name_with_mark(name: str, mark: str) -> str:
    """A name with what tells it from a namesake; one with many accents is cut to fit its row."""
    graphemes = _GRAPHEME.findall(name)
    while graphemes and sum(map(len, graphemes)) + len(mark) > PIECE_GRAPHEMES * POINTS_PER_GRAPHEME:
        graphemes.pop()
    return "".join(graphemes) + mark


def clean_note(raw: object, limit_graphemes: int = NOTE_GRAPHEMES) -> str:
    """A remark or a reason on one line, under the same rules as a name; it may be empty."""
    return "" if raw is None else _one_line(raw, limit_graphemes)


def clean_text(raw: object, limit_bytes: int = TEXT_BYTES) -> str:
    """A pasted list: lines of text, with line ends, spaces and copied page markup made plain.

    Takes text or UTF-8 bytes. Too big is 413, a file in disguise 415, and what
    does not read as text (or is empty, or only a web address) is 422.
    """
    text = _decoded(raw, limit_bytes)
    text = _LINE_END.sub("\n", _without_markup(text)).removeprefix("\ufeff")
    text = str(_ICON.sub("•", text))
    _refuse_broken(text)
    if _CONTROL_IN_TEXT.search(text):
        raise Unreadable(say(_("This text holds control characters. Please paste it as plain text.")))
    _refuse_disguise(text)
    text = str(_WIDE_SPACE.sub(" ", _seen(text)))
    if not _VISIBLE.search(text):
        raise Unreadable(say(_("There is nothing to read here. Please paste an army list.")))
    if _ADDRESS.fullmatch(text.strip()):
        raise Unreadable(say(_("This is the address of a list. Please paste the text of the list itself.")))
    return text


def clean_int(raw: object, minimum: int, maximum: int) -> int:
    """A whole number between two bounds, both included, sent as plain digits or as a number."""
    if isinstance(raw, str) and len(raw) <= _OVERSIZED:
        digits = raw.strip(" \t\r\n")
        number = int(digits) if _NUMBER.fullmatch(digits) else None
    else:
        number = raw if isinstance(raw, int) and not isinstance(raw, bool) else None
    if number is None or not minimum <= number <= maximum:
        line = _("Please enter a whole number from %(minimum)d to %(maximum)d.")
        raise Unreadable(say(line, minimum=minimum, maximum=maximum))
    return number


def is_number(text: str, digits: int = 18) -> bool:
    """Whether this is a whole number without a sign, of at most `digits` digits: it fits a column."""
    return text.isascii() and text.isdigit() and len(text) <= digits


def clean_key(raw: object) -> str:
    """The key that makes a repeated tap harmless: 8 to 64 characters that need no quoting in an address."""
    if not isinstance(raw, str) or not _KEY.fullmatch(raw):
        raise Unreadable(say(_("This tap carries no valid key. Please reload the page and tap again.")))
    return raw


def is_clean(text: str) -> bool:
    """Whether a text could have passed before it was stored: an import checks every text."""
    try:
        _refuse_broken(text)
        _refuse_disguise(text)
    except Unreadable:
        return False
    return _CONTROL_IN_TEXT.search(text) is None


def name_key(name: str) -> str:
    """What two names that look alike have in common: without compatibility forms, case, unseen joiners."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return folded.replace("\u200c", "").replace("\u200d", "")


def _seen(text: str) -> str:
    """A text without invisible characters, which would keep marks out of order; then normalised (NFC)."""
    return unicodedata.normalize("NFC", str(_UNSEEN.sub("", text)))


def _one_line(raw: object, limit: int) -> str:
    if not isinstance(raw, str):
        raise Unreadable(say(_("This must be text.")))
    if len(raw) > _OVERSIZED:
        raise Unreadable(say(_("This is too long to be read at all.")), status=413)
    text = raw.strip()
    _refuse_broken(text)
    if _CONTROL.search(text):
        raise Unreadable(say(_("Please type this on one line, without control characters.")))
    _refuse_disguise(text)
    shown = str(_SPACES.sub(" ", _seen(text))).strip()
    if text and not _VISIBLE.search(shown):
        raise Unreadable(say(_("This has no visible characters. Please type something readable.")))
    _refuse_crowded(shown, limit)
    return shown


def _refuse_broken(text: str) -> None:
    if "\ufffd" in text or regex.search(r"\p{Cs}", text):
        raise Unreadable(say(_("This text arrived damaged: it is not valid UTF-8.")))


def _refuse_disguise(text: str) -> None:
    if _OVERRIDE.search(text):
        raise Unreadable(say(_("This text holds characters that reverse its direction. Please remove them.")))
    if _NOT_CHARACTERS.search(text):
        raise _unshowable()


def _unshowable() -> Unreadable:
    return Unreadable(say(_("This text contains characters that no device can show. Please remove them.")))


def _refuse_crowded(text: str, limit: int) -> None:
    graphemes = _GRAPHEME.findall(text)
    if len(graphemes) > limit or len(text) > limit * POINTS_PER_GRAPHEME:
        raise Unreadable(say(_("This is too long: at most %(limit)d characters fit."), limit=limit))
    if any(_marks(grapheme) > _MARKS_PER_GRAPHEME for grapheme in graphemes):
        raise Unreadable(say(_("One letter has too many accents.")))


def _marks(grapheme: str) -> int:
    return len(_MARK.findall(_VARIATION.sub("", grapheme)))


def _decoded(raw: object, limit: int) -> str:
    if not isinstance(raw, str | bytes):
        raise Unreadable(say(_("This must be text.")))
    if len(raw) > limit:
        raise _too_big(limit)
    start = raw[:8] if isinstance(raw, str) else raw[:8].decode("latin-1")
    if start.startswith(_FILE_MARKS):
        raise Unreadable(say(_("This is a file, not a list. Please paste the text of the list.")), status=415)
    try:
        octets = raw.encode() if isinstance(raw, str) else raw
        text = octets.decode()
    except UnicodeError:
        raise Unreadable(say(_("This text arrived damaged: it is not valid UTF-8."))) from None
    if len(octets) > limit:
        raise _too_big(limit)
    return text


def _too_big(limit: int) -> Unreadable:
    line = _("This is too big for a list: at most %(limit)d kilobytes are read.")
    return Unreadable(say(line, limit=limit // 1024), status=413)


def _without_markup(text: str) -> str:
    if not _BREAK_TAG.search(text):
        return text
    try:
        return html.unescape(_PLAIN_TAG.sub("", _BREAK_TAG.sub("\n", text)))
    except ValueError:  # A number of thousands of digits, which stands for no character.
        raise _unshowable() from None
