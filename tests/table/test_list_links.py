"""Links of list builders: an address fills the page of a new table, or brings a list to one that waits."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from games.core import system
from games.match import play, storage
from games.models import Entry, Match, Seat
from games.people import seats
from tests.table.test_start import LIST, opened
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db
DOCS = (Path(settings.BASE_DIR) / "docs" / "list-links.md").read_text("utf-8")


def packed(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def page_at(path: str, client: Client | None = None) -> Any:
    answer = (client or Client()).get(path)
    assert answer.status_code == 200
    return answer.context["page"]


def army_of(match: Match, seat: str) -> Any:
    return system(match.system).roster(storage.load(match).state, seat)


@pytest.mark.parametrize("said", [{"list": LIST}, {"list64": packed(LIST)}], ids=["text", "base64url"])
def test_a_link_fills_the_page_and_one_tap_brings_the_list(said: dict[str, str]) -> None:
    client = Client()
    asked = urlencode({**said, "mode": "a-clash-of-kings", "points": "50", "name": "Ada", "seat": "blue"})
    page = page_at(f"/new/tmg?{asked}", client)
    assert Match.objects.count() == 0
    assert page.errors == {}
    assert [mode.value for mode in page.modes if mode.selected] == ["tmg/a-clash-of-kings"]
    assert [size.value for size in page.points if size.selected] == ["50"]
    assert (page.name, page.armies) == ("Ada", ())
    assert page.brought.text == LIST.strip()
    assert page.brought.summary.startswith("Stark")
    form = {"mode": "tmg/a-clash-of-kings", "points": "50", "name": "Ada", "seat": "blue", "army": ""}
    answer = client.post("/new", {**form, "list": page.brought.text, "key": page.key})
    match = Match.objects.get()
    assert answer["Location"] == f"/t/{match.code}/"
    assert [row.name for row in army_of(match, "blue").rows] == ["Stark Sworn Swords", "Robb Stark"]
    assert army_of(match, "red") is None
    # The same form again leads to the same table, where nothing is brought twice.
    assert client.post("/new", {**form, "list": page.brought.text, "key": page.key}).status_code == 302
    assert Match.objects.get().version == match.version


def test_what_is_odd_about_a_list_is_said_before_the_tap() -> None:
    page = page_at(f"/new/tmg?{urlencode({'list': LIST.replace('Sworn Swords', 'Swrn Swirds')})}")
    assert page.errors == {}
    assert any("Swrn" in warning for warning in page.brought.warnings)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"list64": "a"}, "damaged or cut off"),
        ({"list64": "!!!!"}, "damaged or cut off"),
        ({"list64": packed("x")[:1] + "\u00e9"}, "damaged or cut off"),
        ({"list64": base64.b64encode(b"\xff\xfe\xfd").decode()}, "damaged or cut off"),
        ({"list": "https://builder.example/lists/77"}, "address of a list"),
        ({"list": "\u200b"}, "nothing to read"),
        ({"list": "Faction: Stark\u202e"}, ""),
        ({"list": f"{LIST}\n\n{LIST.replace('Robb', 'Brandon')}"}, ""),
        ({"list": LIST, "mode": "no-such-mode"}, ""),
        ({"list": LIST, "points": "9999999"}, ""),
        ({"list": LIST, "game": "no-such-game"}, ""),
    ],
)
def test_a_bad_link_is_told_and_loses_nothing(said: dict[str, str], sentence: str) -> None:
    client, path = Client(), "/new" if "game" in said else "/new/tmg"
    answer = client.get(f"{path}?{urlencode(said)}")
    page, text = answer.context["page"], answer.content.decode()
    assert answer.status_code == 200
    if sentence:
        assert sentence in page.errors["list"]
        assert page.errors["list"] in html.unescape(text)
    if said.get("list") == LIST:
        assert page.brought.text == LIST.strip()
        assert page.errors or "game" in said
    assert Match.objects.count() == 0
    if "list" in page.errors and page.brought.text:
        form = {"mode": "tmg/a-game-of-thrones", "name": "Ada", "list": page.brought.text}
        again = client.post("/new", form)
        assert again.status_code == 422
        assert again.context["page"].brought.text == page.brought.text
        assert Match.objects.count() == 0


def test_several_lists_in_one_link_are_not_guessed_from() -> None:
    second = LIST.replace("Robb Stark", "Eddard Stark")
    page = page_at(f"/new/tmg?{urlencode({'list': LIST + chr(10) * 3 + second})}")
    assert page.errors == {"list": "This text contains several lists. Keep only one."}
    assert second.strip() in page.brought.text


def test_another_game_is_chosen_without_losing_the_list() -> None:
    page = page_at(f"/new/bushido?{urlencode({'list': LIST})}")
    other = next(link.url for link in page.games if "game=tmg" in link.url)
    assert page_at(other).brought.text == LIST.strip()


def test_a_game_without_armies_says_so() -> None:
    page = page_at(f"/new/agot?{urlencode({'list': LIST})}")
    assert page.sentences == ("This game needs no army list.",)
    assert page.brought is None


def test_a_link_to_a_table_leads_to_the_seat_and_to_one_more_tap() -> None:
    client = Client()
    match = opened(client)
    answer = client.get(f"/t/{match.code}/?{urlencode({'list64': packed(LIST)})}", follow=True)
    assert answer.redirect_chain[-1][0].startswith(f"/t/{match.code}/army/blue?")
    page = answer.context["page"]
    assert (page.text, page.rows) == (LIST.strip(), ())
    assert page.notice.text.startswith("This list came with the link.")
    assert client.post(page.post_url, {"do": "read", "text": page.text}).status_code == 302
    assert army_of(match, "blue") is not None
    damaged = client.get(f"/t/{match.code}/army/blue?list64=a").context["page"]
    assert (damaged.notice.tone, "damaged" in damaged.notice.text) == ("bad", True)


def test_a_link_to_a_table_goes_along_until_its_bringer_has_a_seat() -> None:
    host, guest = Client(), Client()
    match = opened(host)
    said = urlencode({"list": LIST})
    answer = guest.get(f"/t/{match.code}/?{said}")
    assert answer["Location"] == f"/t/{match.code}/join?{said}"
    asks = guest.get(answer["Location"]).context["page"]
    waits = guest.post(asks.post_url, {"name": "Bo", "seat": "red", "key": asks.key})
    assert waits["Location"] == f"/t/{match.code}/join?{said}"
    wanted = seats.open_requests(match)[0].pk
    host.post(f"/t/{match.code}/guests", {"let_in": str(wanted), "key": play.new_key()})
    granted = guest.get(waits["Location"]).context["page"]
    sits = guest.post(granted.post_url, {"key": granted.key})
    assert sits["Location"] == f"/t/{match.code}/army/red?{said}"
    assert guest.get(sits["Location"]).context["page"].text == LIST.strip()


def test_a_list_for_a_match_that_has_begun_stays_out() -> None:
    client = Client()
    match = opened(client)
    Match.objects.filter(pk=match.pk).update(round=1)
    answer = client.get(f"/t/{match.code}/?{urlencode({'list': LIST})}")
    assert answer.status_code == 409
    assert "can no longer be used" in answer.content.decode()


def test_a_list_for_a_match_that_is_shown_late_leads_to_its_seats() -> None:
    match = opened(Client())
    Match.objects.filter(pk=match.pk).update(watch_delay=5)
    said = urlencode({"list": LIST})
    assert Client().get(f"/t/{match.code}/?{said}")["Location"] == f"/t/{match.code}/join?{said}"
    assert Client().get(f"/t/{match.code}/")["Location"] == f"/t/{match.code}/watch"


def test_looking_at_a_link_writes_nothing() -> None:
    client = Client()
    match = opened(client)
    before = (match.version, Entry.objects.count(), Seat.objects.filter(is_taken=True).count())
    for path in ("/new/tmg", f"/t/{match.code}/", f"/t/{match.code}/join", f"/t/{match.code}/army/blue"):
        client.get(f"{path}?{urlencode({'list': LIST})}", follow=True)
        Phone().ask("GET", f"{path}?list={quote(LIST)}")
    match.refresh_from_db()
    assert (match.version, Entry.objects.count(), Seat.objects.filter(is_taken=True).count()) == before


EXAMPLES = re.findall(r"https://roundtable\.example(/(?:new|t)/\S+list\S+)", DOCS)


def test_the_examples_of_the_documentation_are_read() -> None:
    match = opened(client := Client())
    for example in EXAMPLES:
        address = urlsplit(example.replace("K7QWXM", match.code))
        page = client.get(f"{address.path}?{address.query}", follow=True).context["page"]
        assert len(example) < 4096
        if address.path.startswith("/new/"):
            assert (page.errors, page.brought.warnings) == ({}, ()), example
            assert parse_qs(address.query).keys() & {"list", "list64"}
        else:
            assert page.text.startswith("Faction: Stark")
    assert len(EXAMPLES) >= 4


def test_the_program_of_the_documentation_makes_a_link() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCS, re.S)
    names: dict[str, Any] = {}
    exec(program, names)
    address = urlsplit(names["link"](LIST))
    assert page_at(f"{address.path}?{address.query}").brought.text == LIST.strip()
