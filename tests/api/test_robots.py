"""A robot that only taps what it is offered brings any match to its result."""

import random

import pytest

from tests.api.robots import Table
from tests.contract.conftest import cases

pytestmark = pytest.mark.django_db

PLAYED = {
    name: case
    for name, case in cases().items()
    if case[2] == case[0].seat_range[0] or case[1] == case[0].modes[0].slug
}
"""Every mode with the fewest players, and the first mode of a game also with the most."""


@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_a_robot_brings_any_match_to_its_result(played, client, quick):
    game, mode, seats, options = played
    table = Table(client, game.slug, mode, seats, options=options)
    last = table.play_on(random.Random(5))
    assert last["result"] is not None
    assert last["to_act"] == last["offers"] == []
    assert last["question"] is None
    seen = table.watcher.get(f"matches/{table.code}").json()
    file = table.watcher.get(f"matches/{table.code}/export").json()
    arrived = table.watcher.post("import", file).json()
    copied = table.watcher.get(f"matches/{arrived['code']}").json()
    assert copied["table"] == seen["table"]
    assert copied["result"] == last["result"]
