"""One compressed stream for a whole audience, without a compressor for any of its listeners.

A gzip answer that never ends is one deflate stream: blocks, each of which may point back at the last 32 KB
that came out of those before it. Listeners who were shown the same frames, and have heard the same number of
beats between them, have the same bytes behind them, so the next frame is compressed once, with those bytes as
its dictionary, and sent to all of them as it is. What is shown changes little from tap to tap: of a board of
15 KB some 260 bytes are left. Whoever has anything else behind them, or nothing, is sent the frame as a block
that points at nothing before itself, which is right after any bytes at all.

What is behind a listener is one object that all share for whom it is the same (`Past`); each form of a frame
is made when the first of them needs it (`Forms`). The stream is never finished, its end is that of the
connection, and no checksum is kept. Nothing secret may stand in a frame beside words that a stranger chose:
lengths would give it away.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from itertools import count
from typing import NamedTuple

HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""gzip's own beginning (RFC 1952): deflate, no name, no time, no system."""
WINDOW = 32 * 1024
LEVEL, LARGE_LEVEL = 8, 6
"""How hard zlib tries; where no history helps, trying harder costs more than it saves."""
MOST_FORMS = 32
"""Forms of one frame for different histories; after a long thought newcomers have heard fewer beats."""

_serials = count(1)


class Said(NamedTuple):
    """Bytes that a listener, or a thousand of them, are sent next, and what they have behind them then."""

    data: bytes
    chunk: bytes
    """The same as a chunk of an answer's body."""
    then: Plain


def said(data: bytes, then: Plain) -> Said:
    """What is said, ready to be written."""
    return Said(data, b"%x\r\n%b\r\n" % (len(data), data), then)


class Forms:
    """What one frame looks like on the wire, for each history that its listeners have."""

    __slots__ = ("after", "data", "pasts", "plain", "serial", "version", "whole")

    def __init__(self, data: bytes, version: int) -> None:
        self.data, self.version = data, version
        self.serial = next(_serials)
        # By number: holding what was before this frame would hold what was before that, and so on.
        self.after: dict[int, Said] = {}
        self.pasts: dict[tuple[int, int], Past] = {}
        self.plain: Said | None = None
        self.whole: Said | None = None

    def as_it_is(self) -> Said:
        """This frame for a listener of the plain stream."""
        if self.plain is None:
            self.plain = said(self.data, PLAIN)
        return self.plain

    def following(self, past: Past) -> Said:
        """This frame for who has this behind them."""
        done = self.after.get(past.serial)
        if done is None:
            if not past.is_of_use or len(self.after) >= MOST_FORMS:
                return self.alone()
            block = compressed(self.data, past.behind())
            done = self.after[past.serial] = said(block, self._past(past))
        return done

    def alone(self) -> Said:
        """This frame for anybody, whatever they have behind them."""
        if self.whole is None:
            self.whole = said(compressed(self.data), self._past(NOTHING))
        return self.whole

    def _past(self, past: Past) -> Past:
        """What is behind them then: this frame, and the one before it while both fit into the window."""
        fits = past.is_of_use and len(past.last) + len(self.data) < WINDOW
        known = (past.frame, past.beats) if fits else (0, 0)
        if known not in self.pasts:
            earlier = past.last + past.said_since() if fits else b""
            self.pasts[known] = Past(self.serial, self.version, self.data, earlier)
        return self.pasts[known]


class Plain:
    """What is behind a listener who is sent everything as it is: nothing that matters."""

    __slots__ = ()
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def begin(self, data: bytes) -> bytes:
        """What stands before the first event."""
        return data

    def show(self, forms: Forms) -> Said:
        """A frame, as a listener with this behind them needs it."""
        return forms.as_it_is()

    def beat(self, version: int) -> Said:
        """That the stream lives."""
        return said(beat(version), self)

    def forgotten(self) -> Plain:
        """For who reads slowly, and shares a history with nobody."""
        return self


class Past(Plain):
    """What is behind listeners of the compressed stream: one frame or two, and the beats since."""

    __slots__ = ("beaten", "beats", "earlier", "frame", "last", "serial", "version")
    headers = ((b"content-encoding", b"gzip"),)

    def __init__(self, frame: int, version: int | None, last: bytes, earlier: bytes, beats: int = 0) -> None:
        self.frame, self.version, self.last, self.earlier, self.beats = frame, version, last, earlier, beats
        self.serial = next(_serials)
        self.beaten: Said | None = None

    @property
    def is_of_use(self) -> bool:
        """Whether there is anything to point back at that has not gone by when it would be needed."""
        return 0 < len(self.last) <= WINDOW

    def behind(self) -> bytes:
        """The very bytes, as many as can be pointed back at."""
        return (self.earlier + self.last + self.said_since())[-WINDOW:]

    def said_since(self) -> bytes:
        """The beats since the last frame."""
        return b"" if self.version is None else beat(self.version) * self.beats

    def begin(self, data: bytes) -> bytes:
        return HEADER + stored(data)

    def show(self, forms: Forms) -> Said:
        return forms.following(self)

    def beat(self, version: int) -> Said:
        if version != self.version:
            return said(stored(beat(version)), NOTHING)
        if self.beaten is None:
            then = Past(self.frame, version, self.last, self.earlier, self.beats + 1)
            self.beaten = said(stored(beat(version)), then)
        return self.beaten

    def forgotten(self) -> Plain:
        return NOTHING


PLAIN = Plain()
NOTHING = Past(0, None, b"", b"")
"""Behind who has just come to the compressed stream, or has read too slowly to share a history."""


def beat(version: int) -> bytes:
    """The event that says that the stream lives, and which version was sent last."""
    return b"event: beat\ndata: %d\n\n" % version


def compressed(data: bytes, history: bytes = b"") -> bytes:
    """Blocks that end at a byte, so that all of the data comes out as soon as they have come."""
    level = LARGE_LEVEL if len(data) > WINDOW else LEVEL
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=history)
    return squeeze.compress(data) + squeeze.flush(zlib.Z_SYNC_FLUSH)


def stored(data: bytes) -> bytes:
    """A block that is not compressed, of at most 65,535 bytes."""
    return struct.pack("<BHH", 0, len(data), len(data) ^ 0xFFFF) + data


@lru_cache(64)
def is_welcome(accepted: str) -> bool:
    """Whether a client's `Accept-Encoding` admits gzip (RFC 9110, 12.5.3); none at all does not."""
    weights = {}
    for choice in accepted.lower().split(","):
        name, _, parameters = choice.partition(";")
        key, _, weight = parameters.partition("=")
        weights[name.strip()] = weight.strip() if key.strip() == "q" else "1"
    weight = weights.get("gzip", weights.get("*", "0"))
    try:
        return float(weight) > 0
    except ValueError:
        return False
