"""The tables of an event: opened with a round, followed while they are played, asked for their results.

Everything a table has said is in its rows, so a restart loses nothing: the next action on the event, or the
next look at it, takes it over.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from games import catalogue
from games.core import ADJUDICATION, CONCESSION, TIME_OUT, IllegalAction, RequestRefused, say, system
from games.core import gettext_noop as _
from games.hall.models import ArmyList, Event, Pairing
from games.hall.rules import event_results, event_rounds, event_state
from games.hall.rules.event_results import Result
from games.hall.rules.event_state import (
    ADJUDICATED,
    ALL_LOST,
    CONCEDED,
    FINISHED,
    LEFT,
    TIME,
    EventState,
    Round,
)
from games.history.commits import UnreadableRow, reading
from games.history.signals import event_table_changed
from games.match import play, storage
from games.match.storage import LoadedMatch
from games.models import Entry, Match
from games.view_models import Notice

logger = logging.getLogger(__name__)

HOWS = {CONCESSION: CONCEDED, TIME_OUT: TIME, "clock": TIME, ADJUDICATION: ADJUDICATED}
"""How a match ended → what an event calls it; any other end that a game knows is an end by its rules."""


def open_tables(g: EventState, event: Event, this_round: Round) -> None:
    """Open a table with its players' names for every pairing of a round; called within the action.

    A table whose players are still choosing their houses waits until they have.
    """
    for pairing in g.at(this_round.number):
        if pairing.is_bye or pairing.how == LEFT or pairing.match is not None or "" in pairing.seats:
            continue
        names = {seat: g.players[key].name for seat, key in zip(pairing.seats, pairing.players, strict=True)}
        order = [seat for seat in system(g.system).seat_names if seat in names]
        match = play.open_match(
            g.system,
            this_round.mode,
            {seat: names[seat] for seat in order},
            {**g.options, **this_round.options},
            is_listed=g.is_listed,
            is_demo=event.is_demo,
            opened_from=event.opened_from,
        )
        pairing.match = match.code


def set_options(g: EventState, options: Mapping[str, Any]) -> None:
    """Set options of the tables of the round that is drawn up, among those that the game has now."""
    event_rounds.set_options(g, options, catalogue.current(g.system))


def clear_away(code: str) -> None:
    """Delete an event's table if nobody has played there; otherwise it stays as an ordinary table."""
    match = Match.objects.select_for_update().filter(code=code).first()
    if match is not None and not is_touched(code):
        match.delete()


def open_again(g: EventState, event: Event) -> None:
    """Open new tables for pairings that an undo brought back without theirs; called within the action."""
    codes = {pairing.match for pairing in g.pairings.values() if pairing.match}
    there = set(Match.objects.filter(code__in=codes).values_list("code", flat=True))
    for event_round in g.rounds.values():
        gone = [
            pairing for pairing in g.at(event_round.number) if pairing.match and pairing.match not in there
        ]
        for pairing in gone:
            pairing.match = None
        if gone:
            open_tables(g, event, event_round)


BEFORE_PLAY = (Entry.Kind.OPEN, Entry.Kind.BRING, Entry.Kind.REMARK)
"""What a table's log may hold before its game: phones take their seats by themselves when the round opens."""


def is_touched(code: str, seat: str | None = None) -> bool:
    """Whether anyone (or this seat) has tapped at a table, in its set-up or later."""
    by = {} if seat is None else {"seat": seat}
    return Entry.objects.filter(match__code=code, **by).exclude(kind__in=BEFORE_PLAY).exists()


def has_begun(round_number: int, has_points: bool) -> bool:
    """Whether a table says anything about its game: during set-up, before round one, nobody has points."""
    return round_number > 0 or has_points


def bring_lists(event: Event, g: EventState, number: int) -> None:
    """Bring the lists of a round to each table where all are known; repeating this does nothing.

    A list that the game cannot read stays with its player, who is asked for it at the table.
    """
    tables = [
        table for table in g.at(number) if table.match is not None and set(table.chosen) == set(table.players)
    ]
    texts = ArmyList.texts(event, (fingerprint for table in tables for fingerprint in table.chosen.values()))
    for pairing in tables:
        assert pairing.match is not None
        for seat, player in zip(pairing.seats, pairing.players, strict=True):
            text = texts.get(pairing.chosen[player])
            if text:
                _bring(pairing.match, seat, text, f"event-{event.pk}-{pairing.key}-{player}")


def is_list_waiting(match: str, seat: str) -> bool:
    """Whether the list of a seat's player is handed in, and sealed until all of this table are."""
    pairing = Pairing.objects.filter(match_id=match).first() if event_of(match) else None
    if pairing is None or set(pairing.chosen) == set(pairing.players):
        return False
    return dict(zip(pairing.seats, pairing.players, strict=True)).get(seat, "") in pairing.chosen


def waiting_list(match: str, seat: str) -> Notice | None:
    """That a seat's list is handed in and what it waits for; None if it waits for nothing."""
    if not is_list_waiting(match, seat):
        return None
    sentence = gettext("Your army list is handed in. It comes to the table once your opponent’s is in, too.")
    return Notice(sentence, "good")


def _bring(code: str, seat: str, text: str, key: str) -> None:
    try:
        with transaction.atomic():
            play.bring(code, seat, text, key)
    except RequestRefused:
        return


def take_over(g: EventState, changed: str = "") -> bool:
    """Take over the results of its tables that an event does not know yet; whether there were any.

    Of a table that has `changed`, what is counted beyond its points may be new as well.
    """
    asked = [pairing for pairing in g.pairings.values() if pairing.match is not None]
    if not asked:
        return False
    return event_results.take_over(g, results_of(g, _worth_asking(g, asked), changed))


def results_of(g: EventState, codes: Iterable[str], changed: str = "") -> dict[str, Result | None]:
    """The results of these tables by their match's code, None for one that is not over.

    A table whose pairing already has its result is left out, unless it has just `changed`: nothing of it has
    to be read. So is one that cannot be read, because somebody altered it; a judge has to rule there.
    """
    of = {pairing.match: pairing for pairing in g.pairings.values()}
    results: dict[str, Result | None] = {}
    new = []
    for code, result in Match.objects.filter(code__in=list(codes)).values_list("code", "result"):
        with suppress(UnreadableRow), reading(code):
            if result is None:
                results[code] = None
            elif code == changed or not _is_known(of[code], result):
                new.append(code)
    for match in Match.objects.filter(code__in=new) if new else ():
        with suppress(UnreadableRow), reading(match):
            results[match.code] = _result(storage.load(match), of[match.code])
    return results


def refuse_contradiction(g: EventState, key: str, stated: Mapping[str, Any]) -> None:
    """Refuse a result whose points differ from those of its table, which is being played; both are shown."""
    pairing = event_results.pairing_of(g, key)
    match = Match.objects.filter(code=pairing.match, result__isnull=True).first()
    if match is None or not has_begun(match.round, match.scores.exists()):
        return
    result = event_results.checked(g, pairing, stated)
    try:
        with reading(match):
            stands = _result(storage.load(match), pairing)
    except UnreadableRow:
        # Nobody can tell what the table says, so the result by hand is all there is.
        return
    if any(stands.scores[player]["vp"] != numbers["vp"] for player, numbers in result.scores.items()):
        line = _(
            "You entered %(said)s, but table %(table)s is being played and shows %(stands)s. A judge "
            "must decide."
        )
        raise IllegalAction(
            say(
                line,
                table=pairing.table or 0,
                said=event_results.in_words(g, result),
                stands=event_results.score(g, stands),
            )
        )


def _is_known(pairing: event_state.Pairing, stated: Mapping[str, Any]) -> bool:
    """Whether a pairing already has the winner and the points that its match states."""
    if not pairing.is_decided or not pairing.results:
        return False
    player = dict(zip(pairing.seats, pairing.players, strict=True))
    points = {player.get(seat): vp for seat, vp in stated.get("points", {}).items()}
    winner = player.get(stated.get("winner") or "", "")
    recorded = {key: numbers.get("vp", 0) for key, numbers in pairing.results.items()}
    return winner == pairing.winner and points == recorded


def _worth_asking(g: EventState, pairings: Iterable[event_state.Pairing]) -> list[str]:
    """The tables of rounds that are not closed."""
    return [
        pairing.match
        for pairing in pairings
        if pairing.match is not None and g.rounds[str(pairing.round)].state != event_state.CLOSED
    ]


def _result(loaded: LoadedMatch, pairing: event_state.Pairing) -> Result:
    """A finished match as the result of its pairing: by player instead of by seat."""
    player = dict(zip(pairing.seats, pairing.players, strict=True))
    stated = loaded.state.result or {}
    tally = system(loaded.state.system).tally(loaded.state)
    scores = {player[seat]: numbers for seat, numbers in tally.items() if seat in player}
    for seat, points in stated.get("points", {}).items():
        if seat in player:
            scores[player[seat]] = {**scores[player[seat]], "vp": points}
    winner = player.get(stated.get("winner") or "", "")
    return Result(scores, winner, _how(loaded, stated.get("how", "")))


def _how(loaded: LoadedMatch, how: str) -> str:
    return ALL_LOST if how in system(loaded.state.system).losses else HOWS.get(how, FINISHED)


# --- the other way: a table has changed ------------------------------------------------------------


def event_of(match: str) -> str:
    """The code of the event that a table belongs to, "" for none.

    An event may be deleted, here or by another process, and leaves its tables behind.
    """
    event = opened_by(match)
    return event if event and Event.objects.filter(code=event).exists() else ""


@lru_cache(maxsize=4096)
def opened_by(match: str) -> str:
    """The code of the event that opened a table, "" for none: known from the table's first moment."""
    code = Pairing.objects.filter(match_id=match).values_list("event__code", flat=True).first()
    return code or ""


def follow(loaded: LoadedMatch, **_signal: Any) -> None:
    """Follow a new version of a match: its event takes over that it has ended, or goes on after all."""
    if event := event_of(loaded.match.code):
        _take_over_from(loaded, event)


def _take_over_from(loaded: LoadedMatch, event: str) -> None:
    from games.hall import event_actions

    code = loaded.match.code
    try:
        decided = loaded.state.result is not None
        if decided or Pairing.objects.filter(match_id=code, state=Pairing.State.AGREED).exists():
            event_actions.take_over_results(event, code)
    except Exception:
        # The tap itself is saved. The next look at the event takes over what this one could not.
        logger.exception("the result of match %s could not be taken over", code)
    event_table_changed.send(Event, event=event, match=code)
