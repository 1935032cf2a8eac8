"""What can be done at an event, one function for each command; pages, API and admin use nothing else
(`judging` has what judges do and what is announced, `helping` who helps and new links).

Each takes the event's code, who acts, what is wanted, and the key of the button; a repeated key gets the same
answer and does nothing. `seen` is the mark of the rounds that the actor saw (`seen.mark`): nothing is done
to another round. Raises `RequestRefused`: 403 if the role may not, otherwise 409 with a sentence.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from games.core import chain
from games.core.steps import IllegalAction
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall import event_actions, event_tables, importing, roles
from games.hall.event_actions import Actor, act
from games.hall.models import ArmyList, Event, EventEntry, Player
from games.hall.rules import entering, handmade, outcomes, running, settings
from games.hall.rules.pieces import OPEN, Gathering
from games.history.verdict import RequestRefused, Verdict
from games.people.seats import CLAIM_MINUTES
from games.web import clock

Groups = Sequence[Sequence[str]]
FIRST_EPOCH = Player._meta.get_field("epoch").default
"""The epoch of a player's first link; each new link has a higher one."""


def change_settings(code: str, actor: Actor, values: Mapping[str, Any], key: str = "") -> Verdict:
    """Change settings of the event by name; those that players rely on are fixed once it has begun."""
    change = partial(settings.change, values=values)
    return act(code, "change", change, actor, key=key, payload=as_text(dict(values)))


# --- players ---------------------------------------------------------------------------------------


def register(code: str, actor: Actor, name: str, club: str = "", faction: str = "", key: str = "") -> Verdict:
    """Register a player; `made` is their key. Guests may register where the event is open for that."""

    def change(g: Gathering) -> str:
        if actor.role == roles.GUEST and not g.is_open:
            raise IllegalAction(say(_("The organisers enter the players of this event.")))
        return entering.register(g, name, club, faction)

    return act(code, "register", change, actor, key=key, payload=as_text([name, club, faction]))


def registered_lately(event: Event, *keys: str) -> Player | None:
    """The player whom a form with one of these keys has registered in the last minutes; None for nobody."""
    since = clock.now() - timedelta(minutes=CLAIM_MINUTES)
    forms = EventEntry.objects.filter(event=event, action="register", by="guest", key__in=keys)
    entry = forms.filter(undone_by=None, created_at__gte=since).exclude(key="").last()
    made = _made_by(event, Verdict(entry.version)) if entry else ""
    return Player.objects.select_related("event").filter(event=event, epoch=FIRST_EPOCH, key=made).first()


def registered(event: Event, outcome: Verdict) -> Player:
    """The player whom this command registered, now or when it was first sent.

    `RequestRefused` (404) if they are gone, or have a new link by now: the old one no longer opens anything.
    """
    found = Player.objects.select_related("event").filter(event=event, key=_made_by(event, outcome)).first()
    if found is None:
        raise RequestRefused(say(_("There is no such player in this event.")), 404, "unknown")
    if outcome.is_replay and found.epoch != FIRST_EPOCH:
        raise RequestRefused(say(event_actions.NO_LONGER), 404, "unknown")
    return found


def _made_by(event: Event, outcome: Verdict) -> str:
    """The key of the player whom this command registered; nobody else ever gets it."""
    if outcome.made:
        return str(outcome.made)
    entry = EventEntry.objects.get(event=event, version=outcome.version)
    return next(piece["key"] for path, piece in entry.after.items() if path.startswith("player/"))


def import_table(code: str, actor: Actor, raw: str | bytes, key: str = "") -> Verdict:
    """Register the players of a pasted table, all or none; a refusal (422) names every wrong line."""

    def change(g: Gathering) -> list[str]:
        found = importing.read(raw, g)
        if found.wrong:
            raise RequestRefused(importing.problems_in_words(found.wrong), 422, "unreadable")
        return entering.register_all(g, found.players)

    return act(code, "import", change, actor, key=key, payload=hashlib.sha256(repr(raw).encode()).hexdigest())


def amend(
    code: str,
    actor: Actor,
    player: str,
    name: str | None = None,
    club: str | None = None,
    faction: str | None = None,
    key: str = "",
) -> Verdict:
    """Change a player's name, club and faction; what is None stays."""
    change = partial(entering.amend, key=player, name=name, club=club, faction=faction)
    who, payload = own(actor, player), as_text([player, name, club, faction])
    return act(code, "amend", change, who, key=key, payload=payload)


def remove(code: str, actor: Actor, *players: str, key: str = "") -> Verdict:
    """Remove players who have not been paired, all of them or none."""
    if not players:
        raise RequestRefused(say(_("Choose whom to take off the list.")), 422, "malformed")

    def change(g: Gathering) -> None:
        entering.remove(g, *players)

    return act(code, "remove", change, actor, key=key, payload=" ".join(players))


def hand_in(code: str, actor: Actor, player: str, texts: Sequence[str], key: str = "") -> Verdict:
    """Hand in a player's army lists, one or two. The log keeps fingerprints; the texts stay sealed."""

    def change(g: Gathering) -> None:
        event = _event(code)
        prints = [_kept(event, player, text) for text in texts] if player in g.players else []
        entering.player_of(g, player)
        entering.hand_in(g, player, prints)

    payload = hashlib.sha256(as_text(list(texts)).encode()).hexdigest()
    outcome = act(code, "hand_in", change, own(actor, player), key=key, payload=f"{player} {payload}")
    finish_opening(code)
    return outcome


def choose(code: str, actor: Actor, player: str, number: int, key: str = "", table: str = "") -> Verdict:
    """Choose which of two lists (1 or 2) a player plays; it is sealed until all at the table have chosen."""

    def change(g: Gathering) -> None:
        pairing = entering.table_of(g, player, table)
        lists = g.players[player].lists
        if not 1 <= number <= len(lists):
            raise IllegalAction(say(_("There is no such list.")))
        # A new fingerprint, because the one handed in would give away which list it is.
        event, handed_in = _event(code), lists[number - 1]
        text = ArmyList.texts(event, [handed_in])[handed_in]
        entering.choose(g, pairing, player, _kept(event, player, text))

    outcome = act(code, "choose", change, own(actor, player), key=key, payload=f"{player} {number} {table}")
    finish_opening(code)
    return outcome


def check_in(code: str, actor: Actor, player: str, here: bool = True, key: str = "") -> Verdict:
    change = partial(entering.check_in, key=player, here=here)
    return act(code, "check_in", change, own(actor, player), key=key, payload=f"{player} {here}")


def check_in_all(code: str, actor: Actor, key: str = "") -> Verdict:
    return act(code, "check_in_all", entering.check_in_all, actor, key=key)


def drop(code: str, actor: Actor, player: str, key: str = "") -> Verdict:
    return act(code, "drop", partial(entering.drop, key=player), own(actor, player), key=key, payload=player)


def come_back(code: str, actor: Actor, player: str, key: str = "") -> Verdict:
    return act(code, "come_back", partial(entering.come_back, key=player), actor, key=key, payload=player)


def come_late(
    code: str, actor: Actor, name: str, club: str, faction: str, how: str, key: str = ""
) -> Verdict:
    """Register a player late; missed rounds count as `how` ("bye", "loss"); `made` is their key."""
    change = partial(entering.come_late, name=name, club=club, faction=faction, how=how)
    return act(code, "come_late", change, actor, key=key, payload=as_text([name, club, faction, how]))


# --- rounds ----------------------------------------------------------------------------------------


def pair(code: str, actor: Actor, mode: str = "", key: str = "", seen: str = "") -> Verdict:
    """Draw up the pairings of the next round."""
    change = partial(running.pair, mode=mode)
    return act(code, "pair", change, actor, key=key, payload=mode, seen=seen, ahead=True)


def repair(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return act(code, "repair", running.repair, actor, key=key, seen=seen, ahead=True)


def by_hand(code: str, actor: Actor, groups: Groups, key: str = "", seen: str = "") -> Verdict:
    """Set the pairings of the round that is drawn up: one group per table, one player alone for a bye."""
    change = partial(handmade.by_hand, groups=groups)
    return act(
        code, "by_hand", change, actor, key=key, payload=as_text([list(group) for group in groups]), seen=seen
    )


def swap(code: str, actor: Actor, one: str, other: str, key: str = "", seen: str = "") -> Verdict:
    change = partial(handmade.swap, one=one, other=other)
    return act(code, "swap", change, actor, key=key, payload=f"{one} {other}", seen=seen)


def set_mode(code: str, actor: Actor, mode: str, key: str = "", seen: str = "") -> Verdict:
    return act(
        code, "set_mode", partial(running.set_mode, mode=mode), actor, key=key, payload=mode, seen=seen
    )


def open_round(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    """Open the round that is drawn up and a table for each of its pairings, and bring the known lists."""

    def change(g: Gathering) -> int:
        found = running.open_round(g, clock.in_days(g.days))
        event_tables.open_tables(g, _event(code), found)
        entering.choose_only_lists(g, found.number)
        return found.number

    outcome = act(code, "open_round", change, actor, key=key, seen=seen)
    finish_opening(code)
    return outcome


def finish_opening(code: str) -> None:
    """Bring known lists to the tables that wait for them; `open_round` calls it, and it may be repeated."""
    loaded = event_actions.load(code)
    for one in loaded.state.rounds.values():
        if one.state == OPEN:
            event_tables.bring_lists(loaded.event, loaded.state, one.number)


def call_off(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    """Call off the newest round, as long as none of its tables has a result."""

    def change(g: Gathering) -> None:
        last = g.last
        codes = [one.match for one in g.at(last.number) if one.match] if last is not None else []
        running.call_off(g, int(clock.seconds()))
        for match in codes:
            event_tables.clear_away(match)

    return act(code, "call_off", change, actor, key=key, seen=seen)


def close_round(code: str, actor: Actor, number: int | None = None, key: str = "") -> Verdict:
    """Close a round; `number` says which one where a league has several open."""
    change = partial(running.close_round, now=int(clock.seconds()), number=number)
    return act(code, "close_round", change, actor, key=key, payload=str(number or ""))


def reopen(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return act(code, "reopen", running.reopen, actor, key=key, seen=seen)


def finish(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return act(code, "finish", running.finish, actor, key=key, seen=seen)


def start_clock(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    change = partial(running.start_clock, now=int(clock.seconds()))
    return act(code, "start_clock", change, actor, key=key, seen=seen)


def pause_clock(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    change = partial(running.pause_clock, now=int(clock.seconds()))
    return act(code, "pause_clock", change, actor, key=key, seen=seen)


def extend(
    code: str, actor: Actor, minutes: int, pairing: str = "", key: str = "", seen: str = ""
) -> Verdict:
    """Add minutes for everybody, or for one table."""
    change = partial(running.extend, seconds=60 * minutes, key=pairing)
    return act(code, "extend", change, actor, key=key, payload=f"{minutes} {pairing}", seen=seen)


# --- results ---------------------------------------------------------------------------------------


def report(
    code: str, actor: Actor, pairing: str, player: str, stated: Mapping[str, Any], key: str = ""
) -> Verdict:
    """Report, as a player, the result of a game that was not played in the app."""
    change = partial(outcomes.report, key=pairing, player=player, stated=stated)
    who, payload = own(actor, player), as_text([pairing, player, dict(stated)])
    return act(code, "report", change, who, key=key, payload=payload)


def contest(code: str, actor: Actor, pairing: str, player: str, reason: str, key: str = "") -> Verdict:
    """Contest a table's result as one of its players."""
    change = partial(outcomes.contest, key=pairing, player=player, reason=reason)
    who, payload = own(actor, player), as_text([pairing, player, reason])
    return act(code, "contest", change, who, key=key, payload=payload, note=reason)


def enter_result(code: str, actor: Actor, pairing: str, stated: Mapping[str, Any], key: str = "") -> Verdict:
    """Enter a result as a scorekeeper; if it contradicts what is known, it is refused, with both shown."""

    def change(g: Gathering) -> None:
        event_tables.refuse_contradiction(g, pairing, stated)
        outcomes.enter(g, pairing, stated, is_judge=roles.may(actor.role, "rule"))

    return act(code, "enter", change, actor, key=key, payload=as_text([pairing, dict(stated)]))


def rule(
    code: str,
    actor: Actor,
    pairing: str,
    stated: Mapping[str, Any],
    reason: str,
    key: str = "",
    seen: str = "",
) -> Verdict:
    """Rule on a table's result as a judge who has `seen` what stands there."""
    change = partial(outcomes.rule, key=pairing, stated=stated, reason=reason, seen=seen)
    return act(
        code, "rule", change, actor, key=key, payload=as_text([pairing, dict(stated), reason]), note=reason
    )


# --- shared ----------------------------------------------------------------------------------------


def own(actor: Actor, player: str) -> Actor:
    """The actor, if they may act for this player: players may act only for themselves."""
    if actor.role == roles.PLAYER and actor.key != player:
        raise RequestRefused(say(_("You can do this for yourself only.")), 403, "not_yours")
    return actor


def _kept(event: Event, player: str, text: str) -> str:
    """Store the text of a list; returns its salted fingerprint."""
    salt = secrets.token_hex(16)
    fingerprint = chain.secret_hash(salt, player, text)
    owner = Player.objects.get(event=event, key=player)
    ArmyList.objects.create(event=event, player=owner, fingerprint=fingerprint, salt=salt, text=text)
    return fingerprint


def _event(code: str) -> Event:
    return Event.objects.get(code=code.upper())


def as_text(value: Any) -> str:
    """A canonical text of what was asked for, to compare requests with the same key."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
