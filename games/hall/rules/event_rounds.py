"""The rounds of an event: drawing up, pairing by hand, opening, closing; the clock, judges, announcements.

Functions change the copy they get.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from games import core
from games.core import Entries, IllegalAction, Line, Term, clean_note, say, system
from games.core import gettext_noop as _
from games.hall.rules import knockout, round_draw, standings
from games.hall.rules.event_results import open_pairing, pairing_of
from games.hall.rules.event_settings import rounds_for
from games.hall.rules.event_state import (
    BID,
    CHOICE,
    CLOSED,
    CUT,
    DRAFTED,
    FREE,
    LOSS,
    MONRAD,
    OPEN,
    OVER,
    PLANNED,
    RANDOM,
    ROTATION,
    ROUND_ROBIN,
    RUNNING,
    SWISS,
    Announcement,
    Call,
    EventState,
    Pairing,
    Round,
)
from games.hall.rules.pairing import LEAST, MOST, Impossible, houses

LONGEST_EXTENSION = 4 * 60 * 60
BY_PLAYERS = (SWISS, MONRAD, RANDOM)
"""The kinds of pairing whose number of rounds follows from the number of players if nobody has set it."""
STALE = _(
    "Results before this round have changed. %(changed)s of %(count)s pairings would be different. "
    "Pair again, or keep these."
)
PLAYERS_CHOOSE = _("The players choose")
UNPAIRED = _("Not paired in this round: %(names)s. Tap “Pair again”, or pair by hand.")


def pair(g: EventState, mode: str = "") -> None:
    """Draw up the next round, to be checked, changed by hand and then opened."""
    number = _next_number(g)
    if len(g.present(number)) < 2 and not round_draw.in_the_bracket(g):
        raise IllegalAction(say(_("At least two players must be checked in.")))
    first, mark = g.drawn, standings.mark(g)
    made = [] if g.kind == FREE else _drawn_up(g, number)
    new_round = g.rounds[str(number)] = Round(str(number), number, checked_mode(g, mode))
    new_round.rests_on, new_round.drawn_from = mark if made else "", first
    _set_up(g, new_round)
    for pairing in made:
        g.pairings[pairing.key] = pairing
    g.say(_("Round %(number)s is paired."), number=number)
    absent = [
        player.name for player in g.players.values() if player.dropped is None and not g.is_here(player)
    ]
    if absent and number == 1:
        g.say(_("Not checked in, and so not paired: %(names)s."), names=tuple(absent))


def _next_number(g: EventState) -> int:
    """The number of the round that may be drawn up now; `IllegalAction` if none may."""
    refuse_over(g)
    if g.is_ladder:
        raise IllegalAction(say(_("Nothing is paired in a ladder: players challenge each other.")))
    last = g.last
    if last is not None and last.state == DRAFTED:
        line = _("Round %(number)s is already paired. Another organiser may have done it.")
        raise IllegalAction(say(line, number=last.number))
    number = last.number + 1 if last is not None else 1
    refuse_open(g, number)
    if round_draw.is_beyond(g, number):
        raise IllegalAction(say(_("All rounds have been played.")))
    return number


def _set_up(g: EventState, this_round: Round) -> None:
    """Give a round its stage and its time, by the settings as they are now."""
    this_round.stage = round_draw.stage_of(g, this_round.number)
    this_round.minutes, this_round.overtime = (0, 0) if g.is_league else (g.minutes, g.overtime)


def refuse_open(g: EventState, number: int) -> None:
    """Refuse to have another round, with this number, while one is open that it does not overlap."""
    if g.open_rounds and not overlaps(g, number):
        raise IllegalAction(say(_("Close round %(number)s first."), number=g.open_rounds[0].number))


def overlaps(g: EventState, number: int) -> bool:
    """Whether a round may be drawn up while others are open: in a league, before its knock-out."""
    return g.is_league and round_draw.stage_of(g, number) != CUT


def repair(g: EventState) -> None:
    """Draw up the same round again: with the same random results if those that it rests on have changed."""
    last = drafted(g)
    if not is_stale(g, last):
        last.drawn_from = g.drawn
    for pairing in list(g.at(last.number)):
        del g.pairings[pairing.key]
    _set_up(g, last)
    for pairing in _drawn_again(g, last):
        g.pairings[pairing.key] = pairing
    last.rests_on = standings.mark(g, last.number - 1)
    g.say(_("Round %(number)s is paired again."), number=last.number)


class Changed(NamedTuple):
    """What a round would be now that results before it have changed: the pairings it has not, of how many."""

    pairings: tuple[Pairing, ...]
    total: int


def is_stale(g: EventState, this_round: Round) -> bool:
    """Whether a round was drawn from other results than those before it that count now."""
    return bool(this_round.rests_on) and this_round.rests_on != standings.mark(g, this_round.number - 1)


def changed(g: EventState) -> Changed | None:
    """What a draw of the newest round from the results as they are now would change; None for nothing.

    Whoever came after the draw, or left, was not, or was, there for it.
    """
    last = g.last
    if last is None or last.state == CLOSED or not is_stale(g, last):
        return None
    now, then = list(g.at(last.number)), g.copy()
    for pairing in now:
        del then.pairings[pairing.key]
        if pairing.how == LOSS:
            then.players[pairing.players[0]].came = last.number + 1
    try:
        made = _drawn_again(then, then.rounds[last.key])
    except IllegalAction:
        return Changed((), len(now))
    stands = {frozenset(pairing.players) for pairing in now}
    others = tuple(pairing for pairing in made if frozenset(pairing.players) not in stands)
    return Changed(others, len(made)) if others else None


def may_keep(g: EventState, this_round: Round) -> bool:
    """Whether a round that a correction changes may stay as it is: everybody who is to play in it does."""
    return changed(g) is not None and not unpaired(g, this_round)


def keep_draw(g: EventState) -> None:
    """Keep the newest round as it was drawn, although results before it have changed."""
    last = g.last
    if last is None or not is_stale(g, last):
        raise IllegalAction(say(_("No result under this draw has changed.")))
    last.rests_on = standings.mark(g, last.number - 1)
    g.say(_("The pairings of round %(number)s are kept."), number=last.number)


def _drawn_again(g: EventState, this_round: Round) -> list[Pairing]:
    """The pairings of a round from the results as they are now, with the random results of its draw."""
    stands, g.drawn = g.drawn, this_round.drawn_from
    try:
        return _drawn_up(g, this_round.number)
    finally:
        # No number of a random result is given again: a player's key may come from it.
        g.drawn = max(stands, g.drawn)


def call_off(g: EventState, now: int) -> None:
    """Take back a round that is drawn up, or that is open while none of its tables has a result."""
    last = g.last
    if last is None or last.state == CLOSED:
        raise IllegalAction(say(_("There is no round to cancel.")))
    refuse_begun(g, last.number)
    _end_calls(g, last.number, now)
    for pairing in list(g.at(last.number)):
        del g.pairings[pairing.key]
    for match in g.matches_at(last.number):
        del g.team_matches[match.key]
    del g.rounds[last.key]
    if not g.rounds:
        g.status = PLANNED
    g.say(_("Round %(number)s is cancelled."), number=last.number)


def refuse_over(g: EventState) -> None:
    """Refuse what nobody may do once the event is over."""
    if g.status == OVER:
        raise IllegalAction(say(_("This event is over.")))


def refuse_begun(g: EventState, number: int) -> None:
    """Refuse if a table of this round has a result, even a reported one; not while the round is drawn up."""
    if (table := begun(g, g.rounds[str(number)])) is not None:
        raise IllegalAction(say(_("Table %(table)s has a result already."), table=table.table or 0))


def begun(g: EventState, this_round: Round) -> Pairing | None:
    """The first table of a round that has a result, even a reported one; None while it is drawn up."""
    tables = g.at(this_round.number) if this_round.state != DRAFTED else ()
    return next(
        (pairing for pairing in tables if not pairing.is_bye and (pairing.state != OPEN or pairing.results)),
        None,
    )


def refuse_passed(g: EventState, key: str, state: str) -> None:
    """Refuse to turn a round back to a state once there is a later one.

    Rounds of a league overlap, but only the newest one may be drawn up and not open.
    """
    refuse_over(g)
    last = g.last
    if last is not None and last.key != key and (state == DRAFTED or not overlaps(g, last.number)):
        raise IllegalAction(say(_("Cancel round %(number)s first."), number=last.number))


def open_round(g: EventState, until: int) -> Round:
    """Let the round that is drawn up be played, in a league `until` then; the caller opens the tables."""
    last = drafted(g)
    if (line := why_not_open(g, last)) is not None:
        raise IllegalAction(line)
    if not g.length and g.kind in BY_PLAYERS and not g.is_league:
        g.length = rounds_for(len(g.present(last.number)))
    last.state, g.status = OPEN, RUNNING
    _set_up(g, last)
    if g.is_league:
        last.until = until
    for pairing in g.at(last.number):
        if last.stage == CUT:  # Somebody who had left may be back by now.
            round_draw.decide_unplayed(g, pairing)
        if not pairing.is_bye and not pairing.seats:
            pairing.seats = seats_of(g, pairing)
    g.say(_("Round %(number)s is open."), number=last.number)
    return last


def why_not_open(g: EventState, last: Round) -> Line | None:
    """Why the round that is drawn up may not be opened yet; None if it may."""
    if g.kind != ROUND_ROBIN and all(pairing.is_bye for pairing in g.at(last.number)):
        return say(_("No one is paired yet."))
    if left_out := unpaired(g, last):
        return say(UNPAIRED, names=left_out)
    if (now := changed(g)) is not None:
        return say(STALE, changed=len(now.pairings) or now.total, count=now.total)
    return None


def may_pair(g: EventState) -> bool:
    """Whether the next round may be drawn up; only the draw itself finds out whether it is possible."""
    try:
        number = _next_number(g)
    except IllegalAction:
        return False
    return round_draw.in_the_bracket(g) > 1 or len(g.present(number)) >= fewest(g)


def fewest(g: EventState) -> int:
    """How many players a round needs at least."""
    return LEAST if g.size > 2 else 2


def unpaired(g: EventState, this_round: Round) -> tuple[str, ...]:
    """The names of those who are here and were left out of a round, for instance because they came late."""
    here = g.present(this_round.number)
    if this_round.stage == CUT:
        through = set(round_draw.in_the_knockout(g, this_round.number))
        here = [key for key in here if key in through]
    elif g.kind == FREE:
        return ()
    paired = {key for pairing in g.at(this_round.number) for key in pairing.players}
    return tuple(g.players[key].name for key in here if key not in paired)


def set_mode(g: EventState, mode: str) -> None:
    """Set the mode of the round that is drawn up."""
    last = drafted(g)
    last.mode = checked_mode(g, mode)
    g.say(_("The mode of round %(number)s is chosen."), number=last.number)


def set_options(g: EventState, wanted: Mapping[str, Any], entries: Entries) -> None:
    """Set what the tables of the round that is drawn up start with, by name; "" leaves it to the players."""
    last, choices = drafted(g), system(g.system).round_choices(entries)
    if not wanted:
        raise IllegalAction(say(_("These are not options.")))
    for name, value in wanted.items():
        if name not in choices:
            raise IllegalAction(say(_("This game does not take this option: %(name)s"), name=name))
        values = choices[name].values
        if not isinstance(value, str) or (value and value not in values):
            line = _("“%(text)s” is not one of these: %(values)s")
            raise IllegalAction(say(line, text=str(value)[:80], values=tuple(values)))
        chosen = Term(values[value]) if value else Term(PLAYERS_CHOOSE)
        line = _("Round %(number)s, %(option)s: %(value)s")
        g.say(line, number=last.number, option=Term(choices[name].title), value=chosen)
    last.options = {name: value for name, value in {**last.options, **wanted}.items() if value}


def close_round(g: EventState, now: int, number: int | None = None) -> None:
    """End a round in which every table has a result that counts."""
    this_round = g.rounds.get(str(number)) if number else g.last
    if this_round is None or this_round.state != OPEN:
        raise IllegalAction(say(_("There is no open round to close.")))
    refuse_missing(g, this_round)
    this_round.state = CLOSED
    _stop(this_round, now)
    _end_calls(g, this_round.number, now)
    g.say(_("Round %(number)s is closed."), number=this_round.number)


def refuse_missing(g: EventState, this_round: Round) -> None:
    """Refuse to close a round while a table has no result, or in the knock-out no winner."""
    if put_up_in := [match for match in g.matches_at(this_round.number) if match.question]:
        teams = tuple(" – ".join(g.teams[team].name for team in match.teams) for match in put_up_in)
        raise IllegalAction(say(_("These teams are not paired yet: %(teams)s."), teams=teams))
    missing = [pairing for pairing in g.at(this_round.number) if not pairing.is_decided]
    if missing:
        tables = tuple(pairing.table or 0 for pairing in missing)
        raise IllegalAction(say(_("Results are missing at table %(tables)s."), tables=tables))
    for pairing in g.at(this_round.number):
        if g.is_level(pairing):
            raise knockout.refused_draw(pairing)


def finish(g: EventState) -> None:
    """End the event; its standings are final."""
    refuse_over(g)
    if g.is_ladder:
        close_decided(g)
    refuse_rounds_left(g, g.rounds.values())
    g.status = OVER
    g.say(_("The event is over."))


def may_finish(g: EventState) -> bool:
    """Whether the event may end: every round is closed, and it is not over yet."""
    left = (
        event_round
        for event_round in g.rounds.values()
        if event_round.state != CLOSED and not (g.is_ladder and g.is_decided(event_round.number))
    )
    return g.status != OVER and bool(g.rounds) and not any(left)


def close_decided(g: EventState) -> None:
    """Close the open rounds in which every game has its result, as those of a ladder are."""
    for event_round in g.open_rounds:
        if g.is_decided(event_round.number):
            event_round.state = CLOSED


def refuse_rounds_left(g: EventState, rounds: Iterable[Round]) -> None:
    """Refuse to end an event while one of these rounds is not closed, or none was played."""
    if any(event_round.state != CLOSED for event_round in rounds) or not g.rounds:
        raise IllegalAction(say(_("Close every round first.")))


def reopen(g: EventState) -> None:
    """Open the last round again, to play on or correct it."""
    last = g.last
    if last is None or last.state != CLOSED:
        raise IllegalAction(say(_("There is no closed round to reopen.")))
    last.state, g.status = OPEN, RUNNING
    g.say(_("Round %(number)s is reopened."), number=last.number)


# --- the clock -------------------------------------------------------------------------------------


def start_clock(g: EventState, now: int) -> None:
    """Start the clock of the open round."""
    this_round = _on_the_clock(g)
    if this_round.running_since is not None:
        raise IllegalAction(say(_("The clock is running already.")))
    this_round.running_since = now
    g.say(_("The clock of round %(number)s is running."), number=this_round.number)


def pause_clock(g: EventState, now: int) -> None:
    """Pause the clock of the open round."""
    this_round = _on_the_clock(g)
    if this_round.running_since is None:
        raise IllegalAction(say(_("The clock is paused already.")))
    _stop(this_round, now)
    g.say(_("The clock of round %(number)s is paused."), number=this_round.number)


def extend(g: EventState, seconds: int, key: str = "") -> None:
    """Give everybody, or one table, more time; an undo takes it away again."""
    this_round = _on_the_clock(g)
    if not 0 < seconds <= LONGEST_EXTENSION:
        raise IllegalAction(say(_("Add between one minute and four hours.")))
    minutes = seconds // 60
    if not key:
        this_round.extended += seconds
        g.say_count("%(count)s extra minute for everyone.", "%(count)s extra minutes for everyone.", minutes)
        return
    pairing = g.pairings.get(key)
    if pairing is None or pairing.round != this_round.number or pairing.table is None:
        raise IllegalAction(say(_("There is no such table in this round.")))
    pairing.extended += seconds
    g.say_count(
        "%(count)s extra minute for table %(table)s.",
        "%(count)s extra minutes for table %(table)s.",
        minutes,
        table=pairing.table,
    )


def _stop(this_round: Round, now: int) -> None:
    """Stop a round's clock where it stands; it may be started again."""
    this_round.run, this_round.running_since = this_round.spent(now), None


def _on_the_clock(g: EventState) -> Round:
    last = g.last
    if g.is_league:
        raise IllegalAction(say(_("A league has no round clock.")))
    if last is None or last.state != OPEN:
        raise IllegalAction(say(_("No round is open.")))
    return last


# --- shared ----------------------------------------------------------------------------------------


def _end_calls(g: EventState, number: int, now: int) -> None:
    """Close the open calls of a round that is over: others sit at its tables next."""
    tables = {pairing.key for pairing in g.at(number)}
    for call in g.calls.values():
        if call.pairing in tables and call.closed_at is None:
            call.closed_at = now


def checked_mode(g: EventState, mode: str) -> str:
    """A mode of the event's game: this one, or the event's own if none is named."""
    if mode and mode not in {game_mode.slug for game_mode in system(g.system).modes}:
        raise IllegalAction(say(_("This game has no such mode.")))
    return mode or g.mode


def _drawn_up(g: EventState, number: int) -> list[Pairing]:
    try:
        made = round_draw.draw_up(g, number)
    except Impossible as impossible:
        raise IllegalAction(_why_impossible(g, number)) from impossible
    draw_houses(g, made)
    return made


def _why_impossible(g: EventState, number: int) -> Line:
    if g.size > 2:
        line = _("%(count)s players cannot be put at tables of three to six.")
        return say(line, count=len(g.present(number)))
    return say(_("Every pairing would repeat a match. Pair this round by hand."))


def draw_houses(g: EventState, pairings: Iterable[Pairing]) -> None:
    """Give the players at tables of several their seats, as far as these are not for them to choose."""
    for pairing in pairings:
        if g.size > 2 and not pairing.is_bye:
            pairing.seats, pairing.bids = seats_of(g, pairing), {}


def seats_for(g: EventState, pairing: Pairing) -> tuple[str, ...]:
    """The seats that are played at a table."""
    return tuple(system(g.system).seat_names)[: len(pairing.players)]


def seats_of(g: EventState, pairing: Pairing) -> tuple[str, ...]:
    """The seats of a table, in the order of its players; of more than two drawn, or "" where they choose."""
    names = seats_for(g, pairing)
    if len(names) == 2:
        return names
    if g.houses in (CHOICE, BID):
        return ("",) * len(names)
    had: dict[str, list[str]] = {}
    for earlier in g.pairings.values() if g.houses == ROTATION else ():
        for player, seat in zip(earlier.players, earlier.seats, strict=False):
            if earlier.round != pairing.round:
                had.setdefault(player, []).append(seat)
    order = [int(at) for at in round_draw.shuffled(g, [str(at) for at in range(len(names))])]
    return houses(pairing.players, names, had, order)


def drafted(g: EventState) -> Round:
    """The round that is drawn up; `IllegalAction` if none is."""
    last = g.last
    if last is None or last.state != DRAFTED:
        raise IllegalAction(say(_("No round is paired. Another organiser may have changed it.")))
    return last


# --- pairings by hand --------------------------------------------------------------------------------


OUT = _("%(name)s is out of the knockout.")
NOT_QUALIFIED = _("%(name)s has not qualified for the knockout.")


def by_hand(g: EventState, groups: Sequence[Sequence[str]]) -> None:
    """Set the pairings of the round that is drawn up: each group has a table, one player alone a bye."""
    last = drafted(g)
    _refuse_groups(g, last, groups)
    last.rests_on = ""
    for pairing in list(g.at(last.number)):
        del g.pairings[pairing.key]
    tables = round_draw.table_numbers(g, [tuple(group) for group in groups if len(group) > 1])
    numbers = iter(tables)
    for at, group in enumerate(groups, 1):
        key = f"{last.number}-{at}"
        if len(group) == 1:
            g.pairings[key] = round_draw.bye(key, last.number, group[0])
        else:
            g.pairings[key] = Pairing(key, last.number, next(numbers), tuple(group))
    draw_houses(g, g.at(last.number))
    g.say(_("The pairings of round %(number)s are made by hand."), number=last.number)
    remark_on_meetings(g, last.number)


def _refuse_groups(g: EventState, last: Round, groups: Sequence[Sequence[str]]) -> None:
    named = [key for group in groups for key in group]
    here = set(g.present(last.number))
    through = round_draw.in_the_knockout(g, last.number) if last.stage == CUT else here
    is_first = not knockout.went_on(g, last.number)
    low, high = (1, 2) if g.size == 2 else (LEAST, MOST)
    if any(not low <= len(group) <= high for group in groups):
        two, more = _("A table has two players, or one for a bye."), _("A table has three to six players.")
        raise IllegalAction(say(two if g.size == 2 else more))
    for key in named:
        if key not in g.players:
            raise IllegalAction(say(_("There is no such player in this event.")))
        if key not in here:
            raise IllegalAction(say(_("%(name)s does not play in this round."), name=g.players[key].name))
        if key not in through:
            raise IllegalAction(say(NOT_QUALIFIED if is_first else OUT, name=g.players[key].name))
        if named.count(key) > 1:
            raise IllegalAction(say(_("%(name)s is named twice."), name=g.players[key].name))


def remark_on_meetings(g: EventState, number: int) -> None:
    """Point out two who meet again in a pairing by hand: it is allowed, but may be an oversight."""
    before = {
        frozenset((player, rival))
        for pairing in g.pairings.values()
        if pairing.round != number and pairing.is_played
        for player in pairing.players
        for rival in pairing.rivals(player)
    }
    for pairing in g.at(number):
        for player in pairing.players:
            for rival in pairing.rivals(player):
                if player < rival and frozenset((player, rival)) in before:
                    names = {"one": g.players[player].name, "other": g.players[rival].name}
                    g.say(_("%(one)s and %(other)s have met before."), **names)


# --- calls for judges, rulings, announcements --------------------------------------------------------


def call_judge(g: EventState, key: str, player: str, question: str, number: int, now: int) -> None:
    """Call a judge for a player; an earlier call keeps its place. The call gets this `number`."""
    pairing = open_pairing(g, key, player or None)
    _new_call(g, pairing, player, question, number, now)
    g.say(_("Table %(table)s calls a judge."), table=pairing.table or 0)


def answer_call(g: EventState, number: int, judge: str) -> None:
    """Answer a call: a judge is on the way."""
    call = _call(g, number)
    if call.closed_at is not None:
        raise IllegalAction(say(_("This judge call is already closed.")))
    if call.comes and call.comes != judge:
        raise IllegalAction(say(_("%(name)s is on the way already."), name=call.comes))
    if call.comes == judge:
        return
    call.comes = judge
    table = g.pairings[call.pairing].table if call.pairing in g.pairings else 0
    g.say(_("%(name)s comes to table %(table)s."), name=judge, table=table or 0)


def close_call(g: EventState, number: int, judge: str, ruling: str, now: int) -> None:
    """Close a call, with the ruling that was given if it is to be kept."""
    call = _call(g, number)
    if call.closed_at is not None:
        raise IllegalAction(say(_("This judge call is already closed.")))
    ruling = clean_note(ruling)
    call.ruling, call.ruled_by, call.closed_at = ruling, judge, now
    table = g.pairings[call.pairing].table if call.pairing in g.pairings else 0
    if ruling:
        g.say(_("Ruling at table %(table)s: %(ruling)s"), table=table or 0, ruling=ruling)
    else:
        g.say(_("The judge call at table %(table)s is closed."), table=table or 0)


def note_ruling(g: EventState, key: str, judge: str, ruling: str, number: int, now: int) -> None:
    """Note a ruling for which nobody had called a judge, as a call with this `number`."""
    _new_call(g, pairing_of(g, key), "", "", number, now)
    close_call(g, number, judge, ruling, now)


def announce(g: EventState, text: str, author: str, number: int, now: int) -> None:
    """Announce something to everybody, with this `number`."""
    text = clean_note(text)
    if not text:
        raise IllegalAction(say(_("Please type your announcement.")))
    g.announcements[str(number)] = Announcement(str(number), number, text, author, now)
    g.say(_("Announcement: %(text)s"), text=text)


def take_down(g: EventState, number: int, now: int) -> None:
    """Take an announcement down; the history keeps what it said."""
    said = g.announcements.get(str(number))
    if said is None:
        raise IllegalAction(say(_("There is no such announcement.")))
    if said.down_at is not None:
        raise IllegalAction(say(_("This announcement was already taken down.")))
    said.down_at = now
    g.say(_("Announcement removed: %(text)s"), text=said.text)


def _new_call(g: EventState, pairing: Pairing, player: str, question: str, number: int, now: int) -> None:
    if pairing.is_bye:
        raise IllegalAction(say(_("There is no such table in this event.")))
    if any(call.pairing == pairing.key and call.closed_at is None for call in g.calls.values()):
        raise IllegalAction(say(_("A judge is called to this table already.")))
    g.calls[str(number)] = Call(str(number), number, pairing.key, player, clean_note(question), now)


def _call(g: EventState, number: int) -> Call:
    if str(number) not in g.calls:
        raise IllegalAction(say(_("There is no such call.")))
    return g.calls[str(number)]


# --- what a page showed ------------------------------------------------------------------------------


def mark(g: EventState) -> str:
    """A short text that names the newest round (0: none), how far it has got and who is paired in it."""
    last = g.last
    if last is None:
        return "0"
    paired = [[*pairing.players, pairing.match] for pairing in g.at(last.number) if not pairing.is_bye]
    if g.team_size:
        # Tables come one team match after another, and change nothing about the others.
        paired = [list(match.teams) for match in g.matches_at(last.number)]
    return f"{last.key}-{core.secret_hash('', last.key, [last.state, paired])[:8]}"


def refuse_other(g: EventState, seen: str) -> None:
    """Refuse what was asked for on a page that showed another newest round, or another state of it.

    `seen` is its `mark`, or only its number; "" refuses nothing.
    """
    if seen and seen not in (now := mark(g), now.partition("-")[0]):
        raise IllegalAction(say(_("This page was out of date. Check the rounds again.")))


# --- when games of a league are played ---------------------------------------------------------------


def propose_date(g: EventState, key: str, player: str, moment: int) -> None:
    """Propose when to play, or agree to what the opponents have proposed, by the same moment; 0: no date."""
    pairing = open_pairing(g, key, player)
    if not g.is_league:
        raise IllegalAction(say(_("Only a league has games to arrange.")))
    if pairing.is_decided or pairing.is_bye:
        raise IllegalAction(say(_("Table %(table)s has a result already."), table=pairing.table or 0))
    others = {who: date for who, date in pairing.dates.items() if who != player}
    pairing.dates = {**others, player: moment} if moment else {}
    name = g.players[player].name
    if not moment:
        g.say(_("%(name)s cancels the date of table %(table)s."), name=name, table=pairing.table or 0)
    elif pairing.agreed_for is not None:
        g.say(_("The players of table %(table)s have agreed on a date."), table=pairing.table or 0)
    else:
        g.say(_("%(name)s proposes a date for table %(table)s."), name=name, table=pairing.table or 0)


def move_deadline(g: EventState, number: int, until: int) -> None:
    """Have the games of an open round played until then."""
    this_round = g.rounds.get(str(number))
    if this_round is None or this_round.state != OPEN or not g.is_league:
        raise IllegalAction(say(_("This round is not open.")))
    this_round.until = until
    g.say(_("The deadline of round %(number)s is moved."), number=number)


def overdue(g: EventState, now: int) -> list[Pairing]:
    """The games that should have been played by now, the oldest first."""
    late = {
        event_round.number
        for event_round in g.rounds.values()
        if event_round.state == OPEN and (event_round.until or now) < now
    }
    return [
        pairing
        for number in sorted(late)
        for pairing in g.at(number)
        if not pairing.is_decided and not pairing.is_bye
    ]
