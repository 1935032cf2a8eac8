"""The same form sent twice in one moment: it opens one thing, and both answers lead there.

On PostgreSQL the two go to two processes; on SQLite one process serves.
"""

from __future__ import annotations

import pytest
from django.db import connection

from games.events.models import Event
from games.match import play
from games.models import Match
from games.web import limits
from tests.trust.sockets import Browser, at_once

TIMES = 6
"""How often each form is sent twice: one pair may miss the moment by chance."""

FORMS = {
    "a table": ("/new", {"mode": "tmg/a-game-of-thrones", "name": "Ada", "seat": "red"}),
    "first steps": ("/first-steps/tmg", {}),
    "an event": ("/e/new", {"name": "Cup", "organiser": "Anna", "preset": "tournament"}),
    "practice": ("/t/{code}/replay/1/practice", {}),
}


@pytest.fixture
def ports(request: pytest.FixtureRequest, transactional_db: None) -> list[int]:
    """Where the two forms are sent."""
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
