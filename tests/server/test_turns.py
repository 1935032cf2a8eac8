"""The queue in front of the threads: taps separate, forms before pages, addresses in turn."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest

from config.server import fair_queue
from config.server.fair_queue import Asker, Crowded, Shares, Turns


class Works:
    """Requests that take their turn and hold it until told to end; `begun` has them in order of turns."""

    def __init__(self, threads, taps):
        self.turns = Turns(taps, threads)
        self.begun = []
        self.tasks = {}
        self.ends = {}

    async def ask(self, name, lane, address, table=""):
        "Ask for a turn; returns when it has begun or does nothing yet."
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._work(name, lane, Asker(address, table)))
        await settle()

    async def _work(self, name, lane, asker):
        async with self.turns.turn(lane, asker):
            self.begun.append(name)
            await self.ends[name].wait()

    async def end(self, *names):
        for name in names:
            self.ends[name].set()
            await self.tasks[name]
        await settle()


def run(scene):
    """Run it in its own thread: a browser's driver may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(scene())).result()


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


@asynccontextmanager
async def working(threads, taps=1):
    works = Works(threads, taps)
    yield works
    for end in works.ends.values():
        end.set()
    await asyncio.gather(*works.tasks.values(), return_exceptions=True)
    for lane in (works.turns.taps, works.turns.forms, works.turns.reads):
        assert not lane.running
        assert not len(lane.waiting)


def test_a_form_goes_before_every_page_that_waits():
    async def scene():
        async with working(4) as works:
            for n in range(6):
                await works.ask(f"page {n}", works.turns.reads, f"address {n}")
            assert works.begun == ["page 0", "page 1", "page 2"]
            await works.ask("form 0", works.turns.forms, "one")
            # There was a thread that no page may hold.
            assert works.begun[-1] == "form 0"
            await works.ask("form 1", works.turns.forms, "another")
            await works.end("page 0")
            assert works.begun[-1] == "form 1"
            await works.end("page 1")
            assert works.begun[-1] == "page 3"

    run(scene)


@pytest.mark.parametrize("threads", [2, 4])
def test_forms_that_wait_for_the_database_leave_a_thread_for_pages(threads):
    async def scene():
        async with working(threads) as works:
            for n in range(5):
                await works.ask(f"form {n}", works.turns.forms, f"table {n}")
            assert works.begun == [f"form {n}" for n in range(threads - 1)]
            await works.ask("page", works.turns.reads, "watcher")
            assert works.begun[-1] == "page"

    run(scene)


def test_a_tap_waits_for_taps_and_for_nothing_else():
    async def scene():
        async with working(4, taps=2) as works:
            for n in range(3):
                await works.ask(f"page {n}", works.turns.reads, f"address {n}")
                await works.ask(f"form {n}", works.turns.forms, f"address {n}")
            before = len(works.begun)
            for n in range(3):
                await works.ask(f"tap {n}", works.turns.taps, f"table {n}")
            assert works.begun[before:] == ["tap 0", "tap 1"]
            await works.end("tap 1")
            assert works.begun[before:] == ["tap 0", "tap 1", "tap 2"]

    run(scene)


def test_pages_and_forms_take_no_thread_of_a_tap():
    async def scene():
        async with working(2) as works:
            await works.ask("tap", works.turns.taps, "table")
            await works.ask("form", works.turns.forms, "table")
            await works.ask("page", works.turns.reads, "table")
            await works.ask("another page", works.turns.reads, "watcher")
            assert works.begun == ["tap", "form", "page"]

    run(scene)


@pytest.mark.parametrize("kind", ["taps", "forms", "reads"])
def test_addresses_take_turns_however_much_one_of_them_asks(kind):
    async def scene():
        async with working(4, taps=3) as works:
            lane = getattr(works.turns, kind)
            for n in range(9):
                await works.ask(f"flood {n}", lane, "stranger")
            before = len(works.begun)
            await works.ask("one", lane, "player")
            await works.ask("two", lane, "another")
            for n in range(min(before, 3)):
                await works.end(f"flood {n}")
            # Whichever address was next, within three turns each of the two newcomers has had one.
            assert {"one", "two"} <= set(works.begun[: before + 3])

    run(scene)


def test_within_an_address_its_tables_take_turns():
    async def scene():
        async with working(4) as works:
            for n in range(5):
                await works.ask(f"flood {n}", works.turns.taps, "club", "OWN")
            await works.ask("one", works.turns.taps, "club", "FIRST")
            await works.ask("two", works.turns.taps, "club", "SECOND")
            await works.end("flood 0", "flood 1")
            assert works.begun == ["flood 0", "flood 1", "one"]
            await works.end("one")
            assert works.begun[-1] == "two"

    run(scene)


def test_an_address_has_one_form_at_a_time():
    """Forms write: several of one address would only wait for each other, before a player's tap."""

    async def scene():
        async with working(4) as works:
            for n in range(3):
                await works.ask(f"flood {n}", works.turns.forms, "stranger")
            await works.ask("form", works.turns.forms, "player")
            assert works.begun == ["flood 0", "form"]

    run(scene)


@pytest.mark.parametrize("kind", ["taps", "forms", "reads"])
def test_who_has_used_more_than_a_share_waits_while_others_are_here(kind, monkeypatch):
    monkeypatch.setattr(fair_queue, "SHARE", 0.5)
    monkeypatch.setattr(fair_queue, "AT_ONCE", 0.0)

    async def scene():
        async with working(4, taps=2) as works:
            lane = getattr(works.turns, kind)
            works.turns.shares.spend("player", 0.0)
            works.turns.shares.spend("stranger", 0.1)
            await works.ask("flood", lane, "stranger")
            await works.ask("one", lane, "player")
            assert works.begun == ["one"]
            # Nothing else happens: it begins by itself once time has paid.
            began = asyncio.get_running_loop().time()
            while "flood" not in works.begun:
                await asyncio.sleep(0.01)
                assert asyncio.get_running_loop().time() - began < 5
            assert asyncio.get_running_loop().time() - began > 0.1

    run(scene)


# --- shares -------------------------------------------------------------------------------------------


class Used:
    """Shares with a clock that stands still; the address "player" has been answered just now."""

    def __init__(self):
        self.now = 1000.0
        self.shares = Shares(lambda: self.now)
        self.shares.spend("player", 0.0)


def test_a_share_is_paid_for_by_time():
    used = Used()
    for _time in range(10):
        used.shares.spend("stranger", fair_queue.AT_ONCE / 10)
    assert not used.shares.wait("stranger")
    used.shares.spend("stranger", 0.1)
    wait = used.shares.wait("stranger")
    assert wait == pytest.approx(0.1 / fair_queue.SHARE)
    used.now += wait / 2
    assert used.shares.wait("stranger") == pytest.approx(wait / 2)
    used.now += wait / 2
    assert not used.shares.wait("stranger")


def test_nobody_waits_for_long_after_one_long_request():
    used = Used()
    used.shares.spend("club", 100.0)
    assert used.shares.wait("club") == pytest.approx(fair_queue.MOST_SECONDS)


def test_nobody_waits_for_somebody_else_to_come():
    used = Used()
    used.shares.spend("club", 100.0)
    assert used.shares.wait("club")
    used.now += fair_queue.HERE_SECONDS + 1
    used.shares.spend("club", 100.0)
    assert not used.shares.wait("club"), "its own last request is nobody else's"
    used.shares.spend("player", 0.0)
    assert used.shares.wait("club")


def test_a_hall_stays_below_its_share():
    """17 taps a second, on a computer that works 10 milliseconds on each."""
    used = Used()
    for _tap in range(17 * 60):
        used.now += 1 / 17
        used.shares.spend("player", 0.0)
        used.shares.spend("club", 0.010)
        assert not used.shares.wait("club")


def test_who_was_here_is_forgotten(monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_KEPT", 10)
    used = Used()
    for number in range(100):
        used.now += 1
        used.shares.spend(f"address {number}", 0.001)
    assert len(used.shares.seen) <= fair_queue.HERE_SECONDS + 1
    assert len(used.shares.paid) <= 11


def test_the_pages_of_one_address_hold_half_of_the_threads():
    async def scene():
        async with working(4) as works:
            for n in range(5):
                await works.ask(f"flood {n}", works.turns.reads, "stranger")
            assert works.begun == ["flood 0", "flood 1"]
            await works.ask("page", works.turns.reads, "watcher")
            assert works.begun[-1] == "page"
            await works.end("page", "flood 0")
            assert works.begun[-1] == "flood 2"

    run(scene)


@pytest.mark.parametrize(("kind", "alone", "with_others"), [("taps", 16, 4), ("reads", 2, 1)])
def test_while_others_are_here_an_address_has_fewer_places(kind, alone, with_others):
    async def scene(most, *others):
        async with working(4, taps=16) as works:
            lane = getattr(works.turns, kind)
            for other in others:
                works.turns.shares.spend(other, 0.0)
            for n in range(20):
                await works.ask(f"flood {n}", lane, "stranger")
            assert len(works.begun) == most

    run(lambda: scene(alone, "stranger"))
    run(lambda: scene(with_others, "stranger", "player"))


def test_a_club_behind_one_address_is_served_to_the_last_phone():
    async def scene():
        async with working(4) as works:
            for n in range(200):
                await works.ask(f"tap {n}", works.turns.taps, "club")
            for n in range(200):
                await works.end(f"tap {n}")
            assert works.begun == [f"tap {n}" for n in range(200)]

    run(scene)


def test_one_thread_serves_everybody_in_the_end():
    async def scene():
        async with working(1) as works:
            await works.ask("page", works.turns.reads, "a")
            await works.ask("another page", works.turns.reads, "a")
            await works.ask("form", works.turns.forms, "a")
            assert works.begun == ["page"]
            await works.end("page", "form", "another page")
            assert works.begun == ["page", "form", "another page"]

    run(scene)


def test_the_queue_of_one_address_does_not_fill_the_lane(monkeypatch):
    monkeypatch.setattr(fair_queue, "ADDRESS_LIMIT", 3)
    monkeypatch.setattr(fair_queue, "LANE_LIMIT", 4)

    async def scene():
        async with working(2) as works:
            for n in range(5):
                await works.ask(f"flood {n}", works.turns.taps, "stranger")
            # At once, not when its patience ran out.
            assert works.tasks["flood 4"].done()
            with pytest.raises(Crowded):
                await works.tasks["flood 4"]
            await works.ask("one", works.turns.taps, "player")
            assert not works.tasks["one"].done()
            await works.ask("too many", works.turns.taps, "third")
            assert works.tasks["too many"].done()
            with pytest.raises(Crowded):
                await works.tasks["too many"]
            # A full lane is full for its own kind only.
            await works.ask("page", works.turns.reads, "third")
            assert works.begun == ["flood 0", "page"]

    run(scene)


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(fair_queue, "PATIENCE", 0.01)

    async def scene():
        async with working(1) as works:
            await works.ask("long", works.turns.taps, "a")
            await works.ask("late", works.turns.taps, "a")
            with pytest.raises(Crowded):
                await works.tasks["late"]
            assert not len(works.turns.taps.waiting)
            await works.end("long")
            await works.ask("next", works.turns.taps, "a")
            assert works.begun == ["long", "next"]

    run(scene)


def test_whoever_gives_up_takes_nobody_of_the_same_address_along():
    async def scene():
        async with working(1) as works:
            for name in ("long", "stays", "leaves", "late"):
                await works.ask(name, works.turns.taps, "club")
            works.tasks["leaves"].cancel()
            await settle()
            assert works.begun == ["long"], "who still waits has no turn to give back"
            await works.end("long")
            assert works.begun == ["long", "stays"]
            await works.end("stays", "late")

    run(scene)


def test_a_turn_that_nobody_took_is_the_next_one_s():
    async def scene():
        async with working(1) as works:
            await works.ask("long", works.turns.taps, "a")
            await works.ask("leaves", works.turns.taps, "b")
            await works.ask("next", works.turns.taps, "c")
            # At the same moment its turn comes and its phone goes away.
            works.ends["long"].set()
            works.turns.taps.end("a")
            works.turns._go_on()
            works.tasks["leaves"].cancel()
            works.turns.taps.running["a"] += 1
            await settle()
            assert works.begun == ["long", "next"]

    run(scene)


def test_one_address_cannot_hold_all_threads_of_a_small_server():
    async def scene():
        async with working(3) as works:
            for n in range(3):
                await works.ask(f"flood {n}", works.turns.reads, "stranger")
            assert works.begun == ["flood 0"]
            await works.ask("page", works.turns.reads, "watcher")
            assert works.begun == ["flood 0", "page"]

    run(scene)


def test_a_turn_is_given_back_by_whoever_is_stopped():
    async def scene():
        async with working(1) as works:
            await works.ask("long", works.turns.taps, "a")
            await works.ask("waits", works.turns.taps, "a")
            works.tasks["waits"].cancel()
            await settle()
            assert not len(works.turns.taps.waiting)
            assert works.turns.taps.running == {"a": 1}
            await works.ask("due", works.turns.taps, "a")
            # Its turn has come, and it is stopped before it starts.
            works.turns.taps.end("a")
            works.turns._go_on()
            works.tasks["due"].cancel()
            await settle()
            assert works.begun == ["long"]
            works.turns.taps.running["a"] += 1

    run(scene)
