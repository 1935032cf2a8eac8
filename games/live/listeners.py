"""One open stream, and one match with listeners: what each has, and what it lacks."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from games.live.changes import View
from games.live.histories import Forms

Seats = tuple[str, ...]
Epochs = tuple[tuple[str, int], ...]
Tell = Callable[[], object]


class Audience(NamedTuple):
    """Listeners that may be shown the same bytes: seats (none: spectators), language, kind of view.

    `speaker` is the seat whose player said that they hold a shared device, "" for nobody. `opened` names a
    question and the seats whose own parts of it were opened ("12.red.blue").
    """

    seats: Seats
    language: str
    view: str
    speaker: str = ""
    opened: str = ""


Render = Callable[[Audience], str]


class Frame(NamedTuple):
    """One version of one audience's view, as it goes over the wire: plain, compressed, or as changes.

    `edition` counts the changes outside the log (who asks for a seat) since somebody began to listen.
    """

    version: int
    data: bytes
    forms: Forms
    edition: int = 0


def encode(version: int, text: str) -> Frame:
    """A view as one event of a stream; its id is the version, which a browser sends when it reconnects."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = "".join(f"data: {line}\n" for line in text.split("\n"))
    data = f"id: {version}\nevent: board\n{lines}\n".encode()
    return Frame(version, data, Forms(data, version, View(text)))


class Listener:
    """One open stream: who listens, what it has, and the one frame that it has not been sent.

    A subclass that carries the frames implements `wake` (there is a frame to take), `beat` (show that the
    stream is alive) and `end` (it is over), and sets `stuck_since` while a frame waits to be read.
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
        """Show that the stream is alive."""

    def end(self) -> None:
        """The stream is over."""

    def put(self, frame: Frame) -> None:
        """Keep the frame if it is news, in place of an unsent one."""
        # A new listener only claims to have its version: any other one is news to it.
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
        """Who asked for a seat when the rows were last read; empty at first, so the first look is news."""
        self.render: Render | None = None
        self.task: asyncio.Task[None] | None = None

    def everyone(self) -> list[Listener]:
        """All listeners of the match."""
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
        """Whether its frame is missing or old. Changes outside the log are for players only."""
        frame = self.frames.get(audience)
        if frame is None or frame.version < self.version:
            return True
        return bool(audience.seats) and frame.edition < self.edition
