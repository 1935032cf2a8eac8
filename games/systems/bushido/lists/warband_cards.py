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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache

from games.core import (
    NONE,
    PIECE_GRAPHEMES,
    Cell,
    Entries,
    EntryKind,
    Facts,
    Unreadable,
    clean_int,
    clean_name,
    read_text,
    say,
)
from games.core import gettext_noop as _
from games.core.army_lists import SURE, Likeness, folded, surest
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
FACTIONS = {
    name: name
    for name in (
        _("Cult of Yurei"),
        _("Horse Lords of Ataka"),
        _("Ito Clan"),
        _("Jung Pirates"),
        _("Kage Kaze Zoku"),
        _("Kinshi Temple"),
        _("Minimoto Clan"),
        _("Prefecture of Ryu"),
        _("Shiho Clan"),
        _("Silvermoon Trade Syndicate"),
        _("Temple of Ro-Kan"),
        _("The Awoken"),
        _("The Descension"),
        _("The Imperial Court"),
        _("The Savage Wave"),
        _("Ronin"),
    )
}
"""The factions by the name that armies store."""
SIZES = {
    "": "—",
    "tiny": _("Tiny"),
    "small": _("Small"),
    "medium": _("Medium"),
    "large": _("Large"),
    "huge": _("Huge"),
}

_OTHER_NAMES = {
    "goldenempire": "The Imperial Court",
    "tengu": "The Descension",
    "shadowwind": "Kage Kaze Zoku",
    "shadowwindclankagekazezoku": "Kage Kaze Zoku",
    "kagekaze": "Kage Kaze Zoku",
    "silvermoon": "Silvermoon Trade Syndicate",
    "silvermoonsyndicate": "Silvermoon Trade Syndicate",
    "ryu": "Prefecture of Ryu",
    "yurei": "Cult of Yurei",
    "rokan": "Temple of Ro-Kan",
    "horselords": "Horse Lords of Ataka",
    "kinshi": "Kinshi Temple",
    "libraryronin": RONIN,
}
_IN_OTHER_WORDS = {
    "Cult of Yurei": ("kult von yurei", "kult der yurei", "kult des yurei", "yurei-kult", "幽灵教团"),
    "Horse Lords of Ataka": ("pferdeherren von ataka", "reiterfürsten von ataka", "阿塔卡骑马领主"),
    "Ito Clan": ("伊藤家", "伊藤"),
    "Jung Pirates": ("jung-piraten", "piraten von jung", "荣氏海盗"),
    "Kage Kaze Zoku": ("schattenwind", "影风族"),
    "Kinshi Temple": ("kinshi-tempel", "金士寺"),
    "Minimoto Clan": ("皆本家", "皆本"),
    "Prefecture of Ryu": ("präfektur ryu", "präfektur von ryu", "ryu-präfektur", "龙之县"),
    "Shiho Clan": ("四方家",),
    "Silvermoon Trade Syndicate": ("silbermond-syndikat", "silbermond-handelssyndikat", "银月商会"),
    "Temple of Ro-Kan": ("tempel von ro-kan", "tempel des ro-kan", "ro-kan-tempel", "罗汉寺"),
    "The Awoken": ("erwachte", "erwachten", "觉醒者"),
    "The Descension": ("天降众",),
    "The Imperial Court": ("kaiserhof", "kaiserlicher hof", "朝廷"),
    "The Savage Wave": ("wilde welle", "蛮潮"),
    RONIN: ("浪人",),
}
"""The factions in German and in Chinese, as the pages and people call them."""
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
        self._guessed: dict[tuple[str, str], str | None] = {}
        for profile in self.profiles:
            self._by_name.setdefault(plain(profile.name), []).append(profile)
            self._by_card.setdefault(plain(card_name(profile.name)), []).append(profile)
            self._by_first.setdefault(plain(profile.name.partition(",")[0]), []).append(profile)

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
        at = bisect_left(self._names, key)
        return bool(key) and at < len(self._names) and self._names[at].startswith(key)

    def likely_faction(self, names: Iterable[str]) -> str:
        """The faction that most of these names belong to, Ronin aside; "" for none."""
        votes: Counter[str] = Counter()
        for name in names:
            votes.update({one.faction for one in self._by_name.get(plain(name), ())})
        votes.pop(RONIN, None)
        return votes.most_common(1)[0][0] if votes else ""

    def names(self, faction: str = "") -> tuple[str, ...]:
        """The names of models: those of a faction and the Ronin, or all."""
        wanted = (profile.name for profile in self.profiles if _fits(profile, faction))
        return tuple(sorted(dict.fromkeys(wanted), key=plain))

    def _guess(self, key: str, faction: str) -> str | None:
        """The name that a misspelt one nearly matches; cached, as a list is read more than once."""
        known = self._guessed.get((key, faction), ...)
        if known is not ...:
            return known
        if len(self._guessed) >= _MOST_GUESSES:
            self._guessed.clear()
        best = self._guessed[key, faction] = surest(self._likely(key, faction))
        return best

    def _likely(self, key: str, faction: str) -> dict[str, float]:
        likeness = Likeness(key)
        if not likeness.is_comparable:
            return {}
        return {
            known: score
            for known, profiles in self._by_name.items()
            if any(_fits(profile, faction) for profile in profiles) and (score := likeness.to((known,), SURE))
        }

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self._by_name)

    @cached_property
    def by_id(self) -> dict[str, Profile]:
        """The models by their number."""
        return {profile.id: profile for profile in self.profiles}


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
    return _FACTION_KEYS.get(key)


def _fits(profile: Profile, faction: str) -> bool:
    return not faction or profile.faction in (faction, RONIN)


def _chosen(profiles: list[Profile], faction: str, rice: int | None) -> Profile:
    """The nearest of namesakes; of two forms the one that costs something is recruited."""
    for wanted in (faction, RONIN):
        profiles = [one for one in profiles if one.faction == wanted] or profiles
        if any(one.faction == wanted for one in profiles):
            break
    return next((one for one in profiles if one.rice == rice), max(profiles, key=lambda one: bool(one.rice)))


def _faction_keys() -> dict[str, str]:
    keys = dict(_OTHER_NAMES)
    for name in FACTIONS:
        key = plain(name)
        keys[key.removeprefix("the").removesuffix("clan")] = name
        keys |= {plain(other): name for other in _IN_OTHER_WORDS.get(name, ())}
    return keys


_FACTION_KEYS = _faction_keys()


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


def rows() -> Iterator[dict[str, str]]:
    """The rows of the table that this package ships."""
    return csv.DictReader(read_text(PACKAGE, TABLE).splitlines())


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
        _figure(figures.ki, stated.get("ki", ""), _("This is no Ki: “%(text)s”.")),
        _figure(figures.cap, stated.get("cap", ""), _("This is no Ki cap: “%(text)s”.")),
        _figure(figures.wounds, stated.get("wounds", ""), _("These are no wounds: “%(text)s”.")),
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
    for row in rows():
        yield row["id"], {name: row[name] for name in CELLS}


def called(stated: Facts) -> str:
    """What a model's entry is called."""
    return stated.get("name", "")


MODELS = EntryKind(_("Bushido: models"), CELLS, profile_of, planted, called)


@lru_cache(maxsize=4)
def catalogue(entries: Entries = NONE) -> Catalogue:
    """The models that this package ships; those of the entries replace them or join them."""
    profiles = {row["id"]: _stated(row) for row in rows()}
    for slug, stated in entries.of(MODEL).items():
        with suppress(Unreadable):
            profiles[slug] = profile_of(slug, stated)
    return Catalogue(profiles.values())


def _stated(row: Mapping[str, str]) -> Profile:
    return Profile(**{**row, "rice": int(row["rice"])})  # type: ignore[arg-type]
