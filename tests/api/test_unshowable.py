"""What a stranger's file may not contain, because pages could not be shown: huge numbers, half an end."""

import copy

import pytest

from games.core import system
from games.live.hub import Audience
from games.match import match_file, play, storage
from games.match.match_file import LARGEST, fits
from games.pages.table.boards import html
from games.pages.table.loaded import Table
from games.view_models import pips, track
from tests.api.robots import Caller
from tests.files import fitted
from tests.playing import played_on

pytestmark = pytest.mark.django_db

LOOKING_ON = Audience((), "en", "table")


@pytest.fixture
def file():
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    return match_file.whole(played_on(match, 4), with_secrets=True)


def set_to(file, path, value):
    """The file with one more entry, which sets a field of the position."""
    changed = copy.deepcopy(file)
    if path == "result":
        changed["finished_at"] = changed["entries"][-1]["at"]
    before, changed["position"][path] = changed["position"][path], value
    nothing = {"undoes": None, "sealed": {}, "draws": [], "is_final": False}
    last = {**changed["entries"][-1], **nothing, "kind": "edit", "version": file["version"] + 1}
    changed["entries"].append({**last, "before": {path: before}, "after": {path: value}})
    changed["version"] += 1
    return fitted(changed)


@pytest.mark.parametrize(
    ("path", "value", "status"),
    [
        ("round", 999, 201),
        ("round", 1000, 422),
        ("round", -(10**14), 422),
        ("drawn", 999_999, 201),
        ("drawn", 10**14, 422),
        ("rules", {"counted": [{"deep": 10**14}]}, 422),
        ("rules", {"counted": [{"deep": 1e300}]}, 422),
        ("rules", {"counted": 5}, 201),
    ],
)
def test_a_huge_number_is_refused(client, file, path, value, status):
    assert Caller(client).post("import", set_to(file, path, value)).status_code == status


@pytest.mark.parametrize(("number", "does_fit"), [(999_999, True), (10**6, False)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_is_as_large_as_an_organiser_can_type(number, does_fit, sign):
    state = system("rps").state
    assert fits(state, "rules", {"counted": sign * number}) == does_fit


@pytest.mark.parametrize(
    ("result", "status"), [({"how": "points", "winner": "red"}, 201), ({"winner": "red"}, 422), ({}, 422)]
)
def test_an_end_that_nobody_can_tell_is_refused(client, file, result, status):
    """Every page of a match is shown from it, also the result that programs read."""
    assert Caller(client).post("import", set_to(file, "result", result)).status_code == status


@pytest.mark.parametrize(("game", "mode"), [("tmg", "a-game-of-thrones"), ("bushido", "risen-sun")])
def test_a_board_does_not_grow_with_the_numbers_on_it(game, mode):
    match = played_on(play.open_match(game, mode, {"red": "Ada", "blue": "Bo"}), 60)
    usual, loaded = len(html(Table(match), LOOKING_ON)), storage.load(match)
    loaded.state.rules = {**loaded.state.rules, "rounds": LARGEST}
    for unit in loaded.state.units.values():
        for name in ("counters",) if game == "bushido" else ("wounds", "wounds_total"):
            setattr(unit, name, LARGEST)
    assert len(html(Table(match, loaded), LOOKING_ON)) < 1.2 * usual


def test_a_number_is_drawn_as_long_as_it_can_be_counted():
    assert pips(2, 3) == (True, True, False)
    assert (sum(pips(20, 24)), len(pips(20, 24)), pips(20, 25)) == (20, 24, ())
    assert [(space.number, space.state) for space in track(3, 2)] == [(1, "past"), (2, "now"), (3, "")]
    assert (len(track(24, 1)), track(25, 1), track(None, 1)) == (24, (), ())
