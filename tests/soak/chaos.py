"""Six phones send late, twice, out of order, and hang up: the log is what they would have done one by one.

Every accepted command is in the log once, and nothing else is; and the log, played again from its beginning
one action after another, leads to the same position and the same sentences.
"""

from __future__ import annotations

import http.client
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from games.core import diff, system
from games.match import play, storage
from games.models import Entry, Match
from games.people import seats
from tests.api.robots import chosen
from tests.serving import Served
from tests.soak.fork_server import Forked
from tests.soak.report import Report, faults

MODES = ("orders", "light")
COMMANDS_A_TABLE = 500
FATES = ("sent", "sent", "sent", "twice", "late", "cut", "stale")
"""What becomes of a command; every entry is equally likely."""


@dataclass
class Command:
    """One tap or correction of a phone, and every answer that came."""

    path: str
    body: dict[str, Any]
    answers: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    unanswered: int = 0

    @property
    def versions(self) -> set[int]:
        """Its versions in the log, as it was told; a repeat is told the table's current version instead."""
        return {told["version"] for status, told in self.answers if status == 200 and not told["replayed"]}


@dataclass
class Phone:
    """A seat with a bad connection."""

    port: int
    code: str
    seat: str
    token: str
    luck: random.Random
    commands: list[Command] = field(default_factory=list)
    late: list[Command] = field(default_factory=list)
    seen: dict[str, Any] = field(default_factory=dict)
    is_over: bool = False

    def live(self, count: int) -> None:
        """Send a number of commands; at the end, those that are still on their way."""
        while len(self.commands) < count and not self.is_over:
            time.sleep(self.luck.uniform(0, 0.01))
            if not self.seen or self.luck.random() < 0.3:
                self.look()
            self.meet(self.next_command(), self.luck.choice(FATES))
            if self.late and self.luck.random() < 0.5:
                self.ask(self.late.pop(self.luck.randrange(len(self.late))))
        for command in self.late:
            self.ask(command)

    def next_command(self) -> Command:
        """Something that is offered, or was once, or else a correction."""
        key = play.new_key()
        earlier = [command.body for command in self.commands if command.path == "act"]
        if earlier and self.luck.random() < 0.15:
            # A page that was asleep shows an old board, with buttons that nobody has tapped.
            return Command("act", {**self.luck.choice(earlier), "key": key})
        if self.seen["offers"] and self.luck.random() < 0.9:
            action = chosen(self.seen["offers"], self.luck)
            body = {"action": action, "seen": self.seen["version"], "key": key}
            return Command("act", body)
        change = self.luck.choice((-1, 1))
        body = {"path": f"army/{self.seat}", "action": f"power:{self.seat}:{change}", "key": key}
        return Command("adjust", body)

    def meet(self, command: Command, fate: str) -> None:
        """Send a command as its fate demands."""
        self.commands.append(command)
        if fate == "late":
            self.late.append(command)
        elif fate == "cut":
            self.ask(command, is_cut=True)
            self.late += [command] * self.luck.randrange(2)
        elif fate == "twice":
            with ThreadPoolExecutor(2) as fingers:
                list(fingers.map(self.ask, [command] * 2))
        else:
            told = self.ask(command)
            if fate == "sent":
                self.seen = told or self.seen

    def ask(self, command: Command, *, is_cut: bool = False) -> dict[str, Any] | None:
        """Send it on its own connection; returns the position if there is one."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self.request(line, "POST", f"/{command.path}", json.dumps(command.body))
            if is_cut:
                command.unanswered += 1
                return None
            answer = line.getresponse()
            told = json.loads(answer.read())
            command.answers.append((answer.status, told))
            return told if answer.status == 200 and "offers" in told else None
        finally:
            line.close()

    def look(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.request(line, "GET")
        self.seen = json.loads(line.getresponse().read())
        self.is_over = self.seen["result"] is not None
        line.close()

    def request(
        self, line: http.client.HTTPConnection, method: str, path: str = "", body: str | None = None
    ) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        line.request(method, f"/api/matches/{self.code}{path}", body, headers)


def run(commands: int, broken: str = "") -> Report:
    """Send a number of commands, at one table after another.

    `broken="twice"` plays what is sent twice, twice; `broken="late"` accepts a tap from any board.
    """
    report, number = Report(), 0
    served = Forked(broken or "patient")
    try:
        served.start()
        while report.figures.get("commands", 0) < commands:
            number += 1
            left = commands - report.figures.get("commands", 0)
            chaos(served, number, min(COMMANDS_A_TABLE, left), report)
        served.stop()
    finally:
        served.close()
    return report


def chaos(served: Served, number: int, commands: int, report: Report) -> None:
    """Play one table with everybody at once, and check the outcome."""
    names = dict(list(system("agot").seat_names.items())[:6])
    match = play.open_match("agot", MODES[number % 2], names, seed=f"chaos-{number}")
    phones = [
        Phone(served.port, match.code, one.key, seats.api_token(one), random.Random(f"{number} {one.key}"))
        for one in match.seats.select_related("match").order_by("key")
    ]
    with ThreadPoolExecutor(len(phones)) as threads:
        for life in [threads.submit(one.live, -(-commands // len(phones))) for one in phones]:
            life.result()
    settle(match)
    for phone in phones:
        compare(match, phone, report)
    report.wrong += faults(match)
    one_by_one(match, report)


def settle(match: Match) -> None:
    """Wait for what phones that hung up had sent."""
    before = -1
    while before != match.version:
        before = match.version
        time.sleep(0.3)
        match.refresh_from_db()


def compare(match: Match, phone: Phone, report: Report) -> None:
    """Compare what a phone was told with the log, and with what the phone had seen when it tapped."""
    asked = [entry.version for entry in match.entries.order_by("version") if "asked" in entry.after]
    rows = Entry.objects.filter(match=match, seat=phone.seat).exclude(key="")
    kept = {entry.key: entry.version for entry in rows}
    report.count("commands", len(phone.commands))
    for command in phone.commands:
        key, versions = command.body["key"], command.versions
        where = f"{match.code} {phone.seat} {key}"
        statuses = [status for status, _told in command.answers]
        report.count("accepted", key in kept)
        report.count("repeated", max(0, statuses.count(200) - 1))
        report.count("refused", bool(statuses) and 200 not in statuses)
        report.count("unanswered", not statuses)
        report.unless(set(statuses) <= {200, 409}, f"{where}: {statuses}")
        if command.path == "act" and key in kept:
            since = max(version for version in asked if version < kept[key])
            report.unless(since <= command.body["seen"], f"{where}: done from a board that was over")
        if versions:
            report.unless(versions == {kept.get(key)}, f"{where}: told {versions}, is lost or elsewhere")
        elif 200 in statuses:
            report.unless(key in kept, f"{where}: is lost")
        elif not command.unanswered:
            report.unless(key not in kept, f"{where}: refused, and done")
    report.unless(set(kept) <= {one.body["key"] for one in phone.commands}, f"{match.code}: taps of nobody")


def one_by_one(match: Match, report: Report) -> None:
    """Replay the accepted log as a table would play it, one action after another."""
    again = play.open_match(
        match.system, match.mode, dict(match.armies.values_list("key", "name")), seed=match.seed
    )
    for entry in match.entries.filter(version__gt=1).order_by("version"):
        if entry.kind == Entry.Kind.TAP:
            play.tap(again.code, entry.seat, storage.full_action(entry), entry.version - 1, play.new_key())
        else:
            play.adjust(again.code, entry.seat, entry.path, entry.action, play.new_key())
    again.refresh_from_db()
    ways, _values = diff(storage.load(match).state, storage.load(again).state)
    report.wrong += [f"{match.code}: one by one it comes to another {path}" for path in ways]
    told, replayed = (list(one.entries.order_by("version").values_list("lines")) for one in (match, again))
    report.unless(told == replayed, f"{match.code}: one by one other sentences are told")
