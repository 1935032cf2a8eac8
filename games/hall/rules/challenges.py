"""A ladder: who may challenge whom, and what becomes of a challenge that is not played in time.

Functions change the copy they get; `standings.ladder` is the order.
"""

from __future__ import annotations

from games.core import IllegalAction, say
from games.core import gettext_noop as _
from games.hall.rules import event_rounds
from games.hall.rules.event_state import (
    ENTERED,
    LEFT,
    NO_GAME,
    OPEN,
    OVER,
    RUNNING,
    EventState,
    Pairing,
    Round,
)
from games.hall.rules.standings import ladder


def challenged(g: EventState, key: str) -> Pairing | None:
    """The challenge of a player that has no result yet, made or received; each has one at most."""
    return next(
        (pairing for pairing in g.pairings.values() if key in pairing.players and not pairing.is_decided),
        None,
    )


def may_challenge(g: EventState, key: str) -> list[str]:
    """Whom a player may challenge now: those at most `reach` places above who have no open challenge."""
    if not g.is_ladder or g.status == OVER or challenged(g, key) is not None:
        return []
    order = [player for player in ladder(g) if g.players[player].dropped is None]
    if key not in order:
        return []
    at = order.index(key)
    return [player for player in order[max(0, at - g.reach) : at] if challenged(g, player) is None]


def challenge(g: EventState, key: str, other: str, until: int) -> Round:
    """Challenge somebody above, to be played `until` then; the caller opens the table."""
    if not g.is_ladder:
        raise IllegalAction(say(_("Only in a ladder do players challenge each other.")))
    event_rounds.refuse_over(g)
    for player in (key, other):
        if player not in g.players or g.players[player].dropped is not None:
            raise IllegalAction(say(_("There is no such player in this event.")))
        if challenged(g, player) is not None:
            raise IllegalAction(say(_("%(name)s already has an open challenge."), name=g.called(player)))
    if other not in may_challenge(g, key):
        line = _("%(name)s may only challenge players at most %(count)s places above.")
        raise IllegalAction(say(line, name=g.called(key), count=g.reach))
    event_rounds.close_decided(g)
    number = 1 + max((event_round.number for event_round in g.rounds.values()), default=0)
    this_round = g.rounds[str(number)] = Round(str(number), number, g.mode, state=OPEN, until=until)
    made = g.pairings[f"{number}-1"] = Pairing(f"{number}-1", number, number, (key, other))
    made.seats = event_rounds.seats_of(g, made)
    g.status = RUNNING
    g.say(_("%(name)s challenges %(other)s."), name=g.called(key), other=g.called(other))
    return this_round


def lapsed(g: EventState, now: int) -> list[Pairing]:
    """The challenges of a ladder whose time is over, and of which nobody has reported a result."""
    return [pairing for pairing in event_rounds.overdue(g, now) if g.is_ladder and pairing.state == OPEN]


def lapse(g: EventState, pairing: Pairing) -> None:
    """End a challenge whose time is over: who is reported absent has lost it, otherwise nobody moves."""
    pairing.state, pairing.how, pairing.winner = ENTERED, NO_GAME, ""
    if pairing.absent:
        pairing.how, pairing.winner = LEFT, pairing.rivals(pairing.absent)[0]
        g.say(_("%(name)s did not answer a challenge, and loses it."), name=g.called(pairing.absent))
        return
    names = tuple(g.called(key) for key in pairing.players)
    g.say(_("A challenge was not played in time: %(names)s. No one moves."), names=names)
