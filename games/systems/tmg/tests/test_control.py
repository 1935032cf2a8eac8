"""Claims, contests and control."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.rules import destruction, objective_tokens
from games.systems.tmg.tests.tables import cavalry, clean_up, infantry, ncu, solo, table
from tests.positions import said


def contest(mine, *theirs, **rules):
    """One unit on the centre, engaged with these enemies: the position."""
    g = table([mine], theirs or [infantry("lions")], **rules)
    objective_tokens.claim(g, g.units[mine.key], g.objectives["centre"])
    for enemy in theirs:
        objective_tokens.engage(g, g.units[mine.key], g.units[enemy.key])
    g.lines = []
    return g


def holds(g, token="centre"):
    return objective_tokens.controller(g, g.objectives[token])


@pytest.mark.rule("TMG-52")
def test_a_claim_is_recorded_and_controls():
    g = table()
    assert holds(g) is None
    objective_tokens.claim(g, g.units["wolves"], g.objectives["centre"])
    assert (holds(g), g.objectives["centre"].claimed_by) == ("red", "wolves")
    assert said(g) == "Wolves claims Centre.\nRed controls Centre."


@pytest.mark.rule("TMG-53")
def test_a_token_has_one_claimant_and_a_unit_one_token():
    g = table()
    objective_tokens.claim(g, g.units["wolves"], g.objectives["centre"])
    objective_tokens.claim(g, g.units["wolves"], g.objectives["token-a"])
    assert (holds(g), holds(g, "token-a")) == (None, "red")
    objective_tokens.claim(g, g.units["lions"], g.objectives["token-a"])
    assert (holds(g, "token-a"), objective_tokens.claimed(g, g.units["wolves"])) == ("blue", None)
    assert objective_tokens.controlled(g, "blue") == [g.objectives["token-a"]]


@pytest.mark.rule("TMG-54")
@pytest.mark.parametrize(
    ("mine", "theirs", "held"),
    [
        (8, 8, "red"),
        (8, 9, None),
        (8, 5, "red"),
        (9, 12, "red"),
        (4, 5, None),
    ],
)
def test_an_enemy_with_strictly_more_ranks_suspends_control(mine, theirs, held):
    g = contest(infantry("wolves", wounds=mine), infantry("lions", wounds=theirs))
    assert holds(g) == held
    assert g.objectives["centre"].claimed_by == "wolves"


@pytest.mark.rule("E3")
@pytest.mark.rule("TMG-54")
def test_control_resumes_when_the_larger_enemy_is_gone():
    g = contest(infantry("wolves", wounds=8), infantry("lions"))
    assert holds(g) is None
    objective_tokens.disengage(g, g.units["wolves"], g.units["lions"])
    assert holds(g) == "red"
    assert said(g) == "Wolves and Lions are no longer engaged.\nRed controls Centre."


@pytest.mark.rule("TMG-54")
def test_only_a_combat_unit_contests():
    g = contest(infantry("wolves", wounds=4), infantry("lions"))
    assert holds(g) is None
    g.units["lions"].kind = "ncu"
    assert holds(g) == "red"


@pytest.mark.rule("TMG-54")
def test_engagement_is_symmetric_and_between_enemies_on_the_table():
    g = table([infantry("wolves"), infantry("bears")], [infantry("lions"), ncu("tyrion")])
    objective_tokens.engage(g, g.units["wolves"], g.units["lions"])
    assert g.units["wolves"].engaged_with == {"lions"}
    assert g.units["lions"].engaged_with == {"wolves"}
    for rival in ("bears", "tyrion", "wolves"):
        with pytest.raises(IllegalAction, match="enemy Combat Units"):
            objective_tokens.engage(g, g.units["wolves"], g.units[rival])


@pytest.mark.rule("E3")
@pytest.mark.rule("TMG-55")
def test_two_enemies_are_compared_one_by_one():
    g = contest(infantry("wolves", wounds=8), infantry("lions", wounds=8), infantry("knights", wounds=8))
    assert holds(g) == "red"


@pytest.mark.rule("TMG-55")
def test_one_larger_enemy_suspends_until_it_has_lost_a_rank():
    g = contest(infantry("wolves", wounds=8), infantry("lions", wounds=9))
    assert holds(g) is None
    destruction.wound(g, g.units["lions"], 1, "red")
    assert holds(g) == "red"
    assert said(g) == "Lions suffers 1 wound.\nLions has 2 ranks left.\nRed controls Centre."


@pytest.mark.rule("TMG-56")
@pytest.mark.parametrize(
    ("mine", "theirs", "held"),
    [
        (solo("hodor", wounds=3), infantry("lions", wounds=12), "red"),
        (solo("hodor", wounds=2), infantry("lions", wounds=12), None),
        (solo("hodor", wounds=2), infantry("lions", wounds=8), "red"),
        (infantry("wolves", wounds=12), solo("mountain", wounds=3, wounds_total=5), "red"),
        (infantry("wolves", wounds=12), solo("mountain", wounds=4, wounds_total=5), None),
        (cavalry("riders"), solo("mountain", wounds=3, wounds_total=5), None),
        (solo("hodor", wounds=4, wounds_total=5), solo("mountain", wounds=5, wounds_total=5), None),
    ],
)
def test_single_models_compare_their_wounds(mine, theirs, held):
    assert holds(contest(mine, theirs)) == held


@pytest.mark.rule("TMG-57")
def test_a_wound_takes_control_at_once_and_a_heal_gives_it_back():
    g = contest(infantry("wolves", wounds=9), infantry("lions"))
    destruction.wound(g, g.units["wolves"], 1, "blue")
    assert said(g) == "Wolves suffers 1 wound.\nWolves has 2 ranks left.\nRed no longer controls Centre."
    g.lines = []
    destruction.restore(g, g.units["wolves"], 1)
    assert said(g) == "Wolves restores 1 wound.\nRed controls Centre."


@pytest.mark.rule("E4")
@pytest.mark.rule("TMG-57")
def test_healing_the_contester_takes_control_without_any_movement():
    g = contest(infantry("wolves", wounds=8), infantry("lions", wounds=8))
    destruction.restore(g, g.units["lions"], 3)
    assert said(g) == "Lions restores 3 wounds.\nRed no longer controls Centre."


@pytest.mark.rule("TMG-57")
def test_nothing_is_said_while_control_stays():
    g = contest(infantry("wolves"), infantry("lions"))
    destruction.wound(g, g.units["lions"], 5, "red")
    assert said(g) == "Lions suffers 5 wounds.\nLions has 2 ranks left."


@pytest.mark.rule("TMG-58")
def test_moving_off_frees_the_token():
    g = contest(infantry("wolves"))
    objective_tokens.leave(g, g.units["wolves"])
    assert (holds(g), g.objectives["centre"].claimed_by) == (None, None)
    assert said(g) == "Wolves leaves Centre.\nRed no longer controls Centre."
    objective_tokens.leave(g, g.units["wolves"])
    assert len(g.lines) == 2


@pytest.mark.rule("TMG-58")
def test_destruction_frees_the_token():
    g = contest(infantry("wolves"), infantry("lions"))
    destruction.destroy(g, g.units["wolves"], "blue")
    assert g.objectives["centre"].claimed_by is None


@pytest.mark.rule("TMG-58")
@pytest.mark.parametrize("said_of", ["red", "blue", None])
@pytest.mark.parametrize("leaving", ["moves", "dies", "withdraws", "claims another"])
def test_what_the_players_said_of_a_token_goes_with_the_unit_that_stood_there(leaving, said_of):
    g = contest(infantry("wolves"))
    wolves, centre = g.units["wolves"], g.objectives["centre"]
    objective_tokens.decide(g, centre, said_of)
    if leaving == "moves":
        objective_tokens.leave(g, wolves)
    elif leaving == "dies":
        destruction.wound(g, wolves, 12, "blue")
    elif leaving == "withdraws":
        g = engine.adjust(g, "red", "unit/wolves", "withdraw:wolves")
    else:
        objective_tokens.claim(g, wolves, g.objectives["token-a"])
    assert holds(g) is None
    assert (g.objectives["centre"].override, g.objectives["centre"].uncontrolled) == (None, False)
    assert ("no longer controls Centre" in said(g)) == (said_of is not None)


@pytest.mark.rule("TMG-58")
def test_the_destruction_of_the_contester_gives_control_back():
    g = contest(infantry("wolves", wounds=4), infantry("lions"), infantry("knights", wounds=4))
    assert holds(g) is None
    destruction.destroy(g, g.units["lions"], "red")
    assert "Red controls Centre." in said(g)


@pytest.mark.rule("E5")
@pytest.mark.rule("TMG-59")
@pytest.mark.parametrize(
    "unit", [infantry("rabble", cannot_control=True), ncu("sansa"), infantry("lost", place="reserve")]
)
def test_who_cannot_control_cannot_claim(unit):
    g = table([unit, infantry("wolves")])
    with pytest.raises(IllegalAction, match="cannot control objectives"):
        objective_tokens.claim(g, unit, g.objectives["centre"])


@pytest.mark.rule("TMG-59")
def test_who_cannot_control_scores_nothing():
    g = clean_up([infantry("rabble", cannot_control=True)], claims={"centre": "rabble"})
    assert g.points("red") == 0


@pytest.mark.rule("TMG-59")
def test_who_cannot_control_still_contests():
    g = contest(infantry("wolves", wounds=4), infantry("giants", cannot_control=True))
    assert holds(g) is None


@pytest.mark.rule("TMG-60")
def test_the_players_have_the_last_word():
    g = contest(infantry("wolves"))
    centre = g.objectives["centre"]
    objective_tokens.decide(g, centre, "blue")
    assert holds(g) == "blue"
    objective_tokens.decide(g, centre, None)
    assert holds(g) is None
    objective_tokens.work_out(g, centre)
    assert holds(g) == "red"
    assert [str(line) for line in g.lines] == [
        "Blue controls Centre (set by the players).",
        "No one controls Centre (set by the players).",
        "Control of Centre follows the claims again.",
        "Red controls Centre.",
    ]


@pytest.mark.rule("TMG-60")
@pytest.mark.parametrize("said_of", ["blue", None])
def test_a_new_claim_counts_whatever_the_players_said_before(said_of):
    g = table()
    objective_tokens.decide(g, g.objectives["centre"], said_of)
    objective_tokens.claim(g, g.units["wolves"], g.objectives["centre"])
    assert holds(g) == "red"
    assert said(g).endswith("Red controls Centre.")


@pytest.mark.rule("TMG-60")
def test_what_the_players_said_without_a_unit_stands_until_a_unit_claims():
    g = table()
    objective_tokens.decide(g, g.objectives["centre"], "red")
    destruction.destroy(g, g.units["wolves"], "blue")
    assert holds(g) == "red"
    objective_tokens.claim(g, g.units["lions"], g.objectives["centre"])
    assert holds(g) == "blue"


@pytest.mark.rule("TMG-60")
def test_what_the_players_said_outlasts_a_contest():
    g = contest(infantry("wolves", wounds=4), infantry("lions"))
    objective_tokens.decide(g, g.objectives["centre"], "red")
    objective_tokens.disengage(g, g.units["wolves"], g.units["lions"])
    destruction.restore(g, g.units["wolves"], 1)
    assert holds(g) == "red"
