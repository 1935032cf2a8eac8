"""An organiser at the admin, tables of the tests' tiny games and of the miniatures game."""

from __future__ import annotations

from collections.abc import Iterator

import django.test.client
import pytest
from django.contrib.auth.models import Permission, User
from django.db import transaction

from games.match import play
from games.models import Match
from games.systems.tmg.tests import tables
from tests.admin.in_admin import put, started

HOUSES = ("stark", "lannister", "baratheon")


@pytest.fixture(autouse=True)
def _fewer_contexts(monkeypatch):
    """The test client copies the context of every control of a form; pages are enough to look at."""
    store = django.test.client.store_rendered_templates

    def stores(kept, signal, sender, template, context, **rest):
        if not template.name.startswith("django/forms/"):
            store(kept, signal, sender, template, context, **rest)

    monkeypatch.setattr("django.test.client.store_rendered_templates", stores)


@pytest.fixture
def organiser(db) -> User:
    return User.objects.create_superuser("olenna", password="thorns-and-roses")


@pytest.fixture
def admin_client(client, organiser):
    """The organiser's browser."""
    client.force_login(organiser)
    return client


@pytest.fixture
def onlooker(client, db):
    """A browser of somebody who may look at everything and change nothing."""
    user = User.objects.create_user("varys", password="little-birds-sing", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    return client


@pytest.fixture
def auction(db) -> Match:
    """Three houses that bid; nobody has sealed anything."""
    return play.open_match(
        "auction", "tracks", {house: house.title() for house in HOUSES}, seed="canary-seed"
    )


@pytest.fixture
def rps(db) -> Match:
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Berta"}, seed="canary-seed")


@pytest.fixture(scope="module")
def _opened(django_db_setup: None, django_db_blocker) -> Iterator[Match]:
    names = {"red": "Robb", "blue": "Tywin"}
    red = (tables.infantry("wolves"), tables.ncu("catelyn"))
    blue = (tables.infantry("lions"), tables.cavalry("knights"))
    with django_db_blocker.unblock(), transaction.atomic():
        match = play.open_match("tmg", "a-game-of-thrones", names, seed="canary-seed")
        put(match, tables.table(red, blue))
        yield match
        transaction.set_rollback(True)


@pytest.fixture
def tmg(_opened: Match, db: None) -> Match:
    """Two units a side around five tokens, in the first round.

    One for a whole module: what a test does to it is taken back afterwards.
    """
    return Match.objects.get(pk=_opened.pk)


@pytest.fixture
def no_table(db: None) -> None:
    """No match is there, not even the module's own."""
    Match.objects.all().delete()


@pytest.fixture
def whole(db) -> Match:
    """Two demo armies on the table, in the first round."""
    return started("tmg", "a-game-of-thrones", {"red": "Robb", "blue": "Tywin"}, 7)
