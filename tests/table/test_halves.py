"""A device that two share: both are asked at once, each on their half, and answers say whose they are."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.match import play, storage
from games.models import Match
from tests.browser import driving
from tests.table.test_start import opened, shared, shown
from tests.trust import cast, twins

pytestmark = pytest.mark.django_db

BOTH = ("red", "blue")
MISSIONS = "red demo:stark\nblue demo:lannister\nred ready\nblue ready\n"
ROLLS = "red demo:stark\nblue demo:lannister\nred ready\nblue ready\n"


def asked(client: Client, match: Match, **query: str) -> dict[str, list[str]]:
    """What each half asks beside the bar: the answers by side."""
    return {
        side.key: [offer.action for group in side.asked.groups for offer in group.offers]
        for side in shown(client, match, **query).sides
        if side.asked
    }


def lids(client: Client, match: Match, **query: str) -> dict[str, tuple[str, str]]:
    """What opens or closes each half, and how the page is addressed then."""
    return {
        side.key: (way.label, way.url.removeprefix(f"/t/{match.code}/"))
        for side in shown(client, match, **query).sides
        for way in (side.asked.ways if side.asked else ())
    }


def answers(client: Client, match: Match, action: str) -> int:
    """A tap without scripts; the status of its answer."""
    board = shown(client, match)
    form = {"action": action, "seen": str(board.version), "seat": board.seat, "key": play.new_key()}
    return client.post(f"/t/{match.code}/act", form).status_code


def test_both_roll_at_once_and_each_on_their_own_half(client: Client) -> None:
    match = shared(client, ROLLS)
    board = shown(client, match)
    other = "red" if board.seat == "blue" else "blue"
    assert asked(client, match) == {other: [f"{other} roll", f"{other} rolled"]}
    choices = next(side.asked for side in board.sides if side.asked).groups[0].offers[1].choices
    assert [choice.action for choice in choices[:2]] == [f"{other} rolled:1", f"{other} rolled:2"]
    assert answers(client, match, f"{other} rolled:5") == 302
    assert shown(client, match).seat == board.seat
    assert asked(client, match) == {}


def test_an_answer_counts_for_whoever_signs_it(client: Client) -> None:
    match = shared(client, "red demo:stark\nblue demo:lannister\n")
    assert answers(client, match, "red ready") == 302
    armies = storage.load(Match.objects.get(pk=match.pk)).state.armies
    assert (armies["red"].ready, armies["blue"].ready) == (True, False)
    assert asked(client, match) == {"red": ["red unready"]}, "who has answered may still change it"
    assert shown(client, match).hand_over == ()


def test_a_list_can_be_pasted_from_either_half(client: Client) -> None:
    match = shared(client, "")
    ways = {
        side.key: [way.url for way in side.asked.ways] for side in shown(client, match).sides if side.asked
    }
    assert len(ways) == 1
    (half, urls) = ways.popitem()
    assert urls == [f"/t/{match.code}/army/{half}"]


def test_each_half_has_folds_of_its_own(client: Client) -> None:
    """Two with one id would be taken for each other when a new board is laid over the old one."""
    match = shared(client, "")
    folds = re.findall(r'id="(fold-[^"]+)"', client.get(f"/t/{match.code}/").content.decode())
    assert len(folds) == len(set(folds)) == 2


def test_nobody_signs_for_a_seat_of_another_phone(client: Client) -> None:
    match = opened(client)
    driving.do(match, "red demo:stark\nblue demo:lannister\n")
    held = shown(client, match).seat
    other = "red" if held == "blue" else "blue"
    assert answers(client, match, f"{other} ready") == 403
    assert not any(army.ready for army in storage.load(Match.objects.get(pk=match.pk)).state.armies.values())
    assert asked(client, match) == {}


def test_nothing_secret_stands_on_a_half(client: Client) -> None:
    match = shared(client, MISSIONS, mode="tmg/winds-of-winter")
    assert asked(client, match) == {"red": [], "blue": []}
    assert b"pick:" not in client.get(f"/t/{match.code}/").content
    assert lids(client, match) == {half: ("Show my secrets", f"?open={match.asked}.{half}") for half in BOTH}
    assert [link.label for link in shown(client, match).hand_over] == ["Play as Bo", "Play as Ada"]


def test_whoever_said_who_they_are_is_asked_alone(client: Client) -> None:
    match = shared(client, ROLLS)
    assert all(side.asked is None for side in shown(client, match, seat="red").sides)


def picks(seat: str) -> list[str]:
    return [f"{seat} pick:m{number:02}" for number in range(1, 11)]


def test_each_half_is_opened_by_itself_and_both_are_live(client: Client) -> None:
    match = shared(client, MISSIONS, mode="tmg/winds-of-winter")
    question = match.asked
    red = f"{question}.red"
    assert asked(client, match, open=red) == {"red": picks("red"), "blue": []}
    found = lids(client, match, open=red)
    assert found["red"] == ("Hide my secrets", "")
    both = found["blue"][1].removeprefix("?open=")
    assert sorted(both.split(".")) == [str(question), "blue", "red"]
    assert asked(client, match, open=both) == {half: picks(half) for half in BOTH}
    assert lids(client, match, open=both)["blue"] == ("Hide my secrets", f"?open={question}.red")


def test_an_answer_leaves_both_halves_open_until_the_question_is_done(client: Client) -> None:
    match = shared(client, MISSIONS, mode="tmg/winds-of-winter")
    both = f"{match.asked}.red.blue"
    board = shown(client, match, open=both)
    form = {"action": "blue pick:m03", "seen": str(board.version), "seat": board.seat}
    answer = client.post(
        f"/t/{match.code}/act",
        {**form, "open": board.opened, "key": play.new_key()},
        headers={"HX-Request": "true"},
    )
    page = answer.content.decode()
    assert answer.status_code == 200
    assert ("blue pick:m04" in page, "blue pick:m03" in page, "red pick:m03" in page) == (True, False, True)
    plain = client.post(
        f"/t/{match.code}/act",
        {
            **form,
            "action": "red pick:m01",
            "seen": str(board.version + 1),
            "open": both,
            "key": play.new_key(),
        },
    )
    assert plain.status_code == 302
    assert plain["Location"].partition("?open=")[2].split(".")[0] == str(match.asked)


def test_a_half_closes_with_its_question(client: Client) -> None:
    match = shared(client, MISSIONS, mode="tmg/winds-of-winter")
    assert shown(client, match, open=f"{match.asked}.green.red").opened == f"{match.asked}.red"
    for wrong in (f"{match.asked - 1}.red", f"{match.asked + 1}.red", "red", f"{match.asked}", "x.red", "1."):
        assert asked(client, match, open=wrong) == {"red": [], "blue": []}
        assert shown(client, match, open=wrong).opened == ""


def test_only_a_device_with_both_seats_opens_halves(client: Client) -> None:
    match = opened(client, mode="tmg/winds-of-winter")
    driving.do(match, MISSIONS)
    held = shown(client, match).seat
    other = "red" if held == "blue" else "blue"
    page = client.get(f"/t/{match.code}/", {"open": f"{match.asked}.{other}"})
    assert page.context["board"].opened == ""
    assert f"{other} pick:" not in page.content.decode()
    assert shown(client, match, open=f"{match.asked}.{held}").opened == ""


def test_a_hand_is_opened_on_its_own_half(client: Client) -> None:
    match = shared(client, decks="1")
    match.refresh_from_db()
    page = client.get(f"/t/{match.code}/", {"open": f"{match.asked}.blue"})
    sides = {side.key: side for side in page.context["board"].sides}
    assert [half for half in BOTH if sides[half].free_actions or sides[half].folds] == ["blue"]
    assert b"blue play:c" in page.content
    assert b"red play:c" not in page.content
    assert sides["red"].asked.ways[0].label == "Show my secrets"


@pytest.mark.parametrize("opened_by", ["", "blue"])
def test_no_byte_of_a_half_tells_what_the_other_hides(opened_by: str) -> None:
    worlds = [half_of_a_world(opened_by, picked) for picked in ("m01", "m07")]
    assert worlds[0] == worlds[1]


def test_its_own_half_does_tell(client: Client) -> None:
    assert half_of_a_world("red", "m01") != half_of_a_world("red", "m07")


def half_of_a_world(opened_by: str, picked: str) -> object:
    """The page and the board of a device that both share, after red has picked a mission in secret."""
    with twins.a_world(("tmg", "winds-of-winter"), twins.PLAYERS) as match:
        phone = cast.Phone()
        for half in BOTH:
            cast.sit(phone, match, half)
        driving.do(match, MISSIONS + f"red pick:{picked}\n")
        match.refresh_from_db()
        query = f"?open={match.asked}.{opened_by}" if opened_by else ""
        return [
            twins.seen(phone.ask("GET", f"/t/{match.code}/{path}{query}"))
            for path in ("", "board", "history")
        ]


def test_a_seat_taken_over_opens_nothing_of_the_old_question(client: Client) -> None:
    match = shared(client, MISSIONS, mode="tmg/winds-of-winter")
    match.seats.filter(key="blue").update(blind_at=match.asked)
    assert asked(client, match, open=f"{match.asked}.red.blue") == {"red": picks("red"), "blue": []}
    assert list(lids(client, match)) == ["red"]


def test_orders_are_placed_on_the_halves_of_a_shared_tablet(client: Client) -> None:
    match = play.open_match("agot", "orders", {"stark": "", "lannister": "", "baratheon": ""}, seed="halves")
    phone = cast.Phone()
    for house in ("stark", "lannister"):
        cast.sit(phone, match, house)
    driving.do(match, "stark ready\nlannister ready\nbaratheon ready\n")
    match.refresh_from_db()
    page = phone.ask("GET", f"/t/{match.code}/?open={match.asked}.stark.lannister").content.decode()
    assert "Which order for Winterfell?" in page
    assert "Which order for Lannisport?" in page
    for house in ("stark", "lannister"):
        assert page.count(f'value="{house} order:march-plus"') == 1
    assert 'value="order:' not in page
    form = {"action": "lannister order:march-plus", "seen": str(match.version), "seat": "stark"}
    phone.ask("POST", f"/t/{match.code}/act", {**form, "key": play.new_key()})
    hidden = storage.load(Match.objects.get(pk=match.pk)).state.armies["lannister"].hidden
    assert hidden["orders"] == {"lannisport": "march-plus"}


def test_what_a_seat_is_told_in_secret_is_told_on_no_shared_page(client: Client) -> None:
    match = play.open_match("agot", "orders", {"stark": "", "lannister": "", "baratheon": ""}, seed="halves")
    phone = cast.Phone()
    for house in ("stark", "lannister"):
        cast.sit(phone, match, house)
    driving.do(match, "stark ready\nlannister ready\nbaratheon ready\nstark order:march-plus\n")
    match.refresh_from_db()
    told = [
        "You place" in phone.ask("GET", f"/t/{match.code}/{query}").content.decode()
        for query in ("", f"?open={match.asked}.lannister", "?seat=lannister", "?seat=stark")
    ]
    assert told == [False, False, False, True]
