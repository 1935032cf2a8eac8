"""Phones at an event: whose place they hold, and what their pages say."""

from __future__ import annotations

import html
import re
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from games.hall import event_actions, event_links
from games.hall.models import Event, Player
from tests.trust.cast import Phone


def row(code: str, key: str) -> Player:
    """A player's row."""
    return Player.objects.select_related("event").get(event__code=code, key=key)


def link(code: str, key: str) -> str:
    """The path of a player's own link."""
    return reverse("event-me", args=[code, event_links.secret(row(code, key))])


def phone(code: str, key: str = "", other: Phone | None = None) -> Phone:
    """A phone that holds a player's place (nobody's without a key)."""
    found = other or Phone()
    if key:
        assert found.ask("POST", link(code, key)).status_code == 302
    return found


def ask(phone: Phone, code: str, name: str = "event", *arguments: Any, **query: str) -> HttpResponse:
    """A page of the event."""
    path = reverse(name, args=[code, *arguments])
    return phone.ask("GET", path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else ""))


def said(answer: HttpResponse) -> str:
    """The words of a page."""
    body = answer.content.decode()
    main = body.partition("<main")[2] or body
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def page(phone: Phone, code: str, name: str = "event", *arguments: Any) -> str:
    """The words of a page that is there."""
    answer = ask(phone, code, name, *arguments)
    assert answer.status_code == 200, answer.content.decode()
    return said(answer)


def card(phone: Phone, code: str) -> str:
    """The words of the player's own card."""
    body = ask(phone, code).content.decode()
    found = re.search(r'<section class="yours.*?</section>', body, re.S)
    assert found, "there is no card"
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


def post(phone: Phone, code: str, page: str, /, **form: str) -> HttpResponse:
    """Send one of the event's forms."""
    return phone.ask("POST", reverse(page, args=[code]), {"key": "key-of-a-page-0", **form})


def do(phone: Phone, code: str, what: str, key: str = "key-of-a-page-0") -> HttpResponse:
    """Tap a button of the event's page."""
    return post(phone, code, "event-do", do=what, key=key)


def agreeing(phone: Phone, code: str) -> str:
    """What the button says that agrees with the report on a player's own card."""
    found = re.search(r'value="(agree-[\w-]+)"', ask(phone, code).content.decode())
    assert found, "there is nothing to agree with"
    return found[1]


def version(code: str) -> int:
    """The event's version."""
    return Event.objects.get(code=code).version


def table_of(code: str, key: str) -> tuple[str, str]:
    """The code of a player's table in the newest round, and their seat at it."""
    g = event_actions.load(code).state
    found = g.pairing_of(key, g.last.number)
    return found.match, found.seats[found.players.index(key)]


def pair_of(code: str) -> tuple[str, str]:
    """The players of the first table of the newest round."""
    g = event_actions.load(code).state
    return next(iter(g.at(g.last.number))).players
