"""One compressed stream for a whole audience, without a compressor for any of its listeners.

A gzip answer that never ends is one deflate stream: blocks, each of which may point back at the last 32 KB
that came out of those before it. Listeners who were shown the same frame, and have heard the same number of
beats since, have the same bytes behind them, so the next frame is compressed once, with those bytes as its
dictionary, and sent to all of them as it is. What is shown changes little from tap to tap: of a board of
15 KB some 250 bytes are left. Whoever has anything else behind them, or nothing, is sent the frame as a block
that points at nothing before itself, which is right after any bytes at all.

A listener keeps a reference and a number (`Chain`); each form of a frame is made when the first listener
needs it (`Forms`). The stream is never finished: its end is that of the connection, and no checksum is kept.
Nothing secret may stand in a frame beside words that a stranger chose: lengths would give it away.
"""

from __future__ import annotations

import struct
import zlib
from itertools import count

HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""gzip's own beginning (RFC 1952): deflate, no name, no time, no system."""
WINDOW = 32 * 1024
LEVEL = 9
MOST_FORMS = 32
"""Forms of one frame for different histories; after a long thought newcomers have heard fewer beats."""

_serials = count(1)


class Forms:
    """What one frame looks like on the wire, for each history that its listeners have."""

    __slots__ = ("after", "beat", "data", "serial", "whole")

    def __init__(self, data: bytes, version: int) -> None:
        self.data = data
        self.beat = beat(version)
        # By number: holding the frames before this one would hold those before them, and so on.
        self.serial = next(_serials)
        self.after: dict[tuple[int, int], bytes] = {}
        self.whole = b""

    def following(self, last: Forms | None, beats: int) -> bytes:
        """This frame for who was last shown that one, and has heard so many of its beats since."""
        if last is not None:
            known = (last.serial, beats)
            if known in self.after:
                return self.after[known]
            if len(self.after) < MOST_FORMS:
                self.after[known] = compressed(self.data, (last.data + last.beat * beats)[-WINDOW:])
                return self.after[known]
        if not self.whole:
            self.whole = compressed(self.data)
        return self.whole


class Plain:
    """A listener that is sent everything as it is."""

    __slots__ = ()
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def begin(self, data: bytes) -> bytes:
        """What stands before the first event."""
        return data

    def frame(self, forms: Forms) -> bytes:
        """A frame in the form that this listener needs."""
        return forms.data

    def beat(self, version: int) -> bytes:
        """That the stream lives."""
        return beat(version)

    def forget(self) -> None:
        """Have the next frame sent whole: who reads slowly shares a history with nobody."""


class Chain(Plain):
    """A listener of the compressed stream: the last frame that they were sent, and the beats since."""

    __slots__ = ("beats", "last")
    headers = ((b"content-encoding", b"gzip"),)

    def __init__(self) -> None:
        self.last: Forms | None = None
        self.beats = 0

    def begin(self, data: bytes) -> bytes:
        return HEADER + stored(data)

    def frame(self, forms: Forms) -> bytes:
        block = forms.following(self.last, self.beats)
        self.last, self.beats = forms, 0
        return block

    def beat(self, version: int) -> bytes:
        said = beat(version)
        # Before a first frame there is nothing that these bytes would have to fit.
        if self.last is not None and said == self.last.beat:
            self.beats += 1
        else:
            self.last = None
        return stored(said)

    def forget(self) -> None:
        self.last = None


def beat(version: int) -> bytes:
    """The event that says that the stream lives, and which version was sent last."""
    return b"event: beat\ndata: %d\n\n" % version


def compressed(data: bytes, history: bytes = b"") -> bytes:
    """Blocks that end at a byte, so that all of the data comes out as soon as they have come."""
    squeeze = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=history)
    return squeeze.compress(data) + squeeze.flush(zlib.Z_SYNC_FLUSH)


def stored(data: bytes) -> bytes:
    """A block that is not compressed, of at most 65,535 bytes."""
    return struct.pack("<BHH", 0, len(data), len(data) ^ 0xFFFF) + data


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
