"""What streams carry, and what a phone makes of it."""

from __future__ import annotations

import json
import random
import zlib
from http.client import HTTPResponse

from games.live.frames import Sending, beat, beginning
from games.live.hub import Frame

WHOLE = ("alone", 0, True)
"""The form of a frame for a listener that takes no changes."""
WORDS = ("wolf", "lion", "stag", "rose", "order", "march", "siege", "muster", "<b>", "</b>", "活", "&nbsp;")


def board(luck: random.Random, size: int) -> str:
    return " ".join(luck.choice(WORDS) for _ in range(size))


def changed(text: str, luck: random.Random) -> str:
    """A board after a tap: a few words differ."""
    words = text.split()
    for _ in range(3):
        words[luck.randrange(len(words))] = luck.choice(WORDS)
    return " ".join(words)


class Line:
    """One phone's stream: what the phone makes of the bytes that it gets."""

    def __init__(self, *, is_packed: bool, takes_changes: bool) -> None:
        self.history = beginning(is_packed=is_packed, takes_changes=takes_changes)
        self.inflate = zlib.decompressobj(16 + zlib.MAX_WBITS) if is_packed else None
        self.takes_changes = takes_changes
        self.text: str | None = None
        assert self.read(self.history.begin(b"retry: 700\n\n")) == b"retry: 700\n\n"

    def read(self, data: bytes) -> bytes:
        return self.inflate.decompress(data) if self.inflate else data

    def hears(self, news: Sending) -> bytes:
        assert news.chunk == b"%x\r\n" % len(news.data) + news.data + b"\r\n"
        self.history = news.then
        return self.read(news.data)

    def shown(self, frame: Frame) -> None:
        text = told(self.hears(self.history.show(frame.forms)), self.text)
        assert text == frame.forms.view.text
        self.text = text if self.takes_changes else None


def told(event: bytes, before: str | None) -> str:
    """The view that an event leads to from the one shown before; a phone that takes no changes gets none."""
    head, _said, data = event.decode().partition("data: ")
    if "event: board" in head:
        return data.removesuffix("\n\n").replace("\ndata: ", "\n")
    assert "event: change" in head
    assert before is not None
    return "".join(one if isinstance(one, str) else before[slice(*one)] for one in json.loads(data))


class Phone:
    """One phone in every form: compressed and plain, with changes and without."""

    def __init__(self) -> None:
        both = (False, True)
        self.lines = [Line(is_packed=packed, takes_changes=changes) for packed in both for changes in both]
        self.version = -1

    def shown(self, frame: Frame) -> None:
        self.version = frame.version
        for line in self.lines:
            line.shown(frame)

    def beat(self) -> None:
        for line in self.lines:
            assert line.hears(line.history.beat(self.version)) == beat(self.version)

    def slow(self) -> None:
        for line in self.lines:
            line.history = line.history.forgotten()


def heard(history, *news):  # type: ignore[no-untyped-def]
    """A listener's history after these frames and beats (numbers), and the last block that it was sent."""
    block, version = b"", next(iter(getattr(history, "beats", ())), (0, 0))[0]
    for one in news:
        if isinstance(one, int):
            for _ in range(one):
                history = history.beat(version).then
        else:
            version = one.version
            block, _chunk, history = history.show(one.forms)
    return history, block


def next_event(answer: HTTPResponse) -> dict[str, str] | None:
    """The next event of an open stream by its fields; None at the end of the stream."""
    fields: dict[str, str] = {}
    while line := answer.readline():
        if line == b"\n" and fields:
            return fields
        name, _colon, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
    return None
