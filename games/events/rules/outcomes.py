"""Results of pairings: reported by the players, taken over from their table, entered, ruled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.steps import IllegalAction
from games.core.validation import clean_note
from games.core.words import gettext_noop as _
from games.core.words import say
from games.events.rules import knockout, results
from games.events.rules.pieces import (
    AGREED,
    CLOSED,
    CONTESTED,
    CUT,
    DRAFTED,
    ENTERED,
    OPEN,
    REPORTED,
    Announcement,
    Call,
    Gathering,
    Pairing,
)
from games.events.rules.results import Result


def report(g: Gathering, key: str, player: str, stated: Mapping[str, Any]) -> None:
    """Note how a player says their game went; it counts once a rival says the same."""
    pairing = pairing_of(g, key)
    if player not in pairing.players:
        raise IllegalAction(say(_("You do not play at this table.")))
    _refuse_not_open(g, pairing)
    result = results.checked(g, pairing, stated).as_reported()
    if pairing.is_decided:
        if result.is_like(Result.of(pairing)):
            return
        raise _contradiction(g, result, Result.of(pairing))
    pairing.claims = {**pairing.claims, player: result.to_json()}
    others = {who: _result(claim) for who, claim in pairing.claims.items() if who != player}
    name, table = g.players[player].name, pairing.table or 0
    sentence = results.in_words(g, result)
    # Once somebody contests a result, a judge decides, whatever the players say afterwards.
    is_contested = pairing.state == CONTESTED and bool(pairing.results)
    if is_contested or not others:
        pairing.state = CONTESTED if is_contested else REPORTED
        g.say(_("%(name)s reports table %(table)s: %(result)s."), name=name, table=table, result=sentence)
    elif all(result.agrees_with(other, results.asked(g)) for other in others.values()):
        for other in others.values():
            result = result.with_numbers_of(other)
        _decide(pairing, result, AGREED)
        g.say(_("Table %(table)s is agreed: %(result)s."), table=table, result=sentence)
    else:
        pairing.state = CONTESTED
        g.say(
            _("Table %(table)s is contested. %(name)s says: %(result)s."),
            table=table,
            name=name,
            result=sentence,
        )


def contest(g: Gathering, key: str, player: str, reason: str) -> None:
    """Contest a table's result for one of its players; it then waits for a judge, whose ruling stands."""
    pairing = pairing_of(g, key)
    if player not in pairing.players:
        raise IllegalAction(say(_("You do not play at this table.")))
    _refuse_not_open(g, pairing)
    if not pairing.is_decided or pairing.is_bye:
        raise IllegalAction(say(_("This table has no result yet.")))
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
    pairing = pairing_of(g, key)
    _refuse_not_open(g, pairing)
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
    if g.rounds[str(pairing.round)].state == DRAFTED:
        raise IllegalAction(say(_("This round is not open.")))
    reason = clean_note(reason)
    if not reason:
        raise IllegalAction(say(_("Please say why.")))
    result = results.checked(g, pairing, stated)
    if _is_closed(g, pairing) and g.rounds[str(pairing.round)].stage == CUT and not result.winner:
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
    if result is None:
        # The match goes on again; what people have entered by hand stays.
        if pairing.state != AGREED or _is_by_word(pairing) or _is_closed(g, pairing):
            return False
        pairing.state, pairing.results, pairing.winner, pairing.how = OPEN, {}, "", ""
        if pairing.claims:
            pairing.state = REPORTED
        g.say(_("Table %(table)s is played on."), table=table)
        return True
    if pairing.results and result.is_like(has):
        # A correction at the table may change what is counted beyond its points.
        is_from_table = pairing.state == AGREED and not _is_by_word(pairing) and not _is_closed(g, pairing)
        if pairing.state in (OPEN, REPORTED) or (is_from_table and result.scores != has.scores):
            return _end(g, pairing, result)
        return False
    if pairing.state == AGREED and not _is_closed(g, pairing) and _is_by_word(pairing):
        pairing.state = CONTESTED
        line = _("Table %(table)s is contested: its players agreed on %(stands)s; the table says %(said)s.")
        g.say(line, table=table, stands=results.in_words(g, has), said=results.in_words(g, result))
        return True
    if pairing.state in (OPEN, REPORTED) or (pairing.state == AGREED and not _is_closed(g, pairing)):
        return _end(g, pairing, result)
    return False


def _end(g: Gathering, pairing: Pairing, result: Result) -> bool:
    _decide(pairing, result, AGREED)
    sentence = results.in_words(g, result)
    g.say(_("Table %(table)s is over: %(result)s."), table=pairing.table or 0, result=sentence)
    return True


def _is_by_word(pairing: Pairing) -> bool:
    """Whether an agreed result comes from reports of the players, not from their table."""
    return len(pairing.claims) > 1


# --- judges and announcements ----------------------------------------------------------------------


def call_judge(g: Gathering, key: str, player: str, question: str, now: int) -> None:
    """Call a judge for a player; an earlier call keeps its place."""
    pairing = pairing_of(g, key)
    if player and player not in pairing.players:
        raise IllegalAction(say(_("You do not play at this table.")))
    _refuse_not_open(g, pairing)
    _call_to(g, pairing, player, question, now)


def _call_to(g: Gathering, pairing: Pairing, player: str, question: str, now: int) -> None:
    if pairing.is_bye:
        raise IllegalAction(say(_("There is no such table in this event.")))
    if any(one.pairing == pairing.key and one.closed_at is None for one in g.calls.values()):
        raise IllegalAction(say(_("A judge is called to this table already.")))
    question = clean_note(question)
    number = 1 + max((one.number for one in g.calls.values()), default=0)
    g.calls[str(number)] = Call(str(number), number, pairing.key, player, question, now)
    g.say(_("Table %(table)s calls a judge."), table=pairing.table or 0)


def answer_call(g: Gathering, number: int, judge: str) -> None:
    """Answer a call: a judge is on the way."""
    call = _call(g, number)
    if call.closed_at is not None:
        raise IllegalAction(say(_("This call is over.")))
    if call.comes and call.comes != judge:
        raise IllegalAction(say(_("%(name)s is on the way already."), name=call.comes))
    if call.comes == judge:
        return
    call.comes = judge
    table = g.pairings[call.pairing].table if call.pairing in g.pairings else 0
    g.say(_("%(name)s comes to table %(table)s."), name=judge, table=table or 0)


def close_call(g: Gathering, number: int, judge: str, ruling: str, now: int) -> None:
    """Close a call, with the ruling that was given if it is to be kept."""
    call = _call(g, number)
    if call.closed_at is not None:
        raise IllegalAction(say(_("This call is over.")))
    ruling = clean_note(ruling)
    call.ruling, call.ruled_by, call.closed_at = ruling, judge, now
    table = g.pairings[call.pairing].table if call.pairing in g.pairings else 0
    if ruling:
        g.say(_("Ruling at table %(table)s: %(ruling)s"), table=table or 0, ruling=ruling)
    else:
        g.say(_("The call of table %(table)s is over."), table=table or 0)


def note_ruling(g: Gathering, key: str, judge: str, ruling: str, now: int) -> None:
    """Note a ruling for which nobody had called a judge."""
    _call_to(g, pairing_of(g, key), "", "", now)
    g.lines.clear()
    close_call(g, max(one.number for one in g.calls.values()), judge, ruling, now)


def announce(g: Gathering, text: str, author: str, now: int) -> None:
    """Announce something to everybody."""
    text = clean_note(text)
    if not text:
        raise IllegalAction(say(_("Please write what is to be announced.")))
    number = 1 + max((one.number for one in g.announcements.values()), default=0)
    g.announcements[str(number)] = Announcement(str(number), number, text, author, now)
    g.say(_("Announcement: %(text)s"), text=text)


def take_down(g: Gathering, number: int, now: int) -> None:
    """Take an announcement down; the history keeps what it said."""
    said = g.announcements.get(str(number))
    if said is None:
        raise IllegalAction(say(_("There is no such announcement.")))
    if said.down_at is not None:
        raise IllegalAction(say(_("This announcement was already taken down.")))
    said.down_at = now
    g.say(_("Announcement taken down: %(text)s"), text=said.text)


def pairing_of(g: Gathering, key: str) -> Pairing:
    """The pairing with this key; `IllegalAction` if there is none."""
    if key not in g.pairings:
        raise IllegalAction(say(_("There is no such table in this event.")))
    return g.pairings[key]


def _call(g: Gathering, number: int) -> Call:
    if str(number) not in g.calls:
        raise IllegalAction(say(_("There is no such call.")))
    return g.calls[str(number)]


def _decide(pairing: Pairing, result: Result, state: str) -> None:
    pairing.results, pairing.winner, pairing.how = result.scores, result.winner, result.how
    pairing.state = state


def _result(claim: Mapping[str, Any]) -> Result:
    return Result(claim["scores"], claim["winner"], claim["how"])


def _is_closed(g: Gathering, pairing: Pairing) -> bool:
    return g.rounds[str(pairing.round)].state == CLOSED


def _refuse_not_open(g: Gathering, pairing: Pairing) -> None:
    if g.rounds[str(pairing.round)].state != OPEN:
        raise IllegalAction(say(_("This round is not open.")))


def _contradiction(g: Gathering, said: Result, stands: Result) -> IllegalAction:
    line = _("This says %(said)s; the table says %(stands)s. A judge has to rule.")
    return IllegalAction(say(line, said=results.in_words(g, said), stands=results.in_words(g, stands)))
