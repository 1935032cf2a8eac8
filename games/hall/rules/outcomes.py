"""Results of pairings: reported by the players, taken over from their table, entered, ruled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.steps import IllegalAction
from games.core.validation import clean_note
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall.rules import knockout, results
from games.hall.rules.pieces import (
    AGREED,
    CLOSED,
    CONTESTED,
    CUT,
    DRAFTED,
    ENTERED,
    LEFT,
    OPEN,
    REPORTED,
    Gathering,
    Pairing,
)
from games.hall.rules.results import Result


def report(g: Gathering, key: str, player: str, stated: Mapping[str, Any]) -> None:
    """Note how a player says their game went; it counts once a rival says the same."""
    pairing = open_pairing(g, key, player)
    result = results.checked(g, pairing, stated).as_reported()
    if pairing.is_decided:
        if result.is_like(Result.of(pairing)):
            return
        raise _contradiction(g, result, Result.of(pairing))
    pairing.claims = {**pairing.claims, player: result.to_json()}
    others = [_result(claim) for who, claim in pairing.claims.items() if who != player]
    name, table, sentence = g.players[player].name, pairing.table or 0, results.in_words(g, result)
    # Once somebody contests a result, a judge decides, whatever the players say afterwards.
    is_contested = pairing.state == CONTESTED and bool(pairing.results)
    if is_contested or not others:
        pairing.state = CONTESTED if is_contested else REPORTED
        g.say(_("%(name)s reports table %(table)s: %(result)s."), name=name, table=table, result=sentence)
    elif all(result.agrees_with(other, results.asked(g)) for other in others):
        for other in others:
            result = result.with_numbers_of(other)
        _decide(pairing, result, AGREED)
        g.say(_("Table %(table)s is agreed: %(result)s."), table=table, result=sentence)
    else:
        pairing.state = CONTESTED
        line = _("Table %(table)s is contested. %(name)s says: %(result)s.")
        g.say(line, table=table, name=name, result=sentence)


def contest(g: Gathering, key: str, player: str, reason: str) -> None:
    """Contest a table's result for one of its players; it then waits for a judge, whose ruling stands."""
    pairing = open_pairing(g, key, player)
    if not pairing.is_decided or pairing.is_bye:
        raise IllegalAction(say(_("This table has no result yet.")))
    if pairing.how == LEFT:
        left = next(key for key in pairing.players if key != pairing.winner)
        raise IllegalAction(say(_("%(name)s has left the event."), name=g.players[left].name))
    if pairing.ruled:
        raise IllegalAction(say(_("A judge has ruled on this result. Call a judge if something is wrong.")))
    pairing.state = CONTESTED
    name = g.players[player].name
    g.say(
        _("%(name)s contests table %(table)s: %(reason)s"), name=name, table=pairing.table or 0, reason=reason
    )


def enter(g: Gathering, key: str, stated: Mapping[str, Any], *, is_judge: bool = True) -> None:
    """Enter a result. It does not overwrite one that is there already: a judge rules.

    Somebody who is no judge cannot state tournament points.
    """
    pairing = open_pairing(g, key)
    result = results.checked(g, pairing, stated)
    if not is_judge:
        result = result.as_reported()
    if pairing.state in (AGREED, ENTERED, CONTESTED) and pairing.how:
        if result.is_like(Result.of(pairing)) and pairing.state != CONTESTED:
            return
        raise _contradiction(g, result, Result.of(pairing))
    for claim in pairing.claims.values():
        if not result.is_like(_result(claim)):
            raise _contradiction(g, result, _result(claim))
    _decide(pairing, result, ENTERED)
    g.say(
        _("Table %(table)s is entered: %(result)s."),
        table=pairing.table or 0,
        result=results.in_words(g, result),
    )


def rule(g: Gathering, key: str, stated: Mapping[str, Any], reason: str, seen: str = "") -> None:
    """Set the result that a judge rules, whatever was there before, even in a closed round.

    Whoever has won stays the winner once the next round of the knock-out is open, with them in it.
    `seen` is the `results.mark` of what the judge has read; a ruling on anything else is refused.
    """
    pairing = pairing_of(g, key)
    if seen and seen != results.mark(pairing):
        line = _("Table %(table)s has changed meanwhile. Look at what stands there now, then rule.")
        raise IllegalAction(say(line, table=pairing.table or 0))
    found = g.rounds[str(pairing.round)]
    if found.state == DRAFTED:
        raise IllegalAction(say(_("This round is not open.")))
    reason = clean_note(reason)
    if not reason:
        raise IllegalAction(say(_("Please say why.")))
    result = results.checked(g, pairing, stated)
    if found.state == CLOSED and found.stage == CUT and not result.winner:
        raise knockout.refused_draw(pairing)
    if result.winner != pairing.winner:
        knockout.refuse_gone_on(g, pairing)
    _decide(pairing, result, ENTERED)
    pairing.ruled = True
    g.say(
        _("Table %(table)s is ruled: %(result)s. %(reason)s"),
        table=pairing.table or 0,
        result=results.in_words(g, result),
        reason=reason,
    )


def settle(g: Gathering, tables: Mapping[str, Result | None]) -> bool:
    """Take over what the tables say, by their matches' codes: None for one that is not over.

    Both sides have agreed to the end of a match, so its result counts at once; if they had agreed on another
    report, a judge decides between the two. What an organiser has entered, what is contested, and closed
    rounds stay as they are. Returns whether anything changed.
    """
    changed = False
    for pairing in g.pairings.values():
        if pairing.match is not None and pairing.match in tables:
            changed = _settle(g, pairing, tables[pairing.match]) or changed
    return changed


def _settle(g: Gathering, pairing: Pairing, result: Result | None) -> bool:
    has, table = Result.of(pairing), pairing.table or 0
    is_waiting = pairing.state in (OPEN, REPORTED)
    may_change = pairing.state == AGREED and g.rounds[str(pairing.round)].state != CLOSED
    is_by_word = len(pairing.claims) > 1  # of the players, and not of their table
    if result is None:
        # The match goes on again; what people have entered by hand stays.
        if not may_change or is_by_word:
            return False
        _decide(pairing, Result(how=""), REPORTED if pairing.claims else OPEN)
        g.say(_("Table %(table)s is played on."), table=table)
        return True
    is_same = bool(pairing.results) and result.is_like(has)
    if may_change and is_by_word and not is_same:
        pairing.state = CONTESTED
        line = _("Table %(table)s is contested: its players agreed on %(stands)s; the table says %(said)s.")
        g.say(line, table=table, stands=results.in_words(g, has), said=results.in_words(g, result))
        return True
    # A correction at the table may change what is counted beyond its points.
    is_corrected = may_change and not is_by_word and not (is_same and result.scores == has.scores)
    if is_waiting or is_corrected:
        _decide(pairing, result, AGREED)
        g.say(_("Table %(table)s is over: %(result)s."), table=table, result=results.in_words(g, result))
    return is_waiting or is_corrected


def pairing_of(g: Gathering, key: str) -> Pairing:
    """The pairing with this key; `IllegalAction` if there is none."""
    if key not in g.pairings:
        raise IllegalAction(say(_("There is no such table in this event.")))
    return g.pairings[key]


def open_pairing(g: Gathering, key: str, player: str | None = None) -> Pairing:
    """The same, of a round that is open, and with this player if one is named."""
    pairing = pairing_of(g, key)
    if player is not None and player not in pairing.players:
        raise IllegalAction(say(_("You do not play at this table.")))
    if g.rounds[str(pairing.round)].state != OPEN:
        raise IllegalAction(say(_("This round is not open.")))
    return pairing


def _decide(pairing: Pairing, result: Result, state: str) -> None:
    pairing.results, pairing.winner, pairing.how = result.scores, result.winner, result.how
    pairing.state = state


def _result(claim: Mapping[str, Any]) -> Result:
    return Result(claim["scores"], claim["winner"], claim["how"])


def _contradiction(g: Gathering, said: Result, stands: Result) -> IllegalAction:
    line = _("This says %(said)s; the table says %(stands)s. A judge has to rule.")
    return IllegalAction(say(line, said=results.in_words(g, said), stands=results.in_words(g, stands)))
