"""Too often, on the pages: 429 with a sentence, nothing changed, and nobody else slowed down."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import limits
from games.models import Match
from tests.trust import cast
from tests.trust.cast import OPEN, RED, Phone, World

HERE = "127.0.0.1"
TOO_FAST = "That was too fast. Please try again in"


def use_up(limit: limits.Limit, key: str = HERE) -> None:
    while not limit.take(key):
        pass


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
    form = forms.get(name, {"undo": str(world.newest_deed()), "key": "undo-key-0"})
    path, before = reverse(name, args=[world.code]), world.fingerprint()
    use_up(limits.TAPS, f"{world.code}/{RED}")
    assert is_slowed(world.phones["red"].post(path, form, headers=headers))
    assert world.fingerprint() == before
    assert world.phones["blue"].post(path, form, headers=headers).status_code in (200, 302)


def test_three_corrections_a_second_are_not_too_many():
    clock = iter(n / 3 for n in range(1000)).__next__
    limit = limits.Limit(round(limits.TAPS.credit / limits.TAPS.cost), 1 / limits.TAPS.cost, clock)
    assert all(limit.take("red") == 0 for _tap in range(999))


def test_lists_are_read_only_so_often_for_a_seat(mustered: tuple[Match, Phone]):
    match, red = mustered
    use_up(limits.TAPS, f"{match.code}/red")
    assert is_slowed(red.post(reverse("army", args=[match.code, "red"]), {"do": "read", "text": "x"}))


def test_tables_are_opened_only_so_often_from_one_address(world: World):
    use_up(limits.IMPORTS)
    form = {"mode": "auction/tracks", "name": "Red"}
    assert is_slowed(world.phones["anon"].post(reverse("new"), form))
    assert world.phones["anon"].get(reverse("new")).status_code == 200
    elsewhere = world.phones["anon"].post(reverse("new"), form, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 302


def test_seats_are_asked_for_and_claimed_only_so_often(world: World):
    use_up(limits.JOINS)
    before = world.fingerprint()
    for path in (reverse("join", args=[world.code]), cast.link(world.match, OPEN)):
        assert is_slowed(world.phones["anon"].post(path, {"name": "X", "seat": OPEN}))
        assert world.phones["anon"].get(path).status_code == 200
    assert world.fingerprint() == before


def test_moving_codes_are_not_guessed_by_whoever_sits_at_the_table_either(world: World):
    path = reverse("move-here", args=[world.code])
    answers = [world.phones["red"].post(path, {"code": f"AAAA{n}A"}) for n in range(2, 14)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429] * 2


@pytest.mark.parametrize(
    "route", ["/t/{}/", "/t/{}/board", "/t/{}/join", "/find?code={}", "/t/{}/claim/stark/abc"]
)
def test_guessed_codes_are_counted_and_then_even_a_right_one_waits(world: World, route: str):
    anon = world.phones["anon"]
    answers = [anon.get(route.format(f"ZZZ{n}ZZ")) for n in range(2, 14)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429] * 2
    assert is_slowed(anon.get(route.format(world.code)))
    assert is_slowed(anon.get(reverse("table", args=[world.code])))
    assert anon.get(reverse("table", args=[world.code]), REMOTE_ADDR="192.0.2.7").status_code == 200


def test_a_thousand_addresses_are_still_one_guesser(world: World):
    use_up(limits.ALL_CODES, "")
    answer = world.phones["anon"].get(reverse("table", args=[world.code]), REMOTE_ADDR="192.0.2.7")
    assert is_slowed(answer)


def test_who_plays_is_not_slowed_by_a_guesser_behind_the_same_address(world: World):
    use_up(limits.CODES)
    use_up(limits.ALL_CODES, "")
    red = world.phones["red"]
    for name in ("table", "board", "history", "stream"):
        assert red.get(reverse(name, args=[world.code])).status_code == 200
    assert red.post(reverse("act", args=[world.code]), cast.bid(world.match)).status_code == 302
    assert is_slowed(red.get("/t/ZZZZZZ/"))


def test_forwarded_addresses_are_nobodys_word(world: World):
    """A header that any phone can send does not make it somebody else."""
    use_up(limits.IMPORTS)
    form = {"mode": "auction/tracks", "name": "Red"}
    answer = world.phones["anon"].post(reverse("new"), form, headers={"X-Forwarded-For": "192.0.2.7"})
    assert is_slowed(answer)
