"""The compressed stream: whatever a listener went through, what comes out is what the plain stream says."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import weakref
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.live import chain
from games.live.chain import NOTHING, PLAIN, Forms, Said, beat, beginning, is_welcome
from games.live.changes import View, change
from games.live.hub import Hub
from games.live.listeners import Frame, encode
from games.live.stream import Writer
from games.live.tickets import Ticket
from tests.hubs import LIMITS, WATCHER

WHOLE = ("alone", 0, True)
"""The form of a frame that is right for whoever takes no changes."""
WORDS = ("wolf", "lion", "stag", "rose", "order", "march", "siege", "muster", "<b>", "</b>", "活", "&nbsp;")


def board(luck: random.Random, size: int) -> str:
    return " ".join(luck.choice(WORDS) for _ in range(size))


def changed(text: str, luck: random.Random) -> str:
    """A board after a tap: a few words are others."""
    words = text.split()
    for _ in range(3):
        words[luck.randrange(len(words))] = luck.choice(WORDS)
    return " ".join(words)


class Line:
    """One phone's stream: what it makes of the bytes that it gets."""

    def __init__(self, *, is_packed: bool, takes_changes: bool) -> None:
        self.past = beginning(is_packed=is_packed, takes_changes=takes_changes)
        self.inflate = zlib.decompressobj(16 + zlib.MAX_WBITS) if is_packed else None
        self.takes_changes = takes_changes
        self.text: str | None = None
        assert self.read(self.past.begin(b"retry: 700\n\n")) == b"retry: 700\n\n"

    def read(self, data: bytes) -> bytes:
        return self.inflate.decompress(data) if self.inflate else data

    def hears(self, news: Said) -> bytes:
        assert news.chunk == b"%x\r\n" % len(news.data) + news.data + b"\r\n"
        self.past = news.then
        return self.read(news.data)

    def shown(self, frame: Frame) -> None:
        text = told(self.hears(self.past.show(frame.forms)), self.text)
        assert text == frame.forms.view.text
        self.text = text if self.takes_changes else None


def told(event: bytes, before: str | None) -> str:
    """The view that an event shows, to whom this was shown before; whoever takes no changes gets none."""
    head, _said, data = event.decode().partition("data: ")
    if "event: board" in head:
        return data.removesuffix("\n\n").replace("\ndata: ", "\n")
    assert "event: change" in head
    assert before is not None
    return "".join(one if isinstance(one, str) else before[slice(*one)] for one in json.loads(data))


class Phone:
    """One phone in each way: compressed and plain, with changes and without."""

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
            assert line.hears(line.past.beat(self.version)) == beat(self.version)

    def slow(self) -> None:
        for line in self.lines:
            line.past = line.past.forgotten()


@given(
    st.lists(st.sampled_from(["join", "tap", "skip", "beat", "beats", "slow", "guest", "grow"]), max_size=60),
    st.integers(0, 2**32),
    st.sampled_from([40, 900, 9000]),
)
def test_every_history_comes_out_as_it_was_said(steps: list[str], seed: int, size: int) -> None:
    luck = random.Random(seed)
    text, version = board(luck, size), 1
    frame = encode(version, text)
    phones = [Phone(), Phone()]
    phones[0].shown(frame)
    for step in steps:
        if step == "join":
            phones.append(Phone())
            if luck.random() < 0.7:
                phones[-1].shown(frame)
        elif step in ("tap", "skip", "guest", "grow"):
            text = board(luck, 2 * size) if step == "grow" else changed(text, luck)
            version += step != "guest"
            frame = encode(version, text)
            for phone in phones:
                # Who waits to be read skips versions; the next frame finds an older one behind them.
                if step != "skip" or luck.random() < 0.5:
                    phone.shown(frame)
        elif step == "slow":
            luck.choice(phones).slow()
        else:
            for phone in phones:
                for _ in range(luck.randrange(3 if step == "beat" else 400)):
                    phone.beat()


@given(st.lists(st.integers(0, 3), min_size=10, max_size=80), st.integers(0, 2**32))
def test_a_phone_that_reads_in_fits_and_starts_gets_whole_events_in_order(
    steps: list[int], seed: int
) -> None:
    # In a thread of its own, because a browser that other tests share keeps a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _fits_and_starts(steps, random.Random(seed))).result()


async def _fits_and_starts(steps: list[int], luck: random.Random) -> None:
    inflate, said, reads = zlib.decompressobj(31), bytearray(), asyncio.Event()
    reads.set()

    async def send(message):
        if not reads.is_set():
            await reads.wait()
        said.extend(inflate.decompress(message["body"]))

    listener = Writer(Ticket("M", (), *WATCHER[1:], 0), None, "", NOTHING, send)
    hub = Hub(LIMITS)
    hub.is_open = True
    hub.join(listener)
    text = board(luck, 900)
    listener.put(encode(1, text))
    listener.start(lambda: None)
    version = 1
    for step in steps:
        if step == 0:
            reads.clear()
        elif step == 1:
            reads.set()
            await asyncio.sleep(0)
        elif step == 2:
            listener.beat()
        else:
            version, text = version + 1, changed(text, luck)
            listener.put(encode(version, text))
    reads.set()
    for _ in range(5):
        await asyncio.sleep(0)
    events = bytes(said).decode().split("\n\n")
    shown = [int(event.split("\n")[0][4:]) for event in events if event.startswith("id: ")]
    assert shown == sorted(set(shown))
    assert shown[-1] == version
    assert encode(version, text).data in said
    assert listener.frame is None


def test_who_had_to_wait_is_sent_the_newest_frame_whole() -> None:
    frames = [encode(version, f"<p>{version}</p>" * 200) for version in range(4)]

    async def scene() -> None:
        reads = asyncio.Event()

        async def send(message):
            await reads.wait()

        listener = Writer(Ticket("M", (), *WATCHER[1:], 0), None, "", NOTHING, send)
        listener.put(frames[0])
        listener.start(lambda: None)
        for frame in frames[1:]:
            listener.put(frame)
        assert listener.is_stuck
        reads.set()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not listener.is_stuck

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scene()).result()
    assert frames[1].forms.after == frames[2].forms.after == {}
    assert list(frames[3].forms.after) == [WHOLE]


def heard(past, *news):  # type: ignore[no-untyped-def]
    """What is behind a listener after these frames and (numbers) beats, and the last block they were sent."""
    block = b""
    for one in news:
        if isinstance(one, int):
            for _ in range(one):
                past = past.beat(past.version).then
        else:
            block, _chunk, past = past.show(one.forms)
    return past, block


def test_an_update_is_small_and_made_once_for_a_whole_audience() -> None:
    luck = random.Random(7)
    text = board(luck, 1500)
    first, second = encode(1, text), encode(2, changed(text, luck))
    blocks = [heard(NOTHING, first, number % 3, second)[1] for number in range(500)]
    assert len({id(block) for block in blocks}) == 3
    assert max(map(len, blocks)) < 200 < len(first.forms.after[WHOLE].data)
    assert WHOLE not in second.forms.after


def test_who_came_a_frame_later_shares_everything_two_frames_on() -> None:
    luck = random.Random(7)
    frames = [encode(version, board(luck, 500)) for version in range(5)]
    old, late = heard(NOTHING, *frames[:3])[0], heard(NOTHING, frames[1], frames[2])[0]
    newest = heard(NOTHING, frames[2])[0]
    assert old is late is not newest
    assert heard(newest, frames[3])[0] is heard(old, frames[3])[0]
    # A beat in between makes another history, for as long as it can be seen.
    other = heard(newest, 1, frames[3])[0]
    assert other is not heard(old, frames[3])[0]
    assert heard(other, frames[4])[0] is heard(old, *frames[3:])[0]


def test_a_great_many_histories_cost_no_more_than_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(chain, "compressed", lambda *given: made.append(given) or b"block")
    first, second = encode(1, "a board"), encode(2, "another board")
    for beats in range(200):
        heard(NOTHING, first, beats, second)
    assert len(made) == 1 + chain.MOST_FORMS + 1


def test_what_fills_the_window_is_not_compressed_for_each_history(monkeypatch: pytest.MonkeyPatch) -> None:
    luck = random.Random(7)
    first, second = encode(1, board(luck, 9000)), encode(2, board(luck, 9000))
    assert len(first.data) > chain.WINDOW
    assert (
        heard(NOTHING, first, second)[1]
        is heard(NOTHING, first, 4, second)[1]
        is second.forms.after[WHOLE].data
    )


def long_board(version: int) -> str:
    """A board that no window holds, of which a tap changes one card."""
    cards = (
        f'<li id="card-{one}"><b>{one if one else version}</b> {one * 7919:032x}</li>' for one in range(800)
    )
    return "".join(cards)


LONG = [encode(version, long_board(version)) for version in range(1, 6)]
LISTENS = beginning(is_packed=True, takes_changes=True)
READS = beginning(is_packed=False, takes_changes=True)


def test_a_long_board_is_told_as_what_has_changed() -> None:
    assert len(LONG[0].data) > chain.WINDOW
    past, whole = heard(LISTENS, LONG[0])
    assert len(whole) > 4000
    for frame in LONG[1:]:
        past, block = heard(past, 1, frame)
        assert len(block) < 90
    plain, _whole = heard(READS, LONG[0])
    assert heard(plain, LONG[1])[1].startswith(b"id: 2\nevent: change\ndata: [[0,")


def test_who_does_not_take_changes_is_sent_every_board_whole() -> None:
    assert heard(NOTHING, LONG[0], LONG[1])[1] is LONG[1].forms.after[WHOLE].data
    assert heard(PLAIN, LONG[0], LONG[1])[1] is LONG[1].data


def test_a_board_within_reach_stays_whole_where_it_is_compressed() -> None:
    luck = random.Random(7)
    text = board(luck, 1500)
    first, second = encode(1, text), encode(2, changed(text, luck))
    assert heard(LISTENS, first, second)[1] == heard(NOTHING, first, second)[1]
    assert b"event: change" in heard(READS, first, second)[1]


def test_a_board_that_has_little_in_common_with_the_last_one_is_sent_whole() -> None:
    other = encode(2, "<li>" + "".join(f"{number:05d}" for number in range(8000)))
    assert heard(READS, LONG[0], other)[1] is other.data
    assert len(other.data) > chain.WINDOW
    assert heard(LISTENS, LONG[0], other)[1] == other.forms.after["alone", 0, False].data


def test_what_has_changed_is_found_out_once_for_a_whole_audience(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [encode(version, long_board(version)) for version in range(1, 4)]
    made: list[int] = []
    monkeypatch.setattr(chain, "change", lambda *views: made.append(1) or change(*views))
    blocks = {heard(LISTENS, frames[0], beats % 5, frames[1])[1] for beats in range(200)}
    assert len(blocks) == 1
    # One joined a frame later, and has another one behind them than those who were told the change.
    assert len({heard(LISTENS, *frames[:3])[1], heard(LISTENS, *frames[1:3])[1]}) == 2
    assert len(made) == 2


def test_a_board_that_becomes_long_or_short_is_told_as_what_has_changed() -> None:
    short = long_board(1)[:20_000]
    for before, after in ((short, long_board(1)[:35_000]), (long_board(1), short)):
        past = heard(LISTENS, encode(1, before))[0]
        assert past.show(encode(2, after).forms).then.told.since


def test_who_was_told_the_change_and_who_was_sent_it_whole_have_other_bytes_behind_them() -> None:
    short = long_board(2)[:3000]
    texts = [long_board(1), long_board(2), short, short.replace("<b>2<", "<b>4<"), short[::-1], short]
    old, new = Phone(), Phone()
    for version, text in enumerate(texts, 1):
        frame = encode(version, text)
        old.shown(frame)
        if version >= 3:
            new.shown(frame)
        if version == 4:
            assert [phone.lines[-1].past.told.since != 0 for phone in (old, new)] == [True, False]
    assert old.lines[-1].text == new.lines[-1].text == short


def test_who_reads_slowly_is_sent_a_long_board_whole() -> None:
    for start in (LISTENS, READS):
        past = heard(start, LONG[0])[0].forgotten()
        assert past.takes_changes
        assert b"event: change" not in heard(past, LONG[1])[1]
    assert heard(heard(READS, LONG[0])[0].forgotten(), LONG[1])[1] is LONG[1].data


def test_a_great_many_frames_behind_make_no_great_many_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is far behind was slow; should it ever be otherwise, the board comes whole."""
    made: list[int] = []
    monkeypatch.setattr(chain, "change", lambda *views: made.append(1) or change(*views))
    newest = encode(99, long_board(99))
    for version in range(50):
        heard(READS, encode(version, long_board(version)), newest)
    assert len(made) == chain.MOST_FORMS


def test_a_frame_does_not_keep_those_before_it() -> None:
    class Watched(Forms):
        __slots__ = ("__weakref__",)

    old = Watched(b"a board", 1, View("a board"))
    gone = weakref.ref(old)
    kept = [Forms(b"another board", version, View("another board")) for version in (2, 3)]
    past = NOTHING.show(old).then
    for forms in kept:
        past = past.beat(past.version).then.show(forms).then
    del old
    gc.collect()
    assert all(forms.after for forms in kept)
    assert gone() is None


def test_a_beat_of_another_version_than_was_shown_is_no_part_of_a_history() -> None:
    phone = Phone()
    phone.shown(encode(5, "a board"))
    phone.version = 6
    phone.beat()
    phone.shown(encode(7, "a board of another kind"))


def test_a_block_that_is_not_compressed_says_its_length_twice() -> None:
    assert chain.stored(b"abc") == b"\x00\x03\x00\xfc\xffabc"
    assert zlib.decompressobj(-15).decompress(chain.stored(beat(3))) == b"event: beat\ndata: 3\n\n"


@pytest.mark.parametrize(
    ("accepted", "welcome"),
    [
        ("gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("identity", False),
        ("br, deflate", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0", False),
        ("gzip;q=much", False),
        ("xgzip", False),
    ],
)
def test_who_accepts_gzip(accepted: str, welcome: bool) -> None:
    assert is_welcome(accepted) is welcome
