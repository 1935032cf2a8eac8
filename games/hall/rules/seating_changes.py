"""Who sits where, changed by hand: in a draft, and in an open round at tables without a result.

A table whose players change is opened anew; what was tapped there stays at the old one, which counts no more.
Functions change the copy they get.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.core import IllegalAction, Line, Term, say, system
from games.core import gettext_noop as _
from games.hall.rules import round_draw
from games.hall.rules.event_results import open_pairing, pairing_of
from games.hall.rules.event_rounds import draw_houses, remark_on_meetings, seats_for, seats_of
from games.hall.rules.event_state import (
    BID,
    BYE,
    CHOICE,
    CLOSED,
    CUT,
    DRAFTED,
    ENTERED,
    LAST_TABLE,
    LEFT,
    LOSS,
    NO_TABLE,
    OPEN,
    EventState,
    Pairing,
    Round,
)
from games.hall.rules.pairing import LEAST


def swap(g: EventState, first: str, second: str) -> None:
    """Let two players of the newest round change places; one of them may have no game in it."""
    last = _newest(g)
    here, there = g.pairing_of(first, last.number), g.pairing_of(second, last.number)
    if first == second:
        raise IllegalAction(say(_("Choose two players.")))
    if here is None or there is None:
        raise IllegalAction(say(_("Both must be paired in this round.")))
    turned = {first: second, second: first}
    for pairing in {here.key: here, there.key: there}.values():
        refuse_result(g, pairing)
        pairing.players = tuple(turned.get(player, player) for player in pairing.players)
        if pairing.how != LOSS:
            round_draw.decide_unplayed(g, pairing)
        if last.state == OPEN:
            _open_anew(g, pairing)
        else:
            draw_houses(g, [pairing])
    names = {"one": g.players[first].name, "other": g.players[second].name}
    g.say(_("%(one)s and %(other)s are swapped."), **names)
    remark_on_meetings(g, last.number)


def seat_together(g: EventState, first: str, second: str) -> None:
    """Let two who have no game in the open round play each other, such as a latecomer and who has the bye."""
    last = _newest(g)
    alone = [g.pairing_of(key, last.number) for key in (first, second)]
    if first == second:
        raise IllegalAction(say(_("Choose two players.")))
    if last.stage == CUT:
        raise IllegalAction(say(_("In the knockout someone has to advance.")))
    for key, pairing in zip((first, second), alone, strict=True):
        if pairing is None or not pairing.is_bye or g.players[key].dropped is not None:
            raise IllegalAction(
                say(_("%(name)s has a game in this round, or is not in it."), name=g.called(key))
            )
        del g.pairings[pairing.key]
    taken = {pairing.table for pairing in g.at(last.number)}
    table = next(number for number in range(g.first_table, LAST_TABLE) if number not in taken)
    made = Pairing(free_key(g, last), last.number, table, (first, second))
    g.pairings[made.key] = made
    if last.state == OPEN:
        _open_anew(g, made)
    g.say(
        _("%(one)s and %(other)s play at table %(table)s."),
        one=g.called(first),
        other=g.called(second),
        table=table,
    )
    remark_on_meetings(g, last.number)


def may_sit_together(g: EventState) -> list[tuple[str, str]]:
    """Those who have no game in the open round, by twos: latecomers first with whoever has the bye.

    In a round robin who has a bye meets everybody in another round.
    """
    last = g.last
    if last is None or last.state != OPEN or last.stage == CUT or g.size > 2:
        return []
    alone = [
        pairing
        for pairing in g.at(last.number)
        if pairing.is_bye and g.players[pairing.players[0]].dropped is None
    ]
    alone = [pairing for pairing in alone if pairing.how == LOSS or not g.is_round_robin]
    alone.sort(key=lambda pairing: pairing.how == LOSS)
    keys = [pairing.players[0] for pairing in alone]
    return [(late, key) for key, late in zip(keys[::2], keys[1::2], strict=False)]


def call_off_table(g: EventState, key: str, now: int) -> None:
    """Call off one table of the open round: its players have no game in it, until they are seated again."""
    pairing = open_pairing(g, key)
    refuse_result(g, pairing)
    if pairing.is_bye:
        raise IllegalAction(say(_("There is no such table in this round.")))
    this_round = g.rounds[str(pairing.round)]
    if this_round.stage == CUT:
        raise IllegalAction(say(_("In the knockout someone has to advance.")))
    del g.pairings[key]
    for player in pairing.players:
        made = round_draw.bye(free_key(g, this_round), this_round.number, player, LOSS)
        g.pairings[made.key] = made
    for call in g.calls.values():
        if call.pairing == key and call.closed_at is None:
            call.closed_at = now
    g.say(_("Table %(table)s is cancelled."), table=pairing.table or 0)


def no_show(g: EventState, key: str, player: str = "") -> None:
    """End a table to which somebody has not come: the other gets what a bye is worth, and has met nobody.

    Without a player neither has come, and both have lost. A table of several begins anew without them.
    """
    if g.size > 2 and player:
        _play_without(g, key, player)
        return
    pairing = _of_two(g, key, player)
    pairing.state, pairing.how, pairing.winner = ENTERED, LEFT, pairing.rivals(player)[0] if player else ""
    if player:
        g.say(_("%(name)s has not come to table %(table)s."), name=g.called(player), table=pairing.table or 0)
        return
    if g.in_cut(pairing.round):
        raise IllegalAction(say(_("In the knockout someone has to advance.")))
    g.say(_("No one has come to table %(table)s."), table=pairing.table or 0)


def _play_without(g: EventState, key: str, player: str) -> None:
    """Let a table of several begin without somebody, who has lost; too few of them have a bye instead."""
    pairing = open_pairing(g, key, player)
    refuse_result(g, pairing)
    this_round, rest = g.rounds[str(pairing.round)], pairing.rivals(player)
    alone = {player: LOSS}
    if len(rest) < LEAST:
        del g.pairings[key]
        alone |= dict.fromkeys(rest, BYE)
    else:
        pairing.players = rest
        _open_anew(g, pairing)
    for who, how in alone.items():
        made = round_draw.bye(free_key(g, this_round), this_round.number, who, how)
        g.pairings[made.key] = made
    g.say(_("%(name)s has not come to table %(table)s."), name=g.called(player), table=pairing.table or 0)


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
        pairing
        for pairing in g.pairings.values()
        if pairing.absent and pairing.round == last.number and pairing.state == OPEN
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
    pairing.bids = {}
    if not pairing.is_bye:
        pairing.seats = seats_of(g, pairing)


def free_key(g: EventState, this_round: Round) -> str:
    """A key for another pairing of a round."""
    used = (int(pairing.key.partition("-")[2]) for pairing in g.at(this_round.number))
    return f"{this_round.number}-{1 + max(used, default=0)}"


def move(g: EventState, key: str, table: int) -> None:
    """Move a pairing that has no result yet to another table; who sits there changes places with it."""
    pairing = pairing_of(g, key)
    if not 1 <= table <= LAST_TABLE:
        raise IllegalAction(say(NO_TABLE, most=LAST_TABLE))
    if pairing.table is None or g.rounds[str(pairing.round)].state == CLOSED:
        raise IllegalAction(say(_("There is no such table in this round.")))
    there = next((occupant for occupant in g.at(pairing.round) if occupant.table == table), pairing)
    for occupant in (pairing, there):
        if occupant.is_decided and occupant.how != LEFT:
            raise IllegalAction(say(_("Table %(table)s has a result already."), table=occupant.table or 0))
    before, there.table, pairing.table = pairing.table, pairing.table, table
    g.say(_("Table %(before)s moves to table %(table)s."), before=before, table=table)
    if there is not pairing:
        g.say(_("Table %(before)s moves to table %(table)s."), before=table, table=before)


def refuse_two_at_a_table(g: EventState, tables: Mapping[str, int | None]) -> None:
    """Refuse two pairings of a round at one table; `tables` is where some of them would be, by key."""
    seated = {pairing.key: pairing.table for pairing in g.pairings.values()} | dict(tables)
    places = Counter((key.partition("-")[0], table) for key, table in seated.items() if table is not None)
    for (_round, table), count in places.items():
        if count > 1:
            raise IllegalAction(say(_("Other players are at table %(table)s now."), table=table))


def changes(before: EventState, after: EventState) -> tuple[Line, ...]:
    """Who would play where, by the pairings that differ."""
    lines = []
    for pairing in after.pairings.values():
        was = before.pairings.get(pairing.key)
        if was is not None and (was.players, was.table) == (pairing.players, pairing.table):
            continue
        first, last = (after.called(key) for key in (pairing.players[0], pairing.players[-1]))
        if pairing.is_bye:
            lines.append(say(_("no game for %(name)s"), name=first))
        else:
            line = _("table %(table)s for %(one)s and %(other)s")
            lines.append(say(line, table=pairing.table or 0, one=first, other=last))
    return tuple(lines)


# --- houses: the seats at a table of several ---------------------------------------------------------


MOST_BID = 5
"""How many tournament points a player may bid for the choice of a house."""


def left_of(g: EventState, pairing: Pairing) -> tuple[str, ...]:
    """The seats of a table that nobody has yet."""
    return tuple(seat for seat in seats_for(g, pairing) if seat not in pairing.seats)


def bidding(g: EventState, pairing: Pairing) -> tuple[str, ...]:
    """Who has to bid before the first at this table chooses a seat; nobody once all have."""
    choosing = _without_seat(pairing)
    if g.houses != BID or all(isinstance(pairing.bids.get(key), int) for key in choosing):
        return ()
    return choosing


def chooser(g: EventState, pairing: Pairing) -> str:
    """Whose turn it is to choose a seat: the highest bid, then the lowest in the ranking; "" for nobody."""
    choosing = _without_seat(pairing)
    if not choosing or bidding(g, pairing):
        return ""
    return max(choosing, key=lambda key: (pairing.bids.get(key, 0), pairing.players.index(key)))


def _without_seat(pairing: Pairing) -> tuple[str, ...]:
    return tuple(key for key, seat in zip(pairing.players, pairing.seats, strict=False) if not seat)


def bid(g: EventState, key: str, player: str, fingerprint: str) -> None:
    """Seal a bid for the choice of a seat; until all at the table have bid, another one replaces it."""
    pairing = open_pairing(g, key, player)
    if player not in bidding(g, pairing):
        raise IllegalAction(say(_("This table is not bidding for houses.")))
    pairing.bids = {**pairing.bids, player: fingerprint}
    g.say(_("%(name)s has bid at table %(table)s."), name=g.called(player), table=pairing.table or 0)


def reveal_bids(g: EventState, key: str, texts: Mapping[str, str]) -> None:
    """Show the bids of a table, by fingerprint, once everybody who has to bid has."""
    pairing = g.pairings[key]
    if set(bidding(g, pairing)) - pairing.bids.keys():
        return
    sealed = {player: offer for player, offer in pairing.bids.items() if isinstance(offer, str)}
    pairing.bids = {**pairing.bids, **{player: int(texts[offer]) for player, offer in sealed.items()}}
    for player, number in pairing.bids.items():
        g.say(_("%(name)s has bid %(number)s."), name=g.called(player), number=number)


def choose_house(g: EventState, key: str, player: str, seat: str) -> None:
    """Let the player whose turn it is take a seat; the last one gets what is left."""
    pairing = open_pairing(g, key, player)
    if chooser(g, pairing) != player:
        raise IllegalAction(say(_("It is not your turn to choose a house.")))
    if seat not in left_of(g, pairing):
        raise IllegalAction(say(_("Someone has this house already.")))
    _seat(g, pairing, [seat if who == player else own for who, own in _seated(pairing)])


def set_houses(g: EventState, key: str, seats: Sequence[str]) -> None:
    """Set by hand who plays which seat; "" leaves the choice to the player, where players choose."""
    pairing = _not_begun(g, key)
    free = ("",) if g.houses in (CHOICE, BID) else ()
    taken = [seat for seat in seats if seat]
    if len(seats) != len(pairing.players) or not set(seats) <= {*seats_for(g, pairing), *free}:
        raise IllegalAction(say(_("Give each player at this table a house of this table.")))
    if len(set(taken)) < len(taken):
        raise IllegalAction(say(_("Two players have the same house.")))
    _seat(g, pairing, seats)


def draw_rest(g: EventState, key: str) -> None:
    """Draw the seats of those at a table who have not chosen any."""
    pairing = _not_begun(g, key)
    rest = iter(round_draw.shuffled(g, left_of(g, pairing)))
    _seat(g, pairing, [seat or next(rest) for _player, seat in _seated(pairing)])


def may_set_houses(g: EventState, pairing: Pairing) -> bool:
    """Whether who plays which seat may still be set: in a draft, and while the table is not begun."""
    state = g.rounds[str(pairing.round)].state
    is_waiting = state == OPEN and pairing.match is None and pairing.state == OPEN
    return g.size > 2 and not pairing.is_bye and (state == DRAFTED or is_waiting)


def _not_begun(g: EventState, key: str) -> Pairing:
    pairing = pairing_of(g, key)
    if not may_set_houses(g, pairing):
        raise IllegalAction(say(_("The houses of this table no longer change.")))
    return pairing


def _seated(pairing: Pairing) -> list[tuple[str, str]]:
    return list(zip(pairing.players, pairing.seats, strict=True))


def _seat(g: EventState, pairing: Pairing, seats: Sequence[str]) -> None:
    pairing.seats = tuple(seats)
    if pairing.seats.count("") == 1:
        last = left_of(g, pairing)[0]
        pairing.seats = tuple(seat or last for seat in pairing.seats)
    if not all(isinstance(offer, int) for offer in pairing.bids.values()) and "" not in pairing.seats:
        pairing.bids = {}  # Nobody has seen them, and nobody pays.
    named = [(g.called(key), seat) for key, seat in _seated(pairing) if seat]
    words = system(g.system).seat_names
    houses = tuple(
        say(_("%(name)s plays %(seat)s"), name=name, seat=Term(words[seat])) for name, seat in named
    )
    g.say(_("Table %(table)s: %(houses)s."), table=pairing.table or 0, houses=houses)
