"""What a Combat Unit's card says apart from its name: speed, attacks by rank, defence, morale, abilities.

Numbers and names for reference only: no rule of the app depends on them. Organisers correct
them as entries of their own, and import the table of a later season.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from games.core import facts
from games.core.state import NONE, Entries, Facts
from games.core.system import Cell, EntryKind
from games.core.validation import PIECE_GRAPHEMES, Unreadable, clean_int, clean_name, clean_note
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.tmg.lists.cards import refuse_number
from games.systems.tmg.lists.catalogue import rows_of
from games.systems.tmg.pieces import Unit

STATS = "stats"
TABLE = "data/stats.csv"
RANGES = {"melee": _("Melee"), "short": _("Short range"), "long": _("Long range")}
LONGEST_ABILITIES = 240
_KINDS = {"": "—", **RANGES}

_TEST = re.compile(r"[1-9]\+|1[0-2]\+")
_DICE = re.compile(r"[1-9][0-9]?(?:\.[1-9][0-9]?){0,3}")


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: range ("" if the table states none), name, roll that hits, dice from full ranks down."""

    kind: str
    name: str
    hit: str
    dice: tuple[int, ...]

    def at(self, lost: int) -> int:
        """The index of the dice value that counts after this many lost ranks; the last value stays."""
        return min(lost, len(self.dice) - 1)


@dataclass(frozen=True, slots=True)
class Stats:
    """The numbers of one card; `version` is their season."""

    speed: int
    attacks: tuple[Attack, ...]
    defence: str
    morale: str
    abilities: tuple[str, ...]
    version: str


def stats_of(slug: str, stated: Facts) -> Stats:
    """The numbers that a row states; `Unreadable` says what is wrong with it."""
    refuse_number(slug)
    clean_name(stated.get("name", ""), PIECE_GRAPHEMES)
    return Stats(
        clean_int(stated.get("speed", ""), 0, 20),
        tuple(_attacks(stated)),
        _test(stated.get("defence", "")),
        _test(stated.get("morale", "")),
        _abilities(stated.get("abilities", "")),
        clean_note(stated.get("version", ""), PIECE_GRAPHEMES),
    )


@lru_cache(maxsize=4)
def known(entries: Entries = NONE) -> Mapping[str, Stats]:
    """All stats by card number: the package's, replaced by those of the entries."""
    found = {slug: stats_of(slug, stated) for slug, stated in planted()}
    for slug, stated in entries.of(STATS).items():
        with suppress(Unreadable):
            found[slug] = stats_of(slug, stated)
    return found


def lost_ranks(unit: Unit) -> int:
    """How many ranks a unit has lost (TMG-39)."""
    full = -(-unit.wounds_total // unit.rank_size) if unit.rank_size and unit.kind != "solo" else 1
    return max(full - unit.standing_ranks, 0)


def planted() -> Iterator[tuple[str, Facts]]:
    """The stats that this package ships."""
    for row in rows_of(facts.text("games.systems.tmg", TABLE)):
        yield row["id"], {name: row[name] for name in CELLS}


def called(stated: Facts) -> str:
    """The card's name."""
    return stated.get("name", "")


def _attacks(stated: Facts) -> Iterator[Attack]:
    for number in ("1", "2"):
        kind, name, hit, dice = (
            stated.get(f"attack{number}_{part}", "") for part in ("kind", "name", "hit", "dice")
        )
        if not (kind or name or hit or dice):
            continue
        if kind not in _KINDS:
            raise Unreadable(say(_("An attack is melee, short or long, not “%(name)s”."), name=kind))
        if not _DICE.fullmatch(dice):
            raise Unreadable(say(_("Dice by rank look like 6.5.4, not “%(name)s”."), name=dice))
        clean_note(name, PIECE_GRAPHEMES)
        yield Attack(kind, name, _test(hit), tuple(map(int, dice.split("."))))


def _test(text: str) -> str:
    if not _TEST.fullmatch(text):
        raise Unreadable(say(_("A roll looks like 4+, not “%(name)s”."), name=text))
    return text


def _abilities(text: str) -> tuple[str, ...]:
    clean_note(text, LONGEST_ABILITIES)
    return tuple(name.strip() for name in text.split(";") if name.strip())


CELLS = {
    "name": Cell(_("Name")),
    "speed": Cell(_("Speed"), is_listed=True),
    "attack1_kind": Cell(_("First attack"), _KINDS),
    "attack1_name": Cell(_("Name of the first attack")),
    "attack1_hit": Cell(_("First attack hits on"), None, _("Such as 4+.")),
    "attack1_dice": Cell(_("Dice of the first attack"), None, _("By rank, full ranks first, such as 6.5.4.")),
    "attack2_kind": Cell(_("Second attack"), _KINDS),
    "attack2_name": Cell(_("Name of the second attack")),
    "attack2_hit": Cell(_("Second attack hits on")),
    "attack2_dice": Cell(_("Dice of the second attack")),
    "defence": Cell(_("Defence"), is_listed=True),
    "morale": Cell(_("Morale"), is_listed=True),
    "abilities": Cell(_("Abilities"), None, _("Their names, with semicolons between them.")),
    "version": Cell(_("Season"), is_listed=True),
}
KIND = EntryKind(_("A Song of Ice and Fire: card numbers"), CELLS, stats_of, planted, called)
