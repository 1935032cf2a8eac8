"""The README's tables are the checklist: every rule once, and what it names exists."""

import importlib
import inspect
import re
from functools import reduce
from pathlib import Path

import pytest

from games.systems.agot import SYSTEM

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BUILT, NOT_YET = README.split("## Not yet")
ROW = re.compile(r"^\| ((?:AGOT|BASE)-\d\d) \| (.+?) \|(?: (.+?) \|)?$", re.MULTILINE)

carried = {rule: places for rule, _text, places in ROW.findall(BUILT)}
waiting = [rule for rule, _text, _places in ROW.findall(NOT_YET)]


def marked():
    """The rules that a test of this folder is marked with."""
    sources = (path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    return set(re.findall(r'^@pytest\.mark\.rule\("((?:AGOT|BASE)-\d+)"\)', "\n".join(sources), re.MULTILINE))


def named(place):
    """What a dotted name such as `clash.Bid` means, from this game's package on."""
    first, *rest = place.split(".")
    return reduce(getattr, rest, importlib.import_module(f"games.systems.agot.{first}"))


def test_every_rule_of_the_checklist_stands_in_exactly_one_table():
    listed = [rule for rule, _text, _places in ROW.findall(README)]
    assert sorted(listed) == sorted(SYSTEM.checklist)


@pytest.mark.parametrize("rule", carried)
def test_what_carries_a_rule_exists(rule):
    places = re.findall(r"`([\w.]+)`", carried[rule])
    assert places
    for place in places:
        assert callable(named(place)) or inspect.ismodule(named(place)) or named(place)


@pytest.mark.parametrize("rule", carried)
def test_a_rule_that_is_built_has_a_test(rule):
    assert rule in marked()


def test_every_step_stands_beside_a_rule():
    places = set(re.findall(r"`[\w.]*?(\w+)`", README))
    assert not {type(step).__name__ for step in SYSTEM.all_steps()} - places
