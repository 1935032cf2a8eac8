"""Streams in other processes count against the limits of a seat, a table and an address."""

from __future__ import annotations

import pytest

from games.live.bus import KEPT_SECONDS, Bus, Tally, worth_telling
from games.live.hub import Full
from tests.hubs import RED, WATCHER, Reader, in_hub

LIMITS = {"seat": 6, "match": 2000, "address": 500}


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_what_others_carry_is_added_up():
    tally = Tally()
    tally.hear("a", {"match M": 300, "seat M red": 2})
    tally.hear("b", {"match M": 500})
    tally.hear("a", {"match M": 250})
    assert (tally.count("match M"), tally.count("seat M red"), tally.count("match N")) == (750, 2, 0)


def test_a_process_that_says_nothing_any_more_carries_nothing():
    clock = Clock()
    tally = Tally(clock)
    tally.hear("a", {"match M": 300})
    tally.hear("b", {"match N": 300})
    clock.now += KEPT_SECONDS - 0.1
    tally.hear("b", {"match N": 300})
    assert tally.count("match M") == 300
    clock.now += 0.1
    assert tally.count("match M") == 0
    tally.tidy()
    assert set(tally.told) == {"match N"}


def test_only_a_fair_part_of_a_limit_is_told():
    counts = {"seat M red": 1, "match M": 249, "match N": 250, "address a": 62, "address b": 63}
    assert worth_telling(counts.items(), LIMITS) == {"seat M red": 1, "match N": 250, "address b": 63}


@pytest.mark.parametrize(
    ("key", "count", "is_full"),
    [
        ("match M", 98, False),
        ("match M", 99, True),
        ("match N", 100, False),
        ("address 192.0.2.1", 98, False),
        ("address 192.0.2.1", 99, True),
        ("address 192.0.2.2", 100, False),
        ("seat M red", 1, False),
        ("seat M red", 2, True),
        ("seat M blue", 3, False),
    ],
)
def test_a_limit_holds_over_all_processes(key, count, is_full):
    async def scene(hub):
        hub.bus = Bus(hub, "here")
        Reader(hub, RED, address="192.0.2.1")
        hub.bus.tally.hear("elsewhere", {key: count})
        if is_full:
            with pytest.raises(Full):
                Reader(hub, RED, address="192.0.2.1")
        else:
            Reader(hub, RED, address="192.0.2.1")
        hub.bus = None

    in_hub(scene)


def test_a_process_tells_what_it_carries():
    async def scene(hub):
        hub.bus = Bus(hub, "here")
        for _stream in range(2):
            Reader(hub, RED, address="192.0.2.1")
        Reader(hub, WATCHER, match="N")
        assert dict(hub.bus._counts()) == {
            "address 192.0.2.1": 2,
            "match M": 2,
            "seat M red": 2,
            "match N": 1,
        }
        hub.bus = None

    in_hub(scene)


def test_it_does_not_hear_itself():
    async def scene(hub):
        bus = hub.bus = Bus(hub, "here")
        told = []
        hub.soon = lambda job: job()
        hub.publish = lambda *news: told.append(news)
        for by in ("here", "there"):
            bus.hear("roundtable_streams", f'["{by}", {{"match M": 5}}]')
            bus.hear("roundtable", f'["version", "M", 7, "", "{by}"]')
        assert bus.tally.count("match M") == 5
        assert told == [("M", 7, None)]
        hub.bus = None

    in_hub(scene)
