"""Forms about one of a player's games: in a league several are open at once."""

from __future__ import annotations

import html
import re

import pytest

from games.hall import commands
from tests.hall.halls import ANNA, first_table, opened, scores, state
from tests.hall.places import ask, card, do, phone, said
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def begin(code: str) -> str:
    """Draw and open the next round."""
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def ways(who: Phone, code: str, name: str) -> dict[str, str]:
    """The links of the event's page to a form: what they say, by their address."""
    shown = ask(who, code).content.decode()
    found = re.findall(rf'<a [^>]*href="([^"]*/{name}[^"]*)">(.*?)</a>', shown, re.S)
    return {html.unescape(url): html.unescape(re.sub(r"<[^>]*>", "", told)).strip() for url, told in found}


def other_game(who: Phone, code: str, number: int) -> str:
    """The words below the heading of another open game on the player's card."""
    return card(who, code).partition(f"Round {number} of 3: against")[2]


def test_every_open_game_of_a_league_is_contested_or_reported_from_the_phone() -> None:
    """Only the first undecided one was: who had played on could no longer contest an older result."""
    code = begin(begin(opened(4, length=3, days=7)))
    anna = phone(code, "p1")
    first, second = (state(code).pairing_of("p1", number) for number in (1, 2))
    commands.enter_result(code, ANNA, first.key, scores(first, 5, 3))
    assert "Round 2 of 3" in card(anna, code)
    assert "Dispute the result" in other_game(anna, code, 1)
    (contesting,) = ways(anna, code, "contest")
    assert (
        anna.ask("POST", contesting, {"reason": "It was 3:5.", "key": "key-of-a-page-1"}).status_code == 302
    )
    assert [state(code).pairings[one.key].state for one in (first, second)] == ["contested", "open"]
    assert "disputed" in other_game(anna, code, 1)
    assert "Report a result" in other_game(anna, code, 1)
    (reporting,) = [url for url in ways(anna, code, "result") if second.key in url]
    told = {f"vp-{key}": "5" for key in second.players}
    assert anna.ask("POST", reporting, {"key": "key-of-a-page-2", **told}).status_code == 302
    assert state(code).pairings[second.key].state == "reported"
    other = second.rivals("p1")[0]
    assert "You reported" in other_game(anna, code, 2)
    assert "Player 1 reports" in card(phone(code, other), code)


def test_a_player_of_a_league_goes_to_the_table_of_any_open_round() -> None:
    """One who waited for an opponent or a judge in an older round came to no other table."""
    code = begin(begin(opened(4, length=3, days=7)))
    first, second = (state(code).pairing_of("p1", number) for number in (1, 2))
    anna = phone(code, "p1")
    assert "Go to your table" in other_game(anna, code, 2)
    answer = do(anna, code, f"sit {second.key}")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{second.match}/")
    taken = do(phone(code, "p1"), code, f"sit {second.key}", "key-of-a-page-3")
    assert (taken.status_code, f"take-over {second.key}" in taken.content.decode()) == (409, True)
    assert do(anna, code, "sit").headers["Location"] == f"/t/{first.match}/"
    assert do(anna, code, "sit 9-9").status_code == 409
    told = {f"vp-{key}": "5" for key in first.players}
    (reporting,) = [url for url in ways(anna, code, "result") if first.key in url]
    assert anna.ask("POST", reporting, {"key": "key-of-a-page-4", **told}).status_code == 302
    assert "Round 2 of 3" in card(anna, code)


def test_a_player_of_a_league_chooses_a_list_for_the_game_that_the_page_shows() -> None:
    """The choice went to an older one that was played on paper, and the page asked again and again."""
    code = opened(4, length=3, days=7)
    for key in state(code).players:
        commands.hand_in(code, ANNA, key, [f"{key} one", f"{key} two"])
    begin(begin(code))
    first, second = (state(code).pairing_of("p1", number) for number in (1, 2))
    commands.enter_result(code, ANNA, first.key, scores(first, 5, 3))
    anna = phone(code, "p1")
    assert "Which list do you play?" in card(anna, code)
    (chosen,) = re.findall(r'value="(choose-2[^"]*)"', ask(anna, code).content.decode())
    assert do(anna, code, chosen).status_code == 302
    assert [set(state(code).pairings[one.key].chosen) for one in (first, second)] == [set(), {"p1"}]
    assert "Which list do you play?" not in card(anna, code)


def test_a_form_about_a_table_says_nothing_about_the_one_after_it() -> None:
    code = begin(opened(4))
    one = first_table(code).players[0]
    anna = phone(code, one)
    for pairing in state(code).at(1):
        commands.enter_result(code, ANNA, pairing.key, scores(pairing, 5, 2))
    (contesting,) = ways(anna, code, "contest")
    commands.close_round(code, ANNA)
    begin(code)
    following = state(code).pairing_of(one, 2)
    commands.enter_result(code, ANNA, following.key, scores(following, 5, 2))
    answer = anna.ask("POST", contesting, {"reason": "It was 3:5.", "key": "key-of-a-page-1"})
    assert (answer.status_code, "This round is not open." in said(answer)) == (409, True)
    assert state(code).pairings[following.key].state == "entered"


def test_a_judge_is_called_to_the_table_at_which_somebody_sits() -> None:
    """In a league another open game of theirs was meant, the first of them."""
    code = begin(begin(opened(4, length=3, days=7)))
    second = state(code).pairing_of("p1", 2)
    anna = phone(code, "p1")
    strip = anna.ask("GET", f"/t/{second.match}/event").content.decode()
    (calling,) = re.findall(r'href="([^"]*/judge[^"]*)"', strip)
    answer = anna.ask("POST", html.unescape(calling), {"question": "May he?", "key": "key-of-a-page-1"})
    assert answer.status_code == 302
    assert [one.pairing for one in state(code).calls.values()] == [second.key]
