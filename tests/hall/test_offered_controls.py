"""What pages offer is accepted: random events are walked, and organisers' and players' controls tried."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.hall import commands
from games.hall.rules.event_state import OPEN
from games.match.play import new_key
from games.web import limits
from tests.hall import places
from tests.hall.halls import ANNA, opened, state
from tests.hall.test_organiser import phone_of, send

pytestmark = pytest.mark.django_db

SEED, STEPS, TRIED = "first ", 18, 3
KINDS: dict[str, dict[str, Any]] = {
    "swiss": {"length": 3, "cut": 2},
    "monrad": {"kind": "monrad", "length": 2},
    "everybody": {"kind": "round-robin", "length": 0},
    "knock-out": {"kind": "knock-out", "length": 0},
    "by hand": {"kind": "free", "length": 2},
    "league": {"kind": "round-robin", "length": 2, "days": 14, "minutes": 0},
    "ladder": {"kind": "ladder", "reach": 2},
    "board game": {"system": "agot", "size": 3, "length": 2},
    "houses by bid": {"system": "agot", "size": 4, "least": 4, "length": 2, "houses": "bid"},
    "bushido": {"system": "bushido", "length": 2},
    "teams": {"team_size": 3, "length": 2},
}
HONEST = (
    "Penalty points are a number",  # An empty form that somebody has to fill in.
    "second meeting",  # Only the draw itself finds that out.
    "Tick",  # A question, asked only of what is seldom meant.
)


class Controls(HTMLParser):
    """The buttons of a page that post to the organisers' address, with what else their form sends."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, Any]] = {}
        self.buttons: list[tuple[str, str]] = []
        self.form = self.area = self.select = ""
        self.options: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        name, home = told.get("name", ""), told.get("form", self.form)
        if tag == "form":
            self.form = told.get("id") or f"form-{len(self.forms)}"
            self.forms[self.form] = {}
        elif tag == "button" and name == "do":
            self.buttons.append((home, told["value"]))
        elif tag == "input" and name and told.get("type") not in ("radio", "submit"):
            is_sent = told.get("type") != "checkbox" or "checked" in told
            self.forms.setdefault(home, {})[name] = told.get("value", "") if is_sent else ""
        elif tag == "textarea":
            self.area = name
            self.forms[home][name] = ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            self.options.setdefault(self.select, []).append(told.get("value", ""))
            if "selected" in told or self.select not in self.forms[home]:
                self.forms[home][self.select] = told.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = ""
        elif tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.area = ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.forms[self.form][self.area] += data

    def __iter__(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for home, do in self.buttons:
            yield (
                do,
                {
                    name: value
                    for name, value in self.forms.get(home, {}).items()
                    if name not in ("key", "at", "csrfmiddlewaretoken")
                },
            )


def typed(chance: random.Random, fields: dict[str, Any]) -> dict[str, Any]:
    """What a form sends once somebody has filled what it asks for."""
    words = {
        "name": f"Late {chance.random()}",
        "text": "Lunch",
        "reason": "Seen",
        "ruling": "No",
        "first": "A list",
    }
    sent = {
        name: words.get(name, value) if name in words and not value else value
        for name, value in fields.items()
    }
    for name in sent:
        if name.startswith(("vp-", "destroyed-", "scenario-")) and not sent[name]:
            sent[name] = str(chance.randint(0, 9))
        if name.startswith("place-") and not sent[name]:
            sent[name] = ""
        if name == "table" and not sent[name]:
            sent[name] = str(chance.randint(100, 900))
    return {**sent, "sure": "on"}


def pages(chance: random.Random, code: str) -> Iterator[tuple[str, ...]]:
    """The organisers' pages, one of their players' and one of their tables' among them."""
    g = state(code)
    yield ()
    yield ("players",)
    yield ("pairings",)
    yield ("settings",)
    if g.players:
        yield "player", chance.choice(list(g.players))
    if g.pairings:
        newest = [one.key for one in g.pairings.values() if one.round == g.last.number] or list(g.pairings)
        yield "table", chance.choice([*newest, *g.pairings])


def controls(
    chance: random.Random, phone: Client, code: str, page: tuple[str, ...]
) -> list[tuple[str, dict[str, Any]]]:
    answer = phone.get(reverse("-".join(("organise", *page[:1])), args=[code, *page[1:]]))
    assert answer.status_code == 200, page
    found = Controls(answer.content.decode())
    chosen = chance.choice(list(found.options) or [""])
    if page == ("settings",) and not chosen.startswith("criterion"):
        for fields in found.forms.values():
            fields.update({chosen: chance.choice(found.options[chosen])} if chosen in fields else {})
    return list(found)


def is_free(do: str, answer: Any) -> bool:
    text = answer.content.decode()
    return answer.status_code == 302 or any(sentence in text for sentence in HONEST)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_the_organisers_pages_offer_is_accepted(kind: str) -> None:
    chance = random.Random(SEED + kind)
    settings = KINDS[kind]
    code = opened(
        chance.randint(4, 9), **({"mode": "manual-scoring"} if "system" not in settings else {}), **settings
    )
    phone = phone_of(code)
    for _step in range(STEPS):
        _try_a_players_card(chance, code)
        offered = []
        for page in chance.sample(list(pages(chance, code)), 2):
            offered += [(page, *one) for one in controls(chance, phone, code, page)]
        for page, do, fields in chance.sample(offered, min(TRIED, len(offered))):
            with transaction.atomic():
                answer = send(phone, code, do, " ".join(page), **typed(chance, fields))
                told = re.findall(r'role="alert">(.*?)</p>', answer.content.decode(), re.S)
                assert is_free(do, answer), (_step, page, do, fields, told)
                transaction.set_rollback(True)
        if following := wanted(chance, offered, code):
            page, do, fields = chance.choice(following)
            send(phone, code, do, " ".join(page), **typed(chance, fields))


def _try_a_players_card(chance: random.Random, code: str) -> None:
    """Tap each button of a player's card, and follow each of its links; a tap is sometimes kept."""
    key = chance.choice(list(state(code).players))
    with transaction.atomic():
        limits.TAPS.forget()
        device = places.phone(code, key)
        body = places.ask(device, code).content.decode()
        card = re.search(r'<section class="yours.*?</section>', body, re.S)
        assert card, "there is no card"
        buttons = re.findall(r'name="do"\s+value="([^"]+)"', card[0])
        for link in set(re.findall(r'href="(/[^"#]*)"', card[0])):
            assert device.ask("GET", html.unescape(link)).status_code in (200, 302), (key, link)
        kept = chance.choice([*buttons, ""])
        for button in [*(one for one in buttons if one != kept), kept]:
            point = transaction.savepoint()
            if button:
                device = places.phone(code, key)  # Sitting down changes its session, which is taken back.
                answer = places.do(device, code, html.unescape(button), new_key())
                is_led = answer.status_code == 302 or "Play on this device" in places.said(answer)
                assert is_led, (key, button, places.said(answer))
            if button != kept or chance.random() < 0.5:
                transaction.savepoint_rollback(point)


def wanted(chance: random.Random, offered: list[Any], code: str) -> list[Any]:
    """What is really done next: mostly what leads the event on."""
    onwards = {"pair", "open_round", "close_round", "enter", "finish", "check_in_all"}
    found = [one for one in offered if one[1].split()[0] in onwards]
    last = state(code).last
    if last is not None and last.state == OPEN and chance.random() < 0.6:
        for one in state(code).at(last.number):
            if not one.is_decided and chance.random() < 0.8:
                points = chance.sample(range(10), len(one.players))
                scores = {key: {"vp": vp} for key, vp in zip(one.players, points, strict=True)}
                stated = {"scores": scores, "winner": one.players[0] if state(code).size == 2 else ""}
                stated = stated if stated["winner"] else {"scores": scores}
                commands.rule(code, ANNA, one.key, stated, "Seen")
    return found if found and chance.random() < 0.6 else [one for one in offered if one[1] != "settings"]
