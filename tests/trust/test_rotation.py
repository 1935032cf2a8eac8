"""The server's key is changed: nobody is thrown out, and a key that is no longer listed opens nothing."""

from __future__ import annotations

import pytest

from games.core import RequestRefused
from games.hall import event_links
from games.hall.models import Event, Helper
from games.live import hub
from games.live.hub import Audience
from games.match import play
from games.models import Seat
from games.people import seats
from games.people.sessions import SessionStore

pytestmark = pytest.mark.django_db

NEW = "the-new-key-" + "9876543210zyxwvu" * 3


@pytest.fixture
def match():
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})


def seat_of(match, key):
    return Seat.objects.select_related("match").get(match=match, key=key)


@pytest.fixture
def rotate(settings):
    """Change the key, `keeping` the old one or not."""

    def change(keeping):
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if keeping else []
        settings.SECRET_KEY = NEW

    return change


@pytest.mark.parametrize("keeping", [True, False])
def test_a_link_of_a_seat(match, rotate, client, keeping):
    link = f"/t/{match.code}/claim/red/{seats.link_secret(seat_of(match, 'red'))}"
    rotate(keeping)
    assert client.post(link).status_code == (302 if keeping else 404)
    fresh = seats.link_secret(seat_of(match, "blue"))
    assert seats.linked_seat(match.code, "blue", fresh).key == "blue"


@pytest.mark.parametrize("keeping", [True, False])
def test_a_token_of_a_robot(match, rotate, client, keeping):
    headers = {"Authorization": f"Bearer {seats.api_token(seat_of(match, 'red'))}"}
    rotate(keeping)
    assert client.get(f"/api/matches/{match.code}", headers=headers).status_code == (200 if keeping else 403)
    headers = {"Authorization": f"Bearer {seats.api_token(seat_of(match, 'red'))}"}
    assert client.get(f"/api/matches/{match.code}", headers=headers).status_code == 200


@pytest.mark.parametrize("keeping", [True, False])
def test_a_phone_that_plays(match, rotate, client, keeping):
    client.post(f"/t/{match.code}/claim/red/{seats.link_secret(seat_of(match, 'red'))}")
    rotate(keeping)
    is_player = "You are watching" not in client.post(f"/t/{match.code}/act", {}).content.decode()
    assert is_player == keeping


@pytest.mark.parametrize("keeping", [True, False])
def test_a_stream(match, rotate, keeping):
    token = hub.stream_token(match.code, (("red", 1),), Audience(("red",), "en", "table"))
    rotate(keeping)
    assert (hub.read_stream_token(token) is not None) == keeping


@pytest.fixture
def helper():
    event = Event.objects.create(
        code="EVENTS", name="Autumn", system="tmg", mode="a-game-of-thrones", seed="x"
    )
    return Helper.objects.create(event=event, role="judge")


@pytest.mark.parametrize("keeping", [True, False])
def test_a_link_of_an_event(helper, rotate, keeping):
    event, link = helper.event, event_links.secret(helper)
    rotate(keeping)
    if keeping:
        assert event_links.holder_of(event, link) == helper
    else:
        with pytest.raises(RequestRefused):
            event_links.holder_of(event, link)
    assert event_links.holder_of(event, event_links.secret(helper)) == helper


@pytest.mark.parametrize(
    "name", ["", "p", "p²", "p٣", "h" + "9" * 5000, "x1", "h-1"], ids=lambda name: name[:9]
)
def test_a_token_that_names_nobody_opens_no_event(helper, name):
    with pytest.raises(RequestRefused):
        event_links.holder_of(helper.event, f"{name}.{event_links.secret(helper).partition('.')[2]}")


def test_a_session_that_was_planted_does_not_take_a_place_at_an_event(helper, rf):
    planted = SessionStore()
    planted.save()
    request, other = rf.get("/"), rf.get("/")
    request.session, other.session = (SessionStore(planted.session_key) for _phone in range(2))
    event_links.take(request, helper)
    request.session.save()
    assert event_links.holder(request, helper.event) == helper
    assert event_links.holder(other, helper.event) is None


def test_a_secret_of_another_seat_opens_nothing(match, rotate):
    rotate(True)
    with pytest.raises(RequestRefused):
        seats.linked_seat(match.code, "blue", seats.link_secret(seat_of(match, "red")))
