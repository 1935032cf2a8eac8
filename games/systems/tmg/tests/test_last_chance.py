"""The last opportunity of all players: after each turn for whoever wants it, before the clean-up for both."""

import random

import pytest

from games.core import IllegalAction, engine
from games.match import random_play
from games.systems.tmg import SYSTEM
from games.systems.tmg.rules.activation_phase import Turn
from games.systems.tmg.tests.correcting import fixed
from games.systems.tmg.tests.tables import MODE, answers, infantry, ncu, play, table
from games.systems.tmg.tmg_corrections import ACTIVATION
from tests.positions import asks, offered, said


def two_each(**fields):
    return table([infantry("wolves"), infantry("bears")], [infantry("lions"), infantry("knights")], **fields)


def waiting(g):
    """The seats that may say that they have something to add."""
    return [seat for seat in g.seats if "wait" in offered(g, seat)]


# --- after a turn ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-14")
def test_until_the_next_activation_begins_either_player_may_stop_and_nobody_is_asked():
    g = two_each()
    assert waiting(g) == [], "no turn has ended yet"
    g = play(g, "red activate:wolves")
    assert (waiting(g), asks(g), engine.awaited(g)) == (["red", "blue"], "turn blue", ("blue",))
    assert {offer.style for offer in engine.free_actions(g, "red")} == {"quiet"}
    assert waiting(play(g, "blue activate:lions")) == ["red", "blue"], "that turn has ended, too"


@pytest.mark.rule("TMG-14")
@pytest.mark.parametrize(("first", "second"), [("red", "blue"), ("blue", "red")])
def test_who_stops_opens_the_window_for_both_and_play_goes_on_where_it_was(first, second):
    g = play(two_each(), "red activate:wolves")
    g = play(g, f"{first} wait")
    assert said(g) == f"{first.title()} has something to add before play continues."
    assert asks(g) == "last-chance red blue"
    g = play(g, f"{second} done")
    assert (asks(g), waiting(g)) == (f"last-chance {first}", [])
    g = play(g, f"{first} done")
    assert (asks(g), answers(g, "blue")) == ("turn blue", ["activate:knights", "activate:lions"])
    assert waiting(g) == [second], "each may do so once a turn"
    with pytest.raises(IllegalAction):
        engine.play(g, first, "wait")
    g = play(g, f"{second} wait", "red done", "blue done")
    assert (asks(g), waiting(g)) == ("turn blue", [])
    assert waiting(play(g, "blue activate:lions")) == ["red", "blue"]


@pytest.mark.rule("TMG-14")
def test_an_activation_that_has_begun_cannot_be_stopped_and_one_put_back_can():
    g = play(table(blue=[ncu("tyrion"), infantry("lions")]), "red activate:wolves", "blue activate:tyrion")
    assert (asks(g), waiting(g)) == ("claim-zone blue", [])
    g = play(g, "blue back")
    assert (asks(g), waiting(g)) == ("turn blue", ["red", "blue"])


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("TMG-24")
def test_what_acts_out_of_turn_before_the_first_turn_may_be_answered_too():
    g = fixed(two_each(), "unit/lions activate:lions")
    assert (asks(g), waiting(g)) == ("turn red", ["red", "blue"])


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("TMG-18")
def test_a_turn_that_was_passed_leaves_it_too_and_the_next_round_begins_without_it():
    g = play(
        table(blue=[infantry("lions"), infantry("knights")]), "red activate:wolves", "blue activate:lions"
    )
    g = play(g, "red pass")
    assert waiting(g) == ["red", "blue"]
    g = play(g, "blue activate:knights", "all done", "red keep", "blue keep")
    assert (g.round, asks(g), waiting(g)) == (2, "turn blue", [])


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("E20")
def test_it_comes_before_what_the_next_turn_begins_with():
    g = two_each()
    g.units["lions"].reminders = g.units["bears"].reminders = frozenset({"start-of-turn"})
    g = play(g, "red activate:wolves")
    assert (asks(g), waiting(g)) == ("start-of-turn red blue", ["red", "blue"])
    g = play(g, "blue wait", "red done", "blue done")
    assert (asks(g), waiting(g)) == ("start-of-turn red blue", ["red"])
    assert waiting(play(g, "red done", "blue done")) == ["red"]


@pytest.mark.rule("TMG-14")
def test_whoever_did_not_stop_reads_who_did():
    g = play(two_each(), "red activate:wolves", "blue wait")
    asked = [str(engine.step_of(g).asking(g, seat)) for seat in ("red", "blue", None)]
    blue = "Blue has something to add"
    assert asked == [blue, "Last chance before the turn ends", blue]


# --- the last turn of a round ------------------------------------------------------------------------


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("TMG-77")
def test_in_round_one_nothing_is_cleared_before_both_are_done():
    red = [infantry("wolves", activated=True), ncu("sansa")]
    g = play(table(red), "red activate:sansa", "red claim:crown")
    g = fixed(play(g, "blue activate:lions"), "unit/sansa influence:sansa:lions")
    for seat in ("blue", "red"):
        assert g.units["lions"].activated
        assert (g.objectives["crown"].claimed_by, g.units["sansa"].influences) == ("sansa", "lions")
        g = play(g, f"{seat} done")
    assert not g.units["lions"].activated
    assert (g.objectives["crown"].claimed_by, g.units["sansa"].influences) == (None, None)


@pytest.mark.rule("TMG-74")
@pytest.mark.parametrize(
    ("mode", "round"),
    [(mode.slug, number) for mode in SYSTEM.modes for number in (1, 2)],
)
def test_a_clean_up_with_nothing_special_takes_four_taps_of_both_together(mode, round):
    g, taps = play(table(mode=mode, round=round), "red activate:wolves", "blue activate:lions"), []
    before = g.round
    while g.round == before and g.result is None and len(taps) < 9:
        seat = engine.to_act(g)[0]
        offers = engine.answers(g, seat)
        main = next((offer for offer in offers if offer.style == "main"), offers[0])
        taps.append(main.action)
        g = play(g, f"{seat} {main.action}")
    assert len(taps) <= 8
    assert taps.count("keep") == 2
    assert len([tap for tap in taps if tap in ("done", "agree")]) == 2


# --- a phase that reopens ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("TMG-16")
@pytest.mark.parametrize("answered", [(), ("red",), ("blue",)])
@pytest.mark.parametrize(
    ("round", "asked", "done"), [(1, "end-of-turn", "done"), (2, "score-points", "agree")]
)
def test_a_turn_that_nobody_took_comes_back_with_what_was_not_destroyed(round, asked, done, answered):
    """Red's last unit has acted; blue's last one is destroyed by mistake, on its turn."""
    blue = [infantry("lions"), infantry("knights", activated=True)]
    g = play(table(blue=blue, round=round), "red activate:wolves")
    g = fixed(g, "unit/lions destroy:lions")
    assert asks(g) == f"{asked} red blue"
    g = play(g, *(f"{seat} {done}" for seat in answered))
    g = fixed(g, "unit/lions wounds:lions:12")
    assert (asks(g), g.turn) == ("turn blue", "blue")
    g = play(g, "blue activate:lions")
    assert asks(g) == f"{asked} red blue", "who was done before is asked about what came since"
    assert g.round == round


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("TMG-16")
def test_after_a_turn_that_was_taken_the_opponent_is_next_when_the_phase_reopens():
    g = play(table([infantry("wolves"), infantry("bears", barred=True)]), "red activate:wolves")
    g = play(g, "blue activate:lions", "blue done")
    g = fixed(g, "unit/bears off:bears:barred")
    assert asks(g) == "turn red"
    assert asks(play(g, "red activate:bears")) == "end-of-turn red blue"


@pytest.mark.rule("TMG-13")
@pytest.mark.rule("TMG-80")
def test_a_first_turn_that_nobody_could_take_is_still_the_first_players():
    g = fixed(table(), "unit/wolves on:wolves:barred", "unit/lions on:lions:barred")
    assert asks(g) == "end-of-turn red blue"
    g = fixed(g, "unit/lions off:lions:barred", "unit/wolves off:wolves:barred")
    assert asks(g) == "turn red"
    assert asks(fixed(g, "table first:blue")) == "turn blue", "it has not been taken yet"


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("E15")
def test_effects_of_the_end_of_the_round_may_reopen_the_phase_too():
    wolves = infantry("wolves", reminders=frozenset({"end-of-round"}), activated=True)
    g = table([wolves], round=2, step="end-of-round")
    assert asks(g) == "end-of-round red"
    assert asks(fixed(g, "unit/lions off:lions:activated")).startswith("turn")


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("TMG-100")
def test_points_that_were_entered_stay_when_the_phase_reopens():
    g = table([infantry("wolves"), infantry("bears", barred=True)], mode="manual-scoring", round=2)
    g = play(g, "red activate:wolves", "blue activate:lions", "red enter:missions:2", "red done")
    g = fixed(g, "unit/bears off:bears:barred")
    assert (asks(g), g.points("red")) == ("turn red", 2)
    g = play(g, "red activate:bears")
    assert asks(g) == "score-points red blue"


# --- whose turn it is --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-38")
@pytest.mark.rule("TMG-16")
def test_an_ncu_that_changes_sides_while_its_zone_is_asked_for_takes_nobodys_turn():
    g = table([infantry("wolves"), ncu("sansa")], [infantry("lions"), infantry("knights")])
    g = fixed(play(g, "red activate:sansa"), "unit/sansa lend:sansa")
    assert (asks(g), answers(g, "red")) == ("turn red", ["activate:wolves"])
    g = play(g, "red activate:wolves")
    assert (asks(g), "activate:sansa" in answers(g, "blue")) == ("turn blue", True)


@pytest.mark.rule("TMG-38")
@pytest.mark.rule("TMG-24")
def test_one_that_acts_out_of_turn_may_change_sides_meanwhile():
    g = table([infantry("wolves")], [infantry("lions"), ncu("tyrion")])
    g = fixed(g, "unit/tyrion activate:tyrion", "unit/tyrion lend:tyrion")
    assert asks(g) == "claim-zone red"
    assert asks(play(g, "red claim:crown")) == "turn red"


ELSEWHERE = ("turn", "first")
"""Corrections that say whose turn it is."""


def taker(before, seat, action):
    """The seat whose turn a tap takes; None for a tap that takes none."""
    question, verb = before.question, action.partition(":")[0]
    is_choice = question.step in ("claim-zone", "arrive") and "out-of-turn" not in question.about
    if verb in ("back", "wait", "play", "lay") or not (is_choice or question.step == Turn.name):
        return None
    return None if verb in ("activate", "deploy") and is_chosen_next(before, action) else seat


def is_chosen_next(before, action):
    """Whether this tap only opens the question that takes the turn."""
    return engine.play(before, before.turn, action).question.step in ("claim-zone", "arrive")


@pytest.mark.rule("TMG-16")
@pytest.mark.parametrize("mode", [mode.slug for mode in SYSTEM.modes])
def test_turns_alternate_whatever_is_corrected(mode):
    """Nobody takes two turns in a row: who can do nothing passes, and an empty turn belongs to its player."""
    taken = 0
    for seed in range(4):
        g, luck = random_play.fresh_state(SYSTEM, mode, seed), random.Random(seed)
        last = None
        for _tap in range(600):
            if g.result is not None:
                break
            if g.round and luck.random() < 0.3 and (found := wrong(g, luck)):
                g, is_told = corrected(g, found)
                last = None if is_told else last
                continue
            seat, action = random_play.tap(g, luck)
            after = engine.play(g, seat, action)
            if (who := taker(g, seat, action)) is not None:
                assert who != last, (seed, action, who)
                last, taken = who, taken + 1
            last = None if after.round != g.round else last
            g = after
    assert taken > 60


def wrong(g, luck):
    """A correction, half of the time of when and for whom the unit acts that is being asked about."""
    path = f"unit/{next(iter(g.question.about), '')}"
    offered = [offer for offer in engine.corrections(g, path) if offer.group == ACTIVATION]
    if not offered or luck.random() < 0.5:
        return random_play.correction(g, luck)
    return luck.choice(g.seats), path, random_play.tap_of(luck.choice(offered), luck)


def corrected(g, found):
    """The position after a correction, and whether it said whose turn it is; ends by hand are left out."""
    seat, path, action = found
    if action.partition(":")[0] in ("concede", "time-out", "adjudicate"):
        return g, False
    try:
        return engine.adjust(g, seat, path, action, "a reason"), action.partition(":")[0] in ELSEWHERE
    except IllegalAction:
        return g, False


@pytest.mark.rule("TMG-17")
@pytest.mark.parametrize("mode", [MODE, "a-clash-of-kings"])
def test_who_wants_to_pass_is_told_what_is_left_to_activate(mode):
    with pytest.raises(IllegalAction) as refusal:
        engine.play(two_each(mode=mode), "red", "pass")
    assert refusal.value.rule == "TMG-17"
    assert {"Wolves", "Bears"} <= set(str(refusal.value.line).replace(",", " ").replace(".", " ").split())
    with pytest.raises(IllegalAction) as other:
        engine.play(two_each(mode=mode), "blue", "pass")
    assert "Wolves" not in str(other.value.line)
