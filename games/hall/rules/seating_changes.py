"""Who sits where, changed by hand: in a draft, and in an open round at tables without a result.

A table whose players change is opened anew; what was tapped there stays at the old one, which counts no more.
Functions change the copy they get.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from games.core import IllegalAction, Line, say
from games.core import gettext_noop as _
from games.hall.rules import round_draw
from games.hall.rules.event_results import open_pairing, pairing_of
from games.hall.rules.event_rounds import remark_on_meetings, seats_of
from games.hall.rules.event_state import (
    CLOSED,
    CUT,
    ENTERED,
    LEFT,
    LOSS,
    OPEN,
    EventState,
    Pairing,
    Round,
)


def swap(g: EventState, one: str, other: str) -> None:
    """Let two players of the newest round change places; one of them may have no game in it."""
    last = _newest(g)
    here, there = g.pairing_of(one, last.number), g.pairing_of(other, last.number)
    if one == other:
        raise IllegalAction(say(_("Choose two players.")))
    if here is None or there is None:
        raise IllegalAction(say(_("Both must be paired in this round.")))
    turned = {one: other, other: one}
    for pairing in {here.key: here, there.key: there}.values():
        refuse_result(g, pairing)
        pairing.players = tuple(turned.get(player, player) for player in pairing.players)
        if pairing.how != LOSS:
            round_draw.decide_unplayed(g, pairing)
        if last.state == OPEN:
            _open_anew(g, pairing)
    names = {"one": g.players[one].name, "other": g.players[other].name}
    g.say(_("%(one)s and %(other)s are swapped."), **names)
    remark_on_meetings(g, last.number)


def seat_together(g: EventState, one: str, other: str) -> None:
    """Let two who have no game in the open round play each other, such as a latecomer and who has the bye."""
    last = _newest(g)
    alone = [g.pairing_of(key, last.number) for key in (one, other)]
    if one == other:
        raise IllegalAction(say(_("Choose two players.")))
    if last.stage == CUT:
        raise IllegalAction(say(_("In the knockout someone has to advance.")))
    for key, pairing in zip((one, other), alone, strict=True):
        if pairing is None or not pairing.is_bye or g.players[key].dropped is not None:
            raise IllegalAction(
                say(_("%(name)s has a game in this round, or is not in it."), name=g.called(key))
            )
        del g.pairings[pairing.key]
    taken = {pairing.table for pairing in g.at(last.number)}
    table = next(number for number in range(g.first_table, LAST_TABLE) if number not in taken)
    made = Pairing(free_key(g, last), last.number, table, (one, other))
    g.pairings[made.key] = made
    if last.state == OPEN:
        _open_anew(g, made)
    g.say(
        _("%(one)s and %(other)s play at table %(table)s."),
        one=g.called(one),
        other=g.called(other),
        table=table,
    )
    remark_on_meetings(g, last.number)


def may_sit_together(g: EventState) -> list[tuple[str, str]]:
    """Those who have no game in the open round, by twos: latecomers first with whoever has the bye."""
    last = g.last
    if last is None or last.state != OPEN or last.stage == CUT or g.size > 2:
        return []
    alone = [one for one in g.at(last.number) if one.is_bye and g.players[one.players[0]].dropped is None]
    alone.sort(key=lambda one: one.how == LOSS)
    keys = [one.players[0] for one in alone]
    return [(late, key) for key, late in zip(keys[::2], keys[1::2], strict=False)]


def call_off_table(g: EventState, key: str, now: int) -> None:
    """Call off one table of the open round: its players have no game in it, until they are seated again."""
    pairing = open_pairing(g, key)
    refuse_result(g, pairing)
    if pairing.is_bye:
        raise IllegalAction(say(_("There is no such table in this round.")))
    found = g.rounds[str(pairing.round)]
    if found.stage == CUT:
        raise IllegalAction(say(_("In the knockout someone has to advance.")))
    del g.pairings[key]
    for player in pairing.players:
        made = round_draw.bye(free_key(g, found), found.number, player, LOSS)
        g.pairings[made.key] = made
    for call in g.calls.values():
        if call.pairing == key and call.closed_at is None:
            call.closed_at = now
    g.say(_("Table %(table)s is cancelled."), table=pairing.table or 0)


def no_show(g: EventState, key: str, player: str = "") -> None:
    """End a table to which somebody has not come: the other gets what a bye is worth, and has met nobody.

    Without a player neither has come, and both have lost.
    """
    pairing = _of_two(g, key, player)
    pairing.state, pairing.how, pairing.winner = ENTERED, LEFT, pairing.rivals(player)[0] if player else ""
    if player:
        g.say(_("%(name)s has not come to table %(table)s."), name=g.called(player), table=pairing.table or 0)
        return
    if g.rounds[str(pairing.round)].stage == CUT:
        raise IllegalAction(say(_("In the knockout someone has to advance.")))
    g.say(_("No one has come to table %(table)s."), table=pairing.table or 0)


def report_absent(g: EventState, key: str, player: str) -> None:
    """Note that a player's opponent has not come: the table ends at the event's time, unless they come."""
    pairing = _of_two(g, key, player)
    if pairing.absent == player:
        raise IllegalAction(say(_("Your opponent reports that you are absent. Say that you are here.")))
    pairing.absent = pairing.rivals(player)[0]
    name, table = g.called(pairing.absent), pairing.table or 0
    g.say(_("%(name)s is reported absent from table %(table)s."), name=name, table=table)


def report_present(g: EventState, key: str, player: str) -> None:
    """Take a report of absence back, for either player of the table: both are here."""
    pairing = open_pairing(g, key, player)
    if not pairing.absent:
        return
    pairing.absent = ""
    g.say(_("Both players are at table %(table)s."), table=pairing.table or 0)


def overdue(g: EventState, now: int) -> list[Pairing]:
    """The tables of the open round at which somebody is reported absent, and the time set is over."""
    last = g.last
    if last is None or last.state != OPEN or g.is_league or not g.no_show or last.spent(now) < 60 * g.no_show:
        return []
    return [
        one for one in g.pairings.values() if one.absent and one.round == last.number and one.state == OPEN
    ]


def _of_two(g: EventState, key: str, player: str) -> Pairing:
    """A table of the open round that has no result and two players, this one among them."""
    pairing = open_pairing(g, key, player or None)
    refuse_result(g, pairing)
    if len(pairing.players) != 2:
        raise IllegalAction(say(_("Enter the result of this table without them.")))
    return pairing


def _newest(g: EventState) -> Round:
    """The newest round, if who plays whom in it may still change."""
    last = g.last
    if last is None or last.state == CLOSED:
        raise IllegalAction(say(_("No round is paired. Another organiser may have changed it.")))
    if last.state == OPEN and g.size > 2:
        raise IllegalAction(say(_("This round is open.")))
    return last


def refuse_result(g: EventState, pairing: Pairing) -> None:
    """Refuse to change who plays at a table that has a result, even a reported one."""
    is_open = g.rounds[str(pairing.round)].state == OPEN
    if is_open and not pairing.is_bye and (pairing.state != OPEN or pairing.results):
        raise IllegalAction(say(_("Table %(table)s has a result already."), table=pairing.table or 0))


def _open_anew(g: EventState, pairing: Pairing) -> None:
    """Let a table of an open round begin anew, with a match that the caller opens."""
    pairing.match, pairing.chosen, pairing.claims, pairing.seats, pairing.absent = None, {}, {}, (), ""
    if not pairing.is_bye:
        pairing.seats = seats_of(g, pairing)


def free_key(g: EventState, found: Round) -> str:
    """A key for another pairing of a round."""
    used = (int(one.key.partition("-")[2]) for one in g.at(found.number))
    return f"{found.number}-{1 + max(used, default=0)}"


LAST_TABLE = 999
NO_TABLE = _("Tables have numbers from 1 to %(most)s.")


def move(g: EventState, key: str, table: int) -> None:
    """Move a pairing that has no result yet to another table; who sits there changes places with it."""
    pairing = pairing_of(g, key)
    if not 1 <= table <= LAST_TABLE:
        raise IllegalAction(say(NO_TABLE, most=LAST_TABLE))
    if pairing.table is None or g.rounds[str(pairing.round)].state == CLOSED:
        raise IllegalAction(say(_("There is no such table in this round.")))
    there = next((one for one in g.at(pairing.round) if one.table == table), pairing)
    for one in (pairing, there):
        if one.is_decided and one.how != LEFT:
            raise IllegalAction(say(_("Table %(table)s has a result already."), table=one.table or 0))
    before, there.table, pairing.table = pairing.table, pairing.table, table
    g.say(_("Table %(before)s moves to table %(table)s."), before=before, table=table)
    if there is not pairing:
        g.say(_("Table %(before)s moves to table %(table)s."), before=table, table=before)


def refuse_two_at_a_table(g: EventState, tables: Mapping[str, int | None]) -> None:
    """Refuse two pairings of a round at one table; `tables` is where some of them would be, by key."""
    seated = {one.key: one.table for one in g.pairings.values()} | dict(tables)
    places = Counter((key.partition("-")[0], table) for key, table in seated.items() if table is not None)
    for (_round, table), count in places.items():
        if count > 1:
            raise IllegalAction(say(_("Other players are at table %(table)s now."), table=table))


def changes(before: EventState, after: EventState) -> tuple[Line, ...]:
    """Who would play where, by the pairings that differ."""
    told = []
    for one in after.pairings.values():
        was = before.pairings.get(one.key)
        if was is not None and (was.players, was.table) == (one.players, one.table):
            continue
        first, last = (after.called(key) for key in (one.players[0], one.players[-1]))
        if one.is_bye:
            told.append(say(_("no game for %(name)s"), name=first))
        else:
            line = _("table %(table)s for %(one)s and %(other)s")
            told.append(say(line, table=one.table or 0, one=first, other=last))
    return tuple(told)
