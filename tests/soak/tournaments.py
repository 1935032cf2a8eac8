"""Random events: led through their commands at random, right and wrong, and counted once more by hand.

Players register, come, leave, come back and come late; rounds are drawn up, changed, opened, called off,
closed and reopened; tables are played to their end; results are entered, reported by players, contested and
ruled on; actions are undone. A refusal says a sentence and changes nothing. Anything done leaves an event
that holds together: nobody sits at two tables of a round, everybody present is paired, the result of every
finished table is known, the chain fits, the images of the log lead to the rows, and the standings are the
plain sum of the results. What was undone is as before, except for draws.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from typing import Any
from unittest import mock

from django.db import transaction

from games.core import RequestRefused, apply
from games.hall import commands, event_actions, event_undo
from games.hall.event_actions import LoadedEvent
from games.hall.models import Event
from games.hall.rules import event_rounds, standings
from games.hall.rules.event_state import (
    AGREED,
    BYE,
    DRAFTED,
    ENTERED,
    FREE,
    KINDS,
    KNOCKOUT,
    LEFT,
    LOSS,
    MAIN,
    OPEN,
    REPORTED,
    SWISS,
    EventState,
    Pairing,
)
from games.hall.rules.standings import bye_of, points
from games.history import commits
from games.match import storage
from games.models import Match
from tests.hall.halls import ANNA, end, scores, state
from tests.hall.halls import opened as hall
from tests.soak.report import Report

ACTIONS = 40
"""How often somebody does something at an event."""
LEADS_ON = 0.8
"""How often that is the next thing to do, rather than something on the side."""
_OF_PLAYERS = ("register", "drop", "come_back", "come_late", "check_in", "remove")
_OF_SEATS = ("swap", "move", "fix_table", "seat_together", "call_off_table", "no_show", "keep_draw")
RARE = (*_OF_PLAYERS, *_OF_SEATS, "reopen", "call_off", "rule")
NUMBERED = ("wins", "vp", "difference", "destroyed", "strength", "lot")
BREAKS: dict[str, Callable[[], Any]] = {
    "counts": lambda: mock.patch.object(standings, "_won", return_value=Fraction(1)),
    "forgets": lambda: mock.patch.object(event_undo, "apply", _forgetting),
    "deaf": lambda: mock.patch.object(event_actions, "load_with_results", _not_listening),
}
"""Broken on purpose: everybody wins; an undo leaves one value as it was; no finished table is noticed."""


def _forgetting(g: EventState, image: dict[str, Any]) -> EventState:
    return apply(g, dict(list(image.items())[1:]))


def _not_listening(event: Event, changed: str = "") -> LoadedEvent:
    return event_actions.load_rows(event)


def run(events: int, broken: str = "") -> Report:
    """Run a number of events. `broken` names what is broken on purpose."""
    report = Report()
    with BREAKS.get(broken, nullcontext)():
        for number in range(events):
            with transaction.atomic():
                Random(number, report).play()
                transaction.set_rollback(True)
            report.count("events")
            if len(report.wrong) > 100:
                break
    return report


def reopened(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Pairings as an undo has to leave them: an untouched table that went is replaced by a new one."""
    there = set(Match.objects.values_list("code", flat=True))
    new = {key: one["match"] for key, one in now.items() if one["match"] in there}
    gone = {key for key, one in before.items() if one["match"] and one["match"] not in there}
    return {
        key: {**one, "match": new.get(key, "a new table")} if key in gone else one
        for key, one in before.items()
    }


class Random:
    """One event, and what is tried at it."""

    def __init__(self, number: int, report: Report) -> None:
        self.luck, self.report = random.Random(number), report
        kind = list(KINDS)[number % len(KINDS)]
        cut = 4 if kind == SWISS and number % 4 else 0
        settings = {"kind": kind, "mode": "manual-scoring", "length": 2 if cut else 4, "cut": cut}
        self.code = hall(self.luck.randint(3, 9), seed=f"seed-{number}", criteria=NUMBERED, **settings)
        self.where = f"event {number}, {kind}"

    @property
    def version(self) -> int:
        return Event.objects.get(code=self.code).version

    def play(self) -> None:
        for step in range(ACTIONS):
            g = state(self.code)
            name = self.luck.choice(self.likely(g))
            where = f"{self.where}, step {step}, {name}"
            before, version = g.to_json(), self.version
            try:
                getattr(self, name)(g)
                self.report.count("actions")
            except RequestRefused as refused:
                self.report.count("refused")
                self.report.unless(str(refused.line), f"{where}: refused without a word")
                self.report.unless(state(self.code).to_json() == before, f"{where}: refused, and done")
                continue
            except Exception as problem:
                self.report.wrong.append(f"{where}: broke: {problem!r}")
                continue
            self.report.wrong += [f"{where}: {wrong}" for wrong in wrong_with(state(self.code))]
            if name == "open_round" and event_rounds.changed(g) is not None:
                self.report.wrong.append(f"{where}: a stale draw was opened")
            if name in ("pair", "repair"):
                self.report.wrong += [f"{where}: {wrong}" for wrong in left_out(state(self.code))]
            # A finished table stays finished, whatever is taken back at its event.
            if name != "play_out" and self.version > version and self.luck.random() < 0.2:
                self.report.wrong += [f"{where}: {wrong}" for wrong in self.taken_back(before)]
        self.report.wrong += [f"{self.where}: {wrong}" for wrong in wrong_log(self.code)]

    def likely(self, g: EventState) -> tuple[str, ...]:
        """What to try, most often what leads on."""
        last = g.last
        on = ("pair",) * 4
        if last is not None and last.state == DRAFTED:
            on = ("open_round",) * 4 + ("repair", "swap", "by_hand")
        elif last is not None and any(not one.is_decided for one in g.at(last.number)):
            on = ("enter",) * 8 + ("play_out",) * 4 + ("rule", "say", "drop")
        elif last is not None and last.state != "closed":
            on = ("close_round",) * 4 + ("contest", "rule")
        return on if self.luck.random() < LEADS_ON else RARE

    def taken_back(self, before: dict[str, Any]) -> Iterator[str]:
        """What is not as before once the newest action is taken back."""
        try:
            event_undo.undo(self.code, self.version, ANNA)
        except RequestRefused:
            return
        self.report.count("undone")
        now = state(self.code).to_json()
        before = {**before, "pairings": reopened(before["pairings"], now["pairings"])}
        yield from (
            f"undone, {name} is another" for name in before if name != "drawn" and now[name] != before[name]
        )

    # --- what is done --------------------------------------------------------------------------------

    def any_player(self, g: EventState) -> str:
        return self.luck.choice([*g.players, "p99"])

    def any_pairing(self, g: EventState, *, open_first: bool = False) -> Pairing:
        waiting = [one for one in g.pairings.values() if not one.is_decided and not one.is_bye]
        if open_first and waiting:
            return self.luck.choice(waiting)
        return self.luck.choice(list(g.pairings.values()) or [Pairing("t99", 1, players=("p1", "p2"))])

    def result(self, pairing: Pairing) -> dict[str, Any]:
        told = scores(pairing, *(self.luck.randint(0, 9) for _player in pairing.players))
        for one in told["scores"].values():
            one["destroyed"] = self.luck.randint(0, 40)
        return told

    def register(self, g: EventState) -> None:
        commands.register(self.code, ANNA, f"Late {len(g.players)}", "Club")

    def remove(self, g: EventState) -> None:
        commands.remove(self.code, ANNA, self.any_player(g))

    def check_in(self, g: EventState) -> None:
        commands.check_in(self.code, ANNA, self.any_player(g), self.luck.random() < 0.7)

    def drop(self, g: EventState) -> None:
        commands.drop(self.code, ANNA, self.any_player(g))

    def come_back(self, g: EventState) -> None:
        left = [key for key, player in g.players.items() if player.dropped is not None]
        commands.come_back(self.code, ANNA, self.luck.choice(left or [self.any_player(g)]))

    def come_late(self, g: EventState) -> None:
        how = self.luck.choice((BYE, LOSS))
        commands.come_late(self.code, ANNA, f"Late {len(g.players)}", "", "", how)

    def pair(self, g: EventState) -> None:
        commands.pair(self.code, ANNA)

    def repair(self, g: EventState) -> None:
        commands.repair(self.code, ANNA)

    def swap(self, g: EventState) -> None:
        commands.swap(self.code, ANNA, self.any_player(g), self.any_player(g))

    def by_hand(self, g: EventState) -> None:
        players = [key for key, one in g.players.items() if g.last and one.plays(g.last.number)]
        self.luck.shuffle(players)
        commands.by_hand(self.code, ANNA, [players[at : at + 2] for at in range(0, len(players), 2)])

    def move(self, g: EventState) -> None:
        commands.move(self.code, ANNA, self.any_pairing(g, open_first=True).key, self.luck.randint(1, 6))

    def fix_table(self, g: EventState) -> None:
        commands.fix_table(self.code, ANNA, self.any_player(g), self.luck.randint(0, 6))

    def seat_together(self, g: EventState) -> None:
        """Two at random, or two who sit out."""
        alone = [one.players[0] for one in g.at(g.last.number) if one.is_bye] if g.last else []
        two = alone[-2:] if len(alone) > 1 else [self.any_player(g), self.any_player(g)]
        commands.seat_together(self.code, ANNA, *two)

    def call_off_table(self, g: EventState) -> None:
        commands.call_off_table(self.code, ANNA, self.any_pairing(g, open_first=True).key)

    def no_show(self, g: EventState) -> None:
        pairing = self.any_pairing(g, open_first=True)
        commands.no_show(self.code, ANNA, pairing.key, self.luck.choice(pairing.players))

    def keep_draw(self, g: EventState) -> None:
        commands.keep_draw(self.code, ANNA)

    def open_round(self, g: EventState) -> None:
        commands.open_round(self.code, ANNA)

    def call_off(self, g: EventState) -> None:
        commands.call_off(self.code, ANNA)

    def close_round(self, g: EventState) -> None:
        commands.close_round(self.code, ANNA)

    def reopen(self, g: EventState) -> None:
        commands.reopen(self.code, ANNA)

    def enter(self, g: EventState) -> None:
        pairing = self.any_pairing(g, open_first=True)
        commands.enter_result(self.code, ANNA, pairing.key, self.result(pairing))

    def play_out(self, g: EventState) -> None:
        """End a table; whatever is done next at the event takes its result over."""
        ended = self.table_end(self.any_pairing(g, open_first=True))
        commands.announce(self.code, ANNA, "The bar is open")
        wrong = not_taken_over(state(self.code), ended)
        self.report.wrong += [f"{self.where}: {sentence}" for sentence in wrong]

    def table_end(self, pairing: Pairing) -> dict[str, dict[str, int]]:
        """End a pairing's table, if it is still in play; its points by player, under the pairing's key."""
        match = Match.objects.filter(code=pairing.match, result__isnull=True).first()
        if match is None or pairing.state not in (OPEN, REPORTED):
            return {}
        scored = {player: self.luck.randint(0, 9) for player in pairing.players}
        by_seat = dict(zip(pairing.seats, scored.values(), strict=True))
        end(match.code, *(by_seat[seat] for seat in storage.load(match).state.seats))
        self.report.count("tables over")
        return {pairing.key: scored}

    def say(self, g: EventState) -> None:
        pairing = self.any_pairing(g, open_first=True)
        player = self.luck.choice(pairing.players)
        commands.report(self.code, ANNA, pairing.key, player, self.result(pairing))

    def contest(self, g: EventState) -> None:
        pairing = self.any_pairing(g)
        commands.contest(self.code, ANNA, pairing.key, self.luck.choice(pairing.players), "I doubt it")

    def rule(self, g: EventState) -> None:
        pairing = self.any_pairing(g)
        commands.rule(self.code, ANNA, pairing.key, self.result(pairing), "as seen")


# --- what must hold -------------------------------------------------------------------------------


def wrong_with(g: EventState) -> Iterator[str]:
    """What does not hold together in an event as it is now."""
    for one in g.rounds.values():
        seated = Counter(player for pairing in g.at(one.number) for player in pairing.players)
        yield from (f"{player} plays twice in round {one.number}" for player in seated if seated[player] > 1)
        yield from (f"{player} is nobody" for player in seated if player not in g.players)
        tables = Counter(pairing.table for pairing in g.at(one.number) if pairing.table is not None)
        yield from (
            f"table {table} is there twice in round {one.number}" for table in tables if tables[table] > 1
        )
    unknown = [one for one in g.pairings.values() if is_played(one) and {*one.results} != {*one.players}]
    yield from (f"nobody knows the result of {one.key}" for one in unknown)
    if not unknown:
        yield from wrong_standings(g)


def is_played(pairing: Pairing) -> bool:
    """Whether it has a result from a game."""
    return pairing.state in (AGREED, ENTERED) and pairing.how not in (BYE, LOSS, LEFT)


def not_taken_over(g: EventState, ended: dict[str, dict[str, int]]) -> Iterator[str]:
    """What an event does not know about finished tables."""
    for key, scored in ended.items():
        one = g.pairings[key]
        known = {player: told["vp"] for player, told in one.results.items()}
        if (one.state, known) != (AGREED, scored):
            yield f"{key} is over with {scored}, and {one.state} with {known}"


def left_out(g: EventState) -> Iterator[str]:
    """Players who are present but sit nowhere in the round that is drawn up for everybody."""
    if g.last is not None and g.last.stage == MAIN and g.kind not in (KNOCKOUT, FREE):
        seated = {player for pairing in g.at(g.last.number) for player in pairing.players}
        # Who has left is not drawn again, although the round in which they left was called off.
        staying = {key: one for key, one in g.players.items() if one.dropped is None}
        here = {key for key, one in staying.items() if one.checked_in and one.plays(g.last.number)}
        yield from (f"{player} sits nowhere" for player in here - seated)
        yield from (f"{player} is not here" for player in seated - here)


def wrong_standings(g: EventState) -> Iterator[str]:
    """Where the standings differ from a plain addition."""
    lines = standings.standings(g)
    if sorted(line.player for line in lines) != sorted(g.players):
        yield "not everybody is in the standings"
    ranks = [line.rank for line in lines]
    if ranks != (shared_places(g) if is_bracket(g) else list(range(1, len(lines) + 1))):
        yield "the ranks have gaps"
    added = addition(g)
    for line in lines:
        for name, value in added[line.player].items():
            if name == "strength" and name not in standings.criteria(g):
                continue
            if abs(line.values[name] - value) > 1e-9:
                yield f"{line.player} has {line.values[name]} of {name}, not {value}"
    if not g.is_ladder and not any(one.stage != MAIN for one in g.rounds.values()):
        order = sorted(
            g.players, key=lambda key: [-added[key][name] for name in NUMBERED[:-1]] + [g.players[key].lot]
        )
        if [line.player for line in lines] != order:
            yield "the order is another"


def is_bracket(g: EventState) -> bool:
    """Whether the event is a knock-out from its first round on, whose games are all that counts."""
    return bool(g.rounds) and all(one.stage != MAIN for one in g.rounds.values())


def shared_places(g: EventState) -> list[int]:
    """The places in a knock-out, in order: who got equally far shares one."""
    far = dict.fromkeys(g.players, (0, False))
    for pairing in g.pairings.values():
        for player in pairing.players:
            won = pairing.is_decided and pairing.winner == player
            far[player] = max(far[player], (pairing.round, won))
    return sorted(1 + sum(other > own for other in far.values()) for own in far.values())


def addition(g: EventState) -> dict[str, dict[str, float]]:
    """Every player's sums, added up pairing by pairing."""
    sums: dict[str, dict[str, float]] = {
        player: dict.fromkeys(("points", "wins", "vp", "difference", "destroyed"), 0.0)
        for player in g.players
    }
    met: dict[str, list[str]] = defaultdict(list)
    for pairing in g.pairings.values():
        found = g.rounds[str(pairing.round)]
        is_counted = found.state != DRAFTED and (found.stage == MAIN or is_bracket(g))
        if pairing.state not in (AGREED, ENTERED) or not is_counted:
            continue
        for player in pairing.players:
            own = sums[player]
            if pairing.how == BYE or (pairing.how == LEFT and pairing.winner == player):
                for name, value in bye_of(g).items():
                    if name in own:
                        own[name] += average(g, pairing.round, name) if value is None else value
            elif pairing.how not in (LOSS, LEFT):
                others = [other for other in pairing.players if other != player]
                met[player] += others
                vp = pairing.results[player]["vp"]
                own["points"] += points(g, pairing, player)
                own["wins"] += {"": 0.5, player: 1}.get(pairing.winner, 0)
                own["vp"] += vp
                own["difference"] += vp - max(pairing.results[other]["vp"] for other in others)
                own["destroyed"] += pairing.results[player].get("destroyed", 0)
    for player, own in sums.items():
        own["strength"] = sum(sums[other]["points"] for other in met[player])
    return sums


def average(g: EventState, number: int, name: str) -> float:
    """What a game of a round gave to each of its players on average."""
    told = [one.results for one in g.at(number) if is_played(one)]
    gains = [numbers.get(name, 0) for results in told for numbers in results.values()]
    return sum(gains) / (len(gains) or 1)


def wrong_log(code: str) -> Iterator[str]:
    """What does not fit in the log of an event."""
    event = Event.objects.get(code=code)
    yield from (f"record {fault.version}: {fault.how}" for fault in commits.faults(event))
    told = EventState()
    for entry in commits.entries_of(event):
        told = apply(told, entry.after)
    told.seed = event.seed
    if told.to_json() != state(code).to_json():
        yield "the log does not lead to the rows"
