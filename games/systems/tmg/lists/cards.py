"""The catalogue's cards as entries that organisers edit, and what a card must state to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.core import facts
from games.core.state import Facts
from games.core.system import Cell, EntryKind
from games.core.validation import PIECE_GRAPHEMES, Unreadable, clean_int, clean_name, clean_note
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.tmg.lists.catalogue import ATTACHMENT, FACTIONS, NCU, UNIT, Fact, fact_of, rows_of

CARD = "card"
TABLE = "data/units.csv"
KINDS = {UNIT: _("Combat Unit"), NCU: _("Non-Combat Unit"), ATTACHMENT: _("Attachment")}
TRAYS = {
    "infantry": _("Infantry"),
    "cavalry": _("Cavalry"),
    "solo": _("Solo"),
    "warmachine": _("War Machine"),
}
FLAGS = {
    "unique": _("Unique"),
    "generic": _("Not unique in spite of its sub-title"),
    "no-control": _("Cannot control objectives"),
    "no-activation": _("Never activates"),
    "no-vp": _("Its destruction scores nothing"),
    "no-conditions": _("Gains no conditions"),
    "joins-enemy": _("Joins an enemy unit"),
    "joins-others": _("Joins a unit beside its other attachment"),
    "discounts": _("Makes its attachments cheaper"),
    "models-": _("Models in the unit"),
    "vp-": _("Further points for its destruction"),
    "hand-": _("Further cards in hand"),
}
"""What makes a card special; those with a hyphen at the end take a number."""

_NUMBER = re.compile(r"[1-9][0-9]{0,11}")
_FLAG = re.compile(
    r"(?:" + "|".join(f"{flag}[0-9]{{1,2}}" if flag[-1] == "-" else flag for flag in FLAGS) + ")"
)


def refuse_number(slug: str) -> None:
    """Refuse anything that is not a card number."""
    if not _NUMBER.fullmatch(slug):
        raise Unreadable(say(_("A card number has at most 12 digits.")))


def card(slug: str, stated: Facts) -> Fact:
    """The card that a row states; `Unreadable` says what is wrong with it."""
    refuse_number(slug)
    _among(stated.get("faction", ""), FACTIONS, _("There is no faction “%(name)s”."))
    _among(stated.get("kind", ""), KINDS, _("There is no kind of card “%(name)s”."))
    _among(
        stated.get("tray", ""),
        TRAYS if stated["kind"] == UNIT else {"": ""},
        _("It cannot stand on a tray “%(name)s”."),
    )
    clean_name(stated.get("name", ""), PIECE_GRAPHEMES)
    for other in ("title", "version", "follows"):
        clean_note(stated.get(other, ""), PIECE_GRAPHEMES)
    if stated.get("cost", "") != "C":
        clean_int(stated.get("cost", ""), 0, 99)
    if stated.get("wounds", ""):
        clean_int(stated["wounds"], 1, 99)
    _among(stated.get("commander", ""), {"": "", "yes": ""}, _("A card is a Commander (yes) or not."))
    for flag in stated.get("flags", "").split():
        if not _FLAG.fullmatch(flag):
            raise Unreadable(say(_("There is no peculiarity “%(name)s”."), name=flag))
    return fact_of(dict.fromkeys(CELLS, "") | {"id": slug} | dict(stated))


def _among(value: str, known: object, message: str) -> None:
    if value not in known:  # type: ignore[operator]
        raise Unreadable(say(message, name=value))


def planted() -> Iterator[tuple[str, Facts]]:
    """The cards that this package ships."""
    for row in rows_of(facts.text("games.systems.tmg", TABLE)):
        yield row["id"], {name: row[name] for name in CELLS}


def called(stated: Facts) -> str:
    """A card's full name."""
    return " - ".join(part for part in (stated.get("name", ""), stated.get("title", "")) if part)


CELLS = {
    "faction": Cell(_("Faction"), FACTIONS, is_listed=True),
    "kind": Cell(_("Kind"), KINDS, is_listed=True),
    "name": Cell(_("Name")),
    "title": Cell(_("Sub-title")),
    "tray": Cell(_("Tray"), {"": "—", **TRAYS}, _("Combat Units only.")),
    "cost": Cell(_("Cost"), None, _("Army points, or C for a Commander that costs none."), is_listed=True),
    "wounds": Cell(_("Wounds"), None, _("Of one model; nothing for infantry of one wound a model.")),
    "commander": Cell(_("Commander"), {"": _("No"), "yes": _("Yes")}, is_listed=True),
    "version": Cell(_("Season"), is_listed=True),
    "follows": Cell(_("Follows"), None, _("The name of the card that it is linked to.")),
    "flags": Cell(_("Peculiarities"), flags=FLAGS, is_listed=True),
}
CARDS = EntryKind(_("A Song of Ice and Fire: cards"), CELLS, card, planted, called)
