"""The demo table: two robots play for spectators, slowly, one match after the other, and in no statistics."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client

from games import statistics
from games.admin import match_commands
from games.live import demo_robots
from games.match import demo, play
from games.models import Entry, Match
from games.pages.opening import home

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _is_on(settings) -> None:  # type: ignore[no-untyped-def]
    settings.DEMO = True


def later(match: Match, **past: int) -> Match:
    """The match as if its last tap, and its end, were so long ago."""
    match.refresh_from_db()
    moment = match.changed_at - timedelta(**past)
    finished = {"finished_at": moment} if match.finished_at else {}
    Match.objects.filter(pk=match.pk).update(changed_at=moment, **finished)
    match.refresh_from_db()
    return match


def steps(match: Match) -> Iterator[int]:
    """The version after each step that is due."""
    while match.result is None:
        later(match, seconds=demo.PACE_SECONDS)
        demo.step({match.code})
        match.refresh_from_db()
        yield match.version


def test_a_newcomer_is_led_to_one_table_in_its_first_round(client: Client) -> None:
    assert client.get("/").context["page"].demo_url == "/demo"
    address = client.get("/demo")["Location"]
    assert client.get("/demo")["Location"] == address
    match = Match.objects.get()
    assert address == f"/t/{match.code}/"
    assert (match.round, match.is_demo, match.is_listed) == (1, True, False)
    board = client.get(address).context["board"]
    assert [seat.name for seat in board.header.seats] == ["Robot Ada", "Robot Bo"]
    assert not match.seats.filter(is_taken=False).exists(), "nobody sits down in a robot's place"


def test_who_has_a_table_and_where_it_is_switched_off_is_not_led_there(client: Client, settings) -> None:  # type: ignore[no-untyped-def]
    settings.DEMO = False
    assert client.get("/").context["page"].demo_url == ""
    assert client.get("/demo").status_code == 404
    assert not Match.objects.exists()
    settings.DEMO = True
    client.post("/new", {"mode": "rps/plain", "name": "Ada"})
    assert client.get("/").context["page"].demo_url == ""


def test_an_organiser_switches_it_off_by_a_ruling(client: Client) -> None:
    match = demo.table()
    play.edit(
        match.code, lambda g: match_commands.ends(g, {"winner": None, "how": "adjudication"}), "staff", "off"
    )
    later(match, days=1)
    demo.step({match.code})
    assert client.get("/").context["page"].demo_url == ""
    assert client.get("/demo").status_code == 404
    assert Match.objects.get() == match
    match.delete()
    assert client.get("/").context["page"].demo_url == "/demo"


def test_the_robots_tap_only_while_somebody_watches_and_never_fast() -> None:
    match = later(demo.table(), seconds=60)
    before = match.version
    demo.step(())
    demo.step({"OTHER"})
    match.refresh_from_db()
    assert match.version == before
    demo.step({match.code})
    demo.step({match.code})
    match.refresh_from_db()
    assert match.version == before + 1


@pytest.mark.parametrize("address", ["board", "watch/news"])
def test_a_browser_that_only_asks_now_and_then_sees_them_play(client: Client, address: str) -> None:
    match = later(demo.table(), seconds=60)
    path, before = f"/t/{match.code}/{address}", match.version
    assert client.get(path, {"seen": before}).status_code == 200
    match.refresh_from_db()
    assert match.version == before + 1
    assert client.get(path, {"seen": match.version}).status_code == 204, "no faster than for anybody else"


def test_of_two_processes_one_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    match = later(demo.table(), seconds=60)
    before, waits = match.version, demo.in_turn

    def other_first(key: str) -> None:
        monkeypatch.setattr(demo, "in_turn", waits)
        demo.step({match.code})
        waits(key)

    monkeypatch.setattr(demo, "in_turn", other_first)
    demo.step({match.code})
    match.refresh_from_db()
    assert match.version == before + 1


@pytest.mark.parametrize("correction", [[], [("red", "unit/nobody", "wounds:nobody:-1")]])
def test_a_correction_that_the_rules_refuse_is_no_standstill(
    correction: list[tuple[str, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "OFTEN", 1)
    monkeypatch.setattr(demo, "_corrections", lambda _state, _luck: correction)
    match = demo.table()
    before = match.version
    assert next(steps(match)) == before + 1


def test_they_play_to_the_end_and_then_again_and_two_tables_remain(client: Client) -> None:
    first = demo.table()
    assert len(list(steps(first))) > 50
    kinds = set(Entry.objects.filter(match=first).values_list("kind", flat=True))
    assert {"tap", "adjust"} <= kinds, "units claim and are wounded"
    assert first.scores.exists()
    demo.step({first.code})
    assert demo.current() == first, "its end stays for a while"
    later(first, seconds=demo.REST.seconds + 1)
    demo.step(())
    assert demo.current() == first, "nobody watches"
    demo.step({first.code})
    second = demo.current()
    assert second is not None
    assert second != first
    (way, _share) = client.get(f"/t/{first.code}/").context["board"].result.links
    assert client.get(way.url)["Location"] == f"/t/{second.code}/"
    for number in range(3):
        later(demo.table(), days=2)
        assert demo.table().version == 1, number
        assert Match.objects.count() == 2


def test_a_match_that_nobody_watched_for_long_is_not_taken_up_again() -> None:
    match = later(demo.table(), hours=20)
    assert demo.table() == match
    left = later(match, hours=5)
    assert demo.table() != left


def test_it_counts_nowhere(client: Client) -> None:
    match = demo.table()
    for _version in zip(range(3), steps(match), strict=False):
        pass
    page = client.get("/").context["page"]
    assert not any(match.code in row.url for _title, rows in page.sections for row in rows)
    assert match not in home.being_played()
    assert match not in statistics.counted()
    assert match.code not in client.get("/stats").content.decode()


def test_no_program_gets_it_by_its_key(client: Client) -> None:
    match = demo.table()
    for key in ("demo table", "", match.opening_hash):
        assert play.opened_earlier(key, "") is None


def test_the_server_looks_only_while_streams_are_open(monkeypatch: pytest.MonkeyPatch, caplog) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(demo, "PACE_SECONDS", 0.01)
    seen: list[frozenset[str]] = []

    def step(watched: frozenset[str]) -> None:
        seen.append(watched)
        raise ValueError("a fault")

    monkeypatch.setattr(demo, "step", step)
    monkeypatch.setattr(demo_robots, "close_old_connections", lambda: None)

    async def run() -> None:
        hub = SimpleNamespace(rooms={}, pool=None)
        task = asyncio.create_task(demo_robots.play_on(hub))  # type: ignore[arg-type]
        await asyncio.sleep(0.1)
        assert seen == []
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as hub.pool:
            await asyncio.sleep(0.05)
            assert seen == []
            hub.rooms = {"ABC": object()}
            while len(seen) < 3:
                await asyncio.sleep(0.01)
            task.cancel()

    asyncio.run(run())
    assert seen[0] == frozenset({"ABC"})
    assert "they try again" in caplog.text
