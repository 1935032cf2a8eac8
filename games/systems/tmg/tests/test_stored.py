"""The questions that matches in progress have stored are read as they were meant."""

import pytest

from games.systems.tmg import SYSTEM
from games.systems.tmg.modes import a_clash_of_kings, dark_wings_dark_words, fire_and_blood, honed_and_ready
from games.systems.tmg.rules import activation_phase, destruction, end_of_match, tactics_cards
from games.systems.tmg.tests.tables import MODE

QUESTIONS = [
    (MODE, "claim-zone", ("sansa",), activation_phase.ClaimZone("sansa")),
    (
        MODE,
        "claim-zone",
        ("sansa", "out-of-turn"),
        activation_phase.ClaimZone(unit="sansa", out_of_turn=activation_phase.OUT_OF_TURN),
    ),
    (MODE, "turn", (), activation_phase.Turn()),
    (MODE, "turn", ("blue", "red"), activation_phase.Turn(("blue", "red"))),
    (MODE, "start-of-turn", ("blue",), activation_phase.StartOfTurn(("blue",))),
    (MODE, "last-chance", ("red",), activation_phase.LastChance("red")),
    (MODE, "companions", ("drogo",), activation_phase.Companions("drogo")),
    (MODE, "lay-card", ("red",), tactics_cards.LayCard("red")),
    (MODE, "how-long", ("red", "wolves"), tactics_cards.HowLong(seat="red", unit="wolves")),
    (MODE, "ending", (), end_of_match.Ending()),
    (MODE, "ending", ("points",), end_of_match.Ending(end_of_match.POINTS)),
    (MODE, "ending", ("time-out",), end_of_match.Ending(end_of_match.TIME_OUT)),
    (MODE, "ending", ("adjudication",), end_of_match.Ending(end_of_match.ADJUDICATION)),
    (MODE, "ending", ("elimination", "red"), end_of_match.Ending(how=end_of_match.ELIMINATION, who="red")),
    (MODE, "ending", ("concession", "blue"), end_of_match.Ending(how=end_of_match.CONCESSION, who="blue")),
    ("a-clash-of-kings", "arrive", ("wolves",), a_clash_of_kings.Arrive("wolves")),
    ("dark-wings-dark-words", "swap-mission", (), dark_wings_dark_words.SwapMission()),
    ("dark-wings-dark-words", "swap-mission", ("m05",), dark_wings_dark_words.SwapMission("m05")),
    ("fire-and-blood", "place-point-token", ("wolves",), fire_and_blood.PlacePointToken("wolves")),
    (
        "fire-and-blood",
        "by-whom",
        ("lions", "red", "wolves", "bears"),
        destruction.ByWhom(fallen="lions", seat="red", units=("wolves", "bears")),
    ),
    ("honed-and-ready", "scoring-effects", (), honed_and_ready.ScoringEffects()),
    ("honed-and-ready", "scoring-effects", ("token-a",), honed_and_ready.ScoringEffects("token-a")),
]


@pytest.mark.parametrize(("mode", "name", "texts", "step"), QUESTIONS)
def test_a_stored_question_is_read_and_written_as_it_always_was(mode, name, texts, step):
    g = SYSTEM.open(mode, {"red": "", "blue": ""}, "seed", {})
    assert SYSTEM.step_named(g, name).read(texts) == step
    g.goto(step)
    assert (g.question.step, g.question.about) == (name, texts)
