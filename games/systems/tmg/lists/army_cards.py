"""The game's cards: costs, wounds and printed numbers, found by whatever name people write.

Names and figures are facts that change between versions, so a list that knows better wins, and anything
can be corrected at the table. Organisers edit cards and numbers as catalogue entries.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Self

from games.core import (
    NONE,
    PIECE_GRAPHEMES,
    SURE,
    Cell,
    Entries,
    EntryKind,
    Facts,
    Likeness,
    Unreadable,
    clean_int,
    clean_name,
    clean_note,
    folded,
    read_text,
    say,
    surest,
)
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Unit

PACKAGE = "games.systems.tmg"
UNIT, NCU, ATTACHMENT, ENEMY = "unit", "ncu", "attachment", "enemy"
NEUTRAL = "neutral"
FACTIONS = {
    "baratheon": _("Baratheon"),
    "bolton": _("Bolton"),
    "brotherhood": _("Brotherhood Without Banners"),
    "freefolk": _("Free Folk"),
    "greyjoy": _("Greyjoy"),
    "lannister": _("Lannister"),
    "martell": _("Martell"),
    "neutral": _("Neutral"),
    "nightswatch": _("Night's Watch"),
    "stark": _("Stark"),
    "targaryen": _("Targaryen"),
}
"""The factions by the key that armies store."""

_RANKS = {"infantry": (12, 4), "cavalry": (4, 2)}
_LEAST_SHORT = 4
"""Shorter words may mean anything."""
_CARD = re.compile(r"[1-9][0-9]{4}")
_SILENT = {"the", "house", "haus", "maison", "casa", "casata", "ser"}


class Named:
    """Anything that a list calls by a name and, for characters, a sub-title."""

    __slots__ = ()
    name: str
    title: str

    @property
    def full_name(self) -> str:
        """Name and sub-title, as lists write them."""
        return f"{self.name} - {self.title}" if self.title else self.name


@dataclass(frozen=True, slots=True)
class Fact(Named):
    """One card: a combat unit, an attachment or an NCU (non-combat unit).

    Wounds are counted in models: infantry has 12 of one wound in ranks of four,
    cavalry 4 of three or four wounds in ranks of two; a model alone on its tray
    carries all its unit's wounds and makes one rank.
    """

    id: str
    faction: str
    kind: str
    name: str
    title: str = ""
    tray: str = ""
    cost: int = 0
    version: str = ""
    models: int = 0
    model_wounds: int = 0
    rank_size: int = 0
    commander: bool = False
    unique: bool = False
    cannot_control: bool = False
    cannot_activate: bool = False
    grants_no_vp: bool = False
    gains_no_conditions: bool = False
    joins_enemy: bool = False
    joins_others: bool = False
    discounts: bool = False
    extra_vp: int = 0
    hand_bonus: int = 0
    follows: str = ""

    @property
    def wounds_total(self) -> int:
        """The wounds it starts with; 0 for what is never wounded."""
        return self.models * self.model_wounds

    @property
    def rank_wounds(self) -> int:
        """The wounds of one full rank."""
        return self.rank_size * self.model_wounds

    @property
    def ranks(self) -> int:
        """The ranks it starts with."""
        return self.ranks_left(self.wounds_total)

    def ranks_left(self, wounds: int) -> int:
        """Ranks left with this many wounds remaining: one counts while any of its models stands (TMG-39)."""
        return -(-wounds // self.rank_wounds) if self.rank_wounds else 0


def unlisted(kind: str, name: str, title: str = "", cost: int = 0) -> Fact:
    """The figures of a card that no catalogue knows: a unit is taken for infantry of 12 wounds in 3 ranks."""
    if kind != UNIT:
        return Fact("", "", kind, name, title, cost=cost)
    models, rank_size = _RANKS["infantry"]
    return Fact("", "", kind, name, title, "infantry", cost, "", models, 1, rank_size)


@dataclass(frozen=True, slots=True)
class Found:
    """A card that matches a name, and how surely: by its full name, as the only one, or by likeness.

    `fitting` are all cards that the name may mean, including this one.
    """

    fact: Fact
    exact: bool = True
    fitting: tuple[Fact, ...] = ()
    guessed: bool = False

    @property
    def alone(self) -> bool:
        """Whether the name means no other card."""
        return len(self.fitting) < 2


class Catalogue:
    """All cards, looked up by the names that people write."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.facts = tuple(facts)
        self._by_full: dict[str, list[Fact]] = {}
        self._by_name: dict[str, list[Fact]] = {}
        for fact in self.facts:
            self._by_full.setdefault(plain(fact.full_name), []).append(fact)
            self._by_name.setdefault(plain(fact.name), []).append(fact)

    @classmethod
    def from_csv(cls, text: str) -> Self:
        """The catalogue in a table with the columns of `data/units.csv`."""
        return cls(fact_of(row) for row in rows_of(text))

    @cached_property
    def _spellings(self) -> tuple[tuple[Fact, tuple[str, str]], ...]:
        return tuple((fact, (plain(fact.name), plain(fact.full_name))) for fact in self.facts)

    @cached_property
    def _full_names(self) -> list[str]:
        return sorted(self._by_full)

    @cached_property
    def by_id(self) -> dict[str, Fact]:
        """The cards by their number."""
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def factions_by_number(self) -> dict[int, str]:
        """The factions by their number: the second and third digits of their cards' numbers."""
        return {int(fact.id[1:3]): fact.faction for fact in self.facts if _CARD.fullmatch(fact.id)}

    def likely_faction(self, numbers: Iterable[str]) -> str:
        """The faction of most of these cards, Neutral only if there is no other; "" for none."""
        votes = Counter(self.by_id[number].faction for number in numbers if number in self.by_id)
        own = Counter({faction: count for faction, count in votes.items() if faction != NEUTRAL})
        return next((faction for faction, _count in (own or votes).most_common(1)), "")

    def find(
        self,
        name: str,
        title: str = "",
        *,
        kind: str,
        faction: str = "",
        cost: int | None = None,
        commander: str = "",
        leads: bool = False,
    ) -> Found | None:
        """The card of this kind that a list means by a name, with or without its sub-title.

        The list's own faction goes before Neutral, and Neutral before the rest. Among namesakes
        the commander that the list names goes first, and other commanders come last, unless the list
        says that this one `leads` or, naming none, has the cost of commanders alone; then the cost
        decides, then the order of the table.
        """
        full = [fact for fact in self._by_full.get(plain(f"{name} {title}"), []) if fact.kind == kind]
        cards = full or [fact for fact in self._by_name.get(plain(name), []) if fact.kind == kind]
        if not cards:
            return None
        cards = _nearest_faction(cards, faction)
        led = [card for card in self.commanders(commander) if card in cards]
        leads = leads or (not commander and _leads_by_cost(cards, cost))
        cards = led or [card for card in cards if card.commander == leads] or cards
        cards = [card for card in cards if card.cost == cost] or cards
        return Found(cards[0], exact=bool(full) or not title, fitting=tuple(cards))

    def commanders(self, words: str) -> tuple[Fact, ...]:
        """The commanders that a list's commander line means: by full name, else by name alone.

        A sub-title that no card has is left out, so that the name before it still finds its card.
        """
        said = plain(words).split()
        for length in range(len(said), 0, -1):
            called = " ".join(said[:length])
            named = self._by_full.get(called) or self._by_name.get(called)
            if named:
                return tuple(card for card in named if card.commander)
        return ()

    def factions_of(self, name: str, title: str = "") -> set[str]:
        """The factions that have a card of this name, of whatever kind."""
        return {card.faction for card in self.named(name, title)}

    def named(self, name: str, title: str = "") -> list[Fact]:
        """The cards of this name, of whatever kind: those with the very sub-title, if there are any."""
        return self._by_full.get(plain(f"{name} {title}")) or self._by_name.get(plain(name), [])

    def begins(self, words: str) -> bool:
        """Whether a card's full name begins with these words, or is them."""
        said = plain(words)
        at = bisect_left(self._full_names, said)
        return bool(said) and at < len(self._full_names) and f"{self._full_names[at]} ".startswith(f"{said} ")

    def short(self, name: str, *, kinds: Set[str], faction: str = "") -> Found | None:
        """The one card whose name begins or ends with these words, as in “Raiders” or “Sansa”.

        Only cards of the army's own faction and Neutral ones are considered; behind the faction's own name,
        the rest is the usual short form.
        """
        said = plain(name).split()
        if not said or max(map(len, said)) < _LEAST_SHORT:
            return None
        own = [*plain(FACTIONS.get(faction, "")).split(), *said]
        fitting: dict[str, Fact] = {}
        for card, (called, _full_name) in self._among(kinds, faction):
            words = called.split()
            if said in (words[: len(said)], words[-len(said) :]):
                fitting.setdefault(called, card)
        chosen = fitting.get(" ".join(own)) or (next(iter(fitting.values())) if len(fitting) == 1 else None)
        match = chosen and self.find(chosen.name, kind=chosen.kind, faction=faction)
        return replace(match, guessed=True) if match else None

    def near(self, name: str, *, kinds: Set[str], faction: str = "", limit: int = 3) -> tuple[str, ...]:
        """Up to `limit` names that look like a misspelt one, the likeliest first; none for a long name."""
        scores = self._likely(plain(name), kinds, faction)
        return tuple(sorted(scores, key=lambda full_name: (-scores[full_name], full_name))[:limit])

    def guess(self, name: str, title: str = "", *, kinds: Set[str], faction: str = "") -> Found | None:
        """The one card that a misspelt name nearly matches; None if two come close, or none does.

        Only cards of the army's own faction and Neutral ones are considered.
        """
        for words in dict.fromkeys((f"{name} {title}".strip(), name)):
            best = surest(self._likely(plain(words), kinds, faction, least=SURE))
            if best is not None:
                return self._guessed(best, kinds, faction)
        return None

    def _guessed(self, full_name: str, kinds: Set[str], faction: str) -> Found:
        named = [fact for fact in self._by_full[plain(full_name)] if fact.kind in kinds]
        return Found(_nearest_faction(named, faction)[0], guessed=True)

    def _likely(self, words: str, kinds: Set[str], faction: str, least: float = 0.6) -> dict[str, float]:
        """How closely card names resemble words, by full name; nothing for words that are too long."""
        likeness = Likeness(words)
        if not likeness.is_comparable:
            return {}
        every = ((card, likeness.to(names, least)) for card, names in self._among(kinds, faction))
        return {card.full_name: score for card, score in every if score}

    def _among(self, kinds: Set[str], faction: str) -> Iterator[tuple[Fact, tuple[str, str]]]:
        """The cards of these kinds that an army of a faction may have, each by its name and its full name."""
        for card, names in self._spellings:
            if card.kind in kinds and (not faction or card.faction in (faction, NEUTRAL)):
                yield card, names


@lru_cache(maxsize=4096)
def plain(words: str) -> str:
    """A name without what people write differently: case, accents, quotes, dashes, articles, plurals."""
    return " ".join(_singular(word) for word in folded(words).split() if word not in _SILENT)


def faction_key(words: str) -> str | None:
    """The key of the faction that words name in any usual spelling, or None."""
    return _FACTION_KEYS.get(plain(words))


def _nearest_faction(cards: list[Fact], faction: str) -> list[Fact]:
    for wanted in (faction, NEUTRAL):
        near = [card for card in cards if card.faction == wanted]
        if near:
            return near
    return cards


def _leads_by_cost(cards: list[Fact], cost: int | None) -> bool:
    """Whether only commanders among namesakes have this cost."""
    costing = [card.commander for card in cards if card.cost == cost]
    return bool(costing) and all(costing)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


_OTHERWISE = {
    "baratheon": ("拜拉席恩",),
    "bolton": ("波顿",),
    "brotherhood": (
        "Brotherhood", "Bruderschaft ohne Banner", "Bruderschaft", "Fraternité sans Bannière",
        "Hermandad sin Estandartes", "Fratellanza Senza Vessilli", "Bractwo bez Chorągwi", "无旗兄弟会",
    ),
    "freefolk": (
        "Freefolk", "Wildlings", "Freies Volk", "Wildlinge", "Peuple Libre", "Pueblo Libre",
        "Popolo Libero", "Wolni Ludzie", "自由民",
    ),
    "greyjoy": ("Graufreud", "葛雷乔伊"),
    "lannister": ("Lennister", "兰尼斯特"),
    "martell": ("马泰尔",),
    "neutral": ("Neutre", "Neutrales", "Neutrale", "Neutrali", "Neutralni", "中立"),
    "nightswatch": (
        "Night Watch", "Nightswatch", "Nachtwache", "Garde de Nuit", "Guardia de la Noche",
        "Guardiani della Notte", "Nocna Straż", "守夜人",
    ),
    "stark": ("史塔克",),
    "targaryen": ("坦格利安",),
}  # fmt: skip
"""What players call the factions besides their names, in the languages of the pages too."""

_FACTION_KEYS = {
    plain(word + kin): key
    for key, label in FACTIONS.items()
    for word in (label, *_OTHERWISE[key])
    for kin in ("", "家族")
}


def rows_of(text: str) -> Iterator[dict[str, str]]:
    """The rows of a table in CSV text, whose first line names the columns."""
    return csv.DictReader(text.splitlines())


def fact_of(row: Mapping[str, str]) -> Fact:
    """The card that a row of the table states."""
    flags = row["flags"].split()
    models, model_wounds, rank_size = _figures(row, flags)
    return Fact(
        id=row["id"],
        faction=row["faction"],
        kind=row["kind"],
        name=row["name"],
        title=row["title"],
        tray=row["tray"],
        cost=0 if row["cost"] == "C" else int(row["cost"]),
        version=row["version"],
        models=models,
        model_wounds=model_wounds,
        rank_size=rank_size,
        commander=row["commander"] == "yes",
        unique=("unique" in flags or bool(row["title"])) and "generic" not in flags,
        cannot_control="no-control" in flags,
        cannot_activate="no-activation" in flags,
        grants_no_vp="no-vp" in flags,
        gains_no_conditions="no-conditions" in flags,
        joins_enemy="joins-enemy" in flags,
        joins_others="joins-others" in flags,
        discounts="discounts" in flags,
        extra_vp=_flagged(flags, "vp-"),
        hand_bonus=_flagged(flags, "hand-"),
        follows=row["follows"],
    )


def _figures(row: Mapping[str, str], flags: list[str]) -> tuple[int, int, int]:
    """Models, wounds per model, models per rank. The table leaves infantry blank, counts cavalry by model."""
    if row["kind"] != UNIT:
        return 0, 0, 0
    wounds = int(row["wounds"] or 1)
    models, rank_size = _RANKS.get(row["tray"], (1, 1))
    return _flagged(flags, "models-") or models, wounds, rank_size


def _flagged(flags: list[str], prefix: str) -> int:
    return sum(int(flag.removeprefix(prefix)) for flag in flags if flag.startswith(prefix))


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
    "generic": _("Not unique despite its subtitle"),
    "no-control": _("Cannot control objectives"),
    "no-activation": _("Never activates"),
    "no-vp": _("Gives no points when destroyed"),
    "no-conditions": _("Gains no conditions"),
    "joins-enemy": _("Joins an enemy unit"),
    "joins-others": _("Joins a unit that has another attachment"),
    "discounts": _("Makes its attachments cheaper"),
    "models-": _("Models in the unit"),
    "vp-": _("More points when destroyed"),
    "hand-": _("Extra cards in hand"),
}
"""What makes a card special; those with a hyphen at the end take a number."""

_CARD_NUMBER = re.compile(r"[1-9][0-9]{0,11}")
_FLAG = re.compile(
    r"(?:" + "|".join(f"{flag}[0-9]{{1,2}}" if flag[-1] == "-" else flag for flag in FLAGS) + ")"
)


def refuse_number(slug: str) -> None:
    """Refuse anything that is not a card number."""
    if not _CARD_NUMBER.fullmatch(slug):
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
    _among(stated.get("commander", ""), {"": "", "yes": ""}, _("Commander: yes or no."))
    for flag in stated.get("flags", "").split():
        if not _FLAG.fullmatch(flag):
            raise Unreadable(say(_("There is no special trait “%(name)s”."), name=flag))
    return fact_of(dict.fromkeys(CELLS, "") | {"id": slug} | dict(stated))


def _among(value: str, allowed: object, message: str) -> None:
    if value not in allowed:  # type: ignore[operator]
        raise Unreadable(say(message, name=value))


def planted() -> Iterator[tuple[str, Facts]]:
    """The cards that this package ships."""
    for row in rows_of(read_text(PACKAGE, TABLE)):
        yield row["id"], {name: row[name] for name in CELLS}


def called(stated: Facts) -> str:
    """A card's full name."""
    return " - ".join(part for part in (stated.get("name", ""), stated.get("title", "")) if part)


CELLS = {
    "faction": Cell(_("Faction"), FACTIONS, is_listed=True),
    "kind": Cell(_("Kind"), KINDS, is_listed=True),
    "name": Cell(_("Name")),
    "title": Cell(_("Subtitle")),
    "tray": Cell(_("Tray"), {"": "—", **TRAYS}, _("Combat Units only.")),
    "cost": Cell(_("Cost"), None, _("Army points, or C for a Commander that costs none."), is_listed=True),
    "wounds": Cell(_("Wounds"), None, _("Of one model; nothing for infantry of one wound a model.")),
    "commander": Cell(_("Commander"), {"": _("No"), "yes": _("Yes")}, is_listed=True),
    "version": Cell(_("Season"), is_listed=True),
    "follows": Cell(_("Linked to"), None, _("The name of the card that it is linked to.")),
    "flags": Cell(_("Special traits"), flags=FLAGS, is_listed=True),
}
CARDS = EntryKind(_("A Song of Ice and Fire: cards"), CELLS, card, planted, called)


EXAMPLE = """Faction: Stark
Commander: Eddard Stark - Lord of Winterfell

Combat Units
 \u2022 Stark Sworn Swords ( 5 )
"""


@lru_cache(maxsize=4)
def catalogue(entries: Entries = NONE) -> Catalogue:
    """The cards that this package ships; those of the entries replace them or join them."""
    cards = {fact.id: fact for fact in Catalogue.from_csv(read_text(PACKAGE, TABLE)).facts}
    for slug, stated in entries.of(CARD).items():
        with suppress(Unreadable):
            cards[slug] = card(slug, stated)
    return Catalogue(cards.values())


# --- what a Combat Unit's card says apart from its name ------------------------------------------

STATS = "stats"
STATS_TABLE = "data/stats.csv"
RANGES = {"melee": _("Melee"), "short": _("Short range"), "long": _("Long range")}
LONGEST_ABILITIES = 240
_RANGE_CHOICES = {"": "—", **RANGES}

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
def known_stats(entries: Entries = NONE) -> Mapping[str, Stats]:
    """All stats by card number: the package's, replaced by those of the entries."""
    stats = {slug: stats_of(slug, stated) for slug, stated in planted_stats()}
    for slug, stated in entries.of(STATS).items():
        with suppress(Unreadable):
            stats[slug] = stats_of(slug, stated)
    return stats


def lost_ranks(unit: Unit) -> int:
    """How many ranks a unit has lost (TMG-39)."""
    full = -(-unit.wounds_total // unit.rank_size) if unit.rank_size and unit.kind != "solo" else 1
    return max(full - unit.standing_ranks, 0)


def planted_stats() -> Iterator[tuple[str, Facts]]:
    """The stats that this package ships."""
    for row in rows_of(read_text(PACKAGE, STATS_TABLE)):
        yield row["id"], {name: row[name] for name in STATS_CELLS}


def stats_called(stated: Facts) -> str:
    """The card's name."""
    return stated.get("name", "")


def _attacks(stated: Facts) -> Iterator[Attack]:
    for number in ("1", "2"):
        kind, name, hit, dice = (
            stated.get(f"attack{number}_{part}", "") for part in ("kind", "name", "hit", "dice")
        )
        if not (kind or name or hit or dice):
            continue
        if kind not in _RANGE_CHOICES:
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


STATS_CELLS = {
    "name": Cell(_("Name")),
    "speed": Cell(_("Speed"), is_listed=True),
    "attack1_kind": Cell(_("First attack"), _RANGE_CHOICES),
    "attack1_name": Cell(_("Name of the first attack")),
    "attack1_hit": Cell(_("First attack hits on"), None, _("Such as 4+.")),
    "attack1_dice": Cell(_("Dice of the first attack"), None, _("By rank, full ranks first, such as 6.5.4.")),
    "attack2_kind": Cell(_("Second attack"), _RANGE_CHOICES),
    "attack2_name": Cell(_("Name of the second attack")),
    "attack2_hit": Cell(_("Second attack hits on")),
    "attack2_dice": Cell(_("Dice of the second attack")),
    "defence": Cell(_("Defence"), is_listed=True),
    "morale": Cell(_("Morale"), is_listed=True),
    "abilities": Cell(_("Abilities"), None, _("Their names, with semicolons between them.")),
    "version": Cell(_("Season"), is_listed=True),
}
STATS_KIND = EntryKind(
    _("A Song of Ice and Fire: card numbers"), STATS_CELLS, stats_of, planted_stats, stats_called
)
