"""Pairings by hand, of the round that is drawn up. Functions change the copy they get."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.steps import IllegalAction
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall.rules import drawing, knockout, several
from games.hall.rules.pieces import CUT, Gathering, Pairing, Round
from games.hall.rules.running import drafted

OUT = _("%(name)s is out of the knock-out.")
NOT_QUALIFIED = _("%(name)s has not qualified for the knock-out.")


def by_hand(g: Gathering, groups: Sequence[Sequence[str]]) -> None:
    """Set the pairings of the round that is drawn up: each group has a table, one player alone a bye."""
    last = drafted(g)
    _refuse_groups(g, last, groups)
    for one in list(g.at(last.number)):
        del g.pairings[one.key]
    tables = drawing.table_numbers(g, [tuple(group) for group in groups if len(group) > 1])
    numbers = iter(tables)
    for at, group in enumerate(groups, 1):
        key = f"{last.number}-{at}"
        if len(group) == 1:
            g.pairings[key] = drawing.bye(key, last.number, group[0])
        else:
            g.pairings[key] = Pairing(key, last.number, next(numbers), tuple(group))
    g.say(_("The pairings of round %(number)s are made by hand."), number=last.number)
    _remark_on_meetings(g, last.number)


def swap(g: Gathering, one: str, other: str) -> None:
    """Let two players of the round that is drawn up change places."""
    last = drafted(g)
    here, there = g.pairing_of(one, last.number), g.pairing_of(other, last.number)
    if one == other:
        raise IllegalAction(say(_("Choose two players.")))
    if here is None or there is None:
        raise IllegalAction(say(_("Both must be paired in this round.")))
    turned = {one: other, other: one}
    for pairing in {here.key: here, there.key: there}.values():
        pairing.players = tuple(turned.get(player, player) for player in pairing.players)
        drawing.decide_unplayed(g, pairing)
    names = {"one": g.players[one].name, "other": g.players[other].name}
    g.say(_("%(one)s and %(other)s change places."), **names)
    _remark_on_meetings(g, last.number)


def _refuse_groups(g: Gathering, last: Round, groups: Sequence[Sequence[str]]) -> None:
    named = [key for group in groups for key in group]
    here = set(drawing.present(g, last.number))
    through = drawing.in_the_knockout(g, last.number) if last.stage == CUT else here
    is_first = not knockout.went_on(g, last.number)
    low, high = (1, 2) if g.size == 2 else (several.LEAST, several.MOST)
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


def _remark_on_meetings(g: Gathering, number: int) -> None:
    """Point out two who meet again in a pairing by hand: it is allowed, but may be an oversight."""
    before = {
        frozenset((player, rival))
        for one in g.pairings.values()
        if one.round != number and one.is_played
        for player in one.players
        for rival in one.rivals(player)
    }
    for one in g.at(number):
        for player in one.players:
            for rival in one.rivals(player):
                if player < rival and frozenset((player, rival)) in before:
                    names = {"one": g.players[player].name, "other": g.players[rival].name}
                    g.say(_("%(one)s and %(other)s have met before."), **names)
