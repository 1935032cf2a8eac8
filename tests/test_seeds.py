"""The demo tables: told by today's rules as they stand, and planted once."""

import pytest
from django.core.management import call_command

from games.core.system import systems
from games.management.commands.plant import seeds
from games.match import board, transcript
from games.models import Match

PATHS = [path for game in systems() for path in seeds(game.slug)]


@pytest.mark.parametrize("path", PATHS, ids=[f"{path.parents[1].name}-{path.stem}" for path in PATHS])
def test_a_demo_is_told_the_same_today(path):
    text = path.read_text(encoding="utf-8")
    assert transcript.retell(text) == text


@pytest.mark.django_db
def test_a_fresh_database_gets_every_demo_as_it_is_told():
    call_command("plant", verbosity=0)
    planted = list(Match.objects.order_by("pk"))
    for match, path in zip(planted, PATHS, strict=True):
        *_others, (_action, told) = transcript.positions(path.read_text(encoding="utf-8"))
        assert board.load(match).state == told


@pytest.mark.django_db
@pytest.mark.parametrize("game", [game.slug for game in systems() if seeds(game.slug)])
def test_a_demo_is_finished_if_it_says_so_and_begun_otherwise(game):
    call_command("plant", verbosity=0)
    planted = Match.objects.filter(system=game).order_by("pk")
    for match, path in zip(planted, seeds(game), strict=True):
        is_finished = "finished" in path.stem
        assert ((match.result is not None), match.round > 0) == (is_finished, True), path.stem


@pytest.mark.django_db
def test_a_database_in_use_is_left_alone():
    call_command("plant", verbosity=0)
    call_command("plant", verbosity=0)
    assert Match.objects.count() == len(PATHS)
