"""Matches that an older version of the program stored: rows, logs and files are read as today's."""

import pytest

from games.core import engine
from games.core.kit import OVER
from games.match import exchange, play, replay, storage, undoing
from games.match.exchange import images
from games.models import Match
from games.systems.agot import SYSTEM
from games.systems.agot.map.combat import Battle, Losses
from games.systems.agot.map.march import LeaveToken, Load, March, Marches, Neutral
from games.systems.agot.map.ports import TakePort
from games.systems.agot.map.retreat import Retreat, Shed
from games.systems.agot.map.westeros_cards import Muster
from games.systems.agot.map.wildling_losses import Carry, Perish
from games.systems.agot.pieces import Table
from games.systems.agot.tests import tables
from tests.files import of_the_first_version

pytestmark = pytest.mark.django_db


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
    assert images.fits(Table, "moving", moving) is is_read


HOUSES = dict(list(SYSTEM.seat_names.items())[:3])


def tap(match, *actions):
    for action in actions:
        match.refresh_from_db()
        play.tap(match.code, *action.split(), match.version, play.new_key())


def older(image):
    """A position or an image as it was when `played_on` stood among the facts."""
    if "played_on" not in image:
        return image
    others = {path: value for path, value in image.items() if path != "played_on"}
    return {**others, "facts": {"played_on": image["played_on"]} if image["played_on"] else {}}


def stored():
    """A match of an older version: a correction brought Stark to seven, and the table has played on."""
    match = play.open_match(SYSTEM.slug, "light", HOUSES)
    tap(match, *(f"{seat} ready" for seat in HOUSES))
    match.refresh_from_db()
    play.adjust(match.code, "stark", "army/stark", "castles:stark:5", play.new_key())
    tap(match, "lannister play-on")
    match.refresh_from_db()
    match.extra = older(match.extra)
    match.save()
    for entry in match.entries.all():
        entry.before, entry.after = older(entry.before), older(entry.after)
        entry.save()
    return match


def test_rows_and_log_of_an_older_version_are_read():
    match = stored()
    assert match.extra["facts"] == {"played_on": ["stark"]}
    assert storage.load(match).state.played_on == ("stark",)
    assert replay.final_position(match) == storage.load(match).state
    assert list(replay.drifts(match)) == []


def test_a_action_of_an_older_version_is_taken_back():
    match = stored()
    undoing.ask(match.code, "lannister", match.version, play.new_key())
    match.refresh_from_db()
    state = storage.load(match).state
    assert (state.played_on, state.question.step) == ((), "ending")


def test_a_change_of_mode_is_read_by_its_older_name():
    kept = tables.table().to_json() | {"flow": [["depth", 7, []]], "becoming": "full"}
    g = Table.from_json(kept)
    engine.settle(g)
    assert (g.mode, g.question.step) == ("full", "survey")


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


def test_a_file_of_an_older_version_arrives():
    match = stored()
    file = exchange.whole(match, with_secrets=True)
    file["position"] = older(file["position"])
    new, _again = exchange.import_match(of_the_first_version(file), lambda match: None)
    assert storage.load(new).state == storage.load(match).state
    assert Match.objects.get(pk=new.pk).extra["played_on"] == ["stark"]
