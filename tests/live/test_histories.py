"""The compressed stream: whatever a listener went through, it unpacks to what the plain stream says."""

from __future__ import annotations

import asyncio
import gc
import random
import weakref
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.live import frames
from games.live.frames import NOTHING, Forms, View, beat, is_welcome
from games.live.hub import Hub, Ticket, encode
from games.live.stream import Writer
from tests.hubs import LIMITS, WATCHER, in_loop
from tests.streams import WHOLE, Phone, board, changed, heard


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
                # A listener that waits to be read skips versions; the next frame follows an older one.
                if step != "skip" or luck.random() < 0.5:
                    phone.shown(frame)
                elif luck.random() < 0.5:
                    # An answer has shown it this version: the beats name it.
                    phone.version = version
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
    in_loop(_fits_and_starts(steps, random.Random(seed)))


async def _fits_and_starts(steps: list[int], luck: random.Random) -> None:
    inflate, said, reads = zlib.decompressobj(31), bytearray(), asyncio.Event()
    reads.set()

    async def send(message):
        if not reads.is_set():
            await reads.wait()
        said.extend(inflate.decompress(message["body"]))

    listener = Writer(Ticket("M", (), *WATCHER[1:], "", 0), None, "", NOTHING, send)
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

        listener = Writer(Ticket("M", (), *WATCHER[1:], "", 0), None, "", NOTHING, send)
        listener.put(frames[0])
        listener.start(lambda: None)
        for frame in frames[1:]:
            listener.put(frame)
        assert listener.is_stuck
        reads.set()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not listener.is_stuck

    in_loop(scene())
    assert frames[1].forms.after == frames[2].forms.after == {}
    assert list(frames[3].forms.after) == [WHOLE]


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
    # A beat in between makes a different history, for as long as it is in the window.
    other = heard(newest, 1, frames[3])[0]
    assert other is not heard(old, frames[3])[0]
    assert heard(other, frames[4])[0] is heard(old, *frames[3:])[0]


def test_a_great_many_histories_cost_no_more_than_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(frames, "compressed", lambda *given: made.append(given) or b"block")
    first, second = encode(1, "a board"), encode(2, "another board")
    for beats in range(200):
        heard(NOTHING, first, beats, second)
    assert len(made) == 1 + frames.MOST_FORMS + 1


def test_what_fills_the_window_is_not_compressed_for_each_history(monkeypatch: pytest.MonkeyPatch) -> None:
    luck = random.Random(7)
    first, second = encode(1, board(luck, 9000)), encode(2, board(luck, 9000))
    assert len(first.data) > frames.WINDOW
    assert (
        heard(NOTHING, first, second)[1]
        is heard(NOTHING, first, 4, second)[1]
        is second.forms.after[WHOLE].data
    )


def test_a_frame_does_not_keep_those_before_it() -> None:
    class Watched(Forms):
        __slots__ = ("__weakref__",)

    old = Watched(b"a board", 1, View("a board"))
    gone = weakref.ref(old)
    kept = [Forms(b"another board", version, View("another board")) for version in (2, 3)]
    history = NOTHING.show(old).then
    for forms in kept:
        history = history.beat(forms.version).then.show(forms).then
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
    assert frames.stored(b"abc") == b"\x00\x03\x00\xfc\xffabc"
    assert zlib.decompressobj(-15).decompress(frames.stored(beat(3))) == b"event: beat\ndata: 3\n\n"


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
