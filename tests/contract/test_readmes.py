"""Each game's README is its checklist: every rule once, and everything it names exists and is tested."""

from __future__ import annotations

import importlib
import inspect
import re
from functools import cache, reduce
from pathlib import Path
from typing import Any

import pytest

from games import discovery
from games import systems as folders
from games.core import systems
from tests.positions import all_steps

ROW = re.compile(r"^\| ([A-Z]+-?\d+) \| (.+?) \|(?: (.+?) \|)?$", re.MULTILINE)
OURS = Path(folders.__file__).parent
FOLDERS = {game.slug: discovery.place_of(game.slug).folder for game in systems()}
GAMES = [game for game in systems() if (FOLDERS[game.slug] / "README.md").exists()]


def rows(slug: str) -> list[tuple[str, str, str]]:
    """Every rule as often as it is there: its id, its sentence, and the code that carries it out."""
    return ROW.findall((FOLDERS[slug] / "README.md").read_text(encoding="utf-8"))


def carriers(slug: str) -> dict[str, str]:
    """Rule → the code that carries it out."""
    return {rule: places for rule, _text, places in rows(slug)}


@cache
def marked(slug: str) -> set[str]:
    """The rules that a test of the game is marked with."""
    sources = (path.read_text(encoding="utf-8") for path in FOLDERS[slug].glob("tests/test_*.py"))
    return set(re.findall(r'^@pytest\.mark\.rule\("([A-Z]+-?\d+)"\)', "\n".join(sources), re.MULTILINE))


def named(game: Any, place: str) -> Any:
    """What a dotted name such as `round.Turn` refers to, starting from the game's package or its class."""
    first, *rest = place.split(".")
    if first == type(game).__name__:
        return reduce(getattr, rest, type(game))
    return reduce(getattr, rest, importlib.import_module(f"{discovery.place_of(game.slug).package}.{first}"))


CARRIED = [pytest.param(game, rule, id=rule) for game in GAMES for rule in carriers(game.slug)]


def test_every_folder_of_games_is_a_game_with_a_readme():
    folders = {path.parent for path in OURS.glob("*/__init__.py")}
    assert folders
    assert {FOLDERS[game.slug] for game in GAMES} >= folders


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_rule_of_the_checklist_stands_in_exactly_one_table(game):
    assert sorted(rule for rule, *_rest in rows(game.slug)) == sorted(game.checklist)


@pytest.mark.parametrize(("game", "rule"), CARRIED)
def test_what_carries_a_rule_exists(game, rule):
    places = re.findall(r"`([\w.]+)`", carriers(game.slug)[rule])
    assert places
    for place in places:
        found = named(game, place)
        assert callable(found) or inspect.ismodule(found)


@pytest.mark.parametrize(("game", "rule"), CARRIED)
def test_a_rule_that_is_built_has_a_test(game, rule):
    assert rule in marked(game.slug)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_step_stands_beside_a_rule(game):
    places = set(re.findall(r"`[\w.]*?(\w+)`", " ".join(carriers(game.slug).values())))
    assert {step.__name__ for step in all_steps(game)} - places == set()


def where_steps_stand(game: Any) -> list[str]:
    """The table in a README: files, the steps in each, and the modes that play them."""
    package = discovery.place_of(game.slug).package
    players: dict[type, list[str]] = {}
    for mode in game.modes:
        for step in game.steps_of(mode.slug):
            players.setdefault(step, []).append(mode.slug)
    rows: dict[tuple[str, str], list[str]] = {}
    for step, modes in players.items():
        file = step.__module__.removeprefix(f"{package}.").replace(".", "/")
        who = played_by(modes, [mode.slug for mode in game.modes])
        rows.setdefault((f"{file}.py", who), []).append(step.__name__)
    return [f"| `{file}` | {', '.join(steps)} | {who} |" for (file, who), steps in sorted(rows.items())]


def played_by(modes: list[str], every: list[str]) -> str:
    """These modes, in the fewest words."""
    others = [mode for mode in every if mode not in modes]
    if not others:
        return "every mode"
    return f"every mode but {', '.join(others)}" if len(others) < len(modes) else ", ".join(modes)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_readme_says_in_which_file_a_step_stands(game):
    readme = (FOLDERS[game.slug] / "README.md").read_text(encoding="utf-8")
    if FOLDERS[game.slug].parent == OURS:
        table = readme.partition("| File | Steps | Modes |\n|---|---|---|\n")[2]
        assert table.split("\n\n")[0].splitlines() == where_steps_stand(game)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_readme_says_what_every_module_is_for(game):
    folder = FOLDERS[game.slug]
    if folder.parent == OURS:
        readme = (folder / "README.md").read_text(encoding="utf-8")
        table = readme.partition("| Module | What it is for |\n|---|---|\n")[2].split("\n\n")[0]
        told = tuple(re.findall(r"`([\w./]+)`", table))
        assert [path for path in told if not (folder / path).exists()] == []
        modules = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
        own = {path for path in modules if not path.startswith("tests/") and not path.endswith("__init__.py")}
        folders = tuple(path for path in told if path.endswith("/"))
        assert [path for path in sorted(own) if path not in told and not path.startswith(folders)] == []
