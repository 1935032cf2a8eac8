"""First steps: whoever taps what is pointed at, and nothing else, plays a whole round of every game."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from games.core import FirstSteps, engine, parse_action, system, systems
from games.match import practice, random_play, storage
from games.models import Match, Seat
from games.people import seats
from games.statistics import counted
from games.web import limits
from tests.trust import cast

pytestmark = pytest.mark.django_db

GAMES = [game.slug for game in systems() if game.first_steps.hints]
LANGUAGES = ("en", "zh-hans", "de")
VOID = {"input", "link", "meta", "img", "use", "br"}


@dataclass
class Read(HTMLParser):
    """What of a page matters to somebody who only taps what is pointed at."""

    html: str
    pointed: list[dict[str, Any]] = field(default_factory=list)
    """The controls that are marked, each with how many folds are to be opened first."""
    hidden: list[dict[str, Any]] = field(default_factory=list)
    numbers: list[dict[str, Any]] = field(default_factory=list)
    forms: dict[str, str] = field(default_factory=dict)
    told: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, Any]]] = []
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        classes = (found.get("class") or "").split()
        if tag == "form" and found.get("id"):
            self.forms[found["id"] or ""] = found["action"] or ""
        if tag == "input" and found.get("type") == "hidden":
            form = next((each.get("id") for name, each in reversed(self.open) if name == "form"), None)
            self.hidden.append({"form": form, **found})
        if tag == "input" and (found.get("name") or "").startswith("number:"):
            self.numbers.append(found)
        if "hinted" in classes:
            folds = sum(name == "details" and "open" not in each for name, each in self.open)
            self.pointed.append({"folds": folds, **found})
        if tag not in VOID:
            self.open.append((tag, found))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while tag not in VOID and self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any("steps" in (each.get("class") or "").split() for _tag, each in self.open):
            self.told += data

    def sends(self, control: dict[str, Any]) -> dict[str, str]:
        """What a tap of this control sends without any script."""
        sent = {each["name"]: each["value"] for each in self.hidden if each["form"] == control["form"]}
        sent |= {each["name"]: each["value"] for each in self.numbers if each["form"] == control["form"]}
        return sent | {control["name"]: control["value"]}


class Newcomer(cast.Phone):
    """A phone that has never been here."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = {"Accept-Language": language}

    def read(self, address: str) -> Read:
        answer = self.get(address, headers=self.language)
        assert answer.status_code == 200
        return Read(answer.content.decode())

    def tries(self, game: str, key: str = "first-steps-key-0") -> str:
        """The address of the table that one tap opens."""
        answer = self.post(f"/first-steps/{game}", {"key": key}, headers=self.language)
        assert answer.status_code == 302
        return answer["Location"]

    def taps(self, seen: Read) -> None:
        control = seen.pointed[0]
        answer = self.post(seen.forms[control["form"]], seen.sends(control), headers=self.language)
        assert answer.status_code == 302, answer.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_pointed_at_leads_through_a_whole_round(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice.play.secrets, "token_hex", lambda size: ("a round" * 4)[: 2 * size])
    phone, taps = Newcomer(language), 0
    table = phone.tries(game)
    code, first = table.split("/")[2], system(game).first_steps
    while len((seen := phone.read(table)).pointed) == 1:
        at = practice.suggestion(storage.load(Match.objects.get(code=code)).state, _asked(code))
        assert at is not None
        assert at.text, "every question of the round has a sentence of its own"
        assert (language == "en") == (at.text in seen.told.replace("\u00a0", " "))
        taps += 1 + seen.pointed[0]["folds"]
        phone.taps(seen)
    assert seen.pointed == []
    assert f"/new?game={game}" in seen.html
    state = storage.load(Match.objects.get(code=code)).state
    assert (state.round, state.result) == (first.last_round + 1, None)
    # A fold that a script leaves shut is one tap more than without scripts.
    assert first.taps - 1 <= taps <= first.taps
    assert f">{first.taps} " in phone.read("/first-steps").html


def _asked(code: str) -> str:
    state = storage.load(Match.objects.get(code=code)).state
    waiting = engine.awaited(state)
    return next(seat for seat in state.seats if seat in waiting)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_newcomer_taps_the_next_hint_can_be_followed(game: str) -> None:
    for seed in range(4):
        luck, state = random.Random(seed), practice.first_position(game)
        for _tap in range(60):
            if practice.is_over(state):
                break
            for seat in engine.awaited(state):
                found = practice.suggestion(state, seat)
                assert found is not None
                if found.action:
                    offers = (
                        engine.corrections(state, found.path) if found.path else engine.offers(state, seat)
                    )
                    assert engine.is_among(offers, parse_action(found.action))
            state = engine.play(state, *random_play.tap(state, luck))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_states_nothing_is_tried_in_its_own_words(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(system(game)), "first_steps", FirstSteps())
    phone = Newcomer()
    table = phone.tries(game)
    for _tap in range(6):
        seen = phone.read(table)
        assert len(seen.pointed) == 1
        assert "taps:" in seen.told
        assert 'class="steps"' in seen.html
        phone.taps(seen)


def test_only_whoever_plays_all_sides_of_such_a_table_is_told() -> None:
    phone = Newcomer()
    table = phone.tries("tmg")
    assert 'class="steps' in phone.read(table).html
    assert 'class="steps' not in Newcomer().read(table).html
    assert "table/first-steps" not in Newcomer().read(table).html
    code = table.split("/")[2]
    Seat.objects.filter(match__code=code, key="blue").update(is_taken=False, epoch=2)
    assert 'class="steps' not in phone.read(table).html


def test_a_real_or_another_practice_table_has_none(client: Client) -> None:
    client.post("/new", {"mode": "agot/light", "name": "Ada", "seat": "stark"})
    match = Match.objects.get()
    for seat in Seat.objects.filter(match=match, is_taken=False):
        link = f"/t/{match.code}/claim/{seat.key}/{seats.link_secret(seat)}"
        client.post(link, {"key": client.get(link).context["page"].key})
    for is_practice in (False, True):
        Match.objects.update(is_practice=is_practice)
        seen = client.get(f"/t/{match.code}/")
        assert len(seen.context["page"].forms.key) > 0
        assert seen.context["board"].several
        assert 'class="steps' not in seen.content.decode()


def test_closed_first_steps_stay_away_and_only_a_player_closes_them() -> None:
    phone, another = Newcomer(), Newcomer()
    table, other = phone.tries("bushido"), another.tries("bushido", "first-steps-key-1")
    assert another.post(f"{table}guide").status_code == 403
    assert 'class="steps' in phone.read(table).html
    assert phone.post(f"{table}guide")["Location"] == table
    seen = phone.read(table)
    assert (seen.told, seen.pointed) == ("", [])
    assert "Practice" in seen.html
    assert 'class="steps' in another.read(other).html


def test_a_table_of_first_steps_fills_no_list_and_no_statistics() -> None:
    phone = Newcomer()
    code = phone.tries("agot").split("/")[2]
    match = Match.objects.get(code=code)
    assert (match.is_practice, match.is_listed, match.is_guided) == (True, False, True)
    assert code not in Newcomer().read("/").html
    own = phone.read("/").html
    assert code in own
    assert "/new?like=" not in own
    Match.objects.filter(pk=match.pk).update(round=2)
    assert list(counted()) == []


def test_the_same_tap_opens_one_table() -> None:
    phone = Newcomer()
    assert phone.tries("tmg") == phone.tries("tmg") != phone.tries("tmg", "first-steps-key-1")
    assert Match.objects.count() == 2
    assert phone.post("/first-steps/chess", {"key": "first-steps-key-2"}).status_code == 404


def test_tables_are_opened_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.OPENINGS, "credit", limits.OPENINGS.cost * 2)
    phone = Newcomer()
    answers = [
        phone.post("/first-steps/agot", {"key": f"first-steps-key-{number}"}).status_code
        for number in range(3)
    ]
    assert answers == [302, 302, 429]


def test_the_home_page_offers_a_round_to_whoever_has_no_real_table(client: Client) -> None:
    for practised in GAMES:
        fresh = client.get("/").content.decode()
        assert all(f'action="/first-steps/{game}"' in fresh for game in GAMES)
        client.post(f"/first-steps/{practised}", {"key": f"first-steps-key-{practised}"})
    client.post("/new", {"mode": "tmg/a-game-of-thrones", "name": "Ada", "seat": "red"})
    later = client.get("/").content.decode()
    assert 'action="/first-steps/' not in later
    assert 'href="/first-steps"' in later


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_is_told_the_goal_first_and_how_to_reach_another_game(game: str) -> None:
    phone = cast.Phone()
    page = phone.post(f"/first-steps/{game}", follow=True)
    steps, table = page.context["board"].first_steps, page.context["page"]
    assert steps.text.startswith("The goal: ")
    assert [link.url for link in steps.links] == ["/first-steps"]
    assert "/first-steps" in [link.url for group in table.menu for link in group.links]
