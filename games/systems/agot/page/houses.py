"""What a house has off the map, as three cards. A card is kept and reused while its values are the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from games import view_models
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.agot.box import COURT, HIGHEST_LEVEL, TRACKS, box, limits, stars
from games.systems.agot.map import control
from games.view_models.game_page import Words

if TYPE_CHECKING:
    from games.systems.agot.page.table import AgotPage


def stock(page: AgotPage, key: str) -> Iterator[view_models.Card]:
    """A house's power, supply, and places on the tracks."""
    g, words = page.g, page.words
    yield _power(words, key, g.armies[key].power, g.laid(key), g.pool(key))
    yield _supply(words, key, g.armies[key].supply, *_coming_supply(page, key))
    places = {track: g.place(track, key) for track in TRACKS}
    yield _influence(words, key, tuple(places.values()), stars(len(g.seats), places[COURT]))


def _coming_supply(page: AgotPage, key: str) -> tuple[int | None, bool]:
    """The level that the next Supply card would bring, None if unchanged, and whether armies exceed it."""
    g = page.g
    if not g.objectives:
        return None, False
    level = min(page.supply[key], HIGHEST_LEVEL)
    if level == g.armies[key].supply:
        return None, False
    return level, not control.fits_level(g, key, level)


@lru_cache(maxsize=1000)
def _power(words: Words, key: str, power: int, on_board: int, pool: int) -> view_models.Card:
    rest = say(_("On the board %(on_board)s, in the pool %(pool)s"), on_board=on_board, pool=pool)
    label = words(say(_("%(power)s power"), power=power))
    gauge = view_models.Gauge(power, box()["power_tokens"], label)
    return view_models.Card(f"power-{key}", words(say(_("Available power"))), words(rest), gauge=gauge)


@lru_cache(maxsize=1000)
def _supply(words: Words, key: str, level: int, coming: int | None, is_too_little: bool) -> view_models.Card:
    alert = view_models.Badge(words(say(_("Armies that would be too large"))), "alert", "bad")
    line = _("With the next Supply card %(level)s: %(sizes)s")
    told = "" if coming is None else words(say(line, level=coming, sizes=limits(coming)))
    return view_models.Card(
        f"supply-{key}",
        words(say(_("Supply"))),
        title=words(say(_("Armies of at most %(sizes)s"), sizes=limits(level))),
        gauge=view_models.Gauge(level, HIGHEST_LEVEL, words(say(_("Supply %(level)s"), level=level))),
        text=told,
        badges=(alert,) if is_too_little else (),
    )


@lru_cache(maxsize=1000)
def _influence(words: Words, key: str, places: tuple[int, ...], stars: int) -> view_models.Card:
    named = zip(TRACKS.values(), places, strict=True)
    title = " · ".join(f"{words(say(name))} {place}" for name, place in named)
    orders = words(say(_("Special orders: %(stars)s"), stars=stars))
    return view_models.Card(f"places-{key}", words(say(_("Influence"))), title, text=orders)
