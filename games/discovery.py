"""Which games there are: the folders of `games/systems`, and installed packages that name a game.

Somebody else's package names its game in its own pyproject.toml, and touches nothing here:

    [project.entry-points."roundtable.games"]
    lanterns = "roundtable_lanterns"

The package has a `SYSTEM`, like our own folders, and next to it whatever it needs of README.md, templates/,
static/, locale/ and seeds/ (those of our own games lie at the top). A broken package affects only its own
game: `problems` says so in a sentence, and every other game is served.
"""

from __future__ import annotations

import gettext
import importlib
import logging
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from games import systems as built_in
from games.core import NotServed, System, advance, facts, forget, register, systems

GROUP = "roundtable.games"
SLUG = re.compile(r"[a-z][a-z0-9-]{0,49}")
"""A game's name in addresses and in the database."""

MOST_SEATS = 6
"""There are colours and shapes for this many seats."""

log = logging.getLogger(__name__)


class Broken(Exception):
    """A package whose game cannot be served, and why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game is: its package, that package's folder, and who provides it ("" for a game of ours)."""

    package: str
    folder: Path
    owner: str = ""

    @property
    def seeds(self) -> Path:
        """The folder of what a fresh database gets of the game: at the top for a game of ours."""
        return Path(str(facts.place(self.package, facts.SEEDS)))


_places: dict[str, Place] = {}
_problems: list[str] = []


def places() -> tuple[Place, ...]:
    """Every place where a game may be, ours first; no game is imported for this."""
    return (*_ours(), *(place for entry_point in _named() if (place := _place(entry_point)) is not None))


def discover() -> tuple[System, ...]:
    """Import every game and register it. A broken package of ours raises; somebody else's is reported."""
    for place in _ours():
        module = importlib.import_module(place.package)
        if hasattr(module, "SYSTEM"):
            _places[register(module.SYSTEM).slug] = place
    _problems.clear()
    for entry_point in _named():
        try:
            _bring(entry_point)
        except Broken as broken:
            _problems.append(f"The game {entry_point.name} of {_owner(entry_point)} is left out: {broken}.")
    for sentence in _problems:
        log.warning(sentence)
    return systems()


def problems() -> tuple[str, ...]:
    """One sentence for each installed game that is not served."""
    return tuple(_problems)


def place_of(slug: str) -> Place:
    """Where the game of this name is; `NotServed` (a KeyError) if there is none."""
    try:
        return _places[slug]
    except KeyError:
        raise NotServed(slug) from None


def _ours() -> Iterator[Place]:
    for module_info in sorted(pkgutil.iter_modules(built_in.__path__), key=lambda module: module.name):
        if module_info.ispkg:
            folder = Path(getattr(module_info.module_finder, "path", "")) / module_info.name
            yield Place(f"{built_in.__name__}.{module_info.name}", folder)


def _named() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda entry_point: (entry_point.name, _owner(entry_point)))


def _owner(entry_point: EntryPoint) -> str:
    return f"{entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist else "an unknown package"


def _place(entry_point: EntryPoint) -> Place | None:
    """Where an installed game is; None if there is no such package (`discover` says so)."""
    try:
        spec = find_spec(entry_point.module)
    except Exception:
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Place(entry_point.module, Path(next(iter(spec.submodule_search_locations))), _owner(entry_point))


def _bring(entry_point: EntryPoint) -> None:
    place = _place(entry_point)
    if place is None:
        raise Broken(f"there is no package {entry_point.module}")
    try:
        made = importlib.import_module(entry_point.module)
    except (Exception, SystemExit) as problem:
        raise Broken(f"it cannot be loaded ({_in_one_line(problem)})") from problem
    game = getattr(made, "SYSTEM", None)
    if not isinstance(game, System):
        raise Broken(f"{entry_point.module} has no SYSTEM that is a games.core.System")
    try:
        _check(game, place)
        _places[register(game).slug] = place
        _try(game)
    except Exception as problem:
        _forget(game, place)
        if isinstance(problem, Broken):
            raise
        raise Broken(f"no table of it can be opened ({_in_one_line(problem)})") from problem


def _forget(game: System, place: Place) -> None:
    slug = getattr(game, "slug", "")
    if _places.get(slug) == place:
        del _places[slug]
        forget(game)


def _check(game: System, place: Place) -> None:
    """Refuse a game that pages would stumble over."""
    slug, title = getattr(game, "slug", ""), getattr(game, "title", "")
    if not (isinstance(slug, str) and SLUG.fullmatch(slug)):
        raise Broken(f"its slug is {slug!r}, and has to be small letters, digits and hyphens")
    if slug in _places and _places[slug].package != place.package:
        raise Broken(f"another game is called {slug} already")
    if not (isinstance(title, str) and title):
        raise Broken("it has no title")
    if not game.modes:
        raise Broken("it has no mode")
    low, high = game.seat_range
    if not 1 <= low <= high <= min(len(game.seat_names), MOST_SEATS):
        raise Broken(f"it is for {low} to {high} seats and names {len(game.seat_names)}")
    for mode in game.modes:
        if not SLUG.fullmatch(mode.slug):
            raise Broken(f"its mode {mode.slug!r} has to be small letters, digits and hyphens")


def _try(game: System) -> None:
    """Ask for everything that forms, lists and the first page of a table need; anything wrong raises."""
    names = dict(list(game.seat_names.items())[: game.seat_range[0]])
    for mode in game.modes:
        advance(game.open(mode.slug, names, "a-first-look", {}))
    for usual, low, high in game.options.values():
        if not low <= usual <= high:
            raise Broken(f"an option has the usual value {usual}, outside of {low} to {high}")
    for slug in game.demo_armies():
        game.demo_summary(slug)
    for kind in game.entry_kinds.values():
        list(kind.planted())


def _in_one_line(problem: BaseException) -> str:
    return ": ".join((type(problem).__name__, *str(problem).splitlines()[:1])).rstrip(".")


def catalogues_can_be_read(place: Place) -> bool:
    """Whether the words of an installed game can be merged with the others."""
    for path in (place.folder / "locale").glob("*/LC_MESSAGES/*.mo"):
        try:
            with path.open("rb") as file:
                gettext.GNUTranslations(file)
        except Exception:
            log.warning("The words in %s cannot be read; they are left out.", path)
            return False
    return True
