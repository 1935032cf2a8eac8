"""Matches that an older version of the program stored: rows, logs and files are read as today's."""

import pytest

from games.core import engine
from games.core.kit import OVER
from games.core.mends import MENDS
from games.match import exchange, play, replay, storage, undoing
from games.match.exchange import images
from games.models import Entry, Match
from games.systems.agot import SYSTEM
from games.systems.agot.corrections import table as corrected
from games.systems.agot.map import control, fights
from games.systems.agot.map.combat import Battle, Losses
from games.systems.agot.map.march import LeaveToken, Load, March, Marches, Neutral
from games.systems.agot.map.ports import TakePort
from games.systems.agot.map.retreat import Retreat, Shed
from games.systems.agot.map.westeros_cards import Muster
from games.systems.agot.map.wildling_losses import Carry, Perish
from games.systems.agot.pieces import Table
from games.systems.agot.tests import tables
from games.systems.agot.tracks import ending, wildlings
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


@pytest.mark.parametrize(("is_older", "mend"), [(True, "forced-retreat"), (False, None)])
def test_a_retreat_without_a_choice_is_known_in_the_log_of_an_older_match(monkeypatch, is_older, mend):
    before = tables.sent(
        tables.marching(tables.field(stark="winterfell:FK", greyjoy="karhold:F"), "stark", "winterfell"),
        "stark",
        "karhold footman 1",
    )
    if is_older:
        before.rules = {name: rule for name, rule in before.rules.items() if name != MENDS}
    with monkeypatch.context() as earlier:
        earlier.setattr(Retreat, "begin", lambda self, g: g.call(self))
        after = tables.play(before, "stark wins:attacker", "greyjoy enough")
    before = tables.play(before, "stark wins:attacker")
    assert tables.asks(after) == "retreat greyjoy"
    entry = Entry(version=7, kind=Entry.Kind.TAP, seat="greyjoy", action="enough")
    found = replay.drift(before, entry, after)
    assert (found.version, found.action, found.mend and found.mend.name) == (7, "enough", mend)


def test_a_march_started_over_is_known_in_the_log_of_an_older_match():
    g = tables.field(stark="winterfell:F")
    g.rules = {name: rule for name, rule in g.rules.items() if name != MENDS}
    before = tables.play(tables.marching(g, "stark", "winterfell"), "stark to:karhold")
    after = tables.play(before, "stark back")
    after.flow, after.asked = before.flow, before.asked
    entry = Entry(version=7, kind=Entry.Kind.TAP, seat="stark", action="back")
    assert replay.drift(before, entry, after).mend.name == "start-over"


def test_an_area_given_up_for_a_fight_is_known_in_the_log_of_an_older_match(monkeypatch):
    g = tables.field(stark="white-harbor:F", greyjoy="moat-cailin:F")
    g.rules = {name: rule for name, rule in g.rules.items() if name != MENDS}
    control.recount(g)
    before = tables.sent(tables.marching(g, "stark", "white-harbor"), "stark", "moat-cailin footman 1")
    with monkeypatch.context() as earlier:
        earlier.setattr(fights, "left", lambda g: "")
        after = tables.play(before, "stark keep")
    entry = Entry(version=7, kind=Entry.Kind.TAP, seat="stark", action="keep")
    found = replay.drift(before, entry, after)
    assert (found.action, found.mend.name) == ("keep", "given-up")


def test_a_round_that_ended_a_game_played_on_is_known_in_the_log_of_an_older_match(monkeypatch):
    g = tables.play(
        engine.adjust(tables.table(), "stark", "army/stark", "castles:stark:5"), "lannister play-on"
    )
    g.rules = {name: rule for name, rule in g.rules.items() if name != MENDS}
    before = tables.play(tables.at(g, "realms"), "stark same", "lannister same")
    with monkeypatch.context() as earlier:
        earlier.setattr(ending, "is_won", ending.has_seven)
        after = tables.play(before, "baratheon same")
    assert after.result["winner"] == "stark"
    entry = Entry(version=7, kind=Entry.Kind.TAP, seat="baratheon", action="same")
    assert replay.drift(before, entry, after).mend.name == "played-on"


def test_a_marker_that_went_during_a_survey_is_known_in_the_log_of_an_older_match():
    g = tables.table()
    g.round = 3
    g = engine.adjust(tables.at(g, "planning"), "stark", "table", "keep:full")
    g.rules = {name: rule for name, rule in g.rules.items() if name != MENDS}
    before = tables.play(g, "stark at:kings-landing")
    after = tables.play(before, "stark token")
    after.objectives["kings-landing"].neutral = 0
    entry = Entry(version=7, kind=Entry.Kind.TAP, seat="stark", action="token")
    assert replay.drift(before, entry, after).mend.name == "surveyed-markers"


def test_a_tie_of_those_who_pay_is_known_in_the_log_of_an_older_match(monkeypatch):
    g = tables.within(tables.table(by_bid=1), "attack", threat=6)
    g.rules = {name: rule for name, rule in g.rules.items() if name != MENDS}
    before = tables.bids(g, "wildlings", stark=0, lannister=1)
    with monkeypatch.context() as earlier:
        earlier.setattr(wildlings, "next_to_pay", lambda g: [])
        after = tables.bids(before, "wildlings", baratheon=1)
    entry = Entry(version=7, kind=Entry.Kind.TAP, seat="baratheon", action="bid:wildlings:1")
    assert replay.drift(before, entry, after).mend.name == "order-of-payers"


def test_a_muster_in_a_lost_area_is_known_in_the_log_of_an_older_match():
    before = tables.within(tables.field(3), "muster", "stark", "winterfell", "2")
    before.rules = {name: rule for name, rule in before.rules.items() if name != MENDS}
    taken = "footman:winterfell-of-lannister:1"
    after = engine.adjust(before, "stark", "objective/winterfell", taken)
    after.flow, after.asked = before.flow, before.asked
    entry = Entry(version=7, kind=Entry.Kind.ADJUST, seat="stark", path="objective/winterfell", action=taken)
    assert replay.drift(before, entry, after).mend.name == "lost-muster"


def test_a_survey_that_was_given_up_is_known_in_the_log_of_an_older_match():
    g = tables.table()
    g.round = 3
    before = engine.adjust(tables.at(g, "planning"), "stark", "table", "keep:full")
    before.rules = {name: rule for name, rule in before.rules.items() if name != MENDS}
    after = before.copy()
    after.becoming = "light"
    entry = Entry(version=7, kind=Entry.Kind.ADJUST, seat="stark", path="table", action="keep:light")
    assert "survey-given-up" in {mend.name for mend in SYSTEM.mends if "survey" in mend.steps}
    assert replay.drift(before, entry, after).mend is not None


@pytest.mark.parametrize("is_older", [True, False])
@pytest.mark.parametrize("place", ["yronwood", "the-reach"])
def test_units_corrected_into_areas_are_known_in_the_log_of_an_older_match(monkeypatch, is_older, place):
    """An area closed for three houses, and one with another house's power token."""
    before = tables.at(tables.field(3), "marches")
    before.objectives["the-reach"].token = "lannister"
    if is_older:
        before.rules = {name: rule for name, rule in before.rules.items() if name != MENDS}
    action = f"footman:{place}-of-stark:1"
    with monkeypatch.context() as earlier:
        earlier.setattr(control, "discard_token", lambda g, key: None)
        earlier.setattr(corrected, "_room", lambda area: 3)
        after = engine.adjust(before, "stark", f"objective/{place}", action)
    entry = Entry(version=7, kind=Entry.Kind.ADJUST, seat="stark", path=f"objective/{place}", action=action)
    found = replay.drift(before, entry, after)
    assert (found.mend and found.mend.name) == ("corrected-areas" if is_older else None)
