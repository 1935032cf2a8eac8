"""The power fails at every write and sync of the database file: what was confirmed is there afterwards.

While taps are played, everything that SQLite does to its files is recorded. Then the files are built as they
may be after a power cut at each of these moments: what was synced is there; what was not is there, is lost,
or is there in some of its sectors, in any order. SQLite opens them and finds the taps, none of them half.
"""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection

from config.data.sqlite import driver
from config.data.sqlite_guard import sqlite_options
from games.core import system
from games.match import play, random_play, storage
from tests.soak.disk import OK, Event, watched
from tests.soak.report import Report

SECTOR = 512
"""Bytes that a disk writes as a whole."""
TAPS = 25
"""How many taps are recorded at a time."""
ACK = "ack"

JOURNALS: dict[str, dict[str, Any]] = {
    "here": sqlite_options(),
    "older": sqlite_options((3, 40, 1)),
    "unsynced journal": {"init_command": "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL"},
    "unsynced log": {"init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL"},
}
"""Ways to open the database: as we do, as with an older SQLite, and two that lose taps."""
SAFE, UNSAFE = ("here", "older"), ("unsynced journal", "unsynced log")


@dataclass
class File:
    """A file as it is on the disk (None: it does not exist), and what has been done to it since."""

    synced: bytes | None = None
    since: list[Event] = field(default_factory=list)

    def do(self, event: Event) -> None:
        if event.what == "sync" or (event.what == "delete" and event.number):
            self.synced = self.after(self.since + ([event] if event.what == "delete" else []))
            self.since = []
        else:
            self.since.append(event)

    def after(self, events: list[Event]) -> bytes | None:
        """The file once these events have reached the disk."""
        content = None if self.synced is None else bytearray(self.synced)
        for event in events:
            content = changed(content, event)
        return None if content is None else bytes(content)

    def torn(self, luck: random.Random) -> bytes | None:
        """The file once a random part of what was done has reached the disk."""
        gone = [place for place, event in enumerate(self.since) if event.what == "delete"]
        if gone and luck.random() < 0.5:
            return self.synced
        certain = self.since[: gone[-1] + 1] if gone else []
        pieces = [piece for event in self.since[len(certain) :] for piece in sectors(event)]
        return self.after(certain + [piece for piece in pieces if luck.random() < 0.5])


def changed(content: bytearray | None, event: Event) -> bytearray | None:
    """A file after one event."""
    if event.what == "delete":
        return None
    content = bytearray() if content is None else content
    if event.what == "truncate":
        del content[event.number :]
        content.extend(bytes(event.number - len(content)))
        return content
    end = event.number + len(event.data)
    content.extend(bytes(max(0, event.number - len(content))))
    content[event.number : end] = event.data
    return content


def sectors(event: Event) -> Iterator[Event]:
    """A write, split into the sectors that a disk writes whole."""
    if event.what != "write":
        yield event
        return
    begin, end = event.number, event.number + len(event.data)
    while begin < end:
        until = min(end, (begin // SECTOR + 1) * SECTOR)
        yield event._replace(number=begin, data=event.data[begin - event.number : until - event.number])
        begin = until


@contextmanager
def a_copy(options: dict[str, Any]) -> Iterator[Path]:
    """In this context the process works on a copy of its database, opened with these options."""
    connection.close()
    told = connection.settings_dict
    name, usual = told["NAME"], told["OPTIONS"]
    with tempfile.TemporaryDirectory(prefix="roundtable-soak-") as folder:
        path = Path(folder) / "copy.sqlite3"
        with closing(driver.connect(name)) as original, closing(driver.connect(path)) as copy:
            driver.copy(original, copy)
        told["NAME"], told["OPTIONS"] = str(path), {**usual, **options}
        try:
            yield path
        finally:
            connection.close()
            told["NAME"], told["OPTIONS"] = name, usual


@dataclass
class Recording:
    """The files as they were, what was done to them, and the fingerprint of all rows after each tap."""

    path: Path
    files: dict[str, File]
    events: list[Event] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)

    def note(self, event: Event) -> int:
        self.events.append(event)
        return OK

    def confirm(self) -> None:
        """Record that a tap was answered."""
        with closing(driver.connect(self.path)) as database:
            self.standing.append(fingerprint(database))
        self.events.append(Event(ACK))


def tables() -> list[str]:
    """The tables that a tap may write."""
    return [
        "games_match",
        "games_entry",
        "games_seat",
        *(row._meta.db_table for row in storage.ROWS.values()),
    ]


def fingerprint(database: driver.Connection) -> str:
    """One line for everything in the tables."""
    rows = [database.execute(f"SELECT * FROM {table} ORDER BY id").fetchall() for table in tables()]
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def record(path: Path, seed: int) -> Recording:
    """Play the taps of a match, recording everything that they do to the files."""
    game = system("agot")
    match = play.open_match("agot", "light", dict(list(game.seat_names.items())[:3]), seed=f"soak-{seed}")
    connection.close()
    names = [str(one) for one in path.parent.iterdir() if not one.name.endswith("-shm")]
    recording = Recording(path, {name: File(Path(name).read_bytes()) for name in names})
    luck, version = random.Random(seed), match.version
    with watched(recording.note):
        connection.ensure_connection()
        recording.confirm()
        for _tap in range(TAPS):
            state = storage.load(match).state
            if state.result is not None:
                break
            version = play.tap(match.code, *random_play.tap(state, luck), version, play.new_key()).version
            match.refresh_from_db()
            recording.confirm()
        connection.close()
    return recording


def cuts(recording: Recording, luck: random.Random) -> Iterator[tuple[int, list[dict[str, bytes | None]]]]:
    """For a cut after every event: how many taps were confirmed by then, and the files as they may be."""
    files, confirmed = recording.files, 0
    for event in recording.events:
        if event.what == ACK:
            confirmed += 1
        else:
            files.setdefault(event.path, File()).do(event)
        ways = [{name: file.after(file.since) for name, file in files.items()}]
        if any(file.since for file in files.values()):
            ways.append({name: file.synced for name, file in files.items()})
            ways.append({name: file.torn(luck) for name, file in files.items()})
        if confirmed:
            yield confirmed, ways


def found(files: dict[str, bytes | None], folder: Path, base: str) -> str:
    """What SQLite finds after the cut: the fingerprint of all rows, or what is wrong with the file."""
    for name, content in files.items():
        target = folder / Path(name).name
        target.unlink(missing_ok=True)
        if content is not None:
            target.write_bytes(content)
    database = driver.connect(folder / base)
    try:
        (said,) = database.execute("PRAGMA integrity_check").fetchone()
        return fingerprint(database) if said == "ok" else said
    except driver.DatabaseError as problem:
        return str(problem)
    finally:
        database.close()
        for left in folder.iterdir():
            left.unlink()


def run(points: int, journal: str = "here") -> Report:
    """Cut the power after each of at least `points` writes, truncations, deletions and syncs."""
    report, luck, seed = Report(), random.Random(points), 0
    with a_copy(JOURNALS[journal]) as path, tempfile.TemporaryDirectory(prefix="roundtable-cut-") as folder:
        while report.figures.get("points", 0) < points:
            seed += 1
            recording = record(path, seed)
            report.count("taps confirmed", len(recording.standing) - 1)
            for confirmed, ways in cuts(recording, luck):
                report.count("points")
                for files in ways:
                    report.count("cuts")
                    judge(recording, confirmed, found(files, Path(folder), path.name), report)
                if report.figures["points"] >= points:
                    break
    return report


def judge(recording: Recording, confirmed: int, seen: str, report: Report) -> None:
    """Check that what was confirmed is there, and at most also the tap that was under way."""
    if seen in recording.standing[confirmed - 1 : confirmed + 1]:
        return
    if seen in recording.standing:
        lost = confirmed - 1 - recording.standing.index(seen)
        report.wrong.append(f"{lost} confirmed taps are lost")
    else:
        report.wrong.append(f"half a tap, or a broken file: {seen}")
