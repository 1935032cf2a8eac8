"""The README's tables follow the turn, and each step is named beside its own rule."""

import re
from pathlib import Path

import pytest

from games.systems.bushido import SYSTEM
from tests.positions import all_steps

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (BUSH-\d+) \| .+? \| (.+?) \|$", README, re.MULTILINE)


def test_the_rules_stand_in_the_order_of_the_turn():
    assert [rule for rule, _places in ROWS] == list(SYSTEM.checklist)


@pytest.mark.parametrize("step", list(all_steps(SYSTEM)), ids=lambda step: step.name)
def test_a_step_stands_beside_the_rule_that_its_docstring_names(step):
    assert step.rule in step.__doc__
    assert any(f".{step.__name__}`" in places or f".{step.__name__}." in places for _rule, places in ROWS)
