"""What happens at an event in one moment, or stops in the middle: nothing is done twice or by half."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from games.core import RequestRefused
from games.hall import admin, commands, event_tables, event_undo
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.match import play as tables
from games.models import Match
from tests.hall.halls import ANNA, begun, end, first_table, opened, state
from tests.waiting import in_one_moment


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_a_table_that_ends_tells_its_event_by_itself(self):
        code = begun()
        table = first_table(code)
        event_tables.opened_by.cache_clear()
        end(table.match, 7, 4)
        assert state(code).pairings[table.key].state == "agreed"

    def test_two_organisers_pair_at_the_same_moment(self):
        code = opened(8)
        told, ready = [], threading.Barrier(2)

        def pair(name: str) -> None:
            ready.wait()
            try:
                commands.pair(code, Actor("", name, "organiser"))
                told.append("done")
            except RequestRefused as refusal:
                told.append(str(refusal))
            finally:
                connections.close_all()

        threads = [threading.Thread(target=pair, args=(name,)) for name in ("Anna", "Ben")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(told) == ["Round 1 is already paired. Another organiser may have done it.", "done"]
        assert len(state(code).pairings) == 4

    @pytest.mark.parametrize(
        "calls_it_off",
        [
            lambda code: commands.call_off(code, ANNA),
            lambda code: event_undo.undo(code, Event.objects.get(code=code).version, ANNA),
        ],
        ids=["cancelled", "undone"],
    )
    def test_a_table_that_is_tapped_at_while_its_round_goes_stays(self, calls_it_off):
        code = begun()
        table = first_table(code).match

        def tapped():
            tables.edit(table, lambda g: g.score(g.seats[0], 1, "points"), "Anna", "as played")

        in_one_moment(tapped, lambda: calls_it_off(code))
        assert [match.code for match in Match.objects.all()] == [table]
        assert Match.objects.get().version == 2

    def test_an_event_is_deleted_with_what_is_done_there_meanwhile(self):
        code = opened(2)
        event = Event.objects.get(code=code)
        in_one_moment(lambda: commands.drop(code, ANNA, "p1"), lambda: admin.delete(event))
        assert not Event.objects.exists()

    def test_a_fault_in_the_middle_of_an_opening_leaves_nothing_half_done(self, monkeypatch):
        code = opened(8)
        commands.pair(code, ANNA)
        before, opens, count = state(code), tables.open_match, []

        def fails(*arguments, **more):
            count.append(1)
            if len(count) == 3:
                raise KeyboardInterrupt
            return opens(*arguments, **more)

        monkeypatch.setattr(tables, "open_match", fails)
        with pytest.raises(KeyboardInterrupt):
            commands.open_round(code, ANNA)
        assert state(code) == before
        assert Match.objects.count() == 0
        monkeypatch.undo()
        commands.open_round(code, ANNA)
        assert Match.objects.count() == 4
