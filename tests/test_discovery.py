"""Games from other people's packages: found by their entry point, and a broken one harms no other."""

from __future__ import annotations

import ast
import io
import itertools
import logging
import re
import sys
from pathlib import Path

import polib
import pytest
from django.core.management import call_command

from games import discovery
from games.core import steps as core
from games.core import systems
from games.hall import event_actions as events
from games.hall.models import Event
from games.match import play
from games.models import Match
from tests.packages import install

ROOT = Path(__file__).parent.parent
NUMBERS = itertools.count()
GAME = '''
from games.core import Mode, Offer, Step, System, answer, say


class Only(Step):
    """DUEL-1: whoever taps first wins."""

    rule = "DUEL-1"
    title = "Draw"

    def offers(self, g, seat):
        yield Offer("draw", say("Draw"))

    @answer
    def draw(self, g, seat):
        g.result = {"winner": seat, "how": "points"}


class Duel(System):
    slug = "duel"
    title = "Duel"
    steps = (Only,)
    modes = (Mode("plain", "Plain", Only),)
    checklist = ("DUEL-1",)


SYSTEM = Duel()
'''


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder where packages are found; the games that they bring are forgotten afterwards."""
    known, stood = dict(core._registered), dict(discovery._places)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    core._registered.clear()
    core._registered.update(known)
    discovery._places.clear()
    discovery._places.update(stood)
    discovery._problems.clear()


def brought(site: Path, source: str = GAME, **more: str) -> list[str]:
    """What is said about a package with this source. Each has a new name, since Python keeps its imports."""
    package = f"somebodys_game_{next(NUMBERS)}"
    install(site, package, {"__init__.py": source}, **more)
    discovery.discover()
    return list(discovery.problems())


def slugs() -> set[str]:
    return {game.slug for game in systems()}


def test_a_game_of_another_package_is_served(site):
    before = slugs()
    assert brought(site) == []
    assert slugs() == before | {"duel"}
    place = discovery.place_of("duel")
    assert place.folder.parent == site
    assert place.owner.endswith(" 1.0")
    assert place in discovery.places()
    assert next(one.owner for one in discovery.places()) == ""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import a_module_that_is_nowhere", "cannot be loaded (ModuleNotFoundError: No module named"),
        ("def odd(:", "cannot be loaded (SyntaxError"),
        ("raise SystemExit('stop')", "cannot be loaded (SystemExit: stop)"),
        ("raise ValueError", "cannot be loaded (ValueError)"),
        ("SYSTEM = 3", "has no SYSTEM that is"),
        ("", "has no SYSTEM that is"),
        (GAME.replace('slug = "duel"', ""), "its slug is ''"),
        (GAME.replace('"duel"', '"Duel 1"'), "its slug is 'Duel 1'"),
        (GAME.replace('"duel"', '"tmg"'), "another game is called tmg already"),
        (GAME.replace('title = "Duel"', ""), "it has no title"),
        (GAME.replace('modes = (Mode("plain", "Plain", Only),)', "modes = ()"), "it has no mode"),
        (GAME.replace('Mode("plain"', 'Mode("Plain mode"'), "its mode 'Plain mode' has to be"),
        (GAME.replace("    steps =", "    seat_range = (2, 9)\n    steps ="), "it is for 2 to 9 seats"),
        (GAME.replace("    steps =", "    seat_range = (3, 3)\n    steps ="), "names 2"),
        (GAME.replace("    steps = (Only,)\n", ""), "no table of it can be opened"),
        (GAME.replace("    steps =", "    options = {'x': (5, 0, 1)}\n    steps ="), "the usual value 5"),
        (GAME.replace("    steps =", "    options = {'x': 5}\n    steps ="), "no table of it can be opened"),
    ],
)
def test_a_broken_game_is_told_of_in_one_sentence_and_the_others_are_served(site, caplog, source, reason):
    before = slugs()
    with caplog.at_level(logging.WARNING, "games.discovery"):
        (sentence,) = brought(site, source, named="duel")
    assert sentence.startswith("The game duel of somebodys-game-")
    assert " 1.0 is left out: " in sentence
    assert reason in sentence
    assert "\n" not in sentence
    assert caplog.messages == [sentence]
    assert slugs() == before


def test_an_entry_point_without_its_package_is_told_of(site):
    (sentence,) = brought(site, target="nobodys_package")
    assert sentence.endswith("is left out: there is no package nobodys_package.")
    assert all(place.package != "nobodys_package" for place in discovery.places())


def test_of_two_games_with_one_name_the_first_is_served(site):
    assert brought(site) == []
    (sentence,) = brought(site)
    assert sentence.endswith("another game is called duel already.")
    assert discovery.place_of("duel").package in sys.modules


def test_words_that_cannot_be_read_are_left_out(site, caplog):
    package = f"somebodys_game_{next(NUMBERS)}"
    folder = install(site, package, {"__init__.py": GAME, "locale/zh_Hans/LC_MESSAGES/django.mo": "no words"})
    (place,) = [place for place in discovery.places() if place.package == package]
    assert not discovery.catalogues_can_be_read(place)
    assert "cannot be read; they are left out." in caplog.messages[0]
    polib.POFile().save_as_mofile(str(folder / "locale/zh_Hans/LC_MESSAGES/django.mo"))
    assert discovery.catalogues_can_be_read(place)


@pytest.mark.django_db
def test_a_demo_table_that_is_told_wrongly_is_left_out(site):
    package, told = f"somebodys_game_{next(NUMBERS)}", io.StringIO()
    tables = {
        "seeds/1-odd.txt": "game duel mode=plain seed=x\nred nonsense\n",
        "seeds/2-new.txt": "game duel mode=plain seed=x\n",
    }
    install(site, package, {"__init__.py": GAME, **tables})
    discovery.discover()
    call_command("plant", verbosity=0, stderr=told)
    assert re.match(r"The demo table 1-odd\.txt of somebodys-game-\d+ 1\.0 is left out: .", told.getvalue())
    assert Match.objects.filter(system="duel").count() == 1
    assert Match.objects.exclude(system="duel").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["t/{code}/", "t/{code}/history", "e/{event}/", "e/{event}/standings"])
def test_pages_of_a_game_that_was_uninstalled_say_so(client, page):
    """After a restart nothing here has ever heard of it."""
    event = events.open_event({"system": "rps", "name": "Cup", "mode": "plain"}, events.Actor())
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    for rows in (Match.objects, Event.objects):
        rows.update(system="lanterns")
    answer = client.get("/" + page.format(code=match.code, event=event.code))
    assert answer.status_code == 503
    assert "is not installed here right now" in answer.content.decode()


def test_forms_begin_with_the_game_that_says_so(monkeypatch):
    (usual,) = [game for game in systems() if game.featured]
    assert core.usual() is usual
    monkeypatch.setattr(type(usual), "featured", False)
    assert core.usual() is systems()[0]


# --- nothing outside a game's folder knows a game ----------------------------------------------------


SHARED = {"points", "target", "ruleset"}
"""Options that forms and the API have their own words for, whichever game has them."""


def texts(path: Path) -> set[str]:
    """The strings of a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    }


def shared(*patterns: str) -> list[Path]:
    """The files of the program that are not a game's own."""
    found = [path for pattern in patterns for path in ROOT.glob(pattern)]
    return [path for path in found if not path.is_relative_to(ROOT / "games" / "systems")]


def test_no_shared_module_names_a_game_or_an_option_of_one():
    options = {option for game in systems() for option in game.options} - SHARED
    names = {path.parent.name for path in ROOT.glob("games/systems/*/__init__.py")} | options
    modules = shared("config/*.py", "games/**/*.py", "manage.py")
    assert len(modules) > 100
    for path in modules:
        parts = {part for text in texts(path) for part in text.replace(":", "/").split("/")}
        assert parts & names == set(), path


def test_no_shared_template_style_or_script_names_a_game():
    names = [path.parent.name for path in ROOT.glob("games/systems/*/__init__.py")]
    files = shared("templates/**/*.html", "static/**/*.css", "static/**/*.js")
    assert len(files) > 50
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not [name for name in names if name in text], path
