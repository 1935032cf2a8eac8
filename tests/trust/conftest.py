"""One table for a whole module: what a test does to it is taken back afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from games.models import Match
from tests.trust import cast


@pytest.fixture(scope="module")
def _built(django_db_setup: None, django_db_blocker) -> Iterator[cast.World]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield cast.build()
        transaction.set_rollback(True)


@pytest.fixture
def world(_built: cast.World, db: None) -> cast.World:
    """The table and everybody who may come to it."""
    phones = {role: phone.twin() for role, phone in _built.phones.items()}
    match, other = (Match.objects.get(pk=one.pk) for one in (_built.match, _built.other))
    return cast.World(match, phones, other, _built.event, _built.hall, _built.place_link)


@pytest.fixture(scope="module")
def _mustered(django_db_setup: None, django_db_blocker) -> Iterator[tuple[Match, cast.Phone]]:
    with django_db_blocker.unblock(), transaction.atomic():
        red = cast.Phone()
        match = cast.open_table(red, mode="tmg/a-game-of-thrones", seat="red")
        answer = red.ask("POST", f"/t/{match.code}/army/red", {"do": "read", "text": LIST})
        assert answer.status_code == 302, answer.content.decode()
        yield match, red
        transaction.set_rollback(True)


LIST = """Faction: Stark
Commander: Robb Stark - The Young Wolf

Combat Units
• Stark Sworn Swords (5)
    with Robb Stark - The Young Wolf (0)
• Umber Berserkers (6)

Non-Combat Units
• Sansa Stark - Little Bird (4)
"""


@pytest.fixture
def mustered(_mustered: tuple[Match, cast.Phone], db: None) -> tuple[Match, cast.Phone]:
    """A table of the miniatures game at which red has brought a list, and red's phone."""
    match, red = _mustered
    return Match.objects.get(pk=match.pk), red.twin()
