"""One open stream and one match that is listened to: what each has, and what it lacks."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from games.live.chain import Forms
from games.live.changes import View

Seats = tuple[str, ...]
Epochs = tuple[tuple[str, int], ...]
Tell = Callable[[], object]


class Audience(NamedTuple):
    """Listeners that may be shown the same bytes: seats (none: spectators), language, kind of view.

    `speaker` is the seat whose player said that they hold a device that several share, "" for nobody.
    `opened` names a question and the seats that had their own halves of it opened for it ("12.red.blue").
    """

    seats: Seats
    language: str
    view: str
    speaker: str = ""
    opened: str = ""


Render = Callable[[Audience], str]


class Frame(NamedTuple):
    """One version of one audience's view, as it goes over the wire: plain, compressed, or what has changed.

    `edition` counts what changed beside the log since the match is listened to: who asks for a seat.
    """

    version: int
    data: bytes
    forms: Forms
    edition: int = 0


def encode(version: int, text: str) -> Frame:
    """A view as one event of a stream; its id is the version, which a browser sends back when it returns."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = "".join(f"data: {line}\n" for line in text.split("\n"))
    data = f"id: {version}\nevent: board\n{lines}\n".encode()
    return Frame(version, data, Forms(data, version, View(text)))


class Listener:
    """One open stream: who listens, what it has, and the one frame that it has not been sent.

    Whoever carries the frames says in a class of their own what `wake` (there is a frame to take), `beat`
    (say that you live) and `end` (it is over) do, and sets `stuck_since` while a frame waits to be read.
    """

    __slots__ = (
        "address",
        "audience",
        "edition",
        "epochs",
        "frame",
        "is_fresh",
        "match",
        "stuck_since",
        "turn",
        "version",
    )

    def __init__(
        self, match: str, audience: Audience, last_version: int | None, epochs: Epochs = (), address: str = ""
    ) -> None:
        self.match = match
        self.audience = audience
        self.epochs = epochs
        self.address = address
        self.version = -1 if last_version is None else last_version
        self.edition = 0
        self.is_fresh = True
        self.frame: Frame | None = None
        self.stuck_since: float | None = None
        self.turn = 0

    def wake(self) -> None:
        """There is a frame to take."""

    def beat(self) -> None:
        """Say that the stream lives."""

    def end(self) -> None:
        """The stream is over."""

    def put(self, frame: Frame) -> None:
        """Keep the frame if it is news; what was unsent is forgotten."""
        # The version that a listener comes with is only its word: any other one is news to it.
        is_other = frame.version != self.version or frame.edition > 0
        is_later = (frame.version, frame.edition) > (self.version, self.edition)
        is_news = is_other if self.is_fresh else is_later
        self.is_fresh = False
        if is_news:
            self.version, self.edition, self.frame = frame.version, frame.edition, frame
            self.wake()

    def take(self) -> Frame | None:
        """The unsent frame, now taken."""
        frame, self.frame = self.frame, None
        return frame


class Room:
    """One match that somebody listens to."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.listeners: defaultdict[Audience, set[Listener]] = defaultdict(set)
        self.frames: dict[Audience, Frame] = {}
        self.version = -1
        self.edition = 0
        self.guests: frozenset[object] = frozenset()
        """Who asked for a seat when the rows were last looked at; nobody before: whoever did is news then."""
        self.render: Render | None = None
        self.task: asyncio.Task[None] | None = None

    def everyone(self) -> list[Listener]:
        """All who listen to the match."""
        return [listener for group in self.listeners.values() for listener in group]

    def size(self) -> int:
        """How many listen to the match."""
        return sum(map(len, self.listeners.values()))

    def holding(self, seats: Seats) -> int:
        """How many listen as exactly these seats."""
        return sum(len(group) for audience, group in self.listeners.items() if audience.seats == seats)

    def behind(self) -> list[Audience]:
        """The audiences that have no frame of the newest version, players first."""
        late = [audience for audience in self.listeners if self.is_behind(audience)]
        return sorted(late, key=lambda audience: not audience.seats)

    def is_behind(self, audience: Audience) -> bool:
        """Whether its frame is missing, or old. What changes beside the log is for players only."""
        frame = self.frames.get(audience)
        if frame is None or frame.version < self.version:
            return True
        return bool(audience.seats) and frame.edition < self.edition
