"""Lists that programs write: share codes, strings of card numbers, and the files of builders.

A share code is base64 around a small protocol-buffer message, of which only the fields about an army are
read. A damaged code yields what comes before the damage. Bytes in, card numbers out: the catalogue says
what they mean.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.core import PIECE_GRAPHEMES, Element, Unreadable, clean_name, document_of, whole
from games.core import gettext_noop as _
from games.systems.tmg.lists.army_cards import ATTACHMENT, ENEMY, NCU, UNIT, Catalogue, faction_key
from games.systems.tmg.lists.army_roster import (
    MAX_ENTRIES,
    Attachment,
    Draft,
    Roster,
    RosterEntry,
    checked,
)

LONGEST = 4096
"""The longest code that is read, in characters; an army of sixty units needs a quarter of that."""
MOST_NUMBERS = 200

_SHARED = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_CARD_NUMBERS = re.compile(r"([^\W\d][^;:,|\d]{0,39})?[;:|]\s*([0-9]{1,12}(?:\s*[,;]\s*[0-9]{1,12})*)[\s,;]*")
_MIXED = re.compile(r"[a-z][A-Z]|[0-9]")
_NAME_FIELD, _FACTION, _LIMIT, _UNIT, _OTHER = 2, 3, 4, 11, 12
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5


class Damaged(ValueError):
    """Bytes that are not a message, or not a whole one."""


@dataclass(frozen=True, slots=True)
class Code:
    """An army in numbers: each unit with its attachments, then NCUs and enemy attachments.

    `faction` is the key of a faction, or the number that the app gives it; 0 and "" say nothing.
    """

    name: str = ""
    faction: str | int = ""
    limit: int | None = None
    units: tuple[tuple[int, ...], ...] = ()
    others: tuple[int, ...] = ()
    is_whole: bool = True


def code_in(text: str) -> Code | None:
    """The army in a piece of text that is a code of either kind; None for any other text."""
    packed = "".join(text.split()) if len(text) <= 2 * LONGEST else ""
    if not 0 < len(packed) <= LONGEST:
        return None
    return _shared(packed) if _SHARED.fullmatch(packed) else _numbered(text.strip())


def looks_shared(line: str) -> bool:
    """Whether a line could be a share code or a part of one: one word of mixed letters and digits."""
    word = line.strip()
    if len(word) < 4 or not re.fullmatch(r"[A-Za-z0-9+/_-]+={0,2}", word):
        return False
    return len(word) > 40 or (_MIXED.search(word) is not None and not (word.islower() or word.isdigit()))


def _numbered(text: str) -> Code | None:
    """A faction's name and card numbers; an attachment follows its unit (TMG-08)."""
    stated = _CARD_NUMBERS.fullmatch(text)
    if stated is None:
        return None
    numbers = [int(digits) for digits in re.split(r"\s*[,;]\s*", stated[2])][:MOST_NUMBERS]
    faction = faction_key(stated[1] or "") or ""
    if faction and max(numbers) < 1_000:  # Such as “Stark: 40”, which is a title and a size.
        return None
    if not faction and not all(9_999 < number < 1_000_000 for number in numbers):
        return None
    units: list[tuple[int, ...]] = []
    others: list[int] = []
    for number in numbers:
        if str(number)[0] == "2" and units:
            units[-1] += (number,)
        elif str(number)[0] == "3":
            others.append(number)
        else:
            units.append((number,))
    return Code("", faction, None, tuple(units), tuple(others))


def _shared(packed: str) -> Code | None:
    """A share code in the usual or the address-safe alphabet, with or without its padding (TMG-07)."""
    letters = packed.rstrip("=").replace("-", "+").replace("_", "/")
    is_whole = len(letters) % 4 != 1
    letters = letters if is_whole else letters[:-1]
    try:
        octets = b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return _army(octets, is_whole)


def _army(octets: bytes, is_whole: bool) -> Code | None:
    name, faction, limit = "", 0, None
    units: list[tuple[int, ...]] = []
    others: list[int] = []
    try:
        for field, value in _fields(octets):
            if field == _NAME_FIELD and isinstance(value, bytes):
                name = _army_name(value)
            elif field == _FACTION and isinstance(value, int):
                faction = value
            elif field == _LIMIT and isinstance(value, int):
                limit = value if 0 < value < 1000 else None
            elif field == _UNIT and isinstance(value, bytes):
                units.append(_unit(value))
            elif field == _OTHER:
                others += _numbers(value)
    except Damaged:
        is_whole = False
    units = [unit for unit in units if unit]
    if not _is_army(units, others):
        return None
    return Code(name, faction, limit, tuple(units[:MOST_NUMBERS]), tuple(others[:MOST_NUMBERS]), is_whole)


def _is_army(units: list[tuple[int, ...]], others: list[int]) -> bool:
    """Card numbers have five or six digits: other bytes that happen to be a message are no army."""
    numbers = [*(number for unit in units for number in unit), *others]
    return bool(numbers) and all(9_999 < number < 1_000_000 for number in numbers)


def _unit(octets: bytes) -> tuple[int, ...]:
    """A unit's own number, then those of its attachments."""
    own: list[int] = []
    attached: list[int] = []
    for field, value in _fields(octets):
        if field in (1, 2):
            (own if field == 1 else attached).extend(_numbers(value))
    return (*own[:1], *attached)


def _numbers(value: int | bytes) -> list[int]:
    """One number, or several that are packed into one field."""
    if isinstance(value, int):
        return [value]
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _fields(octets: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message in their order; raises `Damaged` where it breaks off."""
    at = 0
    while at < len(octets):
        key, at = _varint(octets, at)
        field, kind = key >> 3, key & 7
        if kind == _VARINT:
            number, at = _varint(octets, at)
            yield field, number
            continue
        if kind not in (_FIXED_64, _BYTES, _FIXED_32) or not field:
            raise Damaged
        size = {_FIXED_64: 8, _FIXED_32: 4}.get(kind, 0)
        if kind == _BYTES:
            size, at = _varint(octets, at)
        if at + size > len(octets):
            raise Damaged
        yield field, octets[at : at + size]
        at += size


def _varint(octets: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits per byte, lowest first, and where it ends."""
    end = next((n for n in range(at, min(at + 10, len(octets))) if octets[n] < 0x80), None)
    if end is None:
        raise Damaged
    figures = octets[at : end + 1]
    return sum((byte & 0x7F) << 7 * place for place, byte in enumerate(figures)), end + 1


def _army_name(octets: bytes) -> str:
    try:
        return clean_name(octets.decode(), PIECE_GRAPHEMES)
    except (UnicodeError, Unreadable):
        return ""


# --- what the numbers mean ------------------------------------------------------------------------


def roster_of(code: Code, catalogue: Catalogue) -> Roster:
    """The army that a code means; every number in it becomes a piece, known or not."""
    faction = (
        catalogue.factions_by_number.get(code.faction) if isinstance(code.faction, int) else code.faction
    )
    faction = faction or catalogue.likely_faction(str(number) for unit in code.units for number in unit)
    draft = Draft(name=code.name, faction=faction, limit=code.limit, points_line=1)
    for unit, *attached in code.units:
        _take(draft, catalogue, str(unit), UNIT)
        for other in attached:
            _take(draft, catalogue, str(other), ATTACHMENT)
    for number in map(str, code.others):
        # Of a card that nobody knows the first digit tells.
        card = catalogue.by_id.get(number)
        is_attachment = card.kind == ATTACHMENT if card else number[0] == "2"
        _take(draft, catalogue, number, ENEMY if is_attachment else NCU)
    draft.entries.sort(key=lambda entry: (UNIT, NCU, ENEMY).index(entry.kind))
    draft.house()
    if len(draft.entries) > MAX_ENTRIES:
        del draft.entries[MAX_ENTRIES:]
        draft.remark(1, _("Line %(line)d: the code has too many units; the first were kept."))
    if not code.is_whole:
        message = _("Line %(line)d: the share code is damaged or cut off; what could be read was kept.")
        draft.remark(1, message)
    draft.points = draft.sum
    return checked(draft)


def _take(draft: Draft, catalogue: Catalogue, number: str, place: str) -> None:
    """Take a card: where it belongs if the catalogue knows it, else where the code has it."""
    card = catalogue.by_id.get(number)
    if card is None:
        message = _("Line %(line)d: the catalogue has no card %(number)s; please name it.")
        draft.remark(1, message, number=number)
    else:
        draft.remark_foreign(1, card)
    name, title, cost = (card.name, card.title, card.cost) if card else (number, "", 0)
    kind = ENEMY if place == ENEMY or (card and card.joins_enemy) else card.kind if card else place
    if kind == ATTACHMENT:
        draft.attach(Attachment(1, name, title, cost, card))
    else:
        draft.entries.append(RosterEntry(1, name, title, cost, kind, fact=card))


# --- rosters and objects --------------------------------------------------------------------------

_IDS = ("id", "card", "cardid", "card_id", "code")
_NAMES = ("name", "cardname", "unit")
_COSTS = ("cost", "points", "pts")
_MACHINE = {
    *_IDS,
    *_NAMES,
    *_COSTS,
    "title",
    "subtitle",
    "entryid",
    "version",
    "xmlns",
    "url",
    "type",
    "number",
}
"""What an object says of a piece that is read, or is nothing to people."""
_WORDS_APART = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")
_HASH = re.compile(r"\S*[0-9]\S*|\S+://\S+|true")


def text_of(text: str, catalogue: Catalogue, is_heading: Callable[[str], bool]) -> str:
    """A builder's file as the lines that people paste; any other text as it is.

    It is a roster of forces and selections, or JSON: a list of card numbers, or an object with its units and
    their attachments. Whatever else it says is kept behind the sign of a note.
    """
    root = document_of(text)
    if root is None or not root.children:
        return text
    return "\n".join(_Document(catalogue, is_heading).lines(root)) + "\n"


class _Document:
    """Writes the elements of a document as lines."""

    def __init__(self, catalogue: Catalogue, is_heading: Callable[[str], bool]) -> None:
        self.catalogue = catalogue
        self.is_heading = is_heading

    def lines(self, root: Element) -> Iterator[str]:
        if root.tag == "roster":
            yield f"List: {root.get('name')}"
            total, limit = (
                sum(whole(cost.get("value")) for cost in root.within(*path))
                for path in (("costs", "cost"), ("costLimits", "costLimit"))
            )
            if total and limit > 0:
                yield f"Points: {total} / {limit}"
            for force in root.within("forces", "force"):
                yield f"Faction: {_faction_words(force.get('catalogueName'))}"
                for selection in force.within("selections", "selection"):
                    yield from self._selection(selection)
            return
        numbers = [part.get("name") for part in root.children]
        if all(number.isdigit() for number in numbers):
            yield f";{','.join(numbers)}"
            return
        yield from self._object(root, int(not root.attributes))

    def _selection(self, selection: Element, depth: int = 0) -> Iterator[str]:
        """A selection of a roster below the heading of its category, and those within it."""
        main = [
            element
            for element in selection.within("categories", "category")
            if element.get("primary") == "true"
        ]
        for category in main if not depth else ():
            if self.is_heading(category.get("name")):
                yield category.get("name")
        yield self._piece(selection, depth)
        for below in selection.within("selections", "selection"):
            yield from self._selection(below, depth + 1)

    def _object(self, element: Element, depth: int) -> Iterator[str]:
        """An object: what it states, then the pieces and the parts within it."""
        is_piece = bool(depth and self._named(element))
        if is_piece:
            yield self._piece(element, depth - 1)
        for key, value in element.attributes.items():
            words = _WORDS_APART.sub(" ", key)
            if key.casefold() in _MACHINE and (is_piece or key.casefold() in _IDS):
                continue
            if not depth and not is_piece and value:
                yield f"{words}: {self._called(value) or value}"
            elif value and not _HASH.fullmatch(value):
                yield f"// {words}: {value}"
        for part in sorted(element.children, key=lambda part: not part.attributes):
            words = _WORDS_APART.sub(" ", part.tag)
            if not is_piece and not depth and part.attributes and not part.children:
                yield f"{words}: {self._named(part)}" if self._named(part) and part.tag != "" else ""
                continue
            if not is_piece and self.is_heading(words):
                yield words
            for child in part.children if not part.attributes else [part]:
                yield from self._object(child, depth + 1)

    def _piece(self, element: Element, depth: int) -> str:
        """A piece with its number and its cost; below another it is indented."""
        cost = next((element.get(key) for key in _COSTS if element.get(key)), "")
        costs = [whole(price.get("value")) for price in element.within("costs", "cost")]
        cost = cost or (str(sum(costs)) if costs else "")
        count = whole(element.get("number"))
        times = f"{count}x " if 1 < count < 60 else ""
        form = "   " if depth else "• "
        return f"{form}{times}{self._named(element)}" + (f" ({cost})" if cost else "")

    def _named(self, element: Element) -> str:
        """What an element calls itself, or its card; "" for what is no piece."""
        stated = {key.casefold(): " ".join(value.split()) for key, value in element.attributes.items()}
        name = next((stated[key] for key in _NAMES if stated.get(key)), "")
        number = next((stated[key] for key in _IDS if self._called(stated.get(key, ""))), "")
        title = stated.get("title") or stated.get("subtitle") or ""
        if self._called(number or name):
            return self._called(number or name)
        return f"{name} - {title}" if title and title not in name else name

    def _called(self, number: str) -> str:
        card = self.catalogue.by_id.get(number)
        return card.full_name if card else ""


def _faction_words(catalogue_name: str) -> str:
    """The part of a builder's name of a faction that is one."""
    return next(
        (part for part in re.split(r"\s*[-–:]\s*", catalogue_name) if faction_key(part)), catalogue_name
    )
