"""Validation: every text and every number from outside passes here, once.

What passes can be stored, compared and shown anywhere. What is refused comes back as `Unreadable`: one
sentence for the player and the status of the response. Nothing else is ever raised, whatever comes in.
"""

from __future__ import annotations

import html
import re
import unicodedata

import regex

from games.core.words import Line, say
from games.core.words import gettext_noop as _

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


def told_apart(name: str, mark: str) -> str:
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
        raise Unreadable(say(_("Please write this on one line, without control characters.")))
    _refuse_disguise(text)
    shown = str(_SPACES.sub(" ", _seen(text))).strip()
    if text and not _VISIBLE.search(shown):
        raise Unreadable(say(_("This has no visible characters. Please write something that can be read.")))
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
    return Unreadable(say(_("This text holds characters that no phone can show. Please remove them.")))


def _refuse_crowded(text: str, limit: int) -> None:
    graphemes = _GRAPHEME.findall(text)
    if len(graphemes) > limit or len(text) > limit * POINTS_PER_GRAPHEME:
        raise Unreadable(say(_("This is too long: at most %(limit)d characters fit."), limit=limit))
    if any(_marks(grapheme) > _MARKS_PER_GRAPHEME for grapheme in graphemes):
        raise Unreadable(say(_("This piles too many accents on one letter.")))


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
