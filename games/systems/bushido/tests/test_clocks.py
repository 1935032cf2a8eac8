"""Clocks: off by default, told by the log, given back by undo; what the players note when one runs out."""

from datetime import timedelta

import pytest

from games.core import Thought, engine
from games.live.hub import Audience
from games.match import play, storage, undoing
from games.match.storage import load
from games.models import Entry, Match
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.systems.bushido import SYSTEM
from games.systems.bushido.tests.tables import READY, chosen, model, table
from games.systems.bushido.tests.tables import play as played
from games.systems.bushido.tests.test_page import page
from games.templating import part
from tests.positions import asks, said


def timed(**rules):
    g = table()
    g.rules = {**g.rules, **rules}
    return g


def timers(g, thought, side="red"):
    shown = page(g)
    shown.thought = thought
    return [(timer.label, timer.text, timer.runs) for timer in shown.side(side).timers]


def labels(g):
    return [str(offer.label) for offer in engine.corrections(g, "table")]


@pytest.mark.rule("BUSH-35")
def test_clocks_are_off_unless_the_table_turns_them_on_before_deployment():
    g = chosen("keii")
    assert (g.rules["activation"], g.rules["death"], SYSTEM.is_timed(table())) == (0, 0, False)
    g = played(g, "red table activation-clock", "blue table death-clock:60")
    assert (g.rules["activation"], g.rules["death"]) == (120, 60)
    assert "Two minutes for an activation" in labels(g)
    g.rules = {**g.rules, "activation": 90}
    assert "90 seconds for an activation" in labels(g)
    g = played(g, "red table no-activation-clock", "red deployed", "blue deployed")
    assert (g.rules["activation"], SYSTEM.is_timed(g)) == (0, True)


@pytest.mark.rule("BUSH-35")
def test_an_activation_in_a_duel_has_half_a_minute():
    """It had two minutes."""
    g = chosen("honbasho")
    assert "30 seconds for an activation" in labels(g)
    g = played(g, "red table activation-clock")
    assert (g.rules["activation"], said(g)) == (30, "Each activation has 30 seconds.")


@pytest.mark.rule("BUSH-35")
def test_who_is_active_sees_the_activation_run():
    g = timed(activation=120)
    assert timers(g, Thought(since=100, spell=100, now=137)) == [("This activation", "1:23", True)]
    assert timers(g, Thought(since=100, spell=100, now=225)) == [("This activation", "\u22120:05", True)]
    assert timers(g, Thought(since=100, spell=100, now=137), "blue") == []


@pytest.mark.rule("BUSH-36")
def test_time_that_is_up_stands_out():
    shown = page(timed(death=1))
    for used, is_up in ((59.0, False), (61.0, True)):
        shown.thought = Thought({"red": used}, since=100, spell=100, now=100)
        drawn = part("parts/side_header.html", side=shown.side("red"))
        assert ('class="badge bad"' in drawn) == is_up


@pytest.mark.rule("BUSH-35")
def test_a_counter_is_lost_once_the_time_for_an_activation_is_up():
    g = played(timed(activation=90), "blue unit/goshi overtime:goshi")
    assert (g.units["goshi"].counters, said(g)) == (
        1,
        "Goshi loses a counter: the time for its activation is up.",
    )
    assert (asks(g), g.acting, len(g.flow)) == ("turn blue", None, 1), "play passes to the opponent"
    with pytest.raises(Exception, match="cannot make that correction"):
        played(table([model("goshi")]), "blue unit/goshi overtime:goshi")


@pytest.mark.rule("BUSH-35")
def test_a_chosen_model_is_the_one_that_takes_too_long():
    def ways(g):
        return {unit for unit in g.units if f"overtime:{unit}" in offers(g, unit)}

    def offers(g, unit):
        return [offer.action for offer in engine.corrections(g, f"unit/{unit}")]

    g = table([model("goshi"), model("ima")])
    g.rules = {**g.rules, "activation": 120}
    assert ways(g) == {"goshi", "ima"}, "only the Active Player's, while none is chosen"
    chosen = played(g, "red act:ima")
    assert ways(chosen) == {"ima"}
    late = played(chosen, "blue unit/ima overtime:ima")
    assert (asks(late), late.units["ima"].counters, len(late.flow)) == ("turn blue", 1, 1)
    assert ways(played(g, "blue unit/oni hit:oni:1")) == set(), "no other question is passed over"


@pytest.mark.rule("BUSH-35")
def test_who_is_late_with_the_last_counter_closes_the_main_phase():
    g = timed(activation=120)
    g.units["goshi"].counters, g.units["oni"].counters = 2, 0
    g = played(g, "blue unit/goshi overtime:goshi")
    assert (asks(g), said(g).splitlines()[1][:20]) == ("turn red", "Red activates again:")
    g.feats = "blue"
    last = played(g, "blue unit/goshi overtime:goshi")
    assert (asks(last), last.feats) == ("feats-after red", "red"), "not who acted before"


@pytest.mark.rule("BUSH-35")
@pytest.mark.parametrize("moment", ["feats-before", "feats-after"])
def test_no_note_of_a_late_player_keeps_the_opponent_waiting(moment):
    g = table([model("goshi", note="Hidden blade", reminders=frozenset({moment}))])
    g.rules = {**g.rules, "activation": 120}
    assert asks(played(g, "blue unit/goshi overtime:goshi")) == "turn blue"


@pytest.mark.rule("BUSH-36")
def test_both_see_what_is_left_of_their_time():
    thought = Thought({"red": 60.0, "blue": 30.0}, since=100, spell=100, now=110)
    g = timed(death=10)
    assert timers(g, thought) == [("Time left", "8:50", True)]
    assert timers(g, thought, "blue") == [("Time left", "9:30", False)]


@pytest.mark.rule("BUSH-36")
def test_whose_time_has_run_out_leaves_the_remaining_points_to_the_opponent():
    g = timed(death=60)
    g.score("red", 1, "as told")
    g = played(g, "blue army/red run-out:red")
    assert (asks(g), g.result, g.points("blue")) == ("closing red", None, 0)
    assert str(engine.step_of(g).helping(g, "red")) == (
        "Proposed by Blue: end the match here. Blue would win: Red 1, Blue 2."
    )
    assert [offer.detail for offer in engine.offers(g, "red")] == [None, None], "it is told already"
    assert asks(played(g, "red play-on")) == "turn red"
    g = played(g, "red end-match")
    assert g.result == {"winner": "blue", "how": "clock", "points": {"red": 1, "blue": 2}}
    assert [(row.seat, row.points) for row in g.scores.values()] == [("red", 1), ("blue", 1), ("blue", 1)]


@pytest.mark.rule("BUSH-36")
def test_no_question_over_an_activation_stops_its_time():
    """Whoever said “concede” and then “play on” had thought for nothing."""
    g = played(timed(death=60), "red unit/oni hit:oni:2")
    assert engine.step_of(g).name in SYSTEM.clock.over
    g = played(g, "red rolled:7", "red army/red concede:red")
    assert engine.step_of(g).name in SYSTEM.clock.over
    assert asks(played(g, "red play-on")) == "turn red"
    assert not SYSTEM.clock.steps & SYSTEM.clock.over


@pytest.mark.rule("BUSH-36")
@pytest.mark.django_db
def test_the_log_tells_the_time_and_undo_gives_it_back():
    names = {"red": "Ada", "blue": "Bo"}
    match = play.open_match("bushido", "risen-sun", names, {"death": 60}, seed="clock")
    for action in (*READY, "red scenario:keii", "red deployed", "blue deployed"):
        tap(match, *action.split())
    for action in ("red rolled:5", "blue rolled:3", "red first:red"):
        tap(match, *action.split())
    tap(match, "red", "simple:kizoko")
    tap(match, "blue", "simple:yanki")
    begin = Entry.objects.get(match=match, version=1).created_at
    for entry in Entry.objects.filter(match=match):
        at = begin + timedelta(seconds=10 * (entry.version - 1))
        Entry.objects.filter(pk=entry.pk).update(created_at=at)
    assert storage.thought(match, SYSTEM.clock).spent["red"] == 10
    before = storage.thought(match, SYSTEM.clock)
    undoing.ask(match.code, "blue", match.version, play.new_key(), "Bo")
    after = storage.thought(match, SYSTEM.clock)
    assert (before.spent["blue"], after.spent["blue"]) == (10, 0)
    assert 10 <= after.used("blue", is_asked=True) < 20


@pytest.mark.rule("BUSH-36")
@pytest.mark.django_db
@pytest.mark.parametrize("is_able", [True, False])
def test_whose_turn_a_correction_ends_pays_for_it(is_able):
    """The opponent paid, or nobody did if it had no counter left, and the next clock had run out already."""
    names = {"red": "Ada", "blue": "Bo"}
    match = play.open_match("bushido", "risen-sun", names, {"death": 60, "activation": 120}, seed="clock")
    for action in (*READY, "red scenario:keii", "red deployed", "blue deployed"):
        tap(match, *action.split())
    for action in ("red rolled:5", "blue rolled:3", "red first:red"):
        tap(match, *action.split())
    match.refresh_from_db()
    tired = [] if is_able else [unit.key for unit in load(match).state.units_of("blue")]
    for key in tired:
        play.adjust(match.code, "blue", f"unit/{key}", f"counters:{key}:-2", play.new_key())
    play.adjust(match.code, "blue", "unit/kizoko", "overtime:kizoko", play.new_key())
    begin = Entry.objects.get(match=match, version=1).created_at
    for entry in Entry.objects.filter(match=match):
        at = begin + timedelta(seconds=10 * (entry.version - 1))
        Entry.objects.filter(pk=entry.pk).update(created_at=at)
    match.refresh_from_db()
    late = Entry.objects.filter(match=match).latest("version")
    found = storage.thought(match, SYSTEM.clock, late)
    assert (found.spent["red"], found.spent.get("blue", 0)) == (10 + 10 * len(tired), 0)
    assert found.now == found.spell == found.since


def tap(match: Match, seat: str, action: str) -> None:
    match.refresh_from_db()
    play.tap(match.code, seat, action, match.version, play.new_key())
    match.refresh_from_db()


@pytest.mark.rule("BUSH-35")
@pytest.mark.django_db
def test_a_clock_stands_in_the_head_of_its_side():
    names = {"red": "Ada", "blue": "Bo"}
    match = play.open_match("bushido", "risen-sun", names, {"activation": 120}, seed="clock")
    for action in (*READY, "red scenario:keii", "red deployed", "blue deployed"):
        tap(match, *action.split())
    for action in ("red rolled:5", "blue rolled:3", "red first:red"):
        tap(match, *action.split())
    shown = boards.board(Table(match), Audience(("red",), "en", "table"))
    page = part("table/board.html", board=shown)
    assert page.count('<span class="badge" role="timer">This activation') == 1
    assert "&lt;span" not in page
