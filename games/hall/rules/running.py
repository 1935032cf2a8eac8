"""Rounds: drawing up, opening, closing, the clock. Functions change the copy they get."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.steps import IllegalAction
from games.core.system import system
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.hall.rules import drawing, knockout, several
from games.hall.rules.pairing import Impossible
from games.hall.rules.pieces import (
    CLOSED,
    CUT,
    DRAFTED,
    OPEN,
    OVER,
    PLANNED,
    RUNNING,
    Gathering,
    Pairing,
    Round,
)
from games.hall.rules.settings import rounds_for

LONGEST_EXTENSION = 4 * 60 * 60
BY_PLAYERS = (drawing.SWISS, drawing.MONRAD, drawing.RANDOM)
"""The kinds of pairing whose number of rounds follows from the number of players if nobody has set it."""
UNPAIRED = _("Not paired in this round: %(names)s. Draw the round again, or pair it by hand.")


def pair(g: Gathering, mode: str = "") -> None:
    """Draw up the next round, to be checked, changed by hand and then opened."""
    number = _next_number(g)
    if len(drawing.present(g, number)) < 2 and not drawing.in_the_bracket(g):
        raise IllegalAction(say(_("At least two players must be checked in.")))
    made = [] if g.kind == drawing.FREE else _drawn_up(g, number)
    found = g.rounds[str(number)] = Round(str(number), number, checked_mode(g, mode))
    _set_up(g, found)
    for one in made:
        g.pairings[one.key] = one
    g.say(_("Round %(number)s is drawn up."), number=number)
    absent = [one.name for one in g.players.values() if one.dropped is None and not g.is_here(one)]
    if absent and number == 1:
        g.say(_("Not checked in, and so not paired: %(names)s."), names=tuple(absent))


def _next_number(g: Gathering) -> int:
    """The number of the round that may be drawn up now; `IllegalAction` if none may."""
    refuse_over(g)
    last = g.last
    if last is not None and last.state == DRAFTED:
        line = _("Round %(number)s is drawn up already. Somebody else may have been faster.")
        raise IllegalAction(say(line, number=last.number))
    number = last.number + 1 if last is not None else 1
    refuse_open(g, number)
    if drawing.is_beyond(g, number):
        raise IllegalAction(say(_("All rounds have been played.")))
    return number


def _set_up(g: Gathering, found: Round) -> None:
    """Give a round its stage and its time, by the settings as they are now."""
    found.stage = drawing.stage_of(g, found.number)
    found.minutes, found.overtime = (0, 0) if g.is_league else (g.minutes, g.overtime)


def refuse_open(g: Gathering, number: int) -> None:
    """Refuse to have another round, with this number, while one is open that it does not overlap."""
    opened = [one.number for one in g.rounds.values() if one.state == OPEN]
    if opened and not overlaps(g, number):
        raise IllegalAction(say(_("Close round %(number)s first."), number=min(opened)))


def overlaps(g: Gathering, number: int) -> bool:
    """Whether a round may be drawn up while others are open: in a league, before its knock-out."""
    return g.is_league and drawing.stage_of(g, number) != CUT


def repair(g: Gathering) -> None:
    """Draw up the same round again."""
    last = drafted(g)
    for one in list(g.at(last.number)):
        del g.pairings[one.key]
    _set_up(g, last)
    for one in _drawn_up(g, last.number):
        g.pairings[one.key] = one
    g.say(_("Round %(number)s is drawn up again."), number=last.number)


def call_off(g: Gathering, now: int) -> None:
    """Take back a round that is drawn up, or that is open while none of its tables has a result."""
    last = g.last
    if last is None or last.state == CLOSED:
        raise IllegalAction(say(_("There is no round to call off.")))
    refuse_begun(g, last.number)
    _end_calls(g, last.number, now)
    for one in list(g.at(last.number)):
        del g.pairings[one.key]
    del g.rounds[last.key]
    if not g.rounds:
        g.status = PLANNED
    g.say(_("The pairings of round %(number)s are called off."), number=last.number)


def refuse_over(g: Gathering) -> None:
    """Refuse what nobody may do once the event is over."""
    if g.status == OVER:
        raise IllegalAction(say(_("This event is over.")))


def refuse_begun(g: Gathering, number: int) -> None:
    """Refuse if a table of this round has a result, even a reported one; not while the round is drawn up."""
    if g.rounds[str(number)].state == DRAFTED:
        return
    begun = [one for one in g.at(number) if not one.is_bye and (one.state != OPEN or one.results)]
    if begun:
        line = _("Table %(table)s has a result already.")
        raise IllegalAction(say(line, table=begun[0].table or 0))


def refuse_passed(g: Gathering, key: str, state: str) -> None:
    """Refuse to turn a round back to a state once there is a later one.

    Rounds of a league overlap, but only the newest one may be drawn up and not open.
    """
    refuse_over(g)
    last = g.last
    if last is not None and last.key != key and (state == DRAFTED or not overlaps(g, last.number)):
        raise IllegalAction(say(_("Call round %(number)s off first."), number=last.number))


def open_round(g: Gathering, until: int) -> Round:
    """Let the round that is drawn up be played, in a league `until` then; the caller opens the tables."""
    last = drafted(g)
    if g.kind != drawing.ROUND_ROBIN and all(one.is_bye for one in g.at(last.number)):
        raise IllegalAction(say(_("Nobody is paired yet.")))
    if left_out := unpaired(g, last):
        raise IllegalAction(say(UNPAIRED, names=left_out))
    if not g.length and g.kind in BY_PLAYERS and not g.is_league:
        g.length = rounds_for(len(drawing.present(g, last.number)))
    last.state, g.status = OPEN, RUNNING
    _set_up(g, last)
    if g.is_league:
        last.until = until
    for one in g.at(last.number):
        if last.stage == CUT:  # Somebody who had left may be back by now.
            drawing.decide_unplayed(g, one)
        if not one.is_bye:
            one.seats = _seats(g, one)
    g.say(_("Round %(number)s is open."), number=last.number)
    return last


def unpaired(g: Gathering, found: Round) -> tuple[str, ...]:
    """The names of those who are here and were left out of a round, for instance because they came late."""
    here = drawing.present(g, found.number)
    if found.stage == CUT:
        through = set(drawing.in_the_knockout(g, found.number))
        here = [key for key in here if key in through]
    elif g.kind == drawing.FREE:
        return ()
    return tuple(g.players[key].name for key in here if g.pairing_of(key, found.number) is None)


def set_mode(g: Gathering, mode: str) -> None:
    """Set the mode of the round that is drawn up."""
    last = drafted(g)
    last.mode = checked_mode(g, mode)
    g.say(_("The mode of round %(number)s is chosen."), number=last.number)


def close_round(g: Gathering, now: int, number: int | None = None) -> None:
    """End a round in which every table has a result that counts."""
    found = g.rounds.get(str(number)) if number else g.last
    if found is None or found.state != OPEN:
        raise IllegalAction(say(_("There is no open round to close.")))
    refuse_missing(g, found)
    found.state = CLOSED
    _stop(found, now)
    _end_calls(g, found.number, now)
    g.say(_("Round %(number)s is closed."), number=found.number)


def refuse_missing(g: Gathering, found: Round) -> None:
    """Refuse to close a round while a table has no result, or in the knock-out no winner."""
    missing = [one for one in g.at(found.number) if not one.is_decided]
    if missing:
        tables = tuple(one.table or 0 for one in missing)
        raise IllegalAction(say(_("Results are missing at table %(tables)s."), tables=tables))
    for one in g.at(found.number):
        if found.stage == CUT and not one.winner:
            raise knockout.refused_draw(one)


def finish(g: Gathering) -> None:
    """End the event; its standings are final."""
    refuse_over(g)
    refuse_rounds_left(g, g.rounds.values())
    g.status = OVER
    g.say(_("The event is over."))


def refuse_rounds_left(g: Gathering, rounds: Iterable[Round]) -> None:
    """Refuse to end an event while one of these rounds is not closed, or none was played."""
    if any(one.state != CLOSED for one in rounds) or not g.rounds:
        raise IllegalAction(say(_("Close every round first.")))


def reopen(g: Gathering) -> None:
    """Open the last round again, to play on or correct it."""
    last = g.last
    if last is None or last.state != CLOSED:
        raise IllegalAction(say(_("There is no closed round to open again.")))
    last.state, g.status = OPEN, RUNNING
    g.say(_("Round %(number)s is open again."), number=last.number)


# --- the clock -------------------------------------------------------------------------------------


def start_clock(g: Gathering, now: int) -> None:
    """Start the clock of the open round."""
    found = _on_the_clock(g)
    if found.running_since is not None:
        raise IllegalAction(say(_("The clock is running already.")))
    found.running_since = now
    g.say(_("The clock of round %(number)s runs."), number=found.number)


def pause_clock(g: Gathering, now: int) -> None:
    """Pause the clock of the open round."""
    found = _on_the_clock(g)
    if found.running_since is None:
        raise IllegalAction(say(_("The clock is paused already.")))
    _stop(found, now)
    g.say(_("The clock of round %(number)s stands still."), number=found.number)


def extend(g: Gathering, seconds: int, key: str = "") -> None:
    """Give everybody, or one table, more time; an undo takes it away again."""
    found = _on_the_clock(g)
    if not 0 < seconds <= LONGEST_EXTENSION:
        raise IllegalAction(say(_("Add between one minute and four hours.")))
    minutes = seconds // 60
    if not key:
        found.extended += seconds
        g.say_count("%(count)s minute more for everybody.", "%(count)s minutes more for everybody.", minutes)
        return
    pairing = g.pairings.get(key)
    if pairing is None or pairing.round != found.number or pairing.table is None:
        raise IllegalAction(say(_("There is no such table in this round.")))
    pairing.extended += seconds
    g.say_count(
        "%(count)s minute more for table %(table)s.",
        "%(count)s minutes more for table %(table)s.",
        minutes,
        table=pairing.table,
    )


def _stop(found: Round, now: int) -> None:
    """Stop a round's clock where it stands; it may be started again."""
    found.run, found.running_since = found.spent(now), None


def _on_the_clock(g: Gathering) -> Round:
    last = g.last
    if g.is_league:
        raise IllegalAction(say(_("A league has no hall clock.")))
    if last is None or last.state != OPEN:
        raise IllegalAction(say(_("No round is open.")))
    return last


# --- shared ----------------------------------------------------------------------------------------


def _end_calls(g: Gathering, number: int, now: int) -> None:
    """Close the open calls of a round that is over: others sit at its tables next."""
    tables = {one.key for one in g.at(number)}
    for call in g.calls.values():
        if call.pairing in tables and call.closed_at is None:
            call.closed_at = now


def checked_mode(g: Gathering, mode: str) -> str:
    """A mode of the event's game: this one, or the event's own if none is named."""
    if mode and mode not in {one.slug for one in system(g.system).modes}:
        raise IllegalAction(say(_("This game has no such mode.")))
    return mode or g.mode


def _drawn_up(g: Gathering, number: int) -> list[Pairing]:
    try:
        return drawing.draw_up(g, number)
    except Impossible as impossible:
        raise IllegalAction(_why_impossible(g, number)) from impossible


def _why_impossible(g: Gathering, number: int) -> Line:
    if g.size > 2:
        line = _("%(count)s players cannot be put at tables of three to six.")
        return say(line, count=len(drawing.present(g, number)))
    return say(_("This cannot be paired without a second meeting. Pair this round by hand."))


def _seats(g: Gathering, pairing: Pairing) -> tuple[str, ...]:
    """The seats of a table, in the order of its players; drawn if there are more than two."""
    names = tuple(system(g.system).seat_names)[: len(pairing.players)]
    if len(names) == 2:
        return names
    had: dict[str, list[str]] = {}
    for earlier in g.pairings.values():
        for player, seat in zip(earlier.players, earlier.seats, strict=False):
            had.setdefault(player, []).append(seat)
    order = [int(at) for at in drawing.shuffled(g, [str(at) for at in range(len(names))])]
    return several.houses(pairing.players, names, had, order)


def drafted(g: Gathering) -> Round:
    """The round that is drawn up; `IllegalAction` if none is."""
    last = g.last
    if last is None or last.state != DRAFTED:
        raise IllegalAction(say(_("No round is drawn up. Somebody else may have been faster.")))
    return last
