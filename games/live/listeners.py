"""Who listens to the live path: audiences, one open stream, one match with listeners, and tickets.

A ticket is a signed token in an address that opens a stream, without a session and without the database.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.http import HttpResponse

from games.live.frames import Forms, View
from games.web import clock, restored
from games.web.clock import AHEAD_SECONDS
from games.web.program import program

Seats = tuple[str, ...]
Epochs = tuple[tuple[str, int], ...]
Tell = Callable[[], object]


class Audience(NamedTuple):
    """Listeners that may be shown the same bytes: seats (none: spectators), language, kind of view.

    `speaker` is the seat whose player said that they hold a shared device, "" for nobody. `opened` names a
    question and the seats whose own parts of it were opened ("12.red.blue"). On a screen of an event,
    `speaker` is the part of the hall that it shows.
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
        "tab",
        "turn",
        "version",
    )

    def __init__(
        self,
        match: str,
        audience: Audience,
        last_version: int | None,
        epochs: Epochs = (),
        address: str = "",
        tab: str = "",
    ) -> None:
        self.match = match
        self.tab = tab
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

    def lacks(self, version: int) -> bool:
        """Whether this version would be news; a new listener only claims to have one."""
        return self.is_fresh or self.version < version

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
        """Whether its frame is missing, or is old and somebody lacks the newest version.

        Changes outside the log are for players only.
        """
        frame = self.frames.get(audience)
        if frame is None or (audience.seats and frame.edition < self.edition):
            return True
        is_old = frame.version < self.version
        return is_old and any(one.lacks(self.version) for one in self.listeners.get(audience, ()))


# --- tickets ---------------------------------------------------------------------------------------


TOKEN_SECONDS, WATCHER_SECONDS = 600, 12 * 3600
"""How long a seat's token opens a stream, and a spectator's, so that a crowd can return without Django."""
SALT = "roundtable.live"
"""Tickets are signed with this and the program's version: a page of another version has to ask again."""
STREAM_HEADER = b"x-roundtable-stream"
"""Names the token of a stream that the server's shell is to send instead of Django's own response."""


class Ticket(NamedTuple):
    """What a stream's token says: a match, the seats with their epochs, and how to show it.

    `restored` names the data that it was made from: in a restored backup, a seat that is at the same epoch
    may be somebody else's.
    """

    match: str
    epochs: Epochs
    language: str
    view: str
    speaker: str
    opened: str
    restored: str
    issued: int

    @property
    def audience(self) -> Audience:
        """Who listens with this token."""
        seats = tuple(seat for seat, _epoch in self.epochs)
        return Audience(seats, self.language, self.view, self.speaker, self.opened)


def stream_token(match: str, epochs: Epochs, audience: Audience) -> str:
    """A signed, URL-safe token that opens the stream of these seats for ten minutes, or a spectator's."""
    shown = (audience.language, audience.view, audience.speaker, audience.opened)
    return _signer().sign_object([match, epochs, *shown, restored(), int(clock.seconds())])


def read_stream_token(token: str) -> Ticket | None:
    """The ticket, or None if the token is forged, too old, or no token at all."""
    try:
        match, epochs, *shown = _signer().unsign_object(token)
        language, view, speaker, opened, made_of, issued = shown
    except (signing.BadSignature, ValueError):
        return None
    age = clock.seconds() - issued
    if not -AHEAD_SECONDS <= age <= (TOKEN_SECONDS if epochs else WATCHER_SECONDS):
        return None
    held = tuple((seat, epoch) for seat, epoch in epochs)
    return Ticket(match, held, language, view, speaker, opened, made_of, issued)


def _signer() -> signing.TimestampSigner:
    """The signer of tokens, which also accepts those signed with earlier keys."""
    return _signer_of(program(), settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(2)
def _signer_of(made_by: str, key: str, *earlier: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(key=key, salt=f"{SALT}.{made_by}", fallback_keys=list(earlier))


def stream_url(match: str, audience: Audience, epochs: Epochs) -> str:
    """The address of a stream; it names the table for a proxy that keeps a table's phones together."""
    return f"/live/{stream_token(match, epochs, audience)}?table={match}"


def stream_response(match: str, audience: Audience, epochs: Epochs) -> HttpResponse:
    """The stream itself as a view's response, for a caller whose right to it only Django can check.

    Without the shell in front (another server, a test client) the response is a sentence, never a wait.
    """
    response = HttpResponse("Streams need the server that `manage.py play` starts.", status=406)
    response[STREAM_HEADER.decode()] = stream_token(match, epochs, audience)
    return response
