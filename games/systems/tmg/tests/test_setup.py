"""From an open table to the first turn."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.lists.army_grammar import demo_text
from games.systems.tmg.tests.tables import MODE, NAMES, lobby, play
from tests.positions import asks, offered, said

STARK, LANNISTER = "red demo:stark", "blue demo:lannister"
READY = (STARK, LANNISTER, "red ready", "blue ready")
TOKENS = ("red rolled:5", "blue rolled:2", "red placed", "blue placed", "red placed", "blue placed")
CARDS = tuple(
    f"red card:{token}:{card}"
    for token, card in (
        ("token-a", "mend"),
        ("token-b", "shift"),
        ("token-c", "counsel"),
        ("token-d", "sunder"),
    )
)
ZONES = ("red rolled:1", "blue rolled:6", "blue pick-zone")


def opened(**options):
    return SYSTEM.open(MODE, NAMES, "seed", options)


@pytest.mark.rule("TMG-01")
@pytest.mark.parametrize(("points", "target"), [(30, 8), (40, 10), (50, 12), (60, 14), (35, 8)])
def test_the_size_gives_the_target(points, target):
    assert opened(points=points).rules["target"] == target


@pytest.mark.rule("TMG-05")
def test_an_army_that_was_brought_is_called_by_its_commander():
    g = play(lobby(), STARK)
    assert str(engine.step_of(g).asking(g, "red")) == f"Ready with {g.armies['red'].commander}?"
    assert g.armies["red"].commander


@pytest.mark.rule("TMG-01")
def test_the_organiser_may_set_another_target():
    assert opened(points=40, target=7).rules["target"] == 7


@pytest.mark.rule("TMG-02")
def test_no_action_of_a_match_changes_its_rules_or_its_mode():
    g = lobby()
    rules = {**g.rules}
    for action in (*READY, *TOKENS, *CARDS, *ZONES, "blue deployed", "red deployed"):
        g = play(g, action)
        assert g.rules == rules
        assert g.mode == MODE
    assert g.round == 1


@pytest.mark.rule("TMG-05")
def test_a_pasted_list_takes_its_seat():
    g = lobby()
    SYSTEM.bring(g, "red", demo_text("stark"))
    assert g.armies["red"].warnings == ()
    honor_guard = g.units["eddards-honor-guard"]
    assert honor_guard.commander
    assert (honor_guard.kind, honor_guard.wounds, honor_guard.ranks) == ("infantry", 12, 3)
    assert honor_guard.place == "unplaced"
    assert [unit.kind for unit in g.units_of("red")].count("ncu") == 3
    assert [unit.kind for unit in g.units_of("red")].count("cavalry") == 1
    assert (g.armies["red"].faction, g.armies["red"].points) == ("stark", 40)


@pytest.mark.rule("TMG-05")
def test_ready_needs_an_army_and_an_army_may_be_changed_until_then():
    g = lobby()
    assert "ready" not in offered(g, "red")
    g = play(g, STARK)
    assert offered(g, "red") == ["another", "ready"]
    SYSTEM.bring(g, "red", demo_text("greyjoy"))
    assert g.armies["red"].faction == "greyjoy"
    g = play(g, "red another")
    assert not list(g.units_of("red"))
    assert "demo:stark" in offered(g, "red")


@pytest.mark.rule("TMG-05")
def test_who_is_ready_can_step_back_until_both_are():
    g = play(lobby(), STARK, LANNISTER, "red ready")
    assert offered(g, "red") == ["unready"]
    with pytest.raises(IllegalAction):
        SYSTEM.bring(g, "red", demo_text("stark"))
    g = play(g, "red unready", "red ready", "blue ready")
    assert asks(g) == "token-roll red blue"


@pytest.mark.rule("TMG-05")
def test_two_equal_armies_keep_their_units_apart():
    g = play(lobby(), STARK, "blue demo:stark")
    assert g.units["catelyn-stark"].army == "red"
    assert g.units["catelyn-stark-2"].army == "blue"


@pytest.mark.rule("TMG-09")
def test_too_many_points_are_remarked_on_and_taken():
    g = opened(points=30)
    SYSTEM.bring(g, "red", demo_text("stark"))
    warnings = [str(line) for _number, line in SYSTEM.roster(g, "red").warnings]
    assert warnings == ["40 army points, in a match of 30."]
    assert list(g.units_of("red"))


@pytest.mark.rule("TMG-09")
def test_what_is_no_list_is_refused_in_words():
    with pytest.raises(IllegalAction, match="No unit was found"):
        SYSTEM.bring(lobby(), "red", "hello there")


@pytest.mark.rule("TMG-10")
def test_an_enemy_attachment_joins_an_enemy_unit():
    g = lobby()
    SYSTEM.bring(g, "red", demo_text("stark") + "\nEnemy Attachments\n • Turncoat ( 1 )\n")
    g = play(g, LANNISTER, "red ready", "blue ready")
    assert asks(g) == "join-enemy red"
    assert all(g.units[action.removeprefix("join:")].army == "blue" for action in offered(g, "red"))
    (first, *_others) = offered(g, "red")
    g = play(g, f"red {first}")
    unit = g.units[first.removeprefix("join:")]
    assert unit.attachments[-1][0] == "Turncoat"
    assert unit.attachments[-1][3] == "red"
    assert asks(g) == "token-roll red blue"


@pytest.mark.rule("TMG-23")
def test_a_companion_is_tied_to_the_unit_of_its_master():
    g = lobby()
    SYSTEM.bring(g, "red", demo_text("free-folk"))
    boar = next(unit for unit in g.units_of("red") if unit.name == "Borroq's Boar")
    assert any(name == "Borroq" for name, *_rest in g.units[boar.linked_to].attachments)


@pytest.mark.rule("TMG-61")
def test_the_centre_token_lies_there_when_armies_are_ready():
    g = play(lobby(), *READY)
    assert [token.key for token in g.tokens()] == ["centre"]
    assert "centre of the battlefield" in said(g)


@pytest.mark.rule("TMG-61")
def test_a_tie_is_rolled_again():
    g = play(lobby(), *READY, "red rolled:4", "blue rolled:4")
    assert asks(g) == "token-roll red blue"
    g = play(g, "blue rolled:2", "red rolled:5")
    assert asks(g) == "place-token red"


@pytest.mark.rule("TMG-61")
def test_tokens_are_placed_in_turns_to_five():
    g = play(lobby(), *READY, "red rolled:5", "blue rolled:2")
    placed = []
    while g.question.step == "place-token":
        placed.append(g.turn)
        assert "6 inches" in engine.step_of(g).help
        g = play(g, f"{g.turn} placed")
    assert placed == ["red", "blue", "red", "blue"]
    assert sum(1 for _token in g.tokens()) == 5


@pytest.mark.rule("TMG-61")
def test_the_centre_has_its_own_card_and_each_other_token_a_different_one():
    g = play(lobby(), *READY, *TOKENS, "blue draw")
    cards = [token.card for token in g.tokens()]
    assert cards[0] == "centre"
    assert len(set(cards)) == 5
    assert len(g.draws) == 4


@pytest.mark.rule("TMG-61")
def test_cards_of_the_deck_on_the_table_are_entered_one_by_one():
    g = play(lobby(), *READY, *TOKENS, CARDS[0])
    assert g.objectives["token-a"].card == "mend"
    assert "card:token-b:mend" not in offered(g, "blue")
    assert "card:token-b:shift" in offered(g, "blue")
    assert "card:token-b:other" in offered(g, "blue")
    g = play(g, "red draw")
    assert asks(g) == "zone-roll red blue"
    assert g.objectives["token-a"].card == "mend"


@pytest.mark.rule("TMG-03")
def test_who_does_not_pick_the_zone_is_first_player():
    g = play(lobby(), *READY, *TOKENS, *CARDS, "red rolled:1", "blue rolled:6")
    assert asks(g) == "pick-zone blue"
    picked = play(g, "blue pick-zone")
    assert (picked.first, asks(picked)) == ("red", "deploy blue")
    passed = play(g, "blue pass-pick")
    assert (passed.first, asks(passed)) == ("blue", "deploy red")


@pytest.mark.rule("TMG-03")
def test_a_roll_of_the_app_is_logged_and_can_be_verified():
    g = play(lobby(), *READY, *TOKENS, *CARDS, "red roll")
    assert said(g) == f"Red rolls {g.armies['red'].roll}."
    assert g.armies["red"].roll == g.draws[0].value + 1


@pytest.mark.rule("TMG-04")
def test_deployment_tells_the_depth_of_the_mode():
    g = play(lobby(), *READY, *TOKENS, *CARDS, *ZONES)
    assert "within 6 inches" in str(engine.step_of(g).helping(g, "blue"))
    assert all(unit.place == "unplaced" for unit in g.units.values())
    g = play(g, "blue deployed")
    assert {unit.place for unit in g.units_of("blue")} == {"table"}
    assert asks(g) == "deploy red"


@pytest.mark.rule("TMG-52")
def test_the_set_up_says_when_only_a_tray_that_covers_the_whole_token_keeps_it():
    g = engine.adjust(lobby(), "red", "table", "strict")
    assert (g.rules["strict"], said(g)) == (
        1,
        "Strict overlap: a claim is lost once the token is not covered.",
    )
    g = play(g, *READY, *TOKENS, *CARDS, *ZONES)
    assert "Strict overlap" in str(engine.step_of(g).helping(g, "blue"))
    usual = play(lobby(strict=1), *READY, *TOKENS)
    assert engine.adjust(usual, "red", "table", "touching").rules["strict"] == 0


@pytest.mark.rule("TMG-12")
def test_round_one_begins_with_everybody_fresh():
    g = play(lobby(), *READY, *TOKENS, *CARDS, *ZONES, "blue deployed", "red deployed")
    assert (g.round, g.first, asks(g)) == (1, "red", "turn red")
    assert not any(unit.activated for unit in g.units.values())
    assert [zone.claimed_by for zone in g.zones()] == [None] * 5
    assert {seat: g.points(seat) for seat in g.seats} == {"red": 0, "blue": 0}
    assert g.armies["red"].hand == 3
    assert g.armies["red"].deck == 17


@pytest.mark.rule("TMG-25")
@pytest.mark.parametrize(("mode", "place"), [(MODE, "table"), ("a-clash-of-kings", "reserve")])
def test_a_unit_that_is_added_after_its_side_has_deployed_comes_along(mode, place):
    g = play(lobby(mode), *READY)
    while g.question.step != "deploy":
        g = play(g, f"{engine.to_act(g)[0]} {next(main_of(g))}")
    first, second = g.turn, g.rival(g.turn)
    g = deployed(g)
    g.armies[first].faction = "stark"
    g = engine.adjust(g, first, f"army/{first}", f"add:{first}", note="Umber Berserkers (6)")
    g = deployed(g)
    assert (g.round, g.units["house-umber-berserkers"].place) == (1, place)
    assert [str(line) for line in g.lines].count("House Umber Berserkers moves to Reserve.") == (
        place == "reserve"
    )
    assert {unit.place for unit in g.units_of(second)} <= {"table", "reserve"}


def main_of(g):
    """What the open question offers first of all, a roll by the player's die."""
    (seat, *_others) = engine.to_act(g)
    for found in engine.offers(g, seat):
        if found.style == "main":
            yield {"roll": "rolled:5" if seat == "red" else "rolled:2"}.get(found.action, found.action)


def deployed(g):
    """The position after the player whose turn it is has deployed."""
    seat = g.turn
    while g.turn == seat and g.question.step == "deploy":
        g = play(g, f"{seat} {next(main_of(g))}")
    return g


@pytest.mark.rule("TMG-12")
def test_nothing_is_noted_of_a_round_that_has_not_begun():
    g = play(lobby(), *READY, *TOKENS, *CARDS, *ZONES, "blue deployed")
    fighter, adviser = next(g.combat_units("blue")).key, next(g.ncus("blue")).key
    barred = ("on:", "off:", "lend", "influence", "activate", "waive")
    for key in (fighter, adviser):
        verbs = [
            found.action for found in engine.corrections(g, f"unit/{key}") if found.group != "List entry"
        ]
        assert [action for action in verbs if action.startswith(barred)] == []
    g = play(g, "red deployed")
    assert {f"on:{adviser}:activated", f"lend:{adviser}", f"influence:{adviser}:{fighter}"} <= {
        found.action for found in engine.corrections(g, f"unit/{adviser}")
    }


@pytest.mark.rule("TMG-79")
def test_an_adviser_who_adds_a_card_adds_it_to_the_first_hand():
    g = play(lobby(), *READY, *TOKENS, *CARDS, *ZONES)
    bonus = sum(unit.hand_bonus for unit in g.units_of("blue"))
    g = play(g, "blue deployed", "red deployed")
    assert g.armies["blue"].hand == 3 + bonus


@pytest.mark.rule("TMG-01")
def test_the_whole_set_up_costs_few_taps():
    by_table = (*READY, *TOKENS, *CARDS, *ZONES, "blue deployed", "red deployed")
    in_app = (*READY, "red roll", "blue roll")
    g = play(lobby(), *by_table)
    assert (g.round, len(by_table)) == (1, 19)
    assert play(lobby(), *in_app).drawn == 2


@pytest.mark.rule("TMG-51")
@pytest.mark.parametrize("names", [("", ""), ("Sam", ""), ("Sam", "Sam")])
def test_sides_without_names_of_their_own_go_by_their_colours(names):
    g = lobby()
    for seat, called in zip(g.seats, names, strict=True):
        g.armies[seat].name = called
    g = play(g, STARK, LANNISTER, "red ready", "blue ready")
    shared = [unit.name for unit in g.units.values() if "Crossbowmen (" in unit.name]
    assert shared == ["Golden Company Crossbowmen (Red)", "Golden Company Crossbowmen (Blue)"]


@pytest.mark.rule("TMG-51")
def test_units_of_one_name_in_both_armies_say_whose_they_are_once_both_are_ready():
    g = play(lobby(), STARK, LANNISTER, "red ready")
    crossbowmen = [unit for unit in g.units.values() if unit.name == "Golden Company Crossbowmen"]
    assert len(crossbowmen) == 2
    g = play(g, "blue ready")
    assert [g.units[unit.key].name for unit in crossbowmen] == [
        "Golden Company Crossbowmen (Red)",
        "Golden Company Crossbowmen (Blue)",
    ]


@pytest.mark.rule("TMG-61")
def test_one_button_draws_all_cards_and_any_other_card_comes_last():
    g = play(lobby(), *READY, *TOKENS)
    offers = {offer.action: offer for offer in engine.offers(g, "red")}
    assert str(offers["draw"].label) == "Draw all in the app"
    others = [action for action, offer in offers.items() if offer.style == "quiet"]
    assert others == ["card:token-a:other"]
    cards = [card["key"] for card in g.rules["cards"][:3]]
    for token, card in zip("abc", cards, strict=True):
        g = play(g, f"red card:token-{token}:{card}")
    assert str({offer.action: offer for offer in engine.offers(g, "red")}["draw"].label) == "Draw in the app"
