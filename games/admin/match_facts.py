"""A match in the words that an organiser reads: its score, its state, what the table waits for."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from django.db.models import IntegerField, Model, Prefetch, Sum
from django.db.models.functions import Coalesce

from games import core, translation
from games.admin.piece_fields import colour
from games.core import is_served, isolated, system
from games.history.commits import UnreadableRow, reading
from games.match import storage
from games.match.storage import LoadedMatch
from games.models import Army, Match, Seat
from games.translation import gettext as _
from games.translation import words

logger = logging.getLogger(__name__)


def with_points() -> Prefetch:
    """The armies of matches with their points, in one query."""
    armies = Army.objects.defer("hidden").annotate(points=points_of("scores")).order_by("pk")
    return Prefetch("armies", armies)


def points_of(scores: str) -> Coalesce:
    """The sum of the points in the score rows that this lookup leads to."""
    return Coalesce(Sum(f"{scores}__points"), 0, output_field=IntegerField())


def in_words_of_game(match: Match) -> AbstractContextManager[None]:
    """Within the block, sentences use the words of a match's game, if that is here."""
    return translation.override_game(match.system) if is_served(match.system) else nullcontext()


def title(match: Match) -> str:
    return _(system(match.system).title) if is_served(match.system) else match.system


def mode(match: Match) -> str:
    return _(system(match.system).mode(match.mode).title) if is_served(match.system) else match.mode


def name_of(match: Match, army: Any) -> str:
    """A player's name, or the colour of the seat."""
    return army.name or colour(match.system, army.key)


def score(match: Match) -> str:
    """Players and points: "Red 4 – 3 Blue", or a list if more than two play."""
    armies: list[Any] = list(match.armies.all())
    if len(armies) == 2:
        first, other = armies
        return f"{_named(match, first)} {first.points} – {other.points} {_named(match, other)}"
    return " · ".join(f"{_named(match, army)} {army.points}" for army in armies)


def _named(match: Match, army: Any) -> str:
    return isolated(name_of(match, army))


def state(match: Match) -> str:
    """How far the match is, and whether it is listed."""
    if match.finished_at is not None:
        state = _("Finished")
    else:
        state = round_name(match) if match.round else _("Lobby")
    return state if match.is_listed else f"{state} · {_('not listed')}"


def round_name(match: Match) -> str:
    """What a match's game calls the current round."""
    if is_served(match.system):
        return words(system(match.system).round_name(match.round))
    return _("Round %(number)s") % {"number": match.round}


def sheet(loaded: LoadedMatch) -> list[tuple[str, list[int]]]:
    """The points of each player, round by round and in total."""
    g = loaded.state
    given: Counter[tuple[int, str]] = Counter()
    for row in g.scores.values():
        given[row.round, row.seat] += row.points
    last = max((g.round, *(number for number, _seat in given)))
    rounds = [
        (words(system(g.system).round_name(number)), [given[number, seat] for seat in g.seats])
        for number in range(0 if any(given[0, seat] for seat in g.seats) else 1, last + 1)
    ]
    return [*rounds, (_("Total"), [g.points(seat) for seat in g.seats])]


def seats(match: Match) -> str:
    """Which seats are taken by a phone."""
    states = [
        (colour(match.system, seat.key), _("taken") if seat.is_taken else _("free"))
        for seat in Seat.objects.filter(match=match).order_by("pk")
    ]
    return " · ".join(_("%(who)s: %(action)s") % {"who": name, "action": state} for name, state in states)


def ending(match: Match) -> str:
    """Who has won, and how; "" while the match runs."""
    if match.result is None:
        return ""
    winner = next((army for army in match.armies.all() if army.key == match.result.get("winner")), None)
    who = _("%(name)s wins") % {"name": name_of(match, winner)} if winner else _("A draw")
    how = match.result.get("how", "")
    ending = system(match.system).endings.get(how, how)
    return f"{who} · {_(ending)}" if ending else who


def waiting(match: Match, loaded: LoadedMatch) -> str:
    """Whom the table is waiting for and what they are asked, as a spectator may know it."""
    if match.altered:
        return _("Stopped: something secret was changed outside the game.")
    g = core.view(loaded.state, None)
    try:
        step, seats = core.step_of(g), core.to_act(g)
        if step is None:
            return ""
        asked = words(step.asking(g, None))
    except Exception as error:
        logger.warning("the rules cannot speak about match %s", match.code, exc_info=error)
        return _("The rules cannot continue from this position.")
    names = [g.armies[seat].name or colour(match.system, seat) for seat in seats]
    if asked and any(name in asked for name in names):
        return asked
    who = _(", ").join(names)
    return _("%(who)s: %(action)s") % {"who": who, "action": asked} if who and asked else who or asked


def loaded_of(match: Any) -> LoadedMatch:
    """The match's position, read once per request."""
    if not hasattr(match, "loaded"):
        match.loaded = storage.load(match)
    return match.loaded


def add_waiting(matches: list[Match]) -> None:
    """Note on each match what its table waits for, or how it ended; all take as many queries as one."""
    served = [match for match in matches if is_served(match.system)]
    running = [match for match in served if match.result is None]
    for match in matches:
        match.waiting = not_served(match.system)  # type: ignore[attr-defined]
    positions = {loaded.match.pk: loaded for loaded in _loaded(running)}
    for match in served:
        match.waiting = _waiting(match, positions.get(match.pk))  # type: ignore[attr-defined]


def not_served(slug: str) -> str:
    """The sentence that a game is not installed here."""
    return _("The game “%(game)s” is not installed here.") % {"game": slug}


def _loaded(matches: list[Match]) -> list[LoadedMatch]:
    """The positions of these matches; of all of them or, if one cannot be read, of none."""
    with suppress(UnreadableRow), reading(matches):
        return storage.load_many(matches)
    return []


def _waiting(match: Match, loaded: LoadedMatch | None) -> str:
    return readable(match, lambda: ending(match) or waiting(match, loaded or storage.load(match)))


def readable(row: Model, cell: Callable[[], str]) -> str:
    """A cell in the row's line of a list; a sentence if that cannot be read, so that the others are shown."""
    try:
        with reading(row):
            return cell()
    except UnreadableRow as unreadable:
        return words(unreadable.line)
