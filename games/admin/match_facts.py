"""A match in the words that an organiser reads: its score, its state, what the table waits for."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import IntegerField, Model, Prefetch, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import translation
from games.admin.admin_pages import STATES
from games.admin.piece_fields import colour
from games.core import engine, is_served, isolated, system
from games.hall.models import Event, Player
from games.history.verdict import UnreadableRow, reading
from games.match import storage
from games.match.storage import LoadedMatch
from games.models import Army, Match, Seat
from games.translation import words

logger = logging.getLogger(__name__)


def with_points() -> Prefetch:
    """The armies of matches with their points, in one query."""
    armies = Army.objects.defer("hidden").annotate(points=points_of("scores")).order_by("pk")
    return Prefetch("armies", armies)


def points_of(scores: str) -> Coalesce:
    """The sum of the points in the score rows that this lookup leads to."""
    return Coalesce(Sum(f"{scores}__points"), 0, output_field=IntegerField())


def speaking(match: Match) -> AbstractContextManager[None]:
    """Within the block, sentences use the words of a match's game, if that is here."""
    return translation.override_game(match.system) if is_served(match.system) else nullcontext()


def title(match: Match) -> str:
    """The title of the game."""
    return _(system(match.system).title) if is_served(match.system) else match.system


def mode(match: Match) -> str:
    """The title of the game's mode."""
    return _(system(match.system).mode(match.mode).title) if is_served(match.system) else match.mode


def name_of(match: Match, army: Any) -> str:
    """A player's name, or the colour of the seat."""
    return army.name or colour(match.system, army.key)


def score(match: Match) -> str:
    """Players and points: "Red 4 – 3 Blue", or a list if more than two play."""
    armies: list[Any] = list(match.armies.all())
    if len(armies) == 2:
        one, other = armies
        return f"{_named(match, one)} {one.points} – {other.points} {_named(match, other)}"
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
    for one in g.scores.values():
        given[one.round, one.seat] += one.points
    last = max((g.round, *(number for number, _seat in given)))
    rounds = [
        (words(system(g.system).round_name(number)), [given[number, seat] for seat in g.seats])
        for number in range(0 if any(given[0, seat] for seat in g.seats) else 1, last + 1)
    ]
    return [*rounds, (_("Total"), [g.points(seat) for seat in g.seats])]


def seats(match: Match) -> str:
    """Which seats are taken by a phone."""
    told = [
        (colour(match.system, seat.key), _("taken") if seat.is_taken else _("free"))
        for seat in Seat.objects.filter(match=match).order_by("pk")
    ]
    return " · ".join(_("%(who)s: %(action)s") % {"who": name, "action": state} for name, state in told)


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
    g = engine.view(loaded.state, None)
    try:
        step, seats = engine.step_of(g), engine.to_act(g)
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
    found = {loaded.match.pk: loaded for loaded in _loaded(running)}
    for match in served:
        match.waiting = _waiting_or_ending(match, found.get(match.pk))  # type: ignore[attr-defined]


def not_served(slug: str) -> str:
    """The sentence that a game is not installed here."""
    return _("The game “%(game)s” is not installed here.") % {"game": slug}


def _loaded(matches: list[Match]) -> list[LoadedMatch]:
    """The positions of these matches; of all of them or, if one cannot be read, of none."""
    with suppress(UnreadableRow), reading(matches):
        return storage.load_many(matches)
    return []


def _waiting_or_ending(match: Match, loaded: LoadedMatch | None) -> str:
    return readable(match, lambda: ending(match) or waiting(match, loaded or storage.load(match)))


def readable(row: Model, cell: Callable[[], str]) -> str:
    """A cell in the row's line of a list; a sentence if that cannot be read, so that the others are shown."""
    try:
        with reading(row):
            return cell()
    except UnreadableRow as unreadable:
        return words(unreadable.line)


Facts = list[tuple[str, str]]


def page_of_match(admin: Any, request: HttpRequest, match: Match) -> TemplateResponse:
    """The bare page of a match."""
    rows = [
        (_("Table code"), match.code),
        (_("Game"), match.system),
        (_("Mode"), match.mode),
        (_("State"), _state(match)),
        (_("Opened"), _when(match.created_at)),
        (_("Last tap"), _when(match.changed_at)),
        (_("Finished"), _when(match.finished_at)),
    ]
    title = _("Match %(code)s") % {"code": match.code}
    return _page(admin, request, match, title, rows, _seated(match))


def page_of_event(admin: Any, request: HttpRequest, event: Event) -> TemplateResponse:
    """The bare page of an event."""
    rows = [
        (_("Event code"), event.code),
        (_("Game"), event.system),
        (_("Mode"), event.mode),
        (_("State"), event.get_status_display()),
        (_("Opened"), _when(event.created_at)),
        (capfirst(_("last change")), _when(event.changed_at)),
    ]
    players = Player.objects.filter(event=event).values_list("name", "club")
    people = [" · ".join(filter(None, player)) for player in players]
    return _page(admin, request, event, event.name, rows, people)


def _page(
    admin: Any, request: HttpRequest, row: Any, title: str, told: Facts, people: list[str]
) -> TemplateResponse:
    if not admin.has_view_or_change_permission(request, row):
        raise PermissionDenied
    named = f"admin:{row._meta.app_label}_{row._meta.model_name}"
    context = {
        **admin.admin_site.each_context(request),
        "opts": row._meta,
        "title": title,
        "trail": [(reverse(f"{named}_changelist"), capfirst(row._meta.verbose_name_plural))],
        "why": not_served(row.system),
        "facts": [(name, value) for name, value in told if value],
        "people": people,
        "delete_url": reverse(f"{named}_delete", args=[row.pk]) if _may_delete(admin, request, row) else "",
        "media": admin.media,
    }
    return TemplateResponse(request, "admin/games/bare.html", context)


def _may_delete(admin: Any, request: HttpRequest, row: Any) -> bool:
    return bool(admin.has_delete_permission(request, row))


def _state(match: Match) -> str:
    state = "finished" if match.finished_at else "playing" if match.round else "lobby"
    return " · ".join(filter(None, (str(STATES[state][0]), round_name(match) if match.round else "")))


def _seated(match: Match) -> list[str]:
    """Every side: its seat, who plays it, and whether a phone has the seat."""
    taken = set(Seat.objects.filter(match=match, is_taken=True).values_list("key", flat=True))
    armies = Army.objects.filter(match=match).order_by("pk").values_list("key", "name")
    return [_side(match, key, name, _("taken") if key in taken else _("free")) for key, name in armies]


def _side(match: Match, key: str, name: str, state: str) -> str:
    seat = colour(match.system, key)
    return f"{seat}: {name} ({state})" if name else f"{seat} ({state})"


def _when(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT") if moment else ""
