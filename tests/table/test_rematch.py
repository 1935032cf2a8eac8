"""A rematch: one player opens it, and the finished table leads the others to the seats kept for them."""

from __future__ import annotations

import pytest
from django.test import Client

from games.core import say
from games.management.commands import replay
from games.match import play
from games.models import Match
from games.people import seats
from tests.browser import driving

pytestmark = pytest.mark.django_db

SIT_DOWN = "A rematch is open: take your seat"


@pytest.fixture
def finished() -> Match:
    """A match that Bo has won over Ada."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}, seed="again")
    driving.do(match, "red throw:rock\nblue throw:paper\n" * 2)
    return match


def seated(match: Match, *keys: str) -> Client:
    """A phone on these seats, which came by their links."""
    phone = Client()
    for key in keys:
        assert phone.post(driving.link(match, key), {}).status_code == 302
    return phone


def opened(phone: Client, like: Match, seat: str = "red") -> Match:
    """The rematch that a phone opens."""
    names = {"name": "Ada", "rival": "Bo"} if seat == "red" else {"name": "Bo", "rival": "Ada"}
    form = {"mode": "rps/plain", "seat": seat, "like": like.code, **names}
    assert phone.post("/new", form).status_code == 302
    return Match.objects.exclude(pk=like.pk).latest("pk")


def first(phone: Client, match: Match) -> str:
    """What a finished table offers first."""
    return phone.get(f"/t/{match.code}/").context["board"].result.links[0].label


def follow(phone: Client, match: Match) -> str:
    """Where the way to the rematch leads."""
    return phone.get(f"/t/{match.code}/rematch")["Location"]


def chairs(phone: Client, match: Match) -> tuple[str, ...]:
    """The seats of this phone."""
    board = phone.get(f"/t/{match.code}/").context["board"]
    return ("red", "blue") if board.several else (board.seat,)


def test_the_other_phone_hears_of_it_and_sits_down_with_one_more_tap(finished: Match) -> None:
    ada, bo, eye = seated(finished, "red"), seated(finished, "blue"), Client()
    assert (first(ada, finished), first(bo, finished), first(eye, finished)) == (
        "Rematch",
        "Rematch",
        "Share",
    )
    version = Match.objects.get(pk=finished.pk).version
    new = opened(ada, finished)
    assert Match.objects.get(pk=finished.pk).version == version + 1, "open pages are told"
    assert first(ada, finished) == first(eye, finished) == "Go to the rematch"
    assert first(bo, finished) == SIT_DOWN
    assert follow(ada, finished) == follow(eye, finished) == f"/t/{new.code}/"
    claim = follow(bo, finished)
    assert bo.get(claim).context["page"].name == "Bo"
    assert bo.post(claim, {"name": "Bo"}).status_code == 302
    assert chairs(bo, new) == ("blue",)
    assert first(bo, finished) == "Go to the rematch"
    assert list(replay.drifts(finished)) == []


def test_whoever_changes_places_keeps_a_seat_for_the_other(finished: Match) -> None:
    ada, bo = seated(finished, "red"), seated(finished, "blue")
    new = opened(ada, finished, seat="blue")
    bo.post(follow(bo, finished), {})
    assert (chairs(ada, new), chairs(bo, new)) == (("blue",), ("red",))


def test_whoever_opens_one_too_sits_down_at_the_first(finished: Match) -> None:
    ada, bo = seated(finished, "red"), seated(finished, "blue")
    form = bo.get(f"/new?like={finished.code}")
    assert form.status_code == 200
    new = opened(ada, finished)
    late = bo.post("/new", {"mode": "rps/plain", "seat": "blue", "like": finished.code})
    assert late["Location"] == f"/t/{finished.code}/rematch"
    assert bo.get(f"/new?like={finished.code}")["Location"] == f"/t/{finished.code}/rematch"
    assert "/claim/blue/" in follow(bo, finished)
    assert Match.objects.latest("pk") == new


def test_a_device_with_all_seats_has_them_again(finished: Match) -> None:
    tablet = seated(finished, "red", "blue")
    assert chairs(tablet, opened(tablet, finished)) == ("red", "blue")


def test_a_seat_that_another_has_is_not_offered(finished: Match) -> None:
    ada, bo = seated(finished, "red"), seated(finished, "blue")
    new = opened(ada, finished)
    seated(new, "blue")
    assert first(bo, finished) == "Go to the rematch"
    assert follow(bo, finished) == f"/t/{new.code}/"


def test_after_the_rematch_another_can_be_opened(finished: Match) -> None:
    ada = seated(finished, "red")
    new = opened(ada, finished)
    driving.do(new, "red throw:rock\nblue throw:paper\n" * 2)
    assert first(ada, finished) == "Rematch"


@pytest.mark.parametrize("is_over", [True, False])
def test_only_who_sat_at_a_finished_table_of_this_game_tells_it(finished: Match, is_over: bool) -> None:
    running = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}, seed="again")
    like = finished if is_over else running
    phone = Client() if is_over else seated(running, "red")
    before = Match.objects.get(pk=like.pk).version
    opened(phone, like)
    assert Match.objects.get(pk=like.pk).version == before


def test_another_game_is_no_rematch(finished: Match) -> None:
    ada = seated(finished, "red")
    version = Match.objects.get(pk=finished.pk).version
    ada.post("/new", {"mode": "tmg/a-game-of-thrones", "like": finished.code})
    assert Match.objects.get(pk=finished.pk).version == version
    assert first(ada, finished) == "Rematch"


def test_a_form_that_is_sent_twice_tells_it_once(finished: Match) -> None:
    ada, version = seated(finished, "red"), Match.objects.get(pk=finished.pk).version
    form = {"mode": "rps/plain", "seat": "red", "like": finished.code, "key": seats.new_key()}
    assert ada.post("/new", form)["Location"] == ada.post("/new", form)["Location"]
    assert Match.objects.get(pk=finished.pk).version == version + 1


@pytest.mark.parametrize("action", [":", ":NONE:red:blue", ":{code}", ":{code}:a", ":{game}:red:blue"])
def test_a_remark_that_leads_nowhere_is_none(finished: Match, action: str) -> None:
    other = play.open_match("rps", "plain", {"red": "", "blue": ""}, seed="again")
    action = "rematch" + action.format(code=other.code, game=driving.opened().code)
    play.remark(finished.code, say("A sentence."), action=action)
    assert first(seated(finished, "red"), finished) == "Rematch"
    assert follow(Client(), finished) == f"/t/{finished.code}/"


def test_the_rematch_of_one_table_is_that_of_no_other(finished: Match) -> None:
    other = play.open_match("rps", "plain", {"red": "Cy", "blue": "Di"}, seed="again")
    driving.do(other, "red throw:rock\nblue throw:paper\n" * 2)
    opened(seated(finished, "red"), finished)
    cy = seated(other, "red")
    assert not first(cy, other).startswith(SIT_DOWN)
    assert follow(cy, other) == f"/t/{other.code}/"
