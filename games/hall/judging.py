"""Announcements, calls for judges and their rulings: commands like those of `commands`."""

from __future__ import annotations

from functools import partial

from games.hall import event_actions, roles
from games.hall.commands import as_text, own
from games.hall.event_actions import Actor, act
from games.hall.rules import calls
from games.hall.rules.pieces import Gathering
from games.history.verdict import Verdict
from games.web import clock


def announce(code: str, actor: Actor, text: str, key: str = "") -> Verdict:
    """Announce something in the hall."""

    def change(g: Gathering) -> None:
        calls.announce(g, text, actor.name, _fresh_number(code), int(clock.seconds()))

    return act(code, "announce", change, actor, key=key, payload=text)


def take_down(code: str, actor: Actor, number: int, key: str = "") -> Verdict:
    """Take an announcement down."""

    def change(g: Gathering) -> None:
        calls.take_down(g, number, int(clock.seconds()))

    return act(code, "take_down", change, actor, key=key, payload=str(number))


def call_judge(
    code: str, actor: Actor, pairing: str, player: str = "", question: str = "", key: str = ""
) -> Verdict:
    """Call a judge to a table."""

    def change(g: Gathering) -> None:
        calls.call_judge(g, pairing, player, question, _fresh_number(code), int(clock.seconds()))

    who = own(actor, player) if actor.role == roles.PLAYER else actor
    return act(code, "call_judge", change, who, key=key, payload=as_text([pairing, player, question]))


def answer_call(code: str, actor: Actor, number: int, key: str = "") -> Verdict:
    """Answer a call: a judge is on the way."""
    change = partial(calls.answer_call, number=number, judge=actor.name)
    return act(code, "answer_call", change, actor, key=key, payload=str(number))


def close_call(code: str, actor: Actor, number: int, ruling: str = "", key: str = "") -> Verdict:
    """Close a call, with the ruling if one was given."""

    def change(g: Gathering) -> None:
        calls.close_call(g, number, actor.name, ruling, int(clock.seconds()))

    return act(code, "close_call", change, actor, key=key, payload=as_text([number, ruling]), note=ruling)


def note_ruling(code: str, actor: Actor, pairing: str, ruling: str, key: str = "") -> Verdict:
    """Note a ruling without a call."""

    def change(g: Gathering) -> None:
        calls.note_ruling(g, pairing, actor.name, ruling, _fresh_number(code), int(clock.seconds()))

    return act(code, "note_ruling", change, actor, key=key, payload=as_text([pairing, ruling]), note=ruling)


def _fresh_number(code: str) -> int:
    """A number that no call and no announcement of the event ever had: that of the version it comes with.

    After an undo the next free one would be given again, and a button of an older page would act on what it
    has never shown. Call it while the event is locked.
    """
    return event_actions.event_of(code).version + 1
