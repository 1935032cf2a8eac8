"""The hub: who hears about a new version, in which order, and who does not."""

from __future__ import annotations

import asyncio
import threading

import pytest

from games.core import RequestRefused, say
from games.live.hub import GONE_SECONDS, PLAYER_TURNS, Listener, Ticket, encode
from games.web.program import restored
from tests.hubs import BLUE, RED, WATCHER, WATCHER_ZH, Reader, Views, in_hub, until


def test_a_version_is_rendered_once_for_an_audience():
    views = Views()

    async def scene(hub):
        readers = [Reader(hub, WATCHER) for _ in range(20)]
        await until(lambda: all(reader.versions == [0] for reader in readers))
        views.publish(hub, 1)
        await until(lambda: all(reader.versions == [0, 1] for reader in readers))
        assert views.asked == [(0, WATCHER), (1, WATCHER)]
        assert readers[0].frames[1] is readers[19].frames[1]

    in_hub(scene, views)


def test_nobody_renders_for_an_empty_room():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED, address="192.0.2.1")
        views.publish(hub, 1, match="OTHER")
        await until(lambda: reader.versions == [0])
        hub.leave(reader)
        views.publish(hub, 1)
        await asyncio.sleep(0.05)
        assert views.asked == [(0, RED)]
        assert hub.rooms == {}
        assert hub.count == 0
        assert hub.addresses == {}

    in_hub(scene, views)


def test_players_come_before_spectators():
    views = Views()

    async def scene(hub):
        readers = [Reader(hub, audience) for audience in (WATCHER, WATCHER_ZH, BLUE, RED)]
        await until(lambda: all(reader.versions == [0] for reader in readers))
        views.publish(hub, 1)
        await until(lambda: all(reader.versions == [0, 1] for reader in readers))
        order = [audience for version, audience in views.asked if version == 1]
        assert {*order[:2]} == {RED, BLUE}
        assert {*order[2:]} == {WATCHER, WATCHER_ZH}

    in_hub(scene, views)


def test_the_tab_that_got_a_board_as_its_answer_is_not_sent_it_again():
    views = Views()

    async def scene(hub):
        tab, other, blue = (
            Reader(hub, audience, tab=name) for audience, name in ((RED, "a"), (RED, "b"), (BLUE, "a"))
        )
        await until(lambda: all(reader.versions == [0] for reader in (tab, other, blue)))
        hub.answered("M", 1, RED, "a")
        views.publish(hub, 1)
        await until(lambda: all(reader.versions == [0, 1] for reader in (other, blue)))
        assert tab.versions == [0]
        # Its beats name what it has, so a page whose answer was lost asks for it.
        assert tab.version == 1
        views.publish(hub, 2)
        await until(lambda: all(reader.versions[-1] == 2 for reader in (tab, other, blue)))

    in_hub(scene, views)


def test_nothing_is_made_for_a_tab_alone_that_has_its_answer_but_whoever_comes_is_shown_it():
    views = Views()

    async def scene(hub):
        tab = Reader(hub, RED, tab="a")
        await until(lambda: tab.versions == [0])
        hub.answered("M", 1, RED, "a")
        views.publish(hub, 1)
        await asyncio.sleep(0.05)
        assert views.asked == [(0, RED)]
        newcomer = Reader(hub, RED, last_version=1, tab="c")
        late = Reader(hub, RED, last_version=0, tab="a")
        await until(lambda: late.versions == [1])
        assert (tab.versions, newcomer.versions) == ([0], [])

    in_hub(scene, views)


def test_news_from_outside_the_log_comes_to_a_tab_that_has_its_answer():
    views = Views()

    async def scene(hub):
        tab = Reader(hub, RED, tab="a")
        await until(lambda: tab.versions == [0])
        hub.answered("M", 1, RED, "a")
        views.version = 1
        views.publish(hub, 1)
        hub.refresh("M")
        await until(lambda: tab.versions == [0, 1])

    in_hub(scene, views)


def test_a_view_is_made_in_the_listeners_language():
    views = Views()

    async def scene(hub):
        english, chinese = Reader(hub, WATCHER), Reader(hub, WATCHER_ZH)
        await until(lambda: english.frames and chinese.frames)
        assert b"in en" in english.frames[0].data
        assert b"in zh-hans" in chinese.frames[0].data

    in_hub(scene, views)


def test_who_reads_slowly_gets_the_newest_only():
    views = Views()

    async def scene(hub):
        slow, quick = Listener("M", RED, None), Reader(hub, RED)
        hub.join(slow)
        for version in (1, 2, 3):
            views.publish(hub, version)
            await until(lambda version=version: quick.versions[-1:] == [version])
        assert slow.take().version == 3
        assert slow.take() is None

    in_hub(scene, views)


def test_an_older_version_never_follows_a_newer_one():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED)
        await until(lambda: reader.versions == [0])
        views.publish(hub, 5)
        views.publish(hub, 4)
        await until(lambda: reader.versions == [0, 5])
        views.publish(hub, 5)
        views.publish(hub, 6)
        await until(lambda: reader.versions == [0, 5, 6])

    in_hub(scene, views)


def test_versions_that_come_while_one_is_rendered_are_skipped_but_nobody_is_forgotten():
    views = Views()

    async def scene(hub):
        player, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: player.versions == [0] and watcher.versions == [0])
        views.may_go_on.clear()
        for version in range(1, 50):
            views.publish(hub, version)
        await asyncio.sleep(0.05)
        views.may_go_on.set()
        await until(lambda: player.versions[-1] == 49 and watcher.versions[-1] == 49)
        assert len(views.asked) <= 6
        assert player.versions == sorted(player.versions)

    in_hub(scene, views)


def test_players_see_the_next_version_before_the_last_of_a_crowd_has_seen_this_one(monkeypatch):
    monkeypatch.setattr("games.live.hub.SLICE", 2)
    views, order = Views(), []

    class Noted(Reader):
        __slots__ = ()

        def wake(self):
            super().wake()
            order.append((self.frames[-1].version, bool(self.audience.seats)))
            if order[-1] == (1, False) and order.count((1, False)) == 3:
                views.publish(self.hub, 2)

    async def scene(hub):
        Noted.hub = hub
        crowd = [Noted(hub, audience) for audience in (RED, *[WATCHER] * 20)]
        await until(lambda: all(reader.versions == [0] for reader in crowd))
        views.publish(hub, 1)
        await until(lambda: all(reader.versions[-1] == 2 for reader in crowd))
        assert order.index((2, True)) < len(order) - 1 - order[::-1].index((1, False))
        assert [reader.versions for reader in crowd] == [[0, 1, 2]] * 21

    in_hub(scene, views)


def test_everybodys_stream_says_that_it_lives_in_turns(monkeypatch):
    monkeypatch.setattr("games.live.hub.TICKS", 500)

    class Beaten(Reader):
        __slots__ = ("beats",)

        def beat(self):
            self.beats.append(self.ticks())

    async def scene(hub):
        crowd = [Beaten.__new__(Beaten) for _ in range(60)]
        for number, reader in enumerate(crowd):
            reader.beats = []
            Beaten.ticks = staticmethod(lambda: hub.ticks)
            reader.__init__(hub, RED if number < 3 else WATCHER)
        await until(lambda: hub.ticks > 130)
        for number, reader in enumerate(crowd):
            apart = {later - earlier for earlier, later in zip(reader.beats, reader.beats[1:], strict=False)}
            assert apart == {10 if number < 3 else 20}
        assert len({reader.beats[0] % 20 for reader in crowd[3:]}) == 20
        hub.leave(crowd[0])
        quiet = len(crowd[0].beats)
        now = hub.ticks
        await until(lambda: hub.ticks > now + 20)
        assert len(crowd[0].beats) == quiet

    in_hub(scene, Views())


def test_a_fast_game_does_not_starve_the_spectators():
    views = Views()

    async def scene(hub):
        player, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: player.frames and watcher.frames)
        version = 0
        while len(watcher.frames) < 4:
            version += 1
            assert version < 2000, "the spectator saw nothing of a fast game"
            views.publish(hub, version)
            await asyncio.sleep(0.001)

    in_hub(scene, views)


def test_many_newcomers_cost_one_look_at_the_match():
    views = Views(7)
    views.may_go_on.clear()

    async def scene(hub):
        readers = [Reader(hub, WATCHER) for _ in range(50)]
        await asyncio.sleep(0.02)
        views.may_go_on.set()
        await until(lambda: all(reader.versions == [7] for reader in readers))
        assert views.asked == [(7, WATCHER)]
        late = Reader(hub, WATCHER)
        assert late.versions == [7]
        assert views.asked == [(7, WATCHER)]

    in_hub(scene, views)


@pytest.mark.parametrize(
    ("claimed", "received"),
    [(None, [7]), (6, [7]), (7, []), (10**15, [7])],
    ids=["none", "old", "same", "future"],
)
def test_who_returns_is_sent_what_is_missing(claimed, received):
    views = Views(7)

    async def scene(hub):
        other, reader = Reader(hub, WATCHER), Reader(hub, WATCHER, claimed)
        await until(lambda: other.versions == [7])
        assert reader.versions == received
        views.publish(hub, 8)
        await until(lambda: reader.versions == [*received, 8])

    in_hub(scene, views)


def test_a_player_who_returns_is_shown_who_asked_for_a_seat_meanwhile():
    """That is no new version of the match: the phone would take its old board for the newest."""

    async def scene(hub):
        red = Reader(hub, RED)
        await until(lambda: red.versions == [7])
        hub.refresh("M")
        await until(lambda: red.versions == [7, 7])
        assert Reader(hub, RED, 7).versions == [7]

    in_hub(scene, Views(7))


def test_a_new_audience_takes_a_fresh_look():
    views = Views(1)

    async def scene(hub):
        red = Reader(hub, RED)
        await until(lambda: red.versions == [1])
        views.version = 3
        blue = Reader(hub, BLUE)
        await until(lambda: blue.versions == [3])
        views.publish(hub, 3)
        await until(lambda: red.versions == [1, 3])
        assert blue.versions == [3]

    in_hub(scene, views)


def test_a_view_that_cannot_be_made_ends_its_streams_only():
    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.frames and watcher.frames)

        def render(audience):
            if audience == RED:
                raise ValueError("broken")
            return "fine"

        hub.publish("M", 1, render)
        await until(lambda: watcher.versions == [0, 1])
        assert red.ended
        assert not watcher.ended
        assert hub.count == 1

    in_hub(scene, Views())


def ticket(match="M", seats=()):
    return Ticket(match, seats, "en", "table", "", "", restored(), 2**40)


def test_whoever_listens_to_a_match_that_is_no_more_is_sent_away_for_a_while():
    """A spectator's token is valid for hours: with it they would come back for ever, and never ask."""
    views = Views()

    async def scene(hub):
        watcher, elsewhere = Reader(hub, WATCHER), Reader(hub, WATCHER, match="N")
        await until(lambda: watcher.frames and elsewhere.frames)
        hub.end("M")
        await until(lambda: watcher.ended)
        assert hub.is_refused(ticket("M"))
        assert not hub.is_refused(ticket("N"))
        assert not elsewhere.ended
        # An import may bring a match back under its code.
        hub.gone["M"] -= GONE_SECONDS
        assert not hub.is_refused(ticket("M"))

    in_hub(scene, views)


def test_a_match_that_the_rows_no_longer_have_is_told_of_at_the_door(caplog):
    """Nobody said that it was deleted: this process has just started."""

    class Gone(Views):
        def snapshot(self, match, audience):
            raise RequestRefused(say("There is no table with this code."), 404, "unknown")

    async def scene(hub):
        watcher, red = Reader(hub, WATCHER), Reader(hub, RED, epochs=(("red", 1),))
        await until(lambda: watcher.ended and red.ended and hub.count == 0)
        assert hub.is_refused(ticket())

    in_hub(scene, Gone())
    assert not caplog.records


def test_a_match_that_everybody_left_is_not_refused_by_a_view_that_ends_late(caplog):
    """A new match may have the same code before the old one's view has failed."""
    may_fail, asked = threading.Event(), threading.Event()

    class Gone(Views):
        def snapshot(self, match, audience):
            asked.set()
            may_fail.wait(5)
            raise RequestRefused(say("There is no table with this code."), 404, "unknown")

    async def scene(hub):
        watcher = Reader(hub, WATCHER)
        room = hub.rooms["M"]
        await until(asked.is_set)
        hub.leave(watcher)
        may_fail.set()
        await until(lambda: room.task is None)
        assert not hub.is_refused(ticket())

    in_hub(scene, Gone())
    assert not caplog.records


def test_what_a_listener_has_is_not_put_to_it_again():
    async def scene(hub):
        reader = Reader(hub, RED)
        await until(lambda: reader.versions == [0])
        for version in (0, 1, 1, 0):
            reader.put(encode(version, "the board"))
        assert reader.versions == [0, 1]

    in_hub(scene, Views())


def test_a_backup_that_was_brought_back_ends_the_streams_once(monkeypatch):
    marks = iter([7.0])
    last = [0.0]

    def restored_at():
        last[0] = next(marks, last[0])
        return last[0]

    async def scene(hub):
        old = Reader(hub, RED)
        await until(lambda: old.versions == [0])
        monkeypatch.setattr("games.live.hub.restored_at", restored_at)
        for _turn in range(PLAYER_TURNS):
            hub._beat()
        assert old.ended
        assert hub.rooms == {}
        new = Reader(hub, RED)
        for _turn in range(3 * PLAYER_TURNS):
            hub._beat()
        assert not new.ended

    in_hub(scene, Views())


def test_players_are_counted_as_they_come_and_go():
    async def scene(hub):
        readers = [Reader(hub, audience) for audience in (RED, BLUE, WATCHER, RED)]
        assert (hub.count, hub.players) == (4, 3)
        for reader in [*readers[:3], *readers[:3]]:
            hub.leave(reader)
        assert (hub.count, hub.players) == (1, 1)

    in_hub(scene, Views())
