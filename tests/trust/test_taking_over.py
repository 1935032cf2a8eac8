"""Taking over a seat: not while it is played, and without seeing anything sealed on it before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import RequestFactory
from django.urls import reverse

from games.core import RequestRefused
from games.match import play
from games.models import Match, Seat
from games.people import seats
from games.people.sessions import SessionStore
from tests.browser import driving
from tests.trust import cast, test_secret_bids, test_secret_orders, twins
from tests.trust.cast import OPEN, Phone, World

STARK, LANNISTER = "stark", "lannister"
WORLDS = ("marching", "at home")
"""What Stark has placed face down: the same number of orders in every world."""


def seat_of(match: Match, key: str) -> Seat:
    return Seat.objects.select_related("match", "army").get(match=match, key=key)


def robot(match: Match, key: str) -> Phone:
    """The program that holds the token of a seat."""
    phone = Phone()
    phone.token = seats.api_token(seat_of(match, key))
    return phone


def bids(phone: Phone, match: Match, amount: int) -> int:
    match.refresh_from_db()
    action = {"action": f"bid:throne:{amount}", "seen": match.version, "key": f"a-bid-of-{amount:04}"}
    return phone.ask("POST", f"/api/matches/{match.code}/act", action).status_code


def post(phone: Phone, view: str, match: Match, /, **form: str) -> int:
    return phone.ask("POST", reverse(view, args=[match.code]), form).status_code


# --- a seat that only its token plays -------------------------------------------------------------


def test_a_seat_is_taken_from_the_first_command_by_its_token(world: World):
    token = robot(world.match, OPEN)
    assert token.ask("GET", f"/api/matches/{world.code}").status_code == 200
    assert not seat_of(world.match, OPEN).is_taken, "looking takes nothing"
    assert bids(token, world.match, 99) == 409
    assert not seat_of(world.match, OPEN).is_taken, "what is refused takes nothing"
    assert bids(token, world.match, 2) == 200
    assert seat_of(world.match, OPEN).is_taken
    assert post(world.phones["red"], "take", world.match, seat=OPEN) == 409
    guest = Phone()
    assert post(guest, "join", world.match, name="X", seat=OPEN) == 409
    assert seat_of(world.match, OPEN).claimed_at is None


def test_a_granted_request_does_not_take_a_seat_that_its_token_has_begun_to_play(world: World):
    asked = cast.request_of(world.match)
    post(world.phones["red"], "guests", world.match, let_in=str(asked.pk))
    bids(robot(world.match, OPEN), world.match, 2)
    assert post(world.phones["watcher"], "join", world.match) in (409, 422)
    assert world.phones["watcher"].ask("POST", reverse("act", args=[world.code])).status_code == 403


def test_its_link_takes_such_a_seat_once_and_the_token_plays_on(world: World):
    token, path = robot(world.match, OPEN), cast.link(world.match, OPEN)
    bids(token, world.match, 2)
    first, second = Phone(), Phone()
    assert first.ask("GET", path).status_code == 200
    assert first.ask("POST", path, {"name": "First"}).status_code == 302
    assert second.ask("GET", path).status_code == 409
    assert second.ask("POST", path, {"name": "Second"}).status_code == 409
    assert token.ask("GET", f"/api/matches/{world.code}").json()["seat"] == OPEN
    organiser = world.phones["organiser"]
    assert post(organiser, "free", world.match, seat=OPEN) == 302
    assert token.ask("GET", f"/api/matches/{world.code}").status_code == 403


# --- what was sealed ------------------------------------------------------------------------------


def by_link(match: Match, _holder: Phone) -> Phone:
    """By the link of a seat that a program with its token has played."""
    phone = Phone()
    cast.sit(phone, match, STARK)
    return phone


def by_rival(match: Match, _holder: Phone) -> Phone:
    """A rival takes the seat that its holder gave up."""
    organiser, rival = an_organiser(), Phone()
    assert post(organiser, "free", match, seat=STARK) == 302
    cast.sit(rival, match, LANNISTER)
    assert post(rival, "take", match, seat=STARK) == 302
    return rival


def by_request(match: Match, _holder: Phone) -> Phone:
    """A guest is let in to the seat that was freed."""
    organiser, host, guest = an_organiser(), Phone(), Phone()
    post(organiser, "free", match, seat=STARK)
    cast.sit(host, match, LANNISTER)
    post(guest, "join", match, name="Guest", seat=STARK)
    post(host, "guests", match, let_in=str(cast.request_of(match).pk))
    assert post(guest, "join", match) == 302
    return guest


def by_moving_code(match: Match, _holder: Phone) -> Phone:
    """Another phone types the code of a holder who did not agree to show what is sealed."""
    holder, tablet = Phone(), Phone()
    cast.sit(holder, match, STARK)
    assert post(tablet, "move-here", match, code=moving_code(holder, match)) == 302
    return tablet


def moving_code(holder: Phone, match: Match, field: str = "seat") -> str:
    page = holder.ask("POST", reverse("move", args=[match.code]), {field: STARK}).content.decode()
    return re.search(r'<p class="code">([A-Z2-9]{6})</p>', page)[1]


def an_organiser() -> Phone:
    phone, people = Phone(), get_user_model().objects
    user = people.filter(username="judge").first() or people.create_superuser("judge", password="x" * 12)
    phone.force_login(user)
    return phone


Way = Callable[[Match, Phone], Phone]
WAYS: tuple[Way, ...] = (by_link, by_rival, by_request, by_moving_code)
VIEWS = (
    "",
    "board",
    "history",
    "print",
    "score",
    "seats",
    "verify",
    "name",
    f"piece/army/{STARK}",
    "piece/table",
)
FOR_A_SEAT = ("board", f"piece/army/{STARK}", "history")
"""What a page, or its script, requests on behalf of a seat."""


def looks(phone: Phone, match: Match, *, back: int = 2) -> list[object]:
    """Everything that a phone can fetch of its table, some of it for its seat; replays go this far `back`."""
    match.refresh_from_db()
    replays = [f"replay/{version}" for version in range(match.version - back, match.version + 1)]
    table = f"/t/{match.code}/"
    pages = [twins.seen(phone.ask("GET", f"{table}{view}")) for view in (*VIEWS, *replays)]
    for view in FOR_A_SEAT:
        path = f"{table}{view}?seat={STARK}"
        pages.append(twins.seen(phone.ask("GET", path, HX_Request="true")))
    return pages


@contextmanager
def sealed_orders(world: str, last: str = "confirmed") -> Iterator[Match]:
    """A table where a program has placed Stark's orders; only the orders differ between worlds."""
    with twins.a_world(("agot", "orders"), twins.HOUSES) as match:
        test_secret_orders.planning(match)
        for action, stop in test_secret_orders.actions(world):
            if stop != last:
                twins.tap(match, STARK, action)
                continue
            match.refresh_from_db()
            tap = {"action": action, "seen": match.version, "key": "the-last-tap"}
            path = f"/api/matches/{match.code}/act"
            assert robot(match, STARK).ask("POST", path, tap).status_code == 200
            break
        yield match


@pytest.mark.django_db
def test_nothing_that_was_sealed_is_shown_to_who_takes_the_seat_over():
    """Every way to take another's seat, each tried at the same table."""
    told = {}
    for world in WORLDS:
        with sealed_orders(world) as match:
            told[world] = {way.__name__: each_way(match, way) for way in WAYS}
    for way in WAYS:
        assert told[WORLDS[0]][way.__name__] == told[WORLDS[1]][way.__name__], way.__name__
        assert "stays hidden until the next question" in str(told[WORLDS[0]][way.__name__]), way.__name__


def each_way(match: Match, way: Way) -> list[object]:
    """What is shown to a phone that takes the seat this way, as if nobody had taken it another way."""
    with transaction.atomic():
        found = looks(way(match, Phone()), match)
        transaction.set_rollback(True)
    return found


@pytest.mark.django_db
def test_the_last_private_line_is_not_shown_beside_undo():
    told = []
    for world in WORLDS:
        with sealed_orders(world, "placing") as match:
            told.append(looks(by_link(match, Phone()), match))
    assert told[0] == told[1]


@pytest.mark.django_db
@pytest.mark.parametrize("way", [by_rival, by_moving_code])
def test_the_organiser_may_show_it(way: Way):
    with sealed_orders("marching") as match:
        phone = way(match, Phone())
        closed = looks(phone, match)
        organiser = an_organiser()
        page = organiser.ask("GET", reverse("seats", args=[match.code])).content.decode()
        assert "Show earlier sealed answers on this device" in page
        assert post(phone, "unseal", match, seat=STARK) == 403
        version = Match.objects.get(pk=match.pk).version
        for _time in range(2):
            assert post(organiser, "unseal", match, seat=STARK) == 302
        assert Match.objects.get(pk=match.pk).version == version + 1, "told once"
        shown = looks(phone, match)
        assert shown != closed
        assert "stays hidden" not in str(shown)
        assert "You place" in str(shown)


@pytest.mark.django_db
def test_its_holder_may_show_it_with_the_moving_code():
    with sealed_orders("marching") as match:
        holder, tablet = Phone(), Phone()
        cast.sit(holder, match, STARK)
        assert post(an_organiser(), "unseal", match, seat=STARK) == 302
        page = holder.ask("POST", reverse("move", args=[match.code]), {"seat": STARK}).content.decode()
        assert "Show sealed answers there, too" in page
        code = moving_code(holder, match, "sealed")
        assert post(tablet, "move-here", match, code=code) == 302
        assert "You place" in str(looks(tablet, match))


@pytest.mark.django_db
def test_a_moving_code_shows_nothing_that_its_holder_does_not_agree_to_show():
    with sealed_orders("marching") as match:
        holder, tablet = Phone(), Phone()
        cast.sit(holder, match, STARK)
        assert post(an_organiser(), "unseal", match, seat=STARK) == 302
        assert "You place" in str(looks(holder, match))
        assert post(tablet, "move-here", match, code=moving_code(holder, match)) == 302
        told = str(looks(tablet, match))
        assert "stays hidden" in told
        assert "You place" not in told


@pytest.mark.django_db
def test_who_may_not_see_it_cannot_pass_it_on():
    with sealed_orders("marching") as match:
        holder, tablet = Phone(), Phone()
        cast.sit(holder, match, STARK)
        assert post(tablet, "move-here", match, code=moving_code(holder, match, "sealed")) == 302
        assert "stays hidden" in str(looks(tablet, match))


@pytest.mark.django_db
def test_chinese_sentences_about_it_have_no_space_between_them():
    with sealed_orders("marching") as match:
        phone = by_link(match, Phone())
        phone.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
        page = phone.ask("GET", reverse("table", args=[match.code])).content.decode()
        assert "在下一个问题之前不会显示。只有组织者可以提前显示。" in page


@pytest.mark.django_db
def test_with_the_next_question_it_is_shown():
    with sealed_orders("marching") as match:
        phone = by_link(match, Phone())
        assert "stays hidden" in str(looks(phone, match))
        for order in ("defense", "raid", "support"):
            twins.tap(match, "baratheon", f"order:{order}")
        twins.tap(match, "baratheon", "placed")
        assert "stays hidden" not in str(looks(phone, match, back=0))
        assert "stays hidden" in str(looks(phone, match))


@pytest.mark.django_db
def test_where_nothing_is_sealed_any_more_nothing_is_said_to_be():
    with twins.a_world(("agot", "light"), twins.HOUSES) as match:
        test_secret_bids.play_to_the_clash(match, "light")
        for amount, house in enumerate(twins.HOUSES):
            twins.tap(match, house, f"bid:iron-throne:{amount}")
        phone = by_rival(match, Phone())
        assert seat_of(match, STARK).blind_at is not None
        assert "stays hidden" not in str(looks(phone, match, back=0))


@pytest.mark.django_db
def test_after_the_end_no_next_question_is_promised():
    match = driving.opened(driving.SET_UP, decks=1)
    driving.do(match, "red army/red concede:red\n")
    for is_over, last in ((False, ""), (True, "red end-match")):
        driving.do(match, last)
        seats.revoke(seat_of(match, "red"))
        cast.sit(phone := Phone(), match, "red")
        shown = phone.ask("GET", reverse("table", args=[match.code])).content.decode()
        assert ("until the next question" in shown) is not is_over


@pytest.mark.django_db
def test_whoever_has_a_seat_first_sees_what_is_sealed_on_it():
    """As after an import: the seats are free, and nobody has had them here."""
    with sealed_orders("marching") as match:
        Seat.objects.filter(match=match).update(is_taken=False)
        cast.sit(phone := Phone(), match, STARK)
        assert "stays hidden" not in str(looks(phone, match))


@pytest.mark.django_db
def test_only_what_was_sealed_at_a_seat_closes_it():
    """What the seat itself holds or has done counts, whatever other seats and tables have sealed."""
    names = dict.fromkeys((STARK, LANNISTER, "baratheon"), "")
    match, other = (play.open_match("auction", "tracks", names) for _table in range(2))

    def sealed() -> list[str]:
        return [seat.key for seat in Seat.objects.filter(match=match) if seats.has_sealed(seat)]

    twins.tap(other, LANNISTER, "bid:throne:1")
    assert sealed() == []
    twins.tap(match, STARK, "bid:throne:3")
    assert sealed() == [STARK]
    match.entries.update(sealed={})
    assert sealed() == [STARK], "as after an import"
    match.armies.update(hidden={})
    assert sealed() == []
    Seat.objects.filter(match=other).update(blind_at=99)
    assert not seats.blind(match).exists()


@pytest.mark.django_db
def test_whoever_looked_at_a_seat_before_it_was_freed_comes_too_late(rf: RequestFactory):
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    seat, request = seat_of(match, "red"), rf.get("/")
    request.session = SessionStore()
    seats.revoke(seat)
    with pytest.raises(RequestRefused, match="taken"):
        seats.sit_down(request, seat, by_link=True)
    with pytest.raises(RequestRefused, match="does not open a seat"):
        seats.occupy(match, "red", seat.epoch)
    Seat.objects.filter(match=match).update(is_taken=True, blind_at=1)
    assert not seats.show_sealed(seat)
    seats.revoke(seat)
    assert seat_of(match, "red").is_taken, "it is somebody else's by now"


def test_a_seat_that_nobody_had_is_not_closed_to_its_first_holder(world: World):
    guest = Phone()
    cast.sit(guest, world.match, OPEN)
    assert "stays hidden" not in guest.ask("GET", reverse("table", args=[world.code])).content.decode()
