"""What goes over the wire of a stream: small for everybody, without a compressor for each listener.

A gzip response that never ends is one deflate stream: blocks, each of which may refer back to the last 32 KB
of output before it. Listeners who were shown the same frames, with the same number of beats between them,
have received the same bytes, so the next frame is compressed once, with those bytes as its dictionary, and
sent to all of them as it is. What is shown changes little from tap to tap: a board of 15 KB shrinks to some
260 bytes. A listener with a different history, or none, is sent the frame as a block that refers to nothing
before it, which is valid after any bytes at all.

A board of 50 KB is out of reach by the time the next one comes. For such a board, a page that asks for it
(`?changes=1`) is sent what has changed since the previous one (`change`), compressed in the same way; without
gzip it is sent the changes of every board. A view is cut where its elements begin. The new one is described
as stretches of the old one, by where they begin and end, and as text where the old one has nothing to offer:
`[[0,120],"<b>7</b>",[131,9000]]`. Positions are counted as JavaScript counts them.

A listener's history is one object (`Packed` or `Plain`), shared by all who have the same; each form of a
frame is made when the first of them needs it (`Forms`). The stream is never finished, it ends with the
connection, and no checksum is kept. A frame must never hold a secret next to words that a stranger chose:
lengths would give it away.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import count, pairwise
from typing import NamedTuple, TypeAlias

import msgspec

Stretch: TypeAlias = tuple[int, int]
Change: TypeAlias = list[Stretch | str]
Beats: TypeAlias = tuple[tuple[int, int], ...]
"""The versions that were beaten since a frame, and how often."""

_SEAM = re.compile("<[abdghln]")
"""Where a view is cut: before links, buttons, rows, cards, groups and numbers, most of which stay."""


class View:
    """A view's text, cut into pieces when it is first compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def seams(self) -> list[int]:
        """Where pieces begin, and the end of the last one."""
        return [0, *(seam.start() for seam in _SEAM.finditer(self.text, 1)), len(self.text)]

    @cached_property
    def pieces(self) -> list[str]:
        """The pieces in their order."""
        return [self.text[begin:end] for begin, end in pairwise(self.seams)]

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each piece; for equal pieces, that of the last."""
        return {piece: place for place, piece in enumerate(self.pieces)}

    @cached_property
    def is_countable(self) -> bool:
        """Whether JavaScript counts its characters as Python does."""
        return self.text.isascii() or len(self.text.encode("utf-16-le")) == 2 * len(self.text)


def change(before: View, after: View) -> Change | None:
    """How `after` is joined from `before`; None if JavaScript counts their positions differently."""
    if not (before.is_countable and after.is_countable):
        return None
    return _joined(_trimmed(before.text, _found(before, after)))


def _found(before: View, after: View) -> Iterator[Stretch | str]:
    """The new view as runs of consecutive pieces of the old one, and the text of pieces that it lacks."""
    seams, pieces, places, count = before.seams, before.pieces, before.places, len(before.pieces)
    fresh: list[str] = []
    begin = end = 0
    for piece in after.pieces:
        follows = end < count and pieces[end] == piece
        if follows and not fresh:
            end += 1
            continue
        place = end if follows else places.get(piece)
        if not fresh:
            yield seams[begin], seams[end]
        if place is None:
            fresh.append(piece)
            continue
        if fresh:
            yield "".join(fresh)
            fresh.clear()
        begin, end = place, place + 1
    yield "".join(fresh) if fresh else (seams[begin], seams[end])


def _trimmed(old: str, parts: Iterable[Stretch | str]) -> Iterator[Stretch | str]:
    """The same with less text: where a text begins or ends like the old view does there, that stays."""
    begin = 0
    for part, following in pairwise([*parts, (len(old), len(old))]):
        if not isinstance(part, str):
            begin = part[1]
            yield part
            continue
        assert not isinstance(following, str), "two texts in a row would be one"
        end = following[0]
        gap = old[begin:end]
        head = _alike(gap, part)
        tail = _alike(gap[head:][::-1], part[head:][::-1])
        yield (begin, begin + head)
        yield part[head : len(part) - tail]
        yield (end - tail, end)


def _alike(first: str, other: str) -> int:
    """The length of the beginning that two texts share."""
    least, most = 0, min(len(first), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if first[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _joined(stretches: Iterable[Stretch | str]) -> Change:
    """The same without empty parts, and with adjacent stretches joined."""
    joined: Change = []
    for part in stretches:
        last = joined[-1] if joined else ""
        if isinstance(part, str):
            joined += [part] if part else []
        elif part[0] == part[1]:
            continue
        elif not isinstance(last, str) and last[1] == part[0]:
            joined[-1] = (last[0], part[1])
        else:
            joined.append(part)
    return joined


# --- one history for many listeners ----------------------------------------------------------------


HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""gzip's header (RFC 1952): deflate, no name, no time, no system."""
WINDOW = 32 * 1024
REACH = 31 * 1024
"""The longest frame that the next, equally long one can refer back to; the rest is for beats and for zlib."""
LEVEL, LARGE_LEVEL = 8, 6
"""zlib's compression levels; without a history to help, a higher one costs more than it saves."""
MOST_FORMS = 32
"""Forms of one frame for different histories: after a long pause, newcomers have heard fewer beats."""

_serials = count(1)


class Form(NamedTuple):
    """A frame as an event of the stream: whole, or as the changes since another frame."""

    data: bytes
    frame: int = 0
    """The frame's number; 0 for no frame at all."""
    since: int = 0
    """The number of the frame before the change; 0 for a whole one."""
    view: View | None = None
    """What is shown afterwards; None for a listener who takes no changes."""


class Sending(NamedTuple):
    """The bytes that a listener, or a thousand of them, are sent next, and their history afterwards."""

    data: bytes
    chunk: bytes
    """The same as a chunk of a response body."""
    then: Plain


def sending(data: bytes, then: Plain) -> Sending:
    """A `Sending` of this data, with its chunk."""
    return Sending(data, b"%x\r\n%b\r\n" % (len(data), data), then)


class Forms:
    """One frame as it goes over the wire, for each history that its listeners have."""

    __slots__ = ("after", "changed", "data", "histories", "serial", "version", "view")

    def __init__(self, data: bytes, version: int, view: View) -> None:
        self.data, self.version, self.view = data, version, view
        self.serial = next(_serials)
        # Keyed by number: a reference to the previous frame would keep the one before that alive, and so on.
        self.after: dict[Hashable, Sending] = {}
        self.changed: dict[int, Form] = {}
        self.histories: dict[Hashable, Packed] = {}

    def plainly(self, history: Plain) -> Sending:
        """This frame for a listener of the plain stream."""
        key = "plain", history.form.frame, history.takes_changes
        if key not in self.after:
            form = self._form(history, is_in_reach=False)
            self.after[key] = sending(form.data, Plain(form) if form.view else PLAIN)
        return self.after[key]

    def following(self, history: Packed) -> Sending:
        """This frame for listeners with this history."""
        done = self.after.get(history.serial)
        if done is None:
            form = self._form(history, is_in_reach=history.reaches(self.data))
            if not history.is_of_use or len(self.after) >= MOST_FORMS:
                return self._alone(form)
            done = self.after[history.serial] = sending(
                compressed(form.data, history.behind()), self._afterwards(form, history)
            )
        return done

    def _alone(self, form: Form) -> Sending:
        """A form for anybody: it refers to no history."""
        key = "alone", form.since, form.view is None
        if key not in self.after:
            self.after[key] = sending(compressed(form.data), self._afterwards(form, NOTHING))
        return self.after[key]

    def _form(self, history: Plain, *, is_in_reach: bool) -> Form:
        """This frame for listeners with this history: whole, unless that would be much longer."""
        before = history.form
        whole = Form(self.data, self.serial, view=self.view if history.takes_changes else None)
        if before.view is None or not before.frame or is_in_reach:
            return whole
        if before.frame not in self.changed and len(self.changed) < MOST_FORMS:
            self.changed[before.frame] = self._since(before.view, before.frame) or whole
        return self.changed.get(before.frame, whole)

    def _since(self, view: View, frame: int) -> Form | None:
        """What has changed since a frame; None unless that takes less than half of the bytes."""
        changes = change(view, self.view)
        if changes is None:
            return None
        data = b"id: %d\nevent: change\ndata: %b\n\n" % (self.version, msgspec.json.encode(changes))
        return Form(data, self.serial, frame, self.view) if len(data) < len(self.data) // 2 else None

    def _afterwards(self, form: Form, history: Packed) -> Packed:
        """Their history afterwards: this frame, and the one before it if both fit into the window."""
        fits = history.is_of_use and len(history.form.data) + len(form.data) < WINDOW
        earlier = (history.form.frame, history.form.since, history.beats) if fits else ()
        key = form.since, form.view is None, earlier
        if key not in self.histories:
            behind = history.form.data + history.beats_since() if fits else b""
            self.histories[key] = Packed(form, behind)
        return self.histories[key]


class Plain:
    """The history of a listener who is sent everything uncompressed: the last frame that they were sent."""

    __slots__ = ("form",)
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def __init__(self, form: Form) -> None:
        self.form = form

    @property
    def takes_changes(self) -> bool:
        """Whether a frame may be sent as changes."""
        return self.form.view is not None

    def begin(self, data: bytes) -> bytes:
        """The first bytes of the stream, with the first event."""
        return data

    def show(self, forms: Forms) -> Sending:
        """A frame, as a listener with this history needs it."""
        return forms.plainly(self)

    def beat(self, version: int) -> Sending:
        """A beat: the sign that the stream is alive."""
        return sending(beat(version), self)

    def forgotten(self) -> Plain:
        """A fresh start for a slow reader, who shares a history with nobody."""
        return beginning(is_packed=False, takes_changes=self.takes_changes)


class Packed(Plain):
    """The history of listeners of the compressed stream: one frame or two, and the beats since then."""

    __slots__ = ("beaten", "beats", "earlier", "serial")
    headers = ((b"content-encoding", b"gzip"),)

    def __init__(self, form: Form, earlier: bytes, beats: Beats = ()) -> None:
        super().__init__(form)
        self.earlier, self.beats = earlier, beats
        self.serial = next(_serials)
        self.beaten: tuple[int, Sending] | None = None

    @property
    def is_of_use(self) -> bool:
        """Whether there is a frame to refer back to that still fits into the window."""
        return 0 < len(self.form.data) <= WINDOW

    def reaches(self, data: bytes) -> bool:
        """Whether a frame that is sent whole can refer back to a whole one."""
        return not self.form.since and max(len(self.form.data), len(data)) <= REACH

    def behind(self) -> bytes:
        """The bytes themselves, as many as can be referred back to."""
        return (self.earlier + self.form.data + self.beats_since())[-WINDOW:]

    def beats_since(self) -> bytes:
        """The beats since the last frame."""
        return b"".join(beat(version) * count for version, count in self.beats)

    def begin(self, data: bytes) -> bytes:
        return HEADER + stored(data)

    def show(self, forms: Forms) -> Sending:
        return forms.following(self)

    def beat(self, version: int) -> Sending:
        if not self.form.frame:
            return sending(stored(beat(version)), self.forgotten())
        if self.beaten is None or self.beaten[0] != version:
            # A version that an answer has brought is beaten, too, though no frame was sent of it.
            *others, (last, count) = self.beats or ((version, 0),)
            beats = (*others, (last, count + 1)) if last == version else (*self.beats, (version, 1))
            then = Packed(self.form, self.earlier, beats)
            self.beaten = version, sending(stored(beat(version)), then)
        return self.beaten[1]

    def forgotten(self) -> Plain:
        return beginning(is_packed=True, takes_changes=self.takes_changes)


NO_FRAME, NO_VIEW = Form(b""), Form(b"", view=View(""))
PLAIN, NOTHING = Plain(NO_FRAME), Packed(NO_FRAME, b"")
"""The history of a listener who has just come, or read too slowly to share one."""
_PLAIN_YET, _NOTHING_YET = Plain(NO_VIEW), Packed(NO_VIEW, b"")
"""The same, for a listener who takes changes."""


def beginning(*, is_packed: bool, takes_changes: bool) -> Plain:
    """The history of a listener who has been sent nothing."""
    if takes_changes:
        return _NOTHING_YET if is_packed else _PLAIN_YET
    return NOTHING if is_packed else PLAIN


def beat(version: int) -> bytes:
    """The event that says that the stream is alive, and which version was sent last."""
    return b"event: beat\ndata: %d\n\n" % version


def compressed(data: bytes, history: bytes = b"") -> bytes:
    """Blocks that end on a byte boundary, so that all of the data can be read as soon as they arrive."""
    level = LARGE_LEVEL if len(data) > WINDOW else LEVEL
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=history)
    return squeeze.compress(data) + squeeze.flush(zlib.Z_SYNC_FLUSH)


def stored(data: bytes) -> bytes:
    """An uncompressed block, of at most 65,535 bytes."""
    return struct.pack("<BHH", 0, len(data), len(data) ^ 0xFFFF) + data


@lru_cache(64)
def is_welcome(accepted: str) -> bool:
    """Whether a client's `Accept-Encoding` allows gzip (RFC 9110, 12.5.3); without the header it does not."""
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
