"""The mode Honed and Ready: objectives beside walls that shoot."""

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import tactics_cards
from games.systems.tmg.tests.correcting import fixed
from games.systems.tmg.tests.tables import agreed, clean_up, infantry, ncu, play, table
from games.systems.tmg.tests.test_beside import at_hand
from tests.positions import asks, offered, said

MODE = "honed-and-ready"


def scored(*corrections, **claims):
    claims = {token.replace("_", "-"): unit for token, unit in claims.items()}
    g = clean_up([infantry("wolves"), infantry("bears")], mode=MODE, claims=claims)
    return play(fixed(g, *corrections), "red agree", "blue agree")


@pytest.mark.rule("TMG-98")
def test_tokens_score_one_each_the_centre_too_and_the_centre_has_no_wall():
    g = scored(centre="wolves")
    assert (g.points("red"), asks(g)) == (1, "discard red blue")


@pytest.mark.rule("TMG-98")
def test_what_scores_beside_a_wall_is_shot_at():
    g = scored(token_a="wolves", token_b="bears", token_c="lions")
    assert offered(g, "red") == ["hits:token-a", "hits:token-b", "hurt:token-a 0-12", "hurt:token-b 0-12"]
    assert "Enter its wounds" in str(engine.step_of(g).helping(g, "red"))
    g = play(g, "red hits:token-a")
    assert len(g.draws) == 1
    assert any(f"Wolves suffers {hits} hits." in said(g) for hits in (3, 4, 5))
    assert offered(g, "red") == ["hurt:token-a 0-12"]
    g = play(g, "red hurt:token-a:2")
    assert (g.units["wolves"].wounds, asks(g)) == (10, "scoring-effects blue")
    g = play(g, "blue hurt:token-c:0", "red hurt:token-b:1")
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-98")
@pytest.mark.rule("E2")
def test_what_the_walls_destroy_gives_its_point_before_the_victory_check():
    g = play(scored(token_a="wolves"), "red hurt:token-a:12")
    assert g.points("blue") == 1


@pytest.mark.rule("TMG-98")
def test_a_unit_that_is_gone_is_not_shot_at():
    g = scored(token_a="wolves")
    g = engine.adjust(g, "blue", "unit/wolves", "destroy:wolves")
    assert offered(g, "red") == ["resolve:token-a"]
    assert asks(play(g, "red resolve:token-a")) == "discard red blue"


@pytest.mark.rule("TMG-98")
def test_who_took_the_token_since_is_not_shot_at_for_what_the_other_scored():
    g = fixed(scored(token_a="wolves"), "unit/wolves leave:wolves:token-a", "unit/lions claim:lions:token-a")
    assert offered(g, "red") == ["resolve:token-a"]
    g = play(g, "red resolve:token-a")
    assert "no unit left to hit" in said(g)
    assert g.units["lions"].wounds == 12


@pytest.mark.rule("TMG-98")
def test_hits_that_wound_nobody_are_told_so():
    assert said(play(scored(token_a="wolves"), "red hurt:token-a:0")).startswith("Wolves suffers no wounds.")


@pytest.mark.rule("TMG-98")
def test_any_zone_may_be_swapped_for_the_walls_and_is_claimed_all_the_same():
    g = play(choosing("blue", "token-b"), "red activate:sansa")
    assert "swap:letters" in offered(g, "red")
    assert "walls shoot" in str(engine.step_of(g).helping(g, "red"))
    g = play(g, "red swap:letters")
    assert (g.objectives["letters"].claimed_by, g.armies["red"].hand) == ("sansa", 3)
    assert (asks(g), offered(g, "red")) == ("how-many-hits red", ["roll", "rolled 1-3"])
    entered = play(g, "red rolled:3")
    assert (said(entered).splitlines()[-1], asks(entered)) == (
        "A unit that controls an objective other than the centre suffers 5 hits.",
        "turn blue",
    )
    assert entered.draws == []
    rolled = play(g, "red roll")
    assert any(said(rolled).endswith(f"suffers {hits} hits.") for hits in (3, 4, 5))
    assert (len(rolled.draws), asks(rolled)) == (1, "turn blue")


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("TMG-98")
def test_a_swap_out_of_turn_is_rolled_by_its_player_and_the_turn_stays():
    g = engine.adjust(choosing("red", "token-a"), "blue", "unit/sansa", "activate:sansa")
    g = play(g, "red swap:crown")
    assert asks(g) == "how-many-hits red"
    assert asks(play(g, "red rolled:1")) == "turn red"


def choosing(seat, token):
    """An NCU may activate; one side's Combat Unit stands on a token."""
    g = table([infantry("wolves"), ncu("sansa")], mode=MODE)
    g.objectives[token].claimed_by = {"red": "wolves", "blue": "lions"}[seat]
    return g


@pytest.mark.rule("TMG-98")
@pytest.mark.parametrize(
    ("token", "correction", "shoot"),
    [
        ("centre", None, False),
        ("token-a", None, True),
        ("token-a", "objective/token-a controller:token-a:nobody", False),
        ("centre", "objective/token-d controller:token-d:blue", True),
    ],
)
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_walls_shoot_only_where_somebody_controls_an_outer_objective(seat, token, correction, shoot):
    g = choosing(seat, token)
    g = play(fixed(g, correction) if correction else g, "red activate:sansa")
    assert ("swap:crown" in offered(g, "red")) == shoot
    assert ("walls shoot" in str(engine.step_of(g).helping(g, "red"))) == shoot
    assert "claim:crown" in offered(g, "red")


@pytest.mark.rule("TMG-98")
def test_a_unit_that_is_contested_controls_nothing_and_is_not_shot_at():
    g = choosing("blue", "token-a")
    g.units["lions"].wounds, g.units["lions"].engaged_with = 4, frozenset({"wolves"})
    g.units["wolves"].engaged_with = frozenset({"lions"})
    assert "swap:crown" not in offered(play(g, "red activate:sansa"), "red")


@pytest.mark.rule("TMG-34")
@pytest.mark.rule("TMG-98")
@pytest.mark.parametrize(("taken", "effect"), [("claim", True), ("swap", False)])
def test_whose_zone_was_swapped_is_reminded_of_no_effect_that_does_not_work(taken, effect):
    g = choosing("red", "token-a")
    g.units["wolves"].wounds = 4
    g = play(g, "red activate:sansa", f"red {taken}:wealth")
    g = g if effect else play(g, "red rolled:1")
    hint = TmgPage(g, "red", (), str, lambda path: path).acting().hint
    assert ("restores up to 3 wounds" in hint) == effect
    near = [key.strip("*") for key in at_hand(g) if key.endswith("*")]
    assert near == (["wolves"] if effect else [])
    g = agreed(play(g, "blue activate:lions", "red activate:wolves", "all done"))
    assert tactics_cards.SWAPPED not in g.facts


@pytest.mark.rule("TMG-98")
def test_walls_that_the_table_remembers_are_not_asked_about():
    g = scored("table keep-aside:effects", token_a="wolves")
    assert (g.points("red"), asks(g)) == (1, "discard red blue")


@pytest.mark.rule("TMG-98")
def test_where_wounds_are_kept_on_the_table_the_walls_ask_for_none():
    g = scored("table keep-aside:wounds", token_a="wolves")
    assert offered(g, "red") == ["hits:token-a", "resolve:token-a"]
    assert "wounds" not in str(engine.step_of(g).helping(g, "red"))
    rolled = play(g, "red hits:token-a")
    assert any(said(rolled).startswith(f"Wolves suffers {hits} hits.") for hits in (3, 4, 5))
    assert asks(rolled) == "discard red blue"
    noted = play(g, "red resolve:token-a")
    assert said(noted).startswith("Wolves has been shot at.")
    assert (asks(noted), noted.units["wolves"].wounds) == ("discard red blue", 12)
