"""The README's tables are the checklist: every rule once, and what it names exists and is tested."""

import importlib
import re
from functools import reduce
from pathlib import Path

import pytest

from games.systems.bushido import SYSTEM

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (BUSH-\d+) \| (.+?) \| (.+?) \|$", re.MULTILINE)

carried = {rule: places for rule, _text, places in ROW.findall(README)}


def marked():
    """The rules that a test of this folder is marked with."""
    sources = (path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    return set(re.findall(r'^@pytest\.mark\.rule\("(BUSH-\d+)"\)', "\n".join(sources), re.MULTILINE))


def test_every_rule_of_the_checklist_stands_in_the_tables_once():
    assert [rule for rule, _text, _places in ROW.findall(README)] == list(SYSTEM.checklist)


@pytest.mark.parametrize("rule", carried)
def test_what_carries_a_rule_exists(rule):
    places = re.findall(r"`([\w.]+)`", carried[rule])
    assert places
    for place in places:
        module, *rest = place.split(".")
        found = reduce(getattr, rest, importlib.import_module(f"games.systems.bushido.{module}"))
        assert callable(found)


@pytest.mark.parametrize("rule", carried)
def test_a_rule_has_a_test(rule):
    assert rule in marked()


@pytest.mark.parametrize("step", [type(step) for step in SYSTEM.all_steps()], ids=lambda step: step.name)
def test_a_step_stands_beside_the_rule_that_its_docstring_names(step):
    assert step.rule in step.__doc__
    assert any(
        f".{step.__name__}`" in places or f".{step.__name__}." in places for places in carried.values()
    )
