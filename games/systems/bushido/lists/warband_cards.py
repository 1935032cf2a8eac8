"""What the game's cards state about its models: faction, rice, Ki, cap and wounds.

Names and figures are facts that change between versions, so a list that knows
better wins, and anything can be corrected at the table. Pure: the catalogue is
built from the text of a table, wherever that came from.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache

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
    folded,
    read_text,
    read_toml,
    say,
    surest,
)
from games.core import gettext_noop as _
from games.systems.bushido.rules import figures

PACKAGE = "games.systems.bushido"
TABLE = "data/models.csv"
MODEL, THEME, REFERENCE = "model", "theme", "reference"
CARDS = {
    "equipment": _("Equipment"),
    "enhancement": _("Enhancement"),
    "event": _("Event"),
    "terrain": _("Terrain"),
    "communal": _("Communal card"),
    "curse": _("Curse"),
    REFERENCE: _("Reference card"),
    "card": _("Other card"),
}
"""The kinds of cards other than models and the theme, by the key that rows store."""
RONIN = "Ronin"
"""The faction that any warband may hire from; never a warband's own."""
FACTIONS = {name: name for name in (
    _("Cult of Yurei"), _("Horse Lords of Ataka"), _("Ito Clan"), _("Jung Pirates"), _("Kage Kaze Zoku"),
    _("Kinshi Temple"), _("Minimoto Clan"), _("Prefecture of Ryu"), _("Shiho Clan"),
    _("Silvermoon Trade Syndicate"), _("Temple of Ro-Kan"), _("The Awoken"), _("The Descension"),
    _("The Imperial Court"), _("The Savage Wave"), _("Ronin"),
)}  # fmt: skip
"""The factions by the name that armies store."""
SIZES = {
    "": "—",
    "tiny": _("Tiny"),
    "small": _("Small"),
    "medium": _("Medium"),
    "large": _("Large"),
    "huge": _("Huge"),
}

_NEEDLESS = ("the", "die", "der", "clan", "klan", "faction", "fraktion")
_MOST_GUESSES = 2_000
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LETTERED = re.compile(r"\s[A-H]$")


@dataclass(frozen=True, slots=True)
class Profile:
    """One model as its card has it. `size` and `base` (millimetres) are "" if the card says nothing."""

    id: str
    faction: str
    name: str
    rice: int
    ki: str
    cap: str
    wounds: str
    size: str = ""
    base: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A model that matches a name; `guessed` if only by likeness."""

    profile: Profile
    guessed: bool = False


class Catalogue:
    """All models, looked up by the names that people write."""

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self.profiles = tuple(profiles)
        self._by_name: dict[str, list[Profile]] = {}
        self._by_card: dict[str, list[Profile]] = {}
        self._by_first: dict[str, list[Profile]] = {}
        for profile in self.profiles:
            self._by_name.setdefault(plain(profile.name), []).append(profile)
            self._by_card.setdefault(plain(card_name(profile.name)), []).append(profile)
            self._by_first.setdefault(plain(profile.name.partition(",")[0]), []).append(profile)
        self._sorted = sorted(self._by_name)
        # A list is read more than once.
        self._guess = lru_cache(_MOST_GUESSES)(self._likeliest)

    def find(self, name: str, faction: str = "", rice: int | None = None) -> Found | None:
        """The model that a list means by a name, however it is written.

        The warband's own faction goes before Ronin, and Ronin before the rest; among namesakes the rice
        decides. A card of two forms or two models is also known by its own name, and a hero by the part
        before the comma.
        """
        key = plain(name)
        for index, guessed in ((self._by_name, False), (self._by_card, False), (self._by_first, True)):
            if key and key in index:
                return Found(_chosen(index[key], faction, rice), guessed)
        best = self._guess(key, faction)
        return None if best is None else Found(_chosen(self._by_name[best], faction, rice), guessed=True)

    def knows(self, name: str) -> bool:
        """Whether a model or its card has exactly this name."""
        return plain(name) in self._by_name or plain(name) in self._by_card

    def begins(self, words: str) -> bool:
        """Whether a model's name begins with these words, or is them."""
        key = plain(words)
        at = bisect_left(self._sorted, key)
        return bool(key) and any(name.startswith(key) for name in self._sorted[at : at + 1])

    def likely_faction(self, names: Iterable[str]) -> str:
        """The faction that most of these names belong to, Ronin aside; "" for none."""
        votes: Counter[str] = Counter()
        for name in names:
            votes.update({profile.faction for profile in self._by_name.get(plain(name), ())} - {RONIN})
        return votes.most_common(1)[0][0] if votes else ""

    def names(self, faction: str = "") -> tuple[str, ...]:
        """The names of models: those of a faction and the Ronin, or all."""
        wanted = (profile.name for profile in self.profiles if _fits(profile, faction))
        return tuple(sorted(dict.fromkeys(wanted), key=plain))

    def _likeliest(self, key: str, faction: str) -> str | None:
        """The name that a misspelt one nearly matches."""
        likeness = Likeness(key)
        scores = {
            name: likeness.to((name,), SURE) if any(_fits(profile, faction) for profile in profiles) else 0.0
            for name, profiles in self._by_name.items()
        }
        return surest({name: score for name, score in scores.items() if score})


def plain(words: str) -> str:
    """A name without what people write differently, spaces included, as Ro-Kan is also Rokan."""
    return folded(words).replace(" ", "")


def card_name(name: str) -> str:
    """What the card of a model is called: without its form, or the letter that tells it from its twin."""
    return _LETTERED.sub("", name.partition(" - ")[0])


def faction_of(words: str) -> str | None:
    """The faction that words name in any usual spelling, or None."""
    key = plain(words)
    for needless in _NEEDLESS:
        key = key.removeprefix(needless).removesuffix(needless)
    return _factions().get(key)


def _fits(profile: Profile, faction: str) -> bool:
    return not faction or profile.faction in (faction, RONIN)


def _chosen(profiles: list[Profile], faction: str, rice: int | None) -> Profile:
    """The nearest of namesakes; of two forms the one that costs something is recruited."""
    for wanted in (faction, RONIN):
        profiles = [profile for profile in profiles if profile.faction == wanted] or profiles
        if any(profile.faction == wanted for profile in profiles):
            break
    return next(
        (profile for profile in profiles if profile.rice == rice),
        max(profiles, key=lambda profile: bool(profile.rice)),
    )


@cache
def vocabulary(kind: str) -> dict[str, str]:
    """What words of lists mean, by their plain form, in one part of the table of such words."""
    meanings = read_toml(PACKAGE, "data/list_words.toml")[kind]
    return {plain(word): meaning for meaning, words in meanings.items() for word in words}


@cache
def _factions() -> dict[str, str]:
    keys = {plain(name).removeprefix("the").removesuffix("clan"): name for name in FACTIONS}
    return keys | vocabulary("factions")


# --- the table, and what organisers make of it ----------------------------------------------------

CELLS = {
    "faction": Cell(_("Faction"), FACTIONS, is_listed=True),
    "name": Cell(_("Name")),
    "rice": Cell(_("Rice"), is_listed=True),
    "ki": Cell(_("Ki"), None, _("A number, X, or nothing.")),
    "cap": Cell(_("Ki cap"), None, _("A number, *, ∞, or nothing.")),
    "wounds": Cell(_("Wounds"), None, _("A number, Special, Kami, or nothing.")),
    "size": Cell(_("Size"), SIZES, is_listed=True),
    "base": Cell(_("Base"), None, _("Millimetres.")),
}


def profile_of(slug: str, stated: Facts) -> Profile:
    """The model that a row states; `Unreadable` says what is wrong with it."""
    if not _SLUG.fullmatch(slug):
        raise Unreadable(say(_("A model needs a short name of small letters, digits and hyphens.")))
    if stated.get("faction", "") not in FACTIONS:
        raise Unreadable(say(_("There is no faction “%(name)s”."), name=stated.get("faction", "")))
    if stated.get("size", "") not in SIZES:
        raise Unreadable(say(_("There is no size “%(name)s”."), name=stated["size"]))
    if stated.get("base", ""):
        clean_int(stated["base"], 10, 200)
    return Profile(
        slug,
        stated["faction"],
        clean_name(stated.get("name", ""), PIECE_GRAPHEMES),
        clean_int(stated.get("rice", ""), 0, 99),
        _figure(figures.ki, stated.get("ki", ""), _("This is not a Ki value: “%(text)s”.")),
        _figure(figures.cap, stated.get("cap", ""), _("This is not a Ki cap: “%(text)s”.")),
        _figure(figures.wounds, stated.get("wounds", ""), _("This is not a wounds value: “%(text)s”.")),
        stated.get("size", ""),
        stated.get("base", ""),
    )


def _figure(read_figure: Callable[[str], str | None], text: str, message: str) -> str:
    read = read_figure(text)
    if read is None:
        raise Unreadable(say(message, text=text[:PIECE_GRAPHEMES]))
    return read


def planted() -> Iterator[tuple[str, Facts]]:
    """The models that this package ships."""
    for row in csv.DictReader(read_text(PACKAGE, TABLE).splitlines()):
        yield row["id"], {name: row[name] for name in CELLS}


MODELS = EntryKind(_("Bushido: models"), CELLS, profile_of, planted, lambda stated: stated.get("name", ""))


@lru_cache(maxsize=4)
def catalogue(entries: Entries = NONE) -> Catalogue:
    """The models that this package ships; those of the entries replace them or join them."""
    profiles = {
        slug: Profile(slug, **{**row, "rice": int(row["rice"])})  # type: ignore[arg-type]
        for slug, row in planted()
    }
    for slug, stated in entries.of(MODEL).items():
        with suppress(Unreadable):
            profiles[slug] = profile_of(slug, stated)
    return Catalogue(profiles.values())
