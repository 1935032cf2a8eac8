"""What rows and files keep of a match is read as it was meant: open questions, and what a march plans."""

import pytest

from games.core.kit import OVER
from games.match import match_file
from games.systems.agot import SYSTEM
from games.systems.agot.map.combat import Battle, Losses, Retreat, Shed
from games.systems.agot.map.march import LeaveToken, Load, March, Marches, Neutral
from games.systems.agot.map.moving_units import TakePort
from games.systems.agot.map.westeros_on_map import Carry, Muster, Perish
from games.systems.agot.pieces import Table


@pytest.mark.parametrize(
    ("moving", "is_read"),
    [
        ([["riverrun", "footman", 1]], True),
        ([["riverrun", "footman"]], False),
        ([["riverrun", "footman", 1, 1]], False),
        ([["riverrun", "footman", "1"]], False),
    ],
)
def test_a_planned_group_in_a_file_is_an_area_a_unit_and_a_number(moving, is_read):
    assert match_file.fits(Table, "moving", moving) is is_read


@pytest.mark.parametrize(
    ("kept", "step", "fields"),
    [
        ("march stark winterfell zero", March, "seat start order"),
        ("load stark winterfell karhold", Load, "seat start place"),
        ("leave-token stark winterfell zero", LeaveToken, "seat start order"),
        ("neutral stark winterfell karhold plus", Neutral, "seat start place order"),
        ("battle stark winterfell karhold plus", Battle, "seat start place order"),
        ("losses attacker stark winterfell karhold plus", Losses, "winner seat start place order"),
        ("retreat greyjoy stark winterfell karhold", Retreat, "loser winner came_from place"),
        ("shed greyjoy stark winterfell karhold seagard", Shed, "loser winner came_from place to"),
        ("take-port stark port-of-pyke", TakePort, "seat port"),
        ("muster stark winterfell 2", Muster, "seat area points"),
        ("perish stark 2 winterfell", Perish, "seat number only"),
    ],
)
def test_what_an_open_question_was_about_is_read(kept, step, fields):
    name, *about = kept.split()
    found = SYSTEM.step(Table.from_json({"system": "agot", "mode": "full", "flow": [[name, 1, about]]}))
    assert type(found) is step
    assert [str(getattr(found, field)) for field in fields.split()] == about
    assert found.about() == tuple(about)


def test_houses_that_are_left_are_read_in_their_order():
    flow = [["marches", 1, ["over"]], ["carry", 2, ["stark", "lannister"]]]
    g = Table.from_json({"system": "agot", "mode": "full", "flow": flow})
    assert SYSTEM.step(g) == Carry(("stark", "lannister"))
    g.flow = g.flow[:1]
    assert SYSTEM.step(g) == Marches(OVER)
