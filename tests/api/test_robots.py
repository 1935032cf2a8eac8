"""A robot that only taps what it is offered begins any match, and brings any match to its result."""

import random

import pytest

from games.models import Match
from tests.admin.in_admin import put
from tests.api.robots import Table
from tests.contract.conftest import cases
from tests.contract.walks import walk

pytestmark = pytest.mark.django_db

PLAYED = {
    name: case
    for name, case in cases().items()
    if case[2] == case[0].seat_range[0] or case[1] == case[0].modes[0].slug
}
"""Every mode with the fewest players, and the first mode of a game also with the most."""

FIRST, LAST = 8, 4
"""The taps at both ends of a match that go over the API; the rest is for the contract of the rules."""


@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_a_robot_brings_any_match_to_its_result(played, client, quick):
    game, mode, seats, options = played
    table, luck = Table(client, game.slug, mode, seats, options=options), random.Random(5)
    table.play_on(luck, FIRST)
    taps = walk(played, 5).taps
    if len(taps) > FIRST + LAST:
        put(Match.objects.get(code=table.code), taps[-LAST].before)
        # They led to the result; where chance has it otherwise here, they are refused and others follow.
        for tap in taps[-LAST:]:
            table.tap(tap.seat, tap.action)
    last = table.play_on(luck)
    assert last["result"] is not None
    assert last["to_act"] == last["offers"] == []
    assert last["question"] is None
    seen = table.watcher.get(f"matches/{table.code}").json()
    file = table.watcher.get(f"matches/{table.code}/export").json()
    arrived = table.watcher.post("import", file).json()
    copied = table.watcher.get(f"matches/{arrived['code']}").json()
    assert copied["table"] == seen["table"]
    assert copied["result"] == last["result"]
