"""What can be done at an event, one function for each command; pages, API and admin use nothing else.

Each takes the event's code, who acts, what is wanted, and the key of the button; a repeated key gets the same
answer and does nothing. `seen` is the mark of the rounds that the actor saw (`event_rounds.mark`): nothing is
done to another round. Raises `RequestRefused`: 403 if the role may not, otherwise 409 with a sentence.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from games import core
from games.core import IllegalAction, Line, RequestRefused, Term, clean_name, say
from games.core import gettext_noop as _
from games.hall import event_actions, event_links, event_tables, pasted_players
from games.hall.event_actions import GUEST, PLAYER, Actor, act, may
from games.hall.models import ArmyList, Event, EventEntry, Helper, Player
from games.hall.pasted_players import Columns
from games.hall.rules import (
    challenges,
    event_results,
    event_rounds,
    event_settings,
    put_up,
    registration,
    seating_changes,
    team_rounds,
    teams,
)
from games.hall.rules.event_state import OPEN, PLANNED, EventState, Round, TeamMatch
from games.history.commits import Verdict, apply_rules
from games.people.seats import CLAIM_MINUTES
from games.web import clock

Groups = Sequence[Sequence[str]]
FIRST_EPOCH = Player._meta.get_field("epoch").default
"""The epoch of a player's first link; each new link has a higher one."""


def _do(
    code: str, actor: Actor, action: str, key: str, rule: Callable[..., Any], *stated: Any, **how: Any
) -> Verdict:
    """Carry out a rule with what was stated, which is also what the key was used for."""
    return act(code, action, lambda g: rule(g, *stated), actor, key=key, payload=as_text(stated), **how)


def _now(rule: Callable[..., Any]) -> Callable[..., Any]:
    """The rule at the moment at which it is carried out."""
    return lambda g, *stated: rule(g, *stated, now=int(clock.seconds()))


def _numbered(code: str, rule: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a rule that makes something with a number of its own.

    No call and no announcement of the event ever had it: it is that of the version it comes with. After an
    undo the next free one would be given again, and a button of an older page would act on what it has never
    shown.
    """
    return lambda g, *stated: _now(rule)(g, *stated, event_actions.event_of(code).version + 1)


def change_settings(code: str, actor: Actor, values: Mapping[str, Any], key: str = "") -> Verdict:
    """Change settings of the event by name; those that players rely on are fixed once it has begun."""
    event_actions.refuse_zone(values)

    def change(g: EventState, values: Mapping[str, Any]) -> None:
        before = g.days
        event_settings.change(g, values)
        if before and g.days and g.days != before:
            for event_round in g.open_rounds:
                if event_round.until is not None:
                    event_round.until = clock.later(event_round.until, g.days - before, g.zone)
                    g.say(_("The deadline of round %(number)s is moved."), number=event_round.number)

    return _do(code, actor, "change", key, change, dict(values))


# --- players -----------------------------------------------------------------------------------------


def register(
    code: str,
    actor: Actor,
    name: str,
    club: str = "",
    faction: str = "",
    division: str = "",
    key: str = "",
) -> Verdict:
    """Register a player; `made` is their key. Guests may register where the event is open for that."""

    def change(g: EventState, *person: str) -> str:
        _refuse_guest(g, actor)
        return registration.register(g, *person)

    return _do(code, actor, "register", key, change, name, club, faction, division)


def _refuse_guest(g: EventState, actor: Actor) -> None:
    if actor.role == GUEST and not g.is_open:
        raise IllegalAction(say(_("The organisers enter the players of this event.")))


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
    player = Player.objects.select_related("event").filter(event=event, key=_made_by(event, outcome)).first()
    if player is None:
        raise RequestRefused(say(registration.NO_PLAYER), 404, "unknown")
    if outcome.is_replay and player.epoch != FIRST_EPOCH:
        raise RequestRefused(say(event_actions.NO_LONGER), 404, "unknown")
    return player


def _made_by(event: Event, outcome: Verdict) -> str:
    """The key of the player whom this command registered; nobody else ever gets it."""
    if outcome.made:
        return str(outcome.made)
    entry = EventEntry.objects.get(event=event, version=outcome.version)
    captains = [piece["captain"] for path, piece in entry.after.items() if path.startswith("team/") and piece]
    made = (piece["key"] for path, piece in entry.after.items() if path.startswith("player/"))
    return next(iter(captains), "") if entry.action == "register_team" else next(made)


def import_table(
    code: str, actor: Actor, raw: str | bytes, key: str = "", columns: Columns | None = None
) -> Verdict:
    """Register the players of a pasted table, all or none; a refusal (422) names every wrong line.

    What somebody says about its columns is remembered for the event's next table.
    """

    def change(g: EventState) -> list[str]:
        table = pasted_players.read(raw, g, columns)
        if table.wrong:
            raise RequestRefused(pasted_players.problems_in_words(table.wrong), 422, "unreadable")
        keys = registration.register_all(g, table.players)
        if table.unused:
            g.say(_("Not used: %(columns)s."), columns=tuple(label for label, _cells in table.unused))
        if columns:
            g.columns = {**g.columns, **table.remembered}
        return keys

    payload = hashlib.sha256(repr((raw, columns)).encode()).hexdigest()
    return act(code, "import", change, actor, key=key, payload=payload)


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

    def change(g: EventState, player: str, name: str | None, club: str | None, faction: str | None) -> None:
        if actor.role == PLAYER and g.team_size and player in g.players:
            club = g.players[player].club  # Who plays for a team is for its captain and the organisers.
        registration.amend(g, player, name, club, faction)

    return _do(code, own(actor, player), "amend", key, change, player, name, club, faction)


def remove(code: str, actor: Actor, *players: str, key: str = "") -> Verdict:
    """Remove players who have not been paired, all of them or none."""
    if not players:
        raise RequestRefused(say(_("Choose whom to take off the list.")), 422, "malformed")
    return _do(code, actor, "remove", key, registration.remove, *players)


def hand_in(code: str, actor: Actor, player: str, texts: Sequence[str], key: str = "") -> Verdict:
    """Hand in a player's army lists, one or two. The log keeps fingerprints; the texts stay sealed."""

    def change(g: EventState) -> None:
        event = event_actions.event_of(code)
        registration.hand_in(g, player, [_kept(event, player, text) for text in texts])

    payload = hashlib.sha256(as_text(list(texts)).encode()).hexdigest()
    outcome = act(code, "hand_in", change, own(actor, player), key=key, payload=f"{player} {payload}")
    finish_opening(code)
    return outcome


def choose(code: str, actor: Actor, player: str, number: int, key: str = "", table: str = "") -> Verdict:
    """Choose which of two lists (1 or 2) a player plays; it is sealed until all at the table have chosen."""

    def change(g: EventState) -> None:
        pairing = registration.table_of(g, player, table)
        lists = g.players[player].lists
        if not 1 <= number <= len(lists):
            raise IllegalAction(say(_("There is no such list.")))
        # A new fingerprint, because the one handed in would give away which list it is.
        event, handed_in = event_actions.event_of(code), lists[number - 1]
        text = ArmyList.texts(event, [handed_in])[handed_in]
        registration.choose(g, pairing, player, _kept(event, player, text))

    outcome = act(code, "choose", change, own(actor, player), key=key, payload=f"{player} {number} {table}")
    finish_opening(code)
    return outcome


# --- teams -------------------------------------------------------------------------------------------


def register_team(
    code: str, actor: Actor, name: str, players: Sequence[str], division: str = "", key: str = ""
) -> Verdict:
    """Register a team with its players, the captain first; `made` is the captain's key."""

    def change(g: EventState, name: str, players: Sequence[str], division: str) -> str:
        _refuse_guest(g, actor)
        return registration.register_team(g, name, players, division)

    return _do(code, actor, "register_team", key, change, name, list(players), division)


def add_to_team(code: str, actor: Actor, team: str, players: Sequence[str], key: str = "") -> Verdict:
    """Register more players for a team, before the event begins."""

    def change(g: EventState, team: str, players: Sequence[str]) -> None:
        _refuse_other_captain(g, actor, team)
        name = teams.team_of(g, team).name
        registration.register_all(g, [(player, name, "") for player in players])

    return _do(code, actor, "add_to_team", key, change, team, list(players))


def amend_team(
    code: str,
    actor: Actor,
    team: str,
    name: str | None = None,
    division: str | None = None,
    captain: str | None = None,
    key: str = "",
) -> Verdict:
    """Change a team's name, division or captain; what is None stays."""
    return _do(code, actor, "amend_team", key, teams.amend, team, name, division, captain)


def set_division(code: str, actor: Actor, player: str, division: str, key: str = "") -> Verdict:
    return _do(code, actor, "set_division", key, teams.set_division, player, division)


def penalise(code: str, actor: Actor, competitor: str, points: int, reason: str, key: str = "") -> Verdict:
    """Give a player or a team penalty points."""
    return _do(code, actor, "penalise", key, registration.penalise, competitor, points, reason, note=reason)


def check_in_team(code: str, actor: Actor, team: str, key: str = "") -> Verdict:
    """Check a whole team in; its captain may."""

    def change(g: EventState, team: str) -> None:
        _refuse_other_captain(g, actor, team)
        if g.status != PLANNED:
            raise IllegalAction(say(_("The event has begun.")))
        teams.check_in(g, team)

    return _do(code, actor, "check_in_team", key, change, team)


def _refuse_other_captain(g: EventState, actor: Actor, team: str) -> None:
    """Refuse a player who does not speak for this team."""
    if actor.role == PLAYER and g.captained_by(actor.key) != team:
        name = teams.team_of(g, team).name
        raise RequestRefused(say(_("Only the captain of %(team)s can do this."), team=name), 403, "not_yours")


def propose(code: str, actor: Actor, match: str, player: str, key: str = "", seen: str = "") -> Verdict:
    """Name a player in a put-up, as a captain or for one; sealed until both teams have answered.

    `seen` is the mark of the question (`TeamMatch.mark`): an answer to another question is refused.
    """

    def change(g: EventState) -> None:
        here = team_rounds.match_of(g, match)
        if seen not in ("", here.mark):
            raise IllegalAction(say(_("This has already been answered. Check the current question.")))
        team = put_up.team_of(g, here, player)
        _refuse_other_captain(g, actor, team)
        event = event_actions.event_of(code)
        if player in sealed(event, here, team):
            raise IllegalAction(say(_("You have named this player already. Name another one.")))
        put_up.seal(g, here, team, _kept(event, g.captain_of(team), player))
        put_up.reveal(g, here, {side: sealed(event, here, side) for side in here.teams})
        if not here.question:
            team_rounds.seat(g, here)

    return _reseated(code, "propose", change, actor, key=key, payload=f"{match} {player} {seen}")


def sealed(event: Event, match: TeamMatch, team: str) -> list[str]:
    """Whom a team has named in the question that is open; for its captain's eyes only."""
    prints = match.sealed.get(team, ())
    texts = ArmyList.texts(event, prints) if prints else {}
    return [texts[fingerprint] for fingerprint in prints if fingerprint in texts]


def take_back(code: str, actor: Actor, match: str, team: str, key: str = "") -> Verdict:
    """Take a team's sealed answer back while the other team has not answered."""

    def change(g: EventState, match: str, team: str) -> None:
        _refuse_other_captain(g, actor, team)
        put_up.take_back(g, team_rounds.match_of(g, match), team)

    return _do(code, actor, "take_back", key, change, match, team)


def rest_by_lot(code: str, actor: Actor, match: str, key: str = "") -> Verdict:
    """Pair the rest of a team match by lot."""
    return _reseat(code, actor, "rest_by_lot", key, team_rounds.rest_by_lot, match)


def pair_anew(code: str, actor: Actor, match: str, key: str = "") -> Verdict:
    """Pair the players of a team match anew, with those who are here now."""
    return _reseat(code, actor, "pair_anew", key, team_rounds.restart, match)


def fix_table(code: str, actor: Actor, player: str, table: int, key: str = "") -> Verdict:
    """Let a player always sit at this table; 0 for any."""
    return _do(code, actor, "fix_table", key, registration.fix_table, player, table)


def seed(code: str, actor: Actor, player: str, number: int, key: str = "") -> Verdict:
    """Give a player this place among the seeds of the knock-out; 0 for none: the lot decides."""
    return _do(code, actor, "seed", key, registration.seed, player, number)


def consent(code: str, actor: Actor, player: str, agrees: bool = True, key: str = "") -> Verdict:
    """Agree, as a player, to be named in ratings, or withdraw that; an organiser can only withdraw it."""
    if agrees and own(actor, player).role != PLAYER:
        raise RequestRefused(say(_("Only the player can agree to this.")), 403, "not_yours")
    return _do(code, own(actor, player), "consent", key, _now(registration.consent), player, agrees)


def check_in(code: str, actor: Actor, player: str, here: bool = True, key: str = "") -> Verdict:
    """Check a player in, or out again."""
    return _do(code, own(actor, player), "check_in", key, registration.check_in, player, here)


def check_in_all(code: str, actor: Actor, key: str = "") -> Verdict:
    return _do(code, actor, "check_in_all", key, registration.check_in_all)


def drop(code: str, actor: Actor, player: str, key: str = "") -> Verdict:
    return _do(code, own(actor, player), "drop", key, registration.drop, player)


def come_back(code: str, actor: Actor, player: str, key: str = "") -> Verdict:
    return _do(code, actor, "come_back", key, registration.come_back, player)


def come_late(
    code: str,
    actor: Actor,
    name: str,
    club: str,
    faction: str,
    how: str,
    division: str = "",
    key: str = "",
) -> Verdict:
    """Register a player late; missed rounds count as `how` ("bye", "loss"); `made` is their key."""
    return _do(code, actor, "come_late", key, registration.come_late, name, club, faction, how, division)


# --- rounds ------------------------------------------------------------------------------------------


def _by_teams(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule about who meets whom, for teams instead of players in a team event."""

    def carry_out(g: EventState, *stated: Any) -> Any:
        return team_rounds.on_teams(g, rule, *stated) if g.team_size else rule(g, *stated)

    return carry_out


def pair(code: str, actor: Actor, mode: str = "", key: str = "", seen: str = "") -> Verdict:
    """Draw up the pairings of the next round."""
    return _do(code, actor, "pair", key, _by_teams(event_rounds.pair), mode, seen=seen, ahead=True)


def repair(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    """Draw up the pairings of the same round again."""
    return _do(code, actor, "repair", key, _by_teams(event_rounds.repair), seen=seen, ahead=True)


def keep_draw(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    """Keep the newest round as it was drawn, although results under it have changed."""
    return _do(code, actor, "keep_draw", key, _by_teams(event_rounds.keep_draw), seen=seen)


def by_hand(code: str, actor: Actor, groups: Groups, key: str = "", seen: str = "") -> Verdict:
    """Set the pairings of the round that is drawn up: one group per table, one player alone for a bye."""
    return _do(code, actor, "by_hand", key, _by_teams(event_rounds.by_hand), groups, seen=seen)


def swap(code: str, actor: Actor, first: str, second: str, key: str = "", seen: str = "") -> Verdict:
    """Let two players change places, also in the open round where their tables have no result."""
    return _reseat(code, actor, "swap", key, team_rounds.swap, first, second, seen=seen)


def seat_together(code: str, actor: Actor, first: str, second: str, key: str = "", seen: str = "") -> Verdict:
    """Let two who have no game in the open round play each other."""
    return _reseat(code, actor, "seat_together", key, team_rounds.seat_together, first, second, seen=seen)


def call_off_table(code: str, actor: Actor, pairing: str, key: str = "") -> Verdict:
    """Call off one table of the open round that has no result."""
    return _reseat(code, actor, "call_off_table", key, _now(team_rounds.call_off_table), pairing)


def no_show(code: str, actor: Actor, pairing: str, player: str = "", key: str = "") -> Verdict:
    """End a table of the open round to which this player has not come; without one, both."""
    return _reseat(code, actor, "no_show", key, seating_changes.no_show, pairing, player)


def report_absent(code: str, actor: Actor, pairing: str, player: str, key: str = "") -> Verdict:
    """Report, as this player, that the opponent has not come to their table."""
    return _do(code, own(actor, player), "absent", key, seating_changes.report_absent, pairing, player)


def report_present(code: str, actor: Actor, pairing: str, player: str, key: str = "") -> Verdict:
    """Report, as this player, that both are at their table."""
    return _do(code, own(actor, player), "present", key, seating_changes.report_present, pairing, player)


def preview(code: str, rule: Callable[..., Any], *stated: Any) -> Line:
    """What a change of seats in an open round would do: who would play where, and the taps that it costs."""
    before = event_actions.load(code).state
    after = before.copy()
    apply_rules(lambda: rule(after, *stated))
    gone = [
        was
        for key, was in before.pairings.items()
        if was.match and (key not in after.pairings or after.pairings[key].match != was.match)
    ]
    lines = list(seating_changes.changes(before, after))
    for was in gone:
        if event_tables.is_touched(was.match or ""):
            lines.append(say(_("what was tapped at table %(table)s no longer counts"), table=was.table or 0))
    for key, was in before.pairings.items():
        now = after.pairings.get(key, was)
        if now.table != was.table and now.match == was.match and event_tables.is_touched(was.match or ""):
            lines.append(say(_("what was tapped at table %(table)s moves along"), table=was.table or 0))
    return say(_("This would change: %(what)s. Nothing is done yet."), what=tuple(lines))


def bid(code: str, actor: Actor, pairing: str, player: str, number: int, key: str = "") -> Verdict:
    """Bid tournament points for the choice of a house, sealed until all at the table have bid."""

    def change(g: EventState) -> None:
        if not 0 <= number <= seating_changes.MOST_BID:
            raise IllegalAction(say(_("Bid from 0 to %(most)s."), most=seating_changes.MOST_BID))
        event = event_actions.event_of(code)
        seating_changes.bid(g, pairing, player, _kept(event, player, str(number)))
        sealed_bids = g.pairings[pairing].bids.values()
        seating_changes.reveal_bids(g, pairing, ArmyList.texts(event, sealed_bids))

    return act(code, "bid", change, own(actor, player), key=key, payload=f"{pairing} {player} {number}")


def choose_house(code: str, actor: Actor, pairing: str, player: str, seat: str, key: str = "") -> Verdict:
    """Take a house at a table whose players choose; with the last one the table opens."""
    who = own(actor, player)
    return _reseat(code, who, "choose_house", key, seating_changes.choose_house, pairing, player, seat)


def set_houses(code: str, actor: Actor, pairing: str, houses: Sequence[str], key: str = "") -> Verdict:
    """Set who plays which house at a table that is not begun, in the order of its players."""
    return _reseat(code, actor, "set_houses", key, seating_changes.set_houses, pairing, list(houses))


def draw_houses(code: str, actor: Actor, pairing: str, key: str = "") -> Verdict:
    """Draw the houses of those at a table who have not chosen any."""
    return _reseat(code, actor, "draw_houses", key, seating_changes.draw_rest, pairing)


def _reseat(
    code: str, actor: Actor, action: str, key: str, rule: Callable[..., Any], *stated: Any, seen: str = ""
) -> Verdict:
    """Change who plays whom."""
    payload = as_text(stated)
    return _reseated(code, action, lambda g: rule(g, *stated), actor, key=key, payload=payload, seen=seen)


def _reseated(code: str, action: str, rule: Callable[[EventState], Any], actor: Actor, **how: Any) -> Verdict:
    """Carry out what may change who plays whom; tables of an open round are opened for it, or anew."""

    def change(g: EventState) -> None:
        before = {pairing.match for pairing in g.pairings.values() if pairing.match}
        rule(g)
        last = g.last
        if last is not None and last.state == OPEN:
            event_tables.open_tables(g, event_actions.event_of(code), last)
            registration.choose_only_lists(g, last.number)
        for match in sorted(before - {pairing.match for pairing in g.pairings.values()}):
            event_tables.clear_away(match)

    outcome = act(code, action, change, actor, **how)
    finish_opening(code)
    return outcome


def move(code: str, actor: Actor, pairing: str, table: int, key: str = "", seen: str = "") -> Verdict:
    """Move a pairing to another table; who sits there changes places with it."""
    return _do(code, actor, "move", key, seating_changes.move, pairing, table, seen=seen)


def propose_date(code: str, actor: Actor, pairing: str, player: str, moment: int, key: str = "") -> Verdict:
    """Propose when a game of a league is played, or agree to it by the same moment; 0 for no date."""
    return _do(code, own(actor, player), "date", key, event_rounds.propose_date, pairing, player, moment)


def challenge(code: str, actor: Actor, player: str, other: str, key: str = "") -> Verdict:
    """Challenge, as this player of a ladder, somebody above them; their table is opened at once."""

    def change(g: EventState, challenger: str, above: str) -> int:
        return _opened(g, code, challenges.challenge(g, challenger, above, clock.in_days(g.days, g.zone)))

    outcome = _do(code, own(actor, player), "challenge", key, change, player, other)
    finish_opening(code)
    return outcome


def move_deadline(code: str, actor: Actor, number: int, until: int, key: str = "") -> Verdict:
    """Have the games of a league's open round played until then (seconds since 1970)."""
    return _do(code, actor, "deadline", key, event_rounds.move_deadline, number, until)


def set_mode(code: str, actor: Actor, mode: str, key: str = "", seen: str = "") -> Verdict:
    return _do(code, actor, "set_mode", key, event_rounds.set_mode, mode, seen=seen)


def set_options(code: str, actor: Actor, wanted: Mapping[str, Any], key: str = "", seen: str = "") -> Verdict:
    return _do(code, actor, "set_options", key, event_tables.set_options, wanted, seen=seen)


def open_round(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    """Open the round that is drawn up and a table for each of its pairings, and bring the known lists."""

    def change(g: EventState) -> int:
        opening = team_rounds.open_round if g.team_size else event_rounds.open_round
        return _opened(g, code, opening(g, clock.in_days(g.days, g.zone)))

    outcome = _do(code, actor, "open_round", key, change, seen=seen)
    finish_opening(code)
    return outcome


def _opened(g: EventState, code: str, this_round: Round) -> int:
    event_tables.open_tables(g, event_actions.event_of(code), this_round)
    registration.choose_only_lists(g, this_round.number)
    return this_round.number


def finish_opening(code: str) -> None:
    """Bring known lists to the tables that wait for them; `open_round` calls it, and it may be repeated."""
    event = event_actions.event_of(code)
    g = event_actions.position_of(event)
    for event_round in g.open_rounds:
        event_tables.bring_lists(event, g, event_round.number)


def call_off(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    """Call off the newest round, as long as none of its tables has a result."""

    def change(g: EventState) -> None:
        last = g.last
        codes = [pairing.match for pairing in g.at(last.number) if pairing.match] if last is not None else []
        event_rounds.call_off(g, int(clock.seconds()))
        for match in codes:
            event_tables.clear_away(match)

    return _do(code, actor, "call_off", key, change, seen=seen)


def close_round(code: str, actor: Actor, number: int | None = None, key: str = "") -> Verdict:
    """Close a round; `number` says which one where a league has several open."""

    def change(g: EventState, number: int | None) -> None:
        team_rounds.close_round(g, int(clock.seconds()), number)

    return _do(code, actor, "close_round", key, change, number)


def reopen(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return _do(code, actor, "reopen", key, event_rounds.reopen, seen=seen)


def finish(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return _do(code, actor, "finish", key, event_rounds.finish, seen=seen)


def start_clock(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return _do(code, actor, "start_clock", key, _now(event_rounds.start_clock), seen=seen)


def pause_clock(code: str, actor: Actor, key: str = "", seen: str = "") -> Verdict:
    return _do(code, actor, "pause_clock", key, _now(event_rounds.pause_clock), seen=seen)


def extend(
    code: str, actor: Actor, minutes: int, pairing: str = "", key: str = "", seen: str = ""
) -> Verdict:
    """Add minutes for everybody, or for one table."""
    return _do(code, actor, "extend", key, event_rounds.extend, 60 * minutes, pairing, seen=seen)


# --- results -----------------------------------------------------------------------------------------


def report(
    code: str, actor: Actor, pairing: str, player: str, stated: Mapping[str, Any], key: str = ""
) -> Verdict:
    """Report, as a player, the result of a game that was not played in the app."""
    return _do(code, own(actor, player), "report", key, event_results.report, pairing, player, dict(stated))


def contest(code: str, actor: Actor, pairing: str, player: str, reason: str, key: str = "") -> Verdict:
    """Contest a table's result as one of its players."""
    who = own(actor, player)
    return _do(code, who, "contest", key, event_results.contest, pairing, player, reason, note=reason)


def enter_result(code: str, actor: Actor, pairing: str, stated: Mapping[str, Any], key: str = "") -> Verdict:
    """Enter a result as a scorekeeper; if it contradicts what is known, it is refused, with both shown."""

    def change(g: EventState, *entered: Any) -> None:
        event_tables.refuse_contradiction(g, *entered)
        event_results.enter(g, *entered, is_judge=may(actor.role, "rule"))

    return _do(code, actor, "enter", key, change, pairing, dict(stated))


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

    def change(g: EventState, pairing: str, stated: Mapping[str, Any], reason: str) -> None:
        before = g.copy()
        event_results.rule(g, pairing, stated, reason, seen)
        team_rounds.refuse_turned(before, g)

    return _do(code, actor, "rule", key, change, pairing, dict(stated), reason, note=reason)


def go_on(code: str, actor: Actor, pairing: str, winner: str, player: str = "", key: str = "") -> Verdict:
    """Say who goes on after a draw in the knock-out; a `player` says it for themselves."""

    def change(g: EventState, pairing: str, winner: str, player: str) -> None:
        if winner in g.teams and not player:
            team_rounds.go_on(g, pairing, winner)
        else:
            event_results.go_on(g, pairing, winner, player)

    return _do(code, own(actor, player), "go_on", key, change, pairing, winner, player)


# --- judges and announcements ------------------------------------------------------------------------


def announce(code: str, actor: Actor, text: str, key: str = "") -> Verdict:
    """Announce something in the hall."""
    return _do(code, actor, "announce", key, _numbered(code, event_rounds.announce), text, actor.name)


def take_down(code: str, actor: Actor, number: int, key: str = "") -> Verdict:
    return _do(code, actor, "take_down", key, _now(event_rounds.take_down), number)


def call_judge(
    code: str, actor: Actor, pairing: str, player: str = "", question: str = "", key: str = ""
) -> Verdict:
    calling = _numbered(code, event_rounds.call_judge)
    return _do(code, own(actor, player), "call_judge", key, calling, pairing, player, question)


def answer_call(code: str, actor: Actor, number: int, key: str = "") -> Verdict:
    """Answer a call: a judge is on the way."""
    return _do(code, actor, "answer_call", key, event_rounds.answer_call, number, actor.name)


def close_call(code: str, actor: Actor, number: int, ruling: str = "", key: str = "") -> Verdict:
    """Close a call, with the ruling if one was given."""
    closing = _now(event_rounds.close_call)
    return _do(code, actor, "close_call", key, closing, number, actor.name, ruling, note=ruling)


def note_ruling(code: str, actor: Actor, pairing: str, ruling: str, key: str = "") -> Verdict:
    """Note a ruling without a call."""
    noting = _numbered(code, event_rounds.note_ruling)
    return _do(code, actor, "note_ruling", key, noting, pairing, actor.name, ruling, note=ruling)


# --- opening, helpers, links -------------------------------------------------------------------------


def open_event(
    values: Mapping[str, Any], name: str = "", opened_from: str = "", key: str = "", payload: str = ""
) -> tuple[Event, Helper]:
    """Open an event; returns it and the helper row of the organiser who opens it."""
    event = event_actions.open_event(values, Actor("", name), opened_from, key=key, payload=payload)
    return event, Helper.objects.create(event=event, role=Helper.Role.ORGANISER, name=name)


def appoint(code: str, actor: Actor, role: str, name: str, key: str = "") -> Verdict:
    """Add a helper with a link of their own; `made` is their number."""

    def change(g: EventState, role: str, name: str) -> int:
        if role not in Helper.Role.values:
            raise IllegalAction(say(_("There is no such role.")))
        called = clean_name(name)
        helper = Helper.objects.create(event=event_actions.event_of(code), role=role, name=called)
        g.say(_("%(name)s is now a helper: %(role)s."), name=called, role=Term(role))
        return helper.pk

    return _do(code, actor, "appoint", key, change, role, name)


def dismiss(code: str, actor: Actor, number: int, key: str = "") -> Verdict:
    """Revoke a helper's link, tokens and phones."""

    def change(g: EventState, number: int) -> None:
        helper = Helper.objects.select_related("event").filter(event__code=code.upper(), pk=number).first()
        if helper is None:
            raise IllegalAction(say(_("There is no such helper.")))
        organisers = Helper.objects.filter(event=helper.event, role=Helper.Role.ORGANISER)
        if helper.role == Helper.Role.ORGANISER and organisers.count() < 2:
            raise IllegalAction(say(_("An event keeps at least one organiser.")))
        event_links.revoke(helper)
        helper.delete()
        g.say(_("%(name)s is no longer a helper."), name=helper.name)

    return _do(code, actor, "dismiss", key, change, number)


def new_link(code: str, actor: Actor, player: str, key: str = "") -> Verdict:
    """Give a player who lost their link or phone a new link, and revoke the old one."""

    def change(g: EventState, player: str) -> None:
        name = registration.player_of(g, player).name
        event_links.revoke(Player.objects.select_related("event").get(event__code=code.upper(), key=player))
        g.say(_("%(name)s gets a new link."), name=name)

    return _do(code, actor, "new_link", key, change, player)


# --- shared ------------------------------------------------------------------------------------------


def own(actor: Actor, player: str) -> Actor:
    """The actor, if they may act for this player: players may act only for themselves."""
    if actor.role == PLAYER and actor.key != player:
        raise RequestRefused(say(_("You can do this for yourself only.")), 403, "not_yours")
    return actor


def _kept(event: Event, player: str, text: str) -> str:
    """Store the text of a list; returns its salted fingerprint."""
    salt, owner = secrets.token_hex(16), Player.objects.filter(event=event, key=player).first()
    if owner is None:
        raise IllegalAction(say(registration.NO_PLAYER))
    fingerprint = core.secret_hash(salt, player, text)
    ArmyList.objects.create(event=event, player=owner, fingerprint=fingerprint, salt=salt, text=text)
    return fingerprint


def as_text(value: Any) -> str:
    """A canonical text of what was asked for, to compare requests with the same key."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
