"""What the package ships: the catalogue, and real armies to start with at once."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache

from games.core import facts
from games.core.state import NONE, Entries
from games.core.validation import Unreadable
from games.core.words import Line, Term, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg.lists.cards import CARD, TABLE, card
from games.systems.tmg.lists.catalogue import FACTIONS, Catalogue
from games.systems.tmg.lists.reading import Roster, read_roster

EXAMPLE = """Faction: Stark
Commander: Eddard Stark - Lord of Winterfell

Combat Units
 \u2022 Stark Sworn Swords ( 5 )
"""

_PACKAGE = "games.systems.tmg"


@lru_cache(maxsize=4)
def catalogue(entries: Entries = NONE) -> Catalogue:
    """The cards that this package ships; those of the entries replace them or join them."""
    cards = {fact.id: fact for fact in Catalogue.from_csv(facts.text(_PACKAGE, TABLE)).facts}
    for slug, stated in entries.of(CARD).items():
        with suppress(Unreadable):
            cards[slug] = card(slug, stated)
    return Catalogue(cards.values())


def demo_rosters() -> dict[str, str]:
    """The demo armies by slug, each named by its commander, for the list to choose from."""
    return {slug: demo_roster(slug).commander for slug in facts.names(_PACKAGE, "seeds/armies", ".txt")}


def demo_summary(slug: str) -> Line:
    """Faction and size of a demo army."""
    roster = demo_roster(slug)
    return summary(roster.faction, roster.points, roster.activations)


def summary(faction: str, points: int, activations: int) -> Line:
    """An army in a few words."""
    return say_count(
        "%(faction)s, %(points)s army points, %(count)s activation",
        "%(faction)s, %(points)s army points, %(count)s activations",
        activations,
        faction=Term(FACTIONS.get(faction, faction) or _("No faction")),
        points=points,
    )


def demo_text(slug: str) -> str:
    """A demo army as the text that would be pasted."""
    return facts.text(_PACKAGE, f"seeds/armies/{slug}.txt")


@cache
def demo_roster(slug: str) -> Roster:
    """A demo army, read."""
    return read_roster(demo_text(slug), catalogue())
