"""What `test_fourth_game` runs where the tutorial's game is installed: an evening of it through the pages."""

from __future__ import annotations

import io
import re

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from games.core import steps as core
from games.core import systems
from games.discovery import place_of
from games.management.commands.plant import planted
from games.management.commands.plant import seeds as demos
from games.match import play, storage
from games.models import Match, Seat
from games.people import seats
from tests.admin.in_admin import saved
from tests.words.test_words import ENGLISH, english

pytestmark = pytest.mark.django_db

EVENING = [("2", "1"), ("0", "0"), ("3", "1"), ("1", "2"), ("0", "1")]
"""The bids of red and blue for each lantern, with seven drops each."""
PAGES = ("", "history", "score", "seats", "verify", "print", "rules", "piece/army/red")


class Phone(Client):
    """A player's phone: it taps with the version that its page shows."""

    def board(self, code):
        return self.get(f"/t/{code}/").context["board"]

    def post_to(self, code, view, **form):
        version = self.board(code).version
        sent = {"seen": str(version), "key": play.new_key(), **form}
        return self.post(f"/t/{code}/{view}", sent, headers={"HX-Request": "true"})

    def tap(self, code, action, **form):
        answer = self.post_to(code, "act", action=action, **form)
        assert answer.status_code == 200, answer.content.decode()
        return answer.content.decode()


@pytest.fixture
def red() -> Phone:
    return Phone()


@pytest.fixture
def blue() -> Phone:
    return Phone()


@pytest.fixture
def code(red: Phone, blue: Phone) -> str:
    """A table that red opened by the form, and at which blue has sat down by the link."""
    red.post("/new", {"mode": "lanterns/evening", "name": "Ada", "rival": "Bo", "seat": "red", "oil": "7"})
    match = Match.objects.get()
    seat = Seat.objects.get(match=match, key="blue")
    link = f"/t/{match.code}/claim/blue/{seats.link_secret(seat)}"
    assert blue.post(link, {"key": blue.get(link).context["page"].key}).status_code == 302
    return match.code


def played(code: str, red: Phone, blue: Phone, bids=EVENING) -> Match:
    red.tap(code, "begin")
    for mine, theirs in bids:
        red.tap(code, "bid", **{"number:bid": mine})
        blue.tap(code, "bid", **{"number:bid": theirs})
    return Match.objects.get(code=code)


def test_the_form_of_a_new_table_asks_what_the_game_asks(red: Phone) -> None:
    page = red.get("/new?game=lanterns").context["page"]
    assert [mode.value for mode in page.modes] == ["lanterns/evening"]
    assert [(one.name, one.value, one.least, one.most) for one in page.choices] == [("oil", "9", 5, 20)]
    refused = red.post("/new", {"mode": "lanterns/evening", "name": "Ada", "seat": "red", "oil": "21"})
    assert (refused.status_code, list(refused.context["page"].errors)) == (422, ["oil"])
    assert not Match.objects.exists()


def test_a_bid_stays_hidden_until_both_are_in(code: str, red: Phone, blue: Phone) -> None:
    red.tap(code, "begin")
    red.tap(code, "bid", **{"number:bid": "6"})
    watched = [
        phone.get(f"/t/{code}/{page}").content.decode()
        for phone in (blue, Client())
        for page in ("", "history")
    ]
    assert all("Ada has bid." in text for text in watched[1::2])
    assert not any("Ada bid 6." in text for text in watched)
    assert "Ada bid 6." in blue.tap(code, "bid", **{"number:bid": "1"})


def test_an_evening_is_played_to_its_end(code: str, red: Phone, blue: Phone) -> None:
    match = played(code, red, blue)
    assert match.result == {"winner": "red", "how": "points"}
    g = storage.load(match).state
    assert (g.points("red"), g.points("blue")) == (2 + 3 + 4, 3 + 5)
    assert [player.oil for player in g.armies.values()] == [1, 2]
    card = red.get(f"/t/{code}/score")
    assert "Mill lantern" in card.content.decode()
    assert "with more points" in blue.get(f"/t/{code}/").content.decode()
    told = red.get(f"/t/{code}/history").content.decode()
    assert "Harbour lantern stays dark; its points go on." in told
    assert red.get(f"/t/{code}/verify").status_code == 200
    assert red.get(f"/t/{code}/print").status_code == 200
    assert red.get(f"/t/{code}/score.png").status_code == 200


def test_the_log_alone_replays_it_and_todays_rules_agree(code: str, red: Phone, blue: Phone) -> None:
    match = played(code, red, blue)
    assert storage.final_position(match) == storage.load(match).state
    out = io.StringIO()
    call_command("replay", code, "--check", stdout=out)
    assert "the rules of today say the same" in out.getvalue()


def test_a_tap_is_taken_back_and_one_that_revealed_something_asks(code: str, red: Phone, blue: Phone) -> None:
    red.tap(code, "begin")
    red.tap(code, "bid", **{"number:bid": "6"})
    before = Match.objects.get(code=code).version
    red.post_to(code, "undo", undo=str(before))
    g = storage.load(Match.objects.get(code=code)).state
    assert g.armies["red"].hidden == {}
    red.tap(code, "bid", **{"number:bid": "2"})
    blue.tap(code, "bid", **{"number:bid": "1"})
    red.post_to(code, "undo", undo=str(Match.objects.get(code=code).version))
    assert storage.load(Match.objects.get(code=code)).state.round == 2
    assert blue.board(code).request is not None
    blue.post_to(code, "undo", undo="agree")
    assert storage.load(Match.objects.get(code=code)).state.round == 1


def test_oil_is_corrected_beside_the_question(code: str, red: Phone, blue: Phone) -> None:
    red.tap(code, "begin")
    sheet = red.get(f"/t/{code}/piece/army/red").content.decode()
    assert "Drops of oil" in sheet
    answer = red.post_to(code, "adjust", change="army/red oil:red:-2")
    assert answer.status_code == 200
    assert "5 drops of oil" in red.get(f"/t/{code}/").content.decode()


def test_the_page_has_its_style_and_its_rules(code: str, red: Phone) -> None:
    text = red.get(f"/t/{code}/").content.decode()
    assert "lanterns/lanterns" in text
    assert finders.find("lanterns/lanterns.css")
    assert f"/t/{code}/rules#LAN-1" in text
    shown = re.findall(r'<dt id="([\w-]+)">', red.get("/rules/lanterns").content.decode())
    assert shown == list(core.system("lanterns").checklist)


def test_an_organiser_sees_and_mends_it(code: str, red: Phone, client: Client) -> None:
    red.tap(code, "begin")
    client.force_login(User.objects.create_superuser("olenna", password="thorns-and-roses"))
    match = Match.objects.get(code=code)
    army = match.armies.get(key="red")
    page = client.get(f"/admin/games/army/{army.pk}/change/").content.decode()
    assert 'name="oil"' in page
    assert saved(client, army, reason="counted again", oil="3").status_code == 302
    assert storage.load(match).state.armies["red"].oil == 3
    assert "Lanterns" in client.get("/admin/games/match/?game=lanterns").content.decode()
    assert client.get(f"/admin/games/match/{match.pk}/change/").status_code == 200


def test_every_page_is_in_chinese_too(code: str, red: Phone, blue: Phone) -> None:
    reader = Client(headers={"Accept-Language": "zh-hans"})
    red.defaults["HTTP_ACCEPT_LANGUAGE"] = blue.defaults["HTTP_ACCEPT_LANGUAGE"] = "zh-hans"
    tests_own = [game.title for game in systems() if not (place_of(game.slug).folder / "locale").exists()]
    names = {"Ada", *ENGLISH.findall(" ".join([code, *tests_own]))}
    addresses = [f"/t/{code}/{page}" for page in PAGES]
    answers = [reader.get("/new?game=lanterns"), reader.get("/rules/lanterns")]
    red.tap(code, "begin")
    answers += [phone.get(address) for phone in (red, reader) for address in addresses]
    for mine, theirs in EVENING:
        red.tap(code, "bid", **{"number:bid": mine})
        blue.tap(code, "bid", **{"number:bid": theirs})
    answers += [phone.get(address) for phone in (red, reader) for address in addresses]
    for answer in answers:
        # Who only watches is refused the sheet of a piece, in Chinese.
        assert answer.status_code in (200, 403)
        assert english(answer, names) == [], answer.request["PATH_INFO"]
    assert "分数更多" in answers[-len(PAGES)].content.decode()
    assert "芦苇灯" in red.get(f"/t/{code}/history").content.decode()


def test_the_api_offers_it(client: Client) -> None:
    (game,) = [game for game in client.get("/api/systems").json()["systems"] if game["slug"] == "lanterns"]
    assert [option["title"] for option in game["options"]] == ["Drops of oil for each player"]


def test_its_demo_table_is_planted() -> None:
    (path,) = demos("lanterns")
    match = planted(path)
    assert (match.is_demo, storage.load(match).state.carried) == (True, 3)


def test_a_table_of_a_game_that_is_gone_is_kept_and_harms_nothing(code, red, client, monkeypatch) -> None:
    rest = {game.slug: game for game in systems() if game.slug != "lanterns"}
    monkeypatch.setattr(core, "_registered", rest)
    answer = red.get(f"/t/{code}/")
    assert answer.status_code == 503
    assert "is not installed here right now" in answer.content.decode()
    assert red.get("/").status_code == 200
    client.force_login(User.objects.create_superuser("olenna", password="thorns-and-roses"))
    for page in ("match", "army", "unit", "objective", "entry", "catalogueentry"):
        assert client.get(f"/admin/games/{page}/").status_code == 200
    assert Match.objects.filter(code=code).exists()
