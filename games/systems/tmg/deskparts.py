"""What the corrections are made of: headings, steppers, switches, and what somebody wrote beside one."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from games.core.gates import NAME_GRAPHEMES, Unreadable, clean_name
from games.core.lists import key_of
from games.core.system import Offer, Refusal
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table

WOUNDS = _("Wounds")
CONDITIONS = _("Conditions")
POSITION = _("Position")
ACTIVATION = _("Activation")
COUNTERS = _("Counters")
NOTE = _("Note")
ENTRY = _("List entry")
CONTROL = _("Control")
CARD = _("Objective card")
POINTS = _("Points")
CARDS = _("Tactics cards")
NAMES = _("Names of the tactics cards")
TURN = _("Turn")
BOARD = _("Tactics board")
KEPT = _("Tracked here")
END = _("End of the match")

HEADINGS = (
    WOUNDS, CONDITIONS, POINTS, POSITION, CONTROL, ACTIVATION, COUNTERS,
    CARDS, NAMES, CARD, NOTE, TURN, BOARD, ENTRY, KEPT, END,
)  # fmt: skip
"""In the order in which a sheet shows them: what changes most often first."""


def stepper(
    action: str, label: Line, value: int, least: int, most: int, group: str, detail: Line | None = None
) -> Iterator[Offer]:
    """A quantity and the signed changes that keep it between `least` and `most`, if there are any."""
    low, high = min(least - value, 0), max(most - value, 0)
    if low < high:
        yield Offer(action, label, low, high, detail=detail, value=value, group=group)


def switch(is_on: bool, on: str, off: str, label: Line, group: str, detail: Line | None = None) -> Offer:
    """What is or is not so; `on` and `off` are the actions that make it so. A second tap finds it done."""
    return Offer(off if is_on else on, label, on=is_on, detail=detail, group=group)


def refuse_same(is_same: bool) -> None:
    """Refuse a correction that would change nothing."""
    if is_same:
        raise Refusal(Line(_("It is like that already.")))


def written(g: Table, empty: str, longest: int = NAME_GRAPHEMES) -> str:
    """The text that came with a correction; `empty` is the sentence for who wrote none."""
    if not g.note.strip():
        raise Refusal(Line(empty))
    try:
        return clean_name(g.note, longest)
    except Unreadable as unreadable:
        raise Refusal(unreadable.line) from unreadable


def noun(words: str) -> str:
    """A name as a noun of an action; one in another script gets a sum of its letters."""
    plain = key_of(words, ())
    return plain if words.isascii() else f"{plain}-{crc32(words.encode()):08x}"
