"""The demo table: two robots play a match slowly, for as long as somebody watches, and then another one.

Every step is a tap or a correction that the rules offer. At most two of these tables exist: the one that is
played, and the one before, which leads its spectators there. They are in no list and in no statistics.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games import core
from games.core import RequestRefused, State, name_of, parse_action, say, system, usual
from games.core import gettext_noop as _
from games.match import play, random_play, storage
from games.models import Match, Seat
from games.web import clock, in_turn, keys

NAMES = ("Robot Ada", "Robot Bo", "Robot Cleo", "Robot Dan", "Robot Eve", "Robot Finn")
PACE_SECONDS = 4
"""How often the robots tap."""
REST = timedelta(seconds=40)
"""How long a finished match stays before the next one begins."""
LEFT = timedelta(days=1)
"""After how long without spectators a match is not taken up again."""
OFTEN = 0.4
"""How often a robot corrects something on the board, as players do, before it answers the question."""
MOST_WOUNDS = 3


def current() -> Match | None:
    """The newest demo table, if there is one."""
    return _all().first()


def is_on() -> bool:
    """Whether there is a demo table: there may be none here, or an organiser has adjudicated the last one."""
    return settings.DEMO and not _is_stopped(current())


def table() -> Match:
    """The demo table to watch: a new one if there is none, or if the last one is past."""
    with transaction.atomic():
        in_turn("demo table")
        match = current()
        return match if match is not None and not _is_past(match) else _begin(match)


def _is_stopped(match: Match | None) -> bool:
    return match is not None and match.result is not None and match.result["how"] == "adjudication"


def asked_for(match: Match) -> Match:
    """A match whose news a browser without a stream asks for, as it is now: that counts as watching."""
    if settings.DEMO and match.is_demo and match.opening_hash == _mark():
        step((match.code,))
        match.refresh_from_db()
    return match


def step(watched: Collection[str]) -> None:
    """The robots' next step if one is due and somebody watches; `watched` are the codes of tables."""
    if not _is_due(current(), watched):
        return
    with transaction.atomic():
        # Of several processes one steps: the others wait here, and then it is no longer due.
        in_turn("demo table")
        match = current()
        if match is not None and _is_due(match, watched):
            (_begin if match.result is not None else _step)(match)


def _is_due(match: Match | None, watched: Collection[str]) -> bool:
    if match is None or match.code not in watched or _is_stopped(match):
        return False
    if match.result is not None:
        return _is_past(match)
    return clock.now() - match.changed_at >= timedelta(seconds=PACE_SECONDS - 1)


def _step(match: Match) -> None:
    """Something that players do between two answers, now and then, or the next answer."""
    state, luck = storage.current(match).state, random.Random()  # noqa: S311
    corrections = list(_corrections(state, luck)) if luck.random() < OFTEN else []
    with suppress(RequestRefused):
        if corrections:
            play.adjust(match.code, *luck.choice(corrections), play.new_key())
            return
    play.tap(match.code, *answer(state, luck), match.version, play.new_key())


def answer(state: State, luck: random.Random) -> tuple[str, str]:
    """A seat that is asked, and one of the answers that the rules put forward most."""
    seat = luck.choice(core.awaited(state))
    offers = core.answers(state, seat)
    order = ("main", "plain", "quiet", "apart")
    best = min(order.index(offer.style) for offer in offers)
    return seat, random_play.tap_of(
        luck.choice([choice for choice in offers if order.index(choice.style) == best]), luck
    )


def _corrections(state: State, luck: random.Random) -> Iterator[tuple[str, str, str]]:
    """Claims of units and wounds to them, as players note them between two answers: seat, path, action."""
    for path in system(state.system).corrections_step.paths(state):
        kind, _slash, key = path.partition("/")
        for offer in core.corrections_of(state, path) if kind == "unit" else ():
            verb = parse_action(offer.action).verb
            if verb == "claim":
                yield state.units[key].army, path, offer.action
            elif verb == "wounds" and offer.minimum is not None and offer.minimum < 0:
                lost = luck.randint(1, min(MOST_WOUNDS, -offer.minimum))
                yield state.units[key].army, path, f"{offer.action}:{-lost}"


def opening(luck: random.Random) -> State:
    """The usual game at its first round: sample armies, set up as the rules suggest."""
    game = usual()
    names = dict(zip(list(game.seat_names)[: game.seat_range[0]], NAMES, strict=False))
    state = play.initial_state(game.slug, game.modes[0].slug, names)
    while not state.round and state.result is None:
        state = core.play(state, *answer(state, luck))
    return state


def _all() -> QuerySet[Match]:
    return Match.objects.filter(opening_hash=_mark()).order_by("-pk")


def _mark() -> str:
    """What tells demo tables from all others: no program can ask for a table by it."""
    return keys.mac("demo table", "", 64)


def _is_past(match: Match) -> bool:
    """Whether the match has been over for a while, or nobody has watched it for long."""
    quiet = clock.now() - (match.finished_at or match.changed_at)
    return quiet > (REST if match.finished_at else LEFT)


def _begin(before: Match | None) -> Match:
    """A new demo table, to which the one before leads; those before that are deleted."""
    for old in _all()[1:]:
        old.delete()
    state = opening(random.Random())  # noqa: S311
    new = Match(is_listed=False, is_demo=True, takes_requests=False, opening_hash=_mark())
    line = say(_("Two robots play here slowly while someone is watching."))
    match = play.create_match(new, state, line)
    Seat.objects.filter(match=match).update(is_taken=True)
    if before is not None:
        seat = state.seats[0]
        line = say(_("%(name)s starts a rematch."), name=name_of(state, seat))
        play.remark(before.code, line, NAMES[0], f"rematch:{match.code}:{seat}:{seat}")
    return match
