"""The same form sent twice at the same moment: it opens one thing, and both answers lead there.

On PostgreSQL the two go to two processes; on SQLite one process serves.
"""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test import Client

from games.hall.models import Event
from games.match import match_file, play
from games.models import Match
from games.web import limits
from games.webhooks.models import Webhook
from tests.browser import driving
from tests.trust.sockets import Browser, at_once

TIMES = 6
"""How many times each form is sent twice: a single pair may miss the moment by chance."""

FORMS = {
    "a table": ("/new", {"mode": "tmg/a-game-of-thrones", "name": "Ada", "seat": "red"}),
    "first steps": ("/first-steps/tmg", {}),
    "an event": ("/e/new", {"name": "Cup", "organiser": "Anna", "preset": "tournament"}),
    "practice": ("/t/{code}/replay/1/practice", {}),
}


@pytest.fixture
def ports(request: pytest.FixtureRequest, transactional_db: None) -> list[int]:
    """The ports to which the two forms are sent."""
    if connection.vendor == "postgresql":
        return [one.port for one in request.getfixturevalue("two")]
    return [request.getfixturevalue("server").port] * 2


@pytest.mark.parametrize("what", FORMS)
def test_the_same_form_sent_twice_in_one_moment_opens_one(ports: list[int], what: str):
    path, fields = FORMS[what]
    path = path.format(code=play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""}).code)
    for number in range(TIMES):
        limits.OPENINGS.forget()
        before = Match.objects.count() + Event.objects.count()
        phones = [Browser(port) for port in ports]
        phones[0].get("/")
        phones[1].cookies.update(phones[0].cookies)
        form = {**fields, "key": f"the-same-form-{number}"}
        answers = at_once([lambda phone=phone, form=form: phone.post(path, form) for phone in phones])
        assert [answer.status for answer in answers] == [302, 302], [answer.body for answer in answers]
        assert len({answer.headers["Location"] for answer in answers}) == 1
        assert Match.objects.count() + Event.objects.count() == before + 1


OPENINGS = {
    "/api/matches": {"system": "tmg", "mode": "a-game-of-thrones", "seats": [{}, {}]},
    "/api/events": {"system": "tmg", "settings": {"name": "Cup"}, "organiser": "Anna"},
}


@pytest.mark.parametrize("path", OPENINGS)
def test_the_same_opening_of_a_program_sent_twice_in_one_moment_opens_one(ports: list[int], path: str):
    wanted = OPENINGS[path]
    for number in range(TIMES):
        limits.OPENINGS.forget()
        before = Match.objects.count() + Event.objects.count()
        body = json.dumps({**wanted, "key": f"the-same-opening-{number}"})
        robots = [Browser(port) for port in ports]
        answers = at_once(
            [
                lambda robot=robot, body=body: robot.ask("POST", path, body, Content_Type="application/json")
                for robot in robots
            ]
        )
        assert [answer.status for answer in answers] == [201, 201], [answer.body for answer in answers]
        # Each answer links to the address that it was requested from.
        one, other = (re.sub(rb"127.0.0.1:\d+", b"", answer.body) for answer in answers)
        assert one == other
        assert Match.objects.count() + Event.objects.count() == before + 1


ADDED = {
    "event": ({"system": "bushido", "name": "Ryu Cup"}, Event),
    "webhook": ({"address": "https://1.1.1.1/hook", "on_score": "on", "is_active": "on"}, Webhook),
}


@pytest.mark.parametrize("what", ADDED)
def test_an_organisers_form_sent_twice_in_one_moment_adds_one(
    ports: list[int], admin_client: Client, what: str
):
    fields, model = ADDED[what]
    path = f"/admin/{model._meta.app_label}/{what}/add/"
    session = {name: morsel.value for name, morsel in admin_client.cookies.items()}
    for number in range(TIMES):
        before = model.objects.count()
        browsers = [Browser(port, session) for port in ports]
        form = {**fields, "key": f"the-same-form-{number}", "_continue": "1"}
        answers = at_once([lambda one=one, form=form: one.post(path, form) for one in browsers])
        assert [answer.status for answer in answers] == [302, 302], [answer.body for answer in answers]
        assert len({answer.headers["Location"] for answer in answers}) == 1
        assert model.objects.count() == before + 1


def test_two_who_open_a_rematch_in_one_moment_meet_at_one(ports: list[int]):
    for _time in range(TIMES):
        limits.OPENINGS.forget()
        match = driving.opened(driving.SET_UP)
        phones = {seat: Browser(port) for seat, port in zip(("red", "blue"), ports, strict=True)}
        for seat, phone in phones.items():
            assert phone.post(driving.link(match, seat), {}).status == 302
        driving.do(match, "red army/blue concede:blue\nblue end-match")
        before = Match.objects.count()
        form = {"mode": "tmg/a-game-of-thrones", "like": match.code, "key": "the-key-of-a-form"}
        answers = at_once(
            [
                lambda phone=phone, form={**form, "seat": seat, "key": f"the-key-of-{seat}"}: phone.post(
                    "/new", form
                )
                for seat, phone in phones.items()
            ]
        )
        assert [answer.status for answer in answers] == [302, 302]
        assert f"/t/{match.code}/rematch" in {answer.headers["Location"] for answer in answers}
        assert Match.objects.count() == before + 1


def test_the_same_file_brought_twice_in_one_moment_is_one_match(ports: list[int]):
    for _time in range(TIMES):
        limits.IMPORTS.forget()
        match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
        file = json.dumps(match_file.whole(match, with_secrets=True))
        before = Match.objects.count()
        phones = [Browser(port) for port in ports]
        answers = at_once(
            [
                lambda phone=phone, file=file: phone.ask(
                    "POST", "/api/import", file, Content_Type="application/json"
                )
                for phone in phones
            ]
        )
        assert sorted(answer.status for answer in answers) == [200, 201]
        assert len({json.loads(answer.body)["code"] for answer in answers}) == 1
        assert Match.objects.count() == before + 1
