"""Calls for judges, their rulings, and announcements."""

from __future__ import annotations

from games.core.steps import IllegalAction
from games.core.validation import clean_note
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall.rules.outcomes import open_pairing, pairing_of
from games.hall.rules.pieces import Announcement, Call, Gathering, Pairing


def call_judge(g: Gathering, key: str, player: str, question: str, number: int, now: int) -> None:
    """Call a judge for a player; an earlier call keeps its place. The call gets this `number`."""
    pairing = open_pairing(g, key, player or None)
    _new_call(g, pairing, player, question, number, now)
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


def note_ruling(g: Gathering, key: str, judge: str, ruling: str, number: int, now: int) -> None:
    """Note a ruling for which nobody had called a judge, as a call with this `number`."""
    _new_call(g, pairing_of(g, key), "", "", number, now)
    close_call(g, number, judge, ruling, now)


def announce(g: Gathering, text: str, author: str, number: int, now: int) -> None:
    """Announce something to everybody, with this `number`."""
    text = clean_note(text)
    if not text:
        raise IllegalAction(say(_("Please write what is to be announced.")))
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


def _new_call(g: Gathering, pairing: Pairing, player: str, question: str, number: int, now: int) -> None:
    if pairing.is_bye:
        raise IllegalAction(say(_("There is no such table in this event.")))
    if any(one.pairing == pairing.key and one.closed_at is None for one in g.calls.values()):
        raise IllegalAction(say(_("A judge is called to this table already.")))
    g.calls[str(number)] = Call(str(number), number, pairing.key, player, clean_note(question), now)


def _call(g: Gathering, number: int) -> Call:
    if str(number) not in g.calls:
        raise IllegalAction(say(_("There is no such call.")))
    return g.calls[str(number)]
