"""The questions that matches in progress have stored are read as they were meant."""

import pytest

from games.systems.tmg import SYSTEM
from games.systems.tmg.modes import a_clash_of_kings, dark_wings_dark_words, fire_and_blood, honed_and_ready
from games.systems.tmg.rules import ending, hand, last_chance, marks, round
from games.systems.tmg.tests.tables import MODE

QUESTIONS = [
    (MODE, "claim-zone", ("sansa",), round.ClaimZone("sansa")),
    (
        MODE,
        "claim-zone",
        ("sansa", "out-of-turn"),
        round.ClaimZone(unit="sansa", out_of_turn=round.OUT_OF_TURN),
    ),
    (MODE, "turn", (), round.Turn()),
    (MODE, "turn", ("blue", "red"), round.Turn(("blue", "red"))),
    (MODE, "start-of-turn", ("blue",), round.StartOfTurn(("blue",))),
    (MODE, "last-chance", ("red",), last_chance.LastChance("red")),
    (MODE, "companions", ("drogo",), round.Companions("drogo")),
    (MODE, "lay-card", ("red",), hand.LayCard("red")),
    (MODE, "how-long", ("red", "wolves"), hand.HowLong(seat="red", unit="wolves")),
    (MODE, "ending", (), ending.Ending()),
    (MODE, "ending", ("points",), ending.Ending(ending.POINTS)),
    (MODE, "ending", ("time-out",), ending.Ending(ending.TIME_OUT)),
    (MODE, "ending", ("adjudication",), ending.Ending(ending.ADJUDICATION)),
    (MODE, "ending", ("elimination", "red"), ending.Ending(how=ending.ELIMINATION, who="red")),
    (MODE, "ending", ("concession", "blue"), ending.Ending(how=ending.CONCESSION, who="blue")),
    ("a-clash-of-kings", "arrive", ("wolves",), a_clash_of_kings.Arrive("wolves")),
    ("dark-wings-dark-words", "swap-mission", (), dark_wings_dark_words.SwapMission()),
    ("dark-wings-dark-words", "swap-mission", ("m05",), dark_wings_dark_words.SwapMission("m05")),
    ("fire-and-blood", "place-point-token", ("wolves",), fire_and_blood.PlacePointToken("wolves")),
    (
        "fire-and-blood",
        "by-whom",
        ("lions", "red", "wolves", "bears"),
        marks.ByWhom(fallen="lions", seat="red", units=("wolves", "bears")),
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
