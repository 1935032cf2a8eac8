"""Every form of every page, sent with odd values: never a fault, and what is refused changes nothing.

The pages that each role may open are opened, and their forms read as a browser reads them. Then each form is
sent again and again, with one or two fields replaced from the catalogue of bad input, one left out, one sent
twice, or one added. The answer is a page with a sentence or a redirect to another page, and nothing refused
has changed a table.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import islice
from typing import Any
from unittest import mock
from urllib.parse import urljoin, urlsplit

from django.db import transaction

from tests.soak.report import Report
from tests.soak.requests import standing
from tests.trust import cast
from tests.trust.catalogue import ANYWHERE, LISTS, NAMES, NUMBERS
from tests.trust.test_bad_input import says

ODD = tuple(dict.fromkeys((*(one.text for one in (*NAMES, *LISTS)), *NUMBERS, *ANYWHERE)))
ROLES = ("red", "watcher", "anon", "organiser")
NOT_PAGES = ("/admin/logout", "/i18n", "/api", "/static", "/healthz", "/readyz")
FORMS_A_PAGE = 12
"""How many forms of a page to send: of many similar ones, only the first."""
BREAKS: dict[str, Any] = {
    "lax": lambda: mock.patch("games.pages.common.clean_int", lambda raw, *_bounds, **_named: int(raw))
}


@dataclass
class Form:
    """A form of a page: where it goes, and what a browser would send."""

    role: str
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class Reader(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self, role: str, path: str) -> None:
        super().__init__()
        self.role, self.path = role, path
        self.forms: list[Form] = []
        self.by_id: dict[str, Form] = {}
        self.form: Form | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attributes}
        if tag == "form":
            action = urlsplit(urljoin(self.path, told.get("action", "")))
            where = action.path + (f"?{action.query}" if action.query else "")
            self.form = Form(self.role, where, told.get("method", "get").upper())
            self.forms.append(self.form)
            self.by_id[told.get("id", "")] = self.form
        elif tag in ("input", "select", "textarea", "button") and told.get("name"):
            form = self.by_id.get(told["form"]) if told.get("form") else self.form
            if form is not None:
                form.fields.setdefault(told["name"], told.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None


def run(requests: int, broken: str = "") -> Report:
    """Send a number of forms. `broken="lax"` reads numbers with `int`, which must be caught."""
    report, luck = Report(), random.Random(requests)
    with BREAKS.get(broken, nullcontext)(), transaction.atomic():
        world = cast.build()
        forms = list(islice(forms_of(world, report), requests))
        report.count("forms", len(forms))
        for number in range(requests):
            form = forms[number % len(forms)]
            with transaction.atomic():
                send(world, form, luck, report)
                transaction.set_rollback(True)
            if len(report.wrong) > 100:
                break
        transaction.set_rollback(True)
    return report


def forms_of(world: cast.World, report: Report) -> Iterator[Form]:
    """Every different form of every page, taking pages and roles in random order."""
    known: set[tuple[str, ...]] = set()
    paths = dict.fromkeys(one.path(world.arguments(one.name)) for one in cast.addresses())
    looks = [(role, path) for path in paths if not path.startswith(NOT_PAGES) for role in ROLES]
    random.Random(len(looks)).shuffle(looks)
    # The pages of a table come first: a short run gets no further.
    for role, path in sorted(looks, key=lambda look: not look[1].startswith(("/t/", "/new", "/e/"))):
        answer = world.phones[role].twin().ask("GET", path)
        report.unless(answer.status_code < 500, f"{role} {path}: a fault, {answer.status_code}")
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        report.count("pages")
        reader = Reader(role, path)
        reader.feed(answer.content.decode())
        for form in reader.forms[:FORMS_A_PAGE]:
            mark = (role, form.method, form.action, *sorted(form.fields)[:8])
            if mark not in known:
                known.add(mark)
                yield form


def spoilt(fields: dict[str, str], luck: random.Random) -> dict[str, Any]:
    """What is sent instead of what the page proposed."""
    names, sent = [name for name in fields if name != "csrfmiddlewaretoken"] or ["x"], dict[str, Any](fields)
    for _field in range(luck.choice((1, 1, 2))):
        name, fate = luck.choice(names), luck.randrange(8)
        if fate == 0:
            sent.pop(name, None)
        elif fate == 1:
            sent[name] = [sent.get(name, ""), luck.choice(ODD)]
        elif fate == 2:
            sent[luck.choice(("id", "more", "__class__"))] = luck.choice(ODD)
        else:
            sent[name] = luck.choice(ODD)
    return sent


def send(world: cast.World, form: Form, luck: random.Random, report: Report) -> None:
    """One form, once."""
    before, sent = (standing(), world.fingerprint()), spoilt(form.fields, luck)
    answer = world.phones[form.role].twin().ask(form.method, form.action, sent)
    odd = {name: value for name, value in sent.items() if form.fields.get(name) != value}
    where = f"{form.role} {form.method} {form.action} {odd!r:.200}"
    report.count("requests")
    if answer.status_code >= 500:
        report.wrong.append(f"{where}: a fault, {answer.status_code}")
    elif answer.status_code >= 400:
        report.count("refused")
        report.unless(says(answer), f"{where}: {answer.status_code} without a sentence")
        report.unless((standing(), world.fingerprint()) == before, f"{where}: refused, and done")
    else:
        report.count("answered")
        target = urlsplit(answer.get("Location", ""))
        report.unless(not target.netloc and target.scheme in ("", "http"), f"{where}: leads to {target}")
