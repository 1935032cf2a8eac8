"""Too often, on the pages: 429 with a sentence, nothing changed, and nobody else slowed down."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.urls import reverse

from games.hall import event_links
from games.hall.models import Helper
from games.models import Match, Seat, SeatRequest
from games.people import seats
from games.web import limits
from tests.trust import cast
from tests.trust.cast import OPEN, RED, Phone, World
from tests.trust.conftest import LIST

HERE = "127.0.0.1"
MORE = 50
TOO_FAST = "That was too fast. Please try again in"


def use_up(limit: limits.Limit, key: str = HERE) -> None:
    """Use up the limit and some seconds more, so that nothing comes back while a slow machine goes on.

    Whoever owed a minute more would be one from before the database's clock was set back.
    """
    while not limit.take(key):
        pass
    deeper = limits.Limit(2 + int(limit.credit / MORE), 1 / MORE, name=limit.name)
    deeper.paid = limit.paid
    assert deeper.take(key) == 0


def is_slowed(answer) -> bool:  # type: ignore[no-untyped-def]
    if answer.status_code != 429:
        return False
    assert TOO_FAST in answer.content.decode()
    assert int(answer["Retry-After"]) >= 1
    return True


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
@pytest.mark.parametrize("name", ["act", "adjust", "undo"])
def test_a_seat_that_taps_too_fast_waits_and_the_other_does_not(
    world: World, name: str, headers: dict[str, str]
):
    forms = {"act": cast.bid(world.match), "adjust": cast.correction("correction-1")}
    form = forms.get(name, {"undo": str(world.newest_action()), "key": "undo-key-0"})
    path, before = reverse(name, args=[world.code]), world.fingerprint()
    use_up(limits.TAPS, f"{world.code}/{RED}")
    assert is_slowed(world.phones["red"].post(path, form, headers=headers))
    assert world.fingerprint() == before
    assert world.phones["blue"].post(path, form, headers=headers).status_code in (200, 302)


@pytest.mark.parametrize("name", ["name", "watch-delay", "take", "free", "claim"])
def test_no_other_form_of_a_seat_fills_the_history_either(world: World, name: str):
    forms = {"name": {"name": "Rosa"}, "watch-delay": {"delay": "5"}, "take": {"seat": OPEN}}
    forms["free"] = {"seat": RED}
    path = cast.link(world.match, RED) if name == "claim" else reverse(name, args=[world.code])
    before = world.fingerprint()
    use_up(limits.TAPS, f"{world.code}/{RED}")
    assert is_slowed(world.phones["red"].post(path, forms.get(name, {"name": "Rosa"})))
    assert world.fingerprint() == before


def test_three_corrections_a_second_are_not_too_many():
    clock = iter(n / 3 for n in range(1000)).__next__
    limit = limits.Limit(round(limits.TAPS.credit / limits.TAPS.cost), 1 / limits.TAPS.cost, clock)
    assert all(limit.take("red") == 0 for _tap in range(999))


def test_lists_are_read_only_so_often_for_a_seat(mustered: tuple[Match, Phone]):
    match, red = mustered
    use_up(limits.TAPS, f"{match.code}/red")
    assert is_slowed(red.post(reverse("army", args=[match.code, "red"]), {"do": "read", "text": "x"}))


def test_files_are_read_only_so_often_for_a_seat_and_not_for_an_address(mustered: tuple[Match, Phone]):
    match, red = mustered
    path = reverse("army-file", args=[match.code, "red"])
    use_up(limits.IMPORTS)
    use_up(limits.ALL_LISTS)
    assert red.post(path, {}).status_code == 422
    use_up(limits.LISTS, f"{match.code}/red")
    assert is_slowed(red.post(path, {}))
    limits.LISTS.forget()
    use_up(limits.TAPS, f"{match.code}/red")
    assert is_slowed(red.post(path, {}))


def bring(phone: Phone, match: Match, text: str) -> HttpResponse:
    return phone.post(reverse("army", args=[match.code, "red"]), {"do": "read", "text": text})


def test_long_lists_are_kept_less_often_than_short_ones(
    mustered: tuple[Match, Phone], monkeypatch: pytest.MonkeyPatch
):
    """Three of the longest a second would fill a disk in a day, and a processor at once."""
    match, red = mustered
    for limit in (limits.TAPS, limits.LISTS, limits.ALL_LISTS):
        monkeypatch.setattr(limit, "clock", lambda: 0.0)
        limit.forget()
    long = LIST + "\u2022 Stark Sworn Swords (5)\n" + "\n" * 65_000
    statuses = [bring(red, match, long).status_code for _ in range(16)]
    assert statuses == [302] * 15 + [429]
    for limit in (limits.TAPS, limits.LISTS):
        limit.forget()
    assert {bring(red, match, f"{LIST}\n{n}").status_code for n in range(30)} == {302}


def test_long_lists_from_one_address_wait_for_each_other_and_usual_ones_do_not(
    mustered: tuple[Match, Phone], world: World
):
    match, red = mustered
    use_up(limits.ALL_LISTS)
    assert is_slowed(bring(red, match, LIST + "\n" * 9_000))
    assert bring(red, match, LIST).status_code == 302
    form = {"mode": "tmg/a-game-of-thrones", "name": "Red"}
    assert is_slowed(world.phones["anon"].post(reverse("new"), {**form, "list": LIST + "\n" * 9_000}))
    assert world.phones["anon"].post(reverse("new"), {**form, "list": LIST}).status_code == 302


def test_tables_are_opened_only_so_often_from_one_address(world: World):
    use_up(limits.OPENINGS)
    form = {"mode": "auction/tracks", "name": "Red"}
    assert is_slowed(world.phones["anon"].post(reverse("new"), form))
    assert world.phones["anon"].get(reverse("new")).status_code == 200
    elsewhere = world.phones["anon"].post(reverse("new"), form, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 302


def test_seats_are_asked_for_only_so_often(world: World):
    use_up(limits.JOINS)
    before, path = world.fingerprint(), reverse("join", args=[world.code])
    assert is_slowed(world.phones["anon"].post(path, {"name": "X", "seat": OPEN}))
    assert world.phones["anon"].get(path).status_code == 200
    assert world.fingerprint() == before


@pytest.mark.parametrize("name", ["event-me", "helper-link"])
def test_a_link_gives_sessions_only_so_often(world: World, name: str):
    """Any number of devices may use it, and somebody who opened an event has as many links as they like."""
    helper = Helper.objects.create(event=world.hall, role="judge")
    secret = world.place_link if name == "event-me" else event_links.secret(helper)
    path = reverse(name, args=[world.hall.code, secret])
    use_up(limits.LINKS, f"{world.hall.code}/place {secret.partition('.')[0]}")
    before = Session.objects.count()
    assert is_slowed(Phone().post(path, {}))
    assert Phone().get(path).status_code == 200
    assert Session.objects.count() == before
    limits.LINKS.forget()
    assert Phone().post(path, {}).status_code == 302


def test_a_claim_that_is_sent_again_counts_as_well(world: World):
    path, key = cast.link(world.match, OPEN), "a-key-of-a-page-0"
    for _again in range(2):
        assert Phone().post(path, {"key": key}).status_code == 302
    use_up(limits.LINKS, f"{world.code}/{OPEN}")
    before = Session.objects.count()
    assert is_slowed(Phone().post(path, {"key": key}))
    assert is_slowed(Phone().post(reverse("join", args=[world.code]), {"key": key}))
    assert Session.objects.count() == before


def test_moving_codes_are_not_guessed_by_whoever_sits_at_the_table_either(world: World):
    path = reverse("move-here", args=[world.code])
    answers = [world.phones["red"].post(path, {"code": f"AAAA{n}A"}) for n in range(2, 14)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429] * 2
    # Nobody else is slowed down, at this table or at another.
    assert world.phones["blue"].post(path, {"code": "AAAA2A"}).status_code == 404
    elsewhere = reverse("move-here", args=["ZZZZZZ"])
    assert world.phones["red"].post(elsewhere, {"code": "AAAA2A"}).status_code == 404


def test_who_comes_back_as_another_device_guesses_no_more_moving_codes(world: World):
    path, address = reverse("move-here", args=[world.code]), "192.0.2.9"
    answers = []
    for _device in range(4):
        guesser = Phone()
        guesser.post(reverse("facing", args=[world.code]))
        tries = (guesser.post(path, {"code": f"AAAA{n}A"}, REMOTE_ADDR=address) for n in range(2, 11))
        answers += [answer.status_code for answer in tries]
    assert answers == [404] * 30 + [429] * 6


@pytest.mark.parametrize("is_typed_at_home", [False, True])
def test_nor_does_a_right_one_open_anything_to_them(world: World, is_typed_at_home: bool):
    """Else a wrong one would be told from a right one as before, by devices that cost nothing to make."""
    shown = world.phones["red"].post(reverse("move", args=[world.code]), {"seat": RED}).content.decode()
    code = re.search(r'<p class="code">(\w{6})</p>', shown)[1]

    def guess(typed: str, address: str) -> int:
        guesser = Phone()
        guesser.post(reverse("facing", args=[world.code]), REMOTE_ADDR="192.0.2.10")
        if is_typed_at_home:
            return guesser.get(f"/find?code={typed}", REMOTE_ADDR=address).status_code
        form = {"code": typed}
        return guesser.post(reverse("move-here", args=[world.code]), form, REMOTE_ADDR=address).status_code

    use_up(limits.CODES, "192.0.2.9")
    assert {guess("AAAAAA", "192.0.2.9") for _device in range(80)} == {429}
    assert guess(code, "192.0.2.9") == 429
    assert guess(code, "192.0.2.8") == 302


def test_tables_are_turned_only_so_often_from_one_address(world: World):
    use_up(limits.JOINS)
    assert is_slowed(world.phones["anon"].post(reverse("facing", args=[world.code])))


def test_a_made_up_session_is_no_device_of_its_own(world: World):
    path, answers = reverse("move-here", args=[world.code]), []
    for n in range(12):
        guesser = Phone()
        guesser.cookies[settings.SESSION_COOKIE_NAME] = f"{n:032}"
        answers.append(guesser.post(path, {"code": "AAAA2A"}).status_code)
    assert answers == [404] * 10 + [429] * 2


@pytest.mark.parametrize(
    "route", ["/t/{}/", "/t/{}/board", "/t/{}/join", "/find?code={}", "/t/{}/claim/stark/abc"]
)
def test_guessed_codes_are_counted_and_only_wrong_ones_wait(world: World, route: str):
    anon = world.phones["anon"]
    # Others in the hall have mistyped theirs.
    assert not any(limits.CODES.take(HERE) for _other in range(20))
    answers = [anon.get(route.format(f"ZZZ{n}ZZ")) for n in range(2, 14)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429] * 2
    assert is_slowed(anon.get(route.format("ZZZ2ZZ")))
    assert anon.get(route.format("ZZZ2ZZ"), REMOTE_ADDR="192.0.2.7").status_code == 404


def test_moving_codes_are_not_guessed_on_the_home_page_either(world: World):
    shown = world.phones["red"].post(reverse("move", args=[world.code]), {"seat": RED}).content.decode()
    code = re.search(r'<p class="code">(\w{6})</p>', shown)[1]
    guesser = world.phones["blue"]
    answers = [guesser.get(f"/find?code=AAA{n}AA").status_code for n in range(2, 14)]
    assert answers == [404] * 10 + [429] * 2
    # A right one is refused like a wrong one, so that nobody can go on guessing.
    assert guesser.get(f"/find?code={code}").status_code == 429
    assert Phone().get(f"/find?code={code}", REMOTE_ADDR="192.0.2.7").status_code == 302


def test_what_is_right_enters_whatever_was_guessed_before(world: World):
    """A table's code, its seat link and a granted seat, from the same address that guessed."""
    use_up(limits.CODES)
    use_up(limits.JOINS)
    anon, asks = world.phones["anon"], Phone()
    assert anon.get(f"/find?code={world.code}").status_code == 302
    for name in ("table", "board", "history", "stream", "join"):
        assert anon.get(reverse(name, args=[world.code])).status_code == 200
    limits.JOINS.forget()
    form = {"name": "Late", "seat": OPEN}
    assert asks.post(reverse("join", args=[world.code]), form).status_code == 302
    seats.grant(SeatRequest.objects.get(name="Late"))
    use_up(limits.JOINS)
    assert asks.post(reverse("join", args=[world.code]), {}).status_code == 302
    assert seats.revoke(Seat.objects.select_related("match").get(match=world.match, key=OPEN)) is None
    assert anon.get(cast.link(world.match, OPEN)).status_code == 200
    assert anon.post(cast.link(world.match, OPEN), {"name": "Anna"}).status_code == 302


def test_a_club_of_two_hundred_phones_behind_one_address_gets_in(world: World):
    """All at once, with somebody who guesses codes among them."""
    use_up(limits.CODES)
    path = reverse("join", args=[world.code])
    for n in range(200):
        club = Phone()
        assert club.get(f"/find?code={world.code}").status_code == 302
        asked = club.post(path, {"name": f"Guest {n}", "seat": OPEN})
        # The table may have too many requests; the address never does.
        assert asked.status_code != 429


def test_who_plays_is_not_slowed_by_a_guesser_behind_the_same_address(world: World):
    use_up(limits.CODES)
    red = world.phones["red"]
    for name in ("table", "board", "history", "stream"):
        assert red.get(reverse(name, args=[world.code])).status_code == 200
    assert red.post(reverse("act", args=[world.code]), cast.bid(world.match)).status_code == 302
    assert is_slowed(red.get("/t/ZZZZZZ/"))


def test_forwarded_addresses_are_nobodys_word(world: World):
    """A header that any phone can send does not turn it into somebody else."""
    use_up(limits.OPENINGS)
    form = {"mode": "auction/tracks", "name": "Red"}
    answer = world.phones["anon"].post(reverse("new"), form, headers={"X-Forwarded-For": "192.0.2.7"})
    assert is_slowed(answer)


def test_who_sits_at_a_table_may_ask_there_for_what_is_gone(world: World):
    gone = reverse("piece", args=[world.code, "unit/nobody"])
    use_up(limits.CODES)
    assert world.phones["red"].get(gone).status_code == 404
    assert is_slowed(world.phones["red"].get(reverse("history", args=["NONE42"])))
