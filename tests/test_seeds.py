"""The demo tables: today's rules tell them unchanged, and they are planted once."""

import pytest
from django.core.management import call_command
from django.db import transaction

from games.core.system import systems
from games.management.commands.plant import seeds
from games.match import storage, transcript
from games.models import Match
from tests.retelling import retell

PATHS = [path for game in systems() for path in seeds(game.slug)]


@pytest.fixture(scope="module")
def _planted(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("plant", verbosity=0)
        yield
        transaction.set_rollback(True)


@pytest.fixture
def demos(_planted, db):
    """The tables of a fresh database with everything planted, in their order."""
    return Match.objects.order_by("pk")


@pytest.mark.parametrize("path", PATHS, ids=[f"{path.parent.name}-{path.stem}" for path in PATHS])
def test_a_demo_is_told_the_same_today(path):
    text = path.read_text(encoding="utf-8")
    assert retell(text) == text


def test_a_fresh_database_gets_every_demo_as_it_is_told(demos):
    for match, path in zip(demos, PATHS, strict=True):
        *_others, (_action, told) = transcript.positions(path.read_text(encoding="utf-8"))
        assert storage.load(match).state == told


def test_a_demo_is_finished_if_it_says_so_and_begun_otherwise(demos):
    for match, path in zip(demos, PATHS, strict=True):
        is_finished = "finished" in path.stem
        assert ((match.result is not None), match.round > 0) == (is_finished, True), path.stem


def test_a_database_in_use_is_left_alone(demos):
    call_command("plant", verbosity=0)
    assert demos.count() == len(PATHS)
