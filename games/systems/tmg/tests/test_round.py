"""Turns: who activates, when one passes, when the phase is over."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.pieces import MOMENTS
from games.systems.tmg.tests.tables import answers, infantry, ncu, play, solo, table
from tests.positions import asks, offered, said


def two_each(**fields):
    return table([infantry("wolves"), infantry("bears")], [infantry("lions"), infantry("knights")], **fields)


@pytest.mark.rule("TMG-13")
@pytest.mark.parametrize("first", ["red", "blue"])
def test_the_first_turn_is_the_first_players(first):
    assert asks(two_each(first=first)) == f"turn {first}"


@pytest.mark.rule("TMG-13")
def test_the_first_turn_of_the_next_round_is_the_new_first_players():
    g = play(table(), "red activate:wolves", "blue activate:lions", "all done", "red keep", "blue keep")
    assert (g.round, g.first, asks(g)) == (2, "blue", "turn blue")


@pytest.mark.rule("TMG-14")
def test_a_turn_that_nobody_interrupts_costs_one_tap():
    assert asks(play(two_each(), "red activate:wolves")) == "turn blue"


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("E20")
def test_a_note_opens_the_start_of_the_turns_of_both_players():
    g = table([infantry("wolves", note="Free manoeuvre", reminders=frozenset({"start-of-turn"}))])
    assert asks(g) == "start-of-turn red"
    assert "Wolves: Free manoeuvre" in str(engine.step_of(g).helping(g, "red"))
    assert str(engine.step_of(g).asking(g, "red")) == "Your turn begins"
    g = play(g, "red done", "red activate:wolves")
    assert (asks(g), g.turn) == ("start-of-turn red", "blue")
    assert str(engine.step_of(g).asking(g, "red")) == "The turn of Blue begins"
    assert asks(play(g, "red done")) == "turn blue"


@pytest.mark.rule("TMG-14")
def test_a_note_opens_the_end_of_every_turn():
    g = two_each()
    g.units["lions"].reminders = frozenset({"end-of-turn"})
    g = play(g, "red activate:wolves")
    assert asks(g) == "end-of-turn blue"
    assert asks(play(g, "blue done")) == "turn blue"


@pytest.mark.rule("E20")
@pytest.mark.rule("TMG-14")
def test_both_players_close_a_window_that_both_asked_for():
    g = two_each()
    for key in ("wolves", "lions"):
        g.units[key].reminders = frozenset({"end-of-turn"})
    g = play(g, "red activate:wolves")
    assert asks(g) == "end-of-turn red blue"
    g = play(g, "blue done")
    assert asks(g) == "end-of-turn red"
    assert asks(play(g, "red done")) == "turn blue"


@pytest.mark.rule("TMG-15")
def test_only_own_units_that_have_not_activated_are_answers():
    g = two_each()
    assert answers(g, "red") == ["activate:bears", "activate:wolves"]
    assert answers(g, "blue") == []
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert answers(g, "red") == ["activate:bears"]


@pytest.mark.rule("TMG-15")
@pytest.mark.parametrize("action", ["activate:wolves", "activate:lions", "activate:nobody"])
def test_a_second_activation_and_a_strange_unit_are_refused(action):
    g = play(two_each(), "red activate:wolves", "blue activate:lions")
    with pytest.raises(IllegalAction):
        engine.play(g, "red", action)


@pytest.mark.rule("TMG-16")
def test_turns_alternate():
    g, turns = two_each(), []
    while g.question.step == "turn":
        turns.append(g.turn)
        g = play(g, f"{g.turn} {offered(g, g.turn)[0]}")
    assert turns == ["red", "blue", "red", "blue"]


@pytest.mark.rule("TMG-17")
def test_passing_is_refused_while_a_unit_can_activate():
    with pytest.raises(IllegalAction):
        play(two_each(), "red pass")


@pytest.mark.rule("E13")
@pytest.mark.rule("TMG-18")
def test_who_has_nobody_left_passes_with_one_tap():
    g = table(blue=[infantry("lions"), infantry("knights")])
    g = play(g, "red activate:wolves", "blue activate:knights")
    assert answers(g, "red") == ["pass"]
    g = play(g, "red pass")
    assert said(g) == "Red has no unit left to activate and passes."
    assert answers(g, "blue") == ["activate:lions"]


@pytest.mark.rule("E13")
def test_who_can_only_pass_still_has_the_windows_of_the_turn():
    wolves = infantry("wolves", reminders=frozenset({"start-of-turn"}), activated=True)
    g = table([wolves], [infantry("lions"), infantry("knights")], first="blue")
    assert asks(g) == "start-of-turn red"
    g = play(g, "red done", "blue activate:lions", "red done")
    assert (asks(g), answers(g, "red")) == ("turn red", ["pass"])


@pytest.mark.rule("TMG-19")
def test_the_phase_ends_when_nobody_can_activate_and_not_before():
    g = play(two_each(), "red activate:wolves", "blue activate:lions", "red activate:bears")
    assert asks(g) == "turn blue"
    g = play(g, "blue activate:knights")
    assert asks(g) == "end-of-turn red blue"
    assert "Clean-Up Phase begins" in said(play(g, "all done"))


@pytest.mark.rule("TMG-19")
def test_the_last_activation_leaves_both_one_chance_before_the_clean_up():
    g = play(table(), "red activate:wolves", "blue activate:lions")
    for seat in g.seats:
        assert offered(g, seat) == ["done"]
        assert "last wounds and claims" in str(engine.step_of(g).helping(g, seat))


@pytest.mark.rule("TMG-14")
@pytest.mark.parametrize("first", ["red", "blue"])
@pytest.mark.parametrize(
    ("mode", "round", "last"),
    [
        ("a-game-of-thrones", 1, "done"),
        ("a-game-of-thrones", 2, "agree"),
        ("a-clash-of-kings", 2, "agree"),
        ("here-we-stand", 1, "done"),
        ("here-we-stand", 2, "agree"),
        ("manual-scoring", 1, "done"),
        ("fire-and-blood", 2, "done"),
    ],
)
def test_before_the_clean_up_both_have_one_last_tap_in_every_round(mode, round, last, first):
    g = table(mode=mode, round=round, first=first)
    units = {"red": "wolves", "blue": "lions"}
    for seat in (first, g.rival(first)):
        assert asks(g) == f"turn {seat}"
        g = play(g, f"{seat} activate:{units[seat]}")
    for seat in (first, g.rival(first)):
        assert seat in engine.to_act(g)
        assert all(unit.activated for unit in g.units.values()), "nothing is cleared yet"
        g = play(g, f"{seat} {last}")
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("TMG-24")
def test_a_last_activation_out_of_turn_leaves_both_one_chance_too():
    g = table([infantry("wolves", activated=True)], [infantry("lions")], first="red")
    g = engine.adjust(g, "red", "unit/lions", "activate:lions")
    assert asks(g) == "end-of-turn red blue"


@pytest.mark.rule("TMG-20")
@pytest.mark.parametrize("place", ["destroyed", "reserve", "unplaced"])
def test_what_is_not_on_the_table_does_not_keep_the_phase_open(place):
    g = table([infantry("wolves"), infantry("bears", place=place)])
    assert offered(g, "red") == ["activate:wolves"]
    assert asks(play(g, "red activate:wolves", "blue activate:lions")) == "end-of-turn red blue"


@pytest.mark.rule("E10")
@pytest.mark.rule("TMG-20")
def test_a_barred_unit_does_not_keep_the_phase_open():
    g = table([infantry("wolves"), infantry("bears", barred=True)])
    assert asks(play(g, "red activate:wolves", "blue activate:lions")) == "end-of-turn red blue"


@pytest.mark.rule("TMG-20")
def test_one_that_never_activates_is_never_offered():
    g = table([infantry("wolves"), ncu("seneschal", never_activates=True)])
    assert offered(g, "red") == ["activate:wolves"]


@pytest.mark.rule("E9")
@pytest.mark.rule("TMG-23")
def test_a_companion_may_activate_in_the_turn_of_its_master():
    g = table([infantry("wolves"), solo("bear", linked_to="wolves")])
    assert offered(g, "red") == ["activate:wolves"]
    g = play(g, "red activate:wolves")
    assert asks(g) == "companions red"
    assert offered(g, "red") == ["activate:bear", "leave"]
    g = play(g, "red activate:bear")
    assert g.units["bear"].activated
    assert asks(g) == "turn blue"


@pytest.mark.rule("TMG-23")
def test_a_companion_left_out_has_a_turn_of_its_own_later():
    g = table([infantry("wolves"), solo("bear", linked_to="wolves")])
    g = play(g, "red activate:wolves", "red leave", "blue activate:lions")
    assert answers(g, "red") == ["activate:bear"]


@pytest.mark.rule("TMG-23")
def test_a_companion_acts_alone_when_its_master_is_gone():
    g = table([infantry("bears"), infantry("wolves", place="destroyed"), solo("bear", linked_to="wolves")])
    assert "activate:bear" in offered(g, "red")


@pytest.mark.rule("TMG-25")
def test_a_unit_that_comes_mid_round_counts_as_fresh():
    g = play(table(), "red activate:wolves")
    recruit = infantry("recruits")
    recruit.army = "red"
    g.units["recruits"] = recruit
    g = play(g, "blue activate:lions")
    assert answers(g, "red") == ["activate:recruits"]


@pytest.mark.rule("TMG-25")
def test_a_unit_that_comes_after_the_last_activation_reopens_the_phase():
    g = play(table(), "red activate:wolves", "blue activate:lions")
    recruit = infantry("recruits")
    recruit.army = "red"
    g.units["recruits"] = recruit
    engine.advance(g)
    assert asks(g) == "turn red"


@pytest.mark.rule("TMG-26")
def test_a_unit_that_is_barred_may_activate_next_round():
    g = table([infantry("wolves"), infantry("bears", barred=True)])
    g = play(g, "red activate:wolves", "blue activate:lions", "all done", "red keep", "blue keep")
    assert not g.units["bears"].barred
    assert "activate:bears" in offered(play(g, "blue activate:lions"), "red")


@pytest.mark.rule("TMG-27")
def test_what_wants_to_be_remembered_comes_before_the_first_turn():
    g = table([infantry("wolves", note="Outflank", reminders=frozenset({"start-of-round"}))], first="blue")
    assert asks(g) == "start-of-round red"
    assert "Outflank" in str(engine.step_of(g).helping(g, "red"))
    assert asks(play(g, "red done")) == "turn blue"


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("E20")
def test_the_start_of_a_turn_reminds_each_player_of_their_own_notes():
    notes = frozenset({"start-of-turn"})
    g = table([infantry("wolves", note="Howl", reminders=notes)], [infantry("lions", reminders=notes)])
    helped = [str(engine.step_of(g).helping(g, seat)) for seat in ("red", "blue", None)]
    assert helped == ["Reminder: Wolves: Howl", "Reminder: Lions", "Reminder: Wolves: Howl, Lions"]
    assert asks(play(g, "blue done")) == "start-of-turn red"
    assert asks(play(g, "blue done", "red done")) == "turn red"


@pytest.mark.rule("TMG-27")
@pytest.mark.parametrize(
    ("place", "moment", "asked"),
    [
        ("reserve", "start-of-round", "start-of-round red"),
        ("destroyed", "start-of-round", "turn red"),
        ("reserve", "start-of-turn", "turn red"),
    ],
)
def test_a_unit_in_reserve_is_called_to_mind_at_the_start_of_the_round_alone(place, moment, asked):
    """Cards bring units from Reserve at the start of a round; until they are in play nothing else is due."""
    waiting = infantry("bears", note="Outflank", reminders=frozenset({moment}), place=place)
    assert asks(table([infantry("wolves"), waiting])) == asked


def test_a_reminder_without_words_names_its_unit():
    wolves, bears = (infantry(key, reminders=frozenset({"start-of-round"})) for key in ("wolves", "bears"))
    bears.note = "Outflank"
    g = table([wolves, bears], first="blue")
    assert str(engine.step_of(g).helping(g, "red")) == "Reminder: Wolves, Bears: Outflank"


@pytest.mark.rule("TMG-27")
def test_a_window_closes_for_one_round_only():
    reminders = frozenset(MOMENTS)
    g = table([infantry("wolves", reminders=reminders)])
    steps = []
    for _tap in range(10):
        steps.append(asks(g))
        seat = engine.to_act(g)[0]
        g = play(g, f"{seat} {answers(g, seat)[-1]}")
    assert steps == [
        "start-of-round red",
        "start-of-turn red",
        "turn red",
        "end-of-turn red",
        "start-of-turn red",
        "turn blue",
        "end-of-turn red blue",
        "end-of-turn blue",
        "end-of-round red",
        "discard red blue",
    ]


@pytest.mark.rule("TMG-14")
def test_a_reminder_of_the_end_of_the_turn_comes_after_the_last_turn_of_the_round_too():
    note = {"note": "Look back", "reminders": frozenset({"end-of-turn"})}
    g = play(table([infantry("wolves", **note)]), "red activate:wolves", "all done")
    g = play(g, "blue activate:lions")
    assert asks(g) == "end-of-turn red blue"
    last = "Enter the last wounds and claims. The Clean-Up Phase comes next."
    assert str(engine.step_of(g).helping(g, "red")) == f"{last} Reminder: Wolves: Look back"
    assert str(engine.step_of(g).helping(g, "blue")) == last
    g = engine.adjust(g, "red", "table", "keep-aside:notes")
    assert (asks(g), str(engine.step_of(g).helping(g, None))) == ("end-of-turn red blue", last)


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("TMG-20")
@pytest.mark.rule("TMG-30")
@pytest.mark.parametrize(
    ("other", "rules", "all_have"),
    [
        (infantry("bears", activated=True), {}, True),
        (infantry("bears", never_activates=True), {}, True),
        (infantry("bears", place="destroyed"), {}, True),
        (infantry("bears", place="reserve"), {}, True),
        (infantry("bears", barred=True), {}, False),
        (ncu("sansa"), {"full_board": "skipped", "zones": []}, False),
    ],
)
def test_the_phase_ends_with_what_is_true_of_its_units(other, rules, all_have):
    g = play(table([infantry("wolves"), other], **rules), "red activate:wolves", "blue activate:lions")
    g = play(g, "all done")
    why = "All units have activated." if all_have else "No unit can activate any more."
    assert f"{why} The Clean-Up Phase begins." in said(g)
