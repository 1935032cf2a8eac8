"""The rulesets as data: complete, readable, kept by their match, and compared truly in the README."""

import re
from pathlib import Path

import pytest

from games import rulebook
from games.core import engine
from games.systems.tmg import SYSTEM, ruleset
from games.systems.tmg.rules import destruction, objective_tokens
from games.systems.tmg.tests.tables import infantry, lobby, ncu, play, table
from tests.positions import asks, offered, said

RULES = ruleset.read()
LATER = 2024
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
TITLES = [rules["title"] for rules in ruleset.every().values()]


@pytest.mark.rule("TMG-02")
@pytest.mark.parametrize("year", ruleset.every())
def test_a_match_keeps_its_own_copy_of_the_ruleset(year):
    g = lobby(points=50, ruleset=year)
    assert g.rules["version"] == ruleset.read(year)["version"]
    assert g.rules["ruleset"] == year
    assert "target" not in RULES
    assert "modes" not in g.rules
    assert type(g).from_json(g.to_json()).rules == g.rules


def test_the_usual_rules_come_first_and_are_those_of_a_table_that_says_nothing():
    assert list(SYSTEM.choices["ruleset"].values) == list(ruleset.every())
    assert lobby().rules["ruleset"] == ruleset.USUAL == next(iter(ruleset.every()))


def test_a_later_ruleset_changes_only_what_it_says():
    later = ruleset.read(LATER)
    assert later.keys() >= RULES.keys()
    for same in ("zones", "cards", "rounds", "hand", "deck", "war_machines_gain_conditions"):
        assert later[same] == RULES[same]


@pytest.mark.rule("TMG-61")
def test_the_deck_has_ten_cards_that_say_when_they_work():
    cards = RULES["cards"]
    assert [card["number"] for card in cards] == list(range(1, 11))
    assert len({card["key"] for card in cards}) == 10
    assert {card["when"] for card in cards} == {"scoring", "controlling"}


@pytest.mark.rule("TMG-61")
def test_the_centre_card_scores_one_more_and_tests_with_two_less():
    assert (RULES["centre_card"]["bonus"], RULES["centre_card"]["panic"]) == (1, -2)


@pytest.mark.rule("TMG-32")
def test_every_zone_and_card_says_what_it_does():
    texts = list(ruleset.messages(RULES))
    assert all(texts)
    assert len(texts) == 1 + 2 * (5 + 2 + 12) + 1


def test_a_card_or_zone_that_the_ruleset_does_not_know_is_none():
    g = table()
    assert g.objective_card("unheard-of") is None
    assert g.zone_entry("unheard-of") is None


def test_of_two_cards_or_zones_with_one_key_the_first_counts():
    g = table(cards=[{"key": "twice", "name": "One"}, {"key": "twice", "name": "Two"}])
    g.rules = {**g.rules, "extra_zones": [{"key": "crown", "name": "Another crown"}]}
    assert g.objective_card("twice")["name"] == "One"
    assert g.zone_entry("crown")["name"] == g.rules["zones"][0]["name"]


# --- the comparison in the README ------------------------------------------------------------------


def compared():
    """The rows of the README's comparison: what is compared → its value in each ruleset."""
    part = README.split("## Rulesets")[1].split("\n## ")[0]
    _heading, _line, *rows = re.findall(r"^\|(.+)\|$", part, re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    assert [cell.strip() for cell in _heading.split("|")] == ["What", "In the files", *TITLES]
    return {key.strip("`"): values for _what, key, *values in cells}


def stated(key, year):
    """The value of a row of the comparison as the README writes it."""
    mode, _dot, name = key.rpartition(".")
    facts = {**SYSTEM.mode(mode).facts, **ruleset.of_mode(year, mode)} if mode else ruleset.read(year)
    return written(facts[name]) if name in facts else "–"


def written(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)


@pytest.mark.rule("TMG-02")
def test_the_comparison_in_the_readme_is_what_the_files_say():
    for key, values in compared().items():
        assert values == [stated(key, year) for year in ruleset.every()], key


def test_the_comparison_leaves_out_nothing_that_differs():
    later = ruleset.every()[LATER]
    differing = {key for key in RULES if RULES[key] != later[key]} - {"ruleset", "title"}
    differing |= {f"{mode}.{name}" for mode, facts in later["modes"].items() for name in facts}
    assert compared().keys() == differing


def test_the_front_page_leads_to_the_comparison():
    front = (Path(__file__).parents[4] / "README.md").read_text(encoding="utf-8")
    assert "games/systems/tmg/README.md#rulesets" in front


# --- what the later rules change -------------------------------------------------------------------


def begun(**options):
    """A table of the later rules whose armies are ready."""
    g = lobby(ruleset=LATER, **options)
    return play(g, "red demo:stark", "blue demo:lannister", "red ready", "blue ready")


@pytest.mark.rule("TMG-61")
def test_later_tokens_lie_where_the_map_says_and_the_centre_too_is_dealt_a_card():
    g = begun()
    assert asks(g) == "deal-cards red blue"
    assert objective_tokens.laid(g) == 5
    g = play(g, "blue draw")
    cards = [token.card for token in g.tokens()]
    assert len(set(cards)) == 5
    assert set(cards) <= {card["key"] for card in RULES["cards"]}


@pytest.mark.rule("TMG-63")
def test_later_the_centre_still_scores_two_and_a_card_of_old_does_not_score_twice():
    score = SYSTEM.step_named(lobby(), "score-points")()
    for year, card, worth in (
        (2020, "mend", 1),
        (2020, "centre", 2),
        (LATER, "mend", 2),
        (LATER, "centre", 2),
    ):
        g = table(**ruleset.of_mode(year, "a-game-of-thrones"))
        g.objectives["centre"].card = card
        assert 1 + sum(source.points for source in score.more(g, g.objectives["centre"], "red")) == worth


@pytest.mark.rule("TMG-101")
def test_later_the_first_roll_is_for_terrain_and_shows_that_rule():
    g = play(begun(), "red draw")
    assert asks(g) == "terrain-roll red blue"
    assert "piece of terrain" in rulebook.rules("tmg")[engine.step_of(g).resting_on(g)].text
    g = play(g, "red rolled:2", "blue rolled:5")
    assert "Blue places the first piece of terrain." in said(g)


@pytest.mark.rule("TMG-03")
def test_later_who_picks_a_zone_says_who_deploys_first_and_the_other_who_begins():
    g = play(begun(), "red draw")
    assert asks(g) == "terrain-roll red blue"
    g = play(g, "red rolled:2", "blue rolled:5")
    assert "Blue places the first piece of terrain." in said(g)
    g = play(g, "red rolled:6", "blue rolled:1", "red pass-pick")
    assert said(g) == "Blue picks a zone."
    assert (asks(g), g.first) == ("deploy-order blue", "")
    assert offered(g, "blue") == ["deploys:blue", "deploys:red"]
    g = play(g, "blue deploys:red")
    assert asks(g) == "first-turn red"
    g = play(g, "red begins:blue")
    assert "Blue is First Player." in said(g)
    assert (asks(g), g.first) == ("deploy red", "blue")
    g = play(g, "red deployed")
    assert asks(g) == "deploy blue"
    g = play(g, "blue deployed")
    assert (asks(g), g.round) == ("turn blue", 1)


@pytest.mark.rule("TMG-04")
@pytest.mark.parametrize(
    ("mode", "inches"), [("a-game-of-thrones", 10), ("winds-of-winter", 10), ("a-clash-of-kings", 12)]
)
def test_later_armies_deploy_deeper_where_that_is_known(mode, inches):
    assert lobby(mode, ruleset=LATER).rules["deployment"] == inches


@pytest.mark.rule("TMG-45")
def test_later_a_failed_panic_test_costs_the_die_alone():
    assert str(destruction.panic_words(lobby())) == "A failed panic test costs 1 + D3 wounds."
    assert str(destruction.panic_words(lobby(ruleset=LATER))) == "A failed panic test costs D3 wounds."


@pytest.mark.rule("TMG-30")
def test_later_an_ncu_does_not_activate_once_the_board_is_full():
    g = table([infantry("wolves"), ncu("sansa")], **ruleset.read(LATER))
    assert "activate:sansa" in offered(g, "red")
    for zone in g.zones():
        zone.claimed_by = "somebody"
    assert offered(g, "red") == ["activate:wolves"]


@pytest.mark.parametrize(("fought", "year"), [(True, LATER), (False, LATER), (True, 2020)])
def test_later_a_kill_in_melee_reminds_of_the_free_maneuver(fought, year):
    g = table(**ruleset.read(year))
    if fought:
        g.units["wolves"].engaged_with, g.units["lions"].engaged_with = (
            frozenset({"lions"}),
            frozenset({"wolves"}),
        )
    g.begin_action()
    destruction.wound(g, g.units["lions"], 12, "red")
    assert ("destroyed in melee" in said(g)) == (fought and year == LATER)


NEUTRALS = """Faction: Stark
Commander: Eddard Stark - Lord of Winterfell
Points: 40 / 40

Combat Units
 • Stark Sworn Swords ( 5 )
     Eddard Stark - Lord of Winterfell ( 0 )
 • Golden Company Crossbowmen ( 7 )
 • Golden Company Swordsmen ( 7 )
"""


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(("year", "remarks"), [(2020, 0), (LATER, 1)])
def test_too_many_neutral_points_are_remarked_on(year, remarks):
    g = lobby(ruleset=year)
    SYSTEM.bring(g, "red", NEUTRALS)
    told = [one for one in g.armies["red"].warnings if "Neutral" in one["message"]]
    assert len(told) == remarks
    assert [one["arguments"] for one in told] == [{"points": 14, "most": 12}] * remarks


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("year", "points", "most"),
    [(2020, 35, 17), (2020, 45, 22), (LATER, 33, 10), (LATER, 35, 11), (LATER, 45, 14), (LATER, 41, 12)],
)
def test_half_a_neutral_point_is_a_whole_one_only_in_season_4(year, points, most):
    g = lobby(ruleset=year, points=points)
    SYSTEM.bring(g, "red", f"{NEUTRALS} • Golden Company Crossbowmen ( 20 )")
    (told,) = [one for one in g.armies["red"].warnings if "Neutral" in one["message"]]
    assert told["arguments"] == {"points": 34, "most": most}


@pytest.mark.rule("TMG-09")
def test_a_match_that_was_opened_before_halves_counted_goes_without_them():
    g = lobby(ruleset=LATER, points=45)
    g.rules = {name: rule for name, rule in g.rules.items() if name != "neutral_half_counts"}
    SYSTEM.bring(g, "red", f"{NEUTRALS} • Golden Company Crossbowmen ( 20 )")
    (told,) = [one for one in g.armies["red"].warnings if "Neutral" in one["message"]]
    assert told["arguments"]["most"] == 13


@pytest.mark.rule("TMG-09")
def test_exactly_as_many_neutral_points_as_the_rules_allow_are_no_remark():
    g = lobby(ruleset=LATER, points=50)
    g.rules = {**g.rules, "neutral_percent": 28}
    SYSTEM.bring(g, "red", NEUTRALS)
    assert not any("Neutral" in one["message"] for one in g.armies["red"].warnings)
    g.rules = {**g.rules, "neutral_percent": 26}
    SYSTEM.bring(g, "red", NEUTRALS)
    assert any("Neutral" in one["message"] for one in g.armies["red"].warnings)


@pytest.mark.rule("TMG-09")
def test_a_list_that_was_built_for_this_size_and_says_so_is_not_over_it():
    g = lobby()
    SYSTEM.bring(g, "red", NEUTRALS.replace("40 / 40", "41 / 40"))
    assert not any("in a match of" in one["message"] for one in g.armies["red"].warnings)
    SYSTEM.bring(g, "red", NEUTRALS.replace("40 / 40", "41 / 50"))
    assert any("in a match of" in one["message"] for one in g.armies["red"].warnings)
