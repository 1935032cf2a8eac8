"""A match that is shown late: nobody without a seat is told of the present, through whatever door."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest import mock

import pytest
from django.urls import reverse
from django.utils import timezone

from games.core import RequestRefused, engine
from games.hall.models import Event, Pairing
from games.live import audiences as view
from games.live.hub import Audience, Hub, Withheld
from games.match import delay, play, random_play, storage, undoing
from games.models import Entry, Match
from games.pages.watching import watch
from games.pages.watching.watch import OPEN, SHOWN_LATE, table_for_watchers
from games.people import seats
from tests import hubs
from tests.browser import driving
from tests.playing import Playing
from tests.trust import cast
from tests.trust.cast import Phone
from tests.trust.twins import PLAYERS, a_world, differences, everywhere, looks, tap

pytestmark = pytest.mark.django_db

MINUTES = [choice for choice in delay.CHOICES if choice > 0]


@pytest.fixture
def match() -> Match:
    return driving.opened(driving.SET_UP)


def late(match: Match, minutes: int) -> Match:
    delay.choose(match.code, "red", minutes)
    return fresh(match)


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


@contextmanager
def after(minutes: float) -> Iterator[None]:
    now = timezone.now() + timedelta(minutes=minutes)
    with (
        mock.patch("games.web.clock.now", return_value=now),
        mock.patch("games.web.clock.seconds", return_value=now.timestamp()),
    ):
        yield


def seen_by_watchers(match: Match) -> tuple[int, int]:
    """Version and red's points, as the pages for watching have them."""
    found = watch.watched(table_for_watchers(fresh(match)))
    return found.version, found.sides[0].score


# --- what is shown, and when -------------------------------------------------------------------------------


@pytest.mark.parametrize("minutes", MINUTES)
def test_watchers_are_so_many_minutes_behind(match: Match, minutes: int) -> None:
    begun = match.version
    late(match, minutes)
    with after(1):
        driving.do(match, 'red army/red points:red:2 "a card"')
    with after(minutes + 0.5):
        assert seen_by_watchers(match) == (begun + 1, 0)
    with after(minutes + 1.5):
        assert seen_by_watchers(match) == (fresh(match).version, 2)


def test_before_so_many_minutes_only_the_opening_is_shown(match: Match) -> None:
    late(match, 15)
    assert seen_by_watchers(match) == (1, 0)


def test_what_one_table_shows_is_nothing_to_another(match: Match) -> None:
    other = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    long_ago = timezone.now() - timedelta(hours=1)
    Entry.objects.filter(match=other).update(version=9999, round=0, created_at=long_ago)
    for choice in (MINUTES[0], delay.ROUND):
        assert delay.shown_version(late(match, choice)) <= match.version
    assert (delay.is_late(match.code), delay.is_late(other.code)) == (True, False)


def test_nobody_finds_out_the_version_by_asking_for_one_after_the_other(match: Match) -> None:
    late(match, 15)
    news = f"{reverse('watch-news', args=[match.code])}?late=15&seen="
    asked = [f"{news}{seen}" for seen in range(1, fresh(match).version + 4)]
    assert {Phone().ask("GET", url).status_code for url in asked[1:]} == {410}


def test_a_round_is_shown_once_it_is_over(match: Match) -> None:
    late(match, delay.ROUND)
    driving.do(match, 'red army/red points:red:2 "a card"')
    last = Entry.objects.filter(match=match, round=0).latest("version").version
    assert seen_by_watchers(match) == (last, 0)
    driving.play_until(match, lambda state: state.round == 2)
    version, points = seen_by_watchers(match)
    assert version == Entry.objects.filter(match=match, round=1).latest("version").version
    assert points >= 2


def test_what_is_over_is_shown_whole(match: Match) -> None:
    late(match, 15)
    driving.do(match, "red army/red concede:red\nred end-match")
    assert seen_by_watchers(match)[0] == fresh(match).version
    assert Phone().ask("GET", reverse("score", args=[match.code])).status_code == 200


def test_an_ending_that_is_taken_back_is_late_again(match: Match) -> None:
    late(match, 15)
    driving.do(match, "red army/red concede:red\nred end-match")
    newest = undoing.newest(fresh(match))
    assert newest is not None
    verdict = undoing.ask(match.code, "red", newest.version, play.new_key())
    if verdict.loaded is None or fresh(match).result is not None:
        undoing.answer(match.code, "blue", True, play.new_key())
    assert fresh(match).result is None
    assert Phone().ask("GET", reverse("score", args=[match.code])).status_code == 403


def test_who_acts_then_was_asked_then(match: Match) -> None:
    asked = match.since
    late(match, 5)
    driving.do(match, 'red army/red points:red:1 "a card"')
    Entry.objects.filter(match=match).update(created_at="2002-01-01T00:00:00Z")
    Entry.objects.filter(match=match, version__lte=asked).update(created_at="2001-01-01T00:00:00Z")
    driving.do(match, "red activate:arya-stark")
    driving.do(match, f"red {first_offer(match)}")
    since = watch.watched(table_for_watchers(fresh(match))).since
    assert since is not None
    assert since.iso.startswith("2001")


def first_offer(match: Match) -> str:
    """The first answer to the question that is open."""
    state = storage.load(fresh(match)).state
    return engine.offers(state, "red")[0].action


# --- time for those who see it late ------------------------------------------------------------------------


@pytest.fixture
def timed() -> Match:
    """A match by the clock, in its first round: a clock runs."""
    luck, names = random.Random(1), {"red": "Ada", "blue": "Bo"}
    match = play.open_match("bushido", "risen-sun", names, {"activation": 120}, seed="a clock")
    playing = Playing(match)
    while not running(fresh(match)):
        playing.tap(*random_play.tap(playing.state, luck))
    return fresh(match)


def running(match: Match) -> list[int]:
    """When the running clocks are over, as watchers see them."""
    found = watch.watched(table_for_watchers(match))
    return [clock.ends for side in found.sides for clock in side.clocks if clock.ends]


def test_time_is_counted_from_when_watchers_saw_it(timed: Match) -> None:
    (ends,), since = running(timed), watch.watched(table_for_watchers(timed)).since
    assert since is not None
    late(timed, 5)
    with after(5.1):
        match = fresh(timed)
        assert running(match)[0] - ends in range(299, 302), "what is left is rounded to seconds"
        page = Phone().ask("GET", reverse("watch", args=[match.code])).content.decode()
        several = Phone().ask("GET", f"{reverse('tv-hall')}?tables={match.code}").content.decode()
    for source in (page, several):
        now, seconds = (re.search(rf'data-{name}="(\d+)"', source) for name in ("now", "since"))
        assert now is not None
        assert seconds is not None
        assert 0 <= int(now[1]) - int(seconds[1]) < 60
    assert f'data-since="{since.seconds + 300}"' in several


def test_time_stands_still_until_a_round_is_over(timed: Match) -> None:
    assert running(timed)
    match = late(timed, delay.ROUND)
    Entry.objects.filter(match=match).update(round=0)
    with after(40):
        assert table_for_watchers(match).match.version == match.version
        assert running(match) == []
        page = Phone().ask("GET", reverse("watch", args=[match.code])).content.decode()
    assert "data-since" not in page
    assert "data-ends" not in page


# --- who may know ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minutes", [5, delay.ROUND])
def test_the_present_leaves_by_no_door(minutes: int) -> None:
    """Every address that a stranger may ask answers the same before and after taps that are not shown yet."""
    with a_world(("rps", "plain"), PLAYERS) as match:
        late(match, minutes)
        phones = {"anon": Phone()}
        paths = [*everywhere(match, "anon"), *(f"/t/{match.code}/replay/{number}" for number in (1, 2, 3))]
        before = list(looks(match, phones, lambda _match, _role: paths))
        tap(match, "red", "throw:rock")
        if minutes != delay.ROUND:
            tap(match, "blue", "throw:paper")
        assert fresh(match).result is None
        told = list(looks(match, phones, lambda _match, _role: paths))
        assert differences(before, told) == []
        Match.objects.filter(pk=match.pk).update(watch_delay=0)
        at_once = list(looks(match, phones, lambda _match, _role: paths))
        assert len(differences(told, at_once)) > 10


def test_streams_of_spectators_show_nothing_and_those_of_seats_go_on(match: Match) -> None:
    late(match, 5)
    for kind in ("table", "watch", "tv", "overlay", "json"):
        with pytest.raises(Withheld):
            view.snapshot(match.code, Audience((), "en", kind))
    version, _html = view.snapshot(match.code, Audience(("red",), "en", "table"))
    assert version == fresh(match).version


def test_an_audience_that_is_shown_nothing_hears_that_its_stream_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    views = hubs.Views(3)

    def snapshot(match: str, audience: Audience) -> tuple[int, str]:
        if not audience.seats:
            raise Withheld
        return views.snapshot(match, audience)

    async def scene(hub: Hub) -> None:
        hub.snapshots = snapshot
        red, watcher = hubs.Reader(hub, hubs.RED), hubs.Reader(hub, hubs.WATCHER)
        await hubs.until(lambda: watcher.ended and red.frames)
        assert watcher.frames == []
        assert not red.ended
        assert hub.rooms["M"].size() == 1

    hubs.in_hub(scene, views)
    assert caplog.records == [], "nothing is wrong with it"


def test_who_sits_at_the_table_sees_the_present(match: Match) -> None:
    late(match, 5)
    red, anon = Phone(), Phone()
    cast.sit(red, match, "red")
    for name in ("table", "score", "history", "print", "verify", "result"):
        path = reverse(name, args=[match.code])
        assert red.ask("GET", path).status_code == 200, name
        assert anon.ask("GET", path).status_code in (302, 403), name


@pytest.mark.parametrize("minutes", [0, 5])
def test_only_a_seat_that_taps_is_shown_the_present(match: Match, minutes: int) -> None:
    late(match, minutes)
    red, anon = Phone(), Phone()
    cast.sit(red, match, "red")
    tapped = {"action": "no-such", "seat": "red", "seen": "1", "key": "a-key-of-it"}
    act = reverse("act", args=[match.code])
    assert red.ask("POST", act, tapped).status_code in (409, 422)
    answer = anon.ask("POST", act, tapped)
    assert (answer.status_code, SHOWN_LATE in answer.content.decode()) == (403, minutes == 5)


def test_a_seat_that_was_taken_away_is_shut_out_at_once(match: Match) -> None:
    late(match, 5)
    red = Phone()
    cast.sit(red, match, "red")
    seats.revoke(match.seats.get(key="red"))
    tapped = {"action": "no-such", "seat": "red", "seen": "1", "key": "a-key-of-it"}
    answer = red.ask("POST", reverse("act", args=[match.code]), tapped)
    assert (answer.status_code, SHOWN_LATE in answer.content.decode()) == (403, True)


def test_the_api_asks_for_a_token(match: Match) -> None:
    late(match, 5)
    path = reverse("api:match", args=[match.code])
    refused = Phone().ask("GET", path)
    assert refused.status_code == 403
    assert set(refused.json()) == {"error", "message", "rule"}
    robot = Phone()
    robot.token = seats.api_token(match.seats.select_related("match").get(key="red"))
    assert robot.ask("GET", path).status_code == 200
    export = reverse("api:export", args=[match.code])
    assert Phone().ask("GET", export).status_code == 403
    act = reverse("api:act", args=[match.code])
    assert Phone().ask("POST", act, {"action": "x", "seen": 1, "key": "a-key-of-it"}).status_code == 401
    robot.token = "1.wrong"
    assert robot.ask("GET", path).status_code == 403


def test_the_table_leads_to_what_may_be_seen(match: Match) -> None:
    late(match, 5)
    answer = Phone().ask("GET", reverse("table", args=[match.code]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("watch", args=[match.code]))
    page = Phone().ask("GET", answer["Location"]).content.decode()
    assert "Delayed by 5 minutes" in page
    assert 'data-stream=""' in page
    assert reverse("join", args=[match.code]) in page, "a guest still finds the way to a seat"
    for name in ("board", "stream", "watch-stream"):
        assert Phone().ask("GET", reverse(name, args=[match.code])).status_code == 410


def test_pages_load_again_when_it_is_chosen_otherwise(match: Match) -> None:
    news = reverse("watch-news", args=[match.code])
    assert Phone().ask("GET", news).status_code == 200
    late(match, 5)
    assert Phone().ask("GET", news).status_code == 410
    assert Phone().ask("GET", f"{news}?late=5").status_code == 200
    assert Phone().ask("GET", f"{news}?late=5&seen=1").status_code == 204
    late(match, 0)
    assert Phone().ask("GET", f"{news}?late=5").status_code == 410


def test_lists_do_not_tell_the_score(match: Match) -> None:
    driving.do(match, 'red army/red points:red:3 "a card"')
    late(match, 5)
    row = re.search(rf'href="/t/{match.code}/".*?</a>', Phone().ask("GET", "/").content.decode(), re.S)
    assert row is not None
    assert "Delayed by 5 minutes" in row.group()
    assert "<b>3</b>" not in row.group()


# --- who chooses -------------------------------------------------------------------------------------------


def chosen(match: Match, phone: Phone, minutes: str) -> int:
    return phone.ask("POST", reverse("watch-delay", args=[match.code]), {"delay": minutes}).status_code


def test_a_seat_chooses_and_the_log_says_so(match: Match) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    assert chosen(match, red, "15") == 302
    assert fresh(match).watch_delay == 15
    entry = Entry.objects.filter(match=match).latest("version")
    assert (entry.author, entry.lines[0]["message"]) == ("Ada", delay.CHOSEN[15])
    page = red.ask("GET", reverse("seats", args=[match.code])).content.decode()
    assert '<option value="15" selected>' in page
    assert '<label for="delay">Spectator delay</label>' in page


def test_choosing_what_is_chosen_says_nothing(match: Match) -> None:
    late(match, 5)
    before = fresh(match).version
    late(match, 5)
    assert fresh(match).version == before


def test_who_watches_chooses_nothing(match: Match) -> None:
    assert chosen(match, Phone(), "5") == 403
    assert fresh(match).watch_delay == 0
    page = Phone().ask("GET", reverse("seats", args=[match.code])).content.decode()
    assert 'name="delay"' not in page


@pytest.mark.parametrize("minutes", ["", "1", "x", "-2", "99999", "²"])
def test_other_choices_are_refused(match: Match, minutes: str) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    assert chosen(match, red, minutes) == 422
    assert fresh(match).watch_delay == 0


def test_the_tables_of_an_event_are_shown_at_once(match: Match) -> None:
    event = Event.objects.create(code="EVENTA", name="Cup", system="tmg")
    Pairing.objects.create(event=event, key="p1", round=1, match=match)
    with pytest.raises(RequestRefused) as refused:
        delay.choose(match.code, "red", 5)
    assert refused.value.status == 409
    Match.objects.filter(pk=match.pk).update(watch_delay=5)
    delay.choose(match.code, "red", delay.AT_ONCE)
    assert fresh(match).watch_delay == delay.AT_ONCE


def test_every_open_door_has_an_address() -> None:
    names = {address.name for address in cast.addresses()}
    assert names >= OPEN
