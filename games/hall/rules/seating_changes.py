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
    g.say(_("%(one)s and %(other)s change places."), **names)
    remark_on_meetings(g, last.number)


def seat_together(g: EventState, one: str, other: str) -> None:
    """Let two who have no game in the open round play each other, such as a latecomer and who has the bye."""
    last = _newest(g)
    alone = [g.pairing_of(key, last.number) for key in (one, other)]
    if one == other:
        raise IllegalAction(say(_("Choose two players.")))
    for key, pairing in zip((one, other), alone, strict=True):
        if pairing is None or not pairing.is_bye:
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


def call_off_table(g: EventState, key: str, now: int) -> None:
    """Call off one table of the open round: its players have no game in it, until they are seated again."""
    pairing = open_pairing(g, key)
    refuse_result(g, pairing)
    if pairing.is_bye:
        raise IllegalAction(say(_("There is no such table in this round.")))
    found = g.rounds[str(pairing.round)]
    if found.stage == CUT:
        raise IllegalAction(say(_("In the knock-out somebody has to go on.")))
    del g.pairings[key]
    for player in pairing.players:
        made = round_draw.bye(free_key(g, found), found.number, player, LOSS)
        g.pairings[made.key] = made
    for call in g.calls.values():
        if call.pairing == key and call.closed_at is None:
            call.closed_at = now
    g.say(_("Table %(table)s is called off."), table=pairing.table or 0)


def no_show(g: EventState, key: str, player: str) -> None:
    """End a table to which somebody has not come: the other gets what a bye is worth, and has met nobody."""
    pairing = open_pairing(g, key, player)
    refuse_result(g, pairing)
    if len(pairing.players) != 2:
        raise IllegalAction(say(_("Enter the result of this table without them.")))
    pairing.state, pairing.how, pairing.winner = ENTERED, LEFT, pairing.rivals(player)[0]
    g.say(_("%(name)s has not come to table %(table)s."), name=g.called(player), table=pairing.table or 0)


def _newest(g: EventState) -> Round:
    """The newest round, if who plays whom in it may still change."""
    last = g.last
    if last is None or last.state == CLOSED:
        raise IllegalAction(say(_("No round is drawn up. Somebody else may have been faster.")))
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
    pairing.match, pairing.chosen, pairing.claims, pairing.seats = None, {}, {}, ()
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
            raise IllegalAction(say(_("Somebody else sits at table %(table)s by now."), table=table))


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
