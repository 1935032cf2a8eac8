"""A round from the cards to its end: Westeros, planning, action, and how the game is won."""

import pytest

from games import rulebook
from games.core import IllegalAction, engine
from games.systems.agot import SYSTEM
from games.systems.agot.orders import open_orders
from games.systems.agot.page import board_page
from games.systems.agot.pieces import THRONE, armies_fit, box, limits
from games.systems.agot.tests.tables import asks, at, field, gathered, play, power, table, within
from tests.positions import offered, said


@pytest.mark.rule("BASE-01")
@pytest.mark.rule("BASE-02")
@pytest.mark.parametrize("houses", [3, 4, 5, 6])
def test_the_game_is_set_up_by_the_number_of_players(houses):
    g = table(houses)
    assert g.turn_order == tuple(box()["players"][str(houses)][THRONE])
    assert [g.points(seat) for seat in g.seats] == [2, *[1] * (houses - 1)]
    assert {army.power for army in g.armies.values()} == {5}
    assert (g.round, g.threat, g.question.step) == (1, 2, "planning")
    assert g.rounds["1"].first == g.turn_order[0]


def test_houses_go_by_their_names_whoever_plays_them():
    g = SYSTEM.open("light", {"stark": "Anna", "lannister": "Ben", "baratheon": "Cem"}, "seed", {})
    g = play(g, "stark ready", "lannister ready")
    step = engine.step_of(g)
    assert str(step.asking(g, "stark")) == "Your house is ready"
    assert str(step.asking(g, "baratheon")) == "Is your house ready?"
    assert str(step.helping(g, "stark")) == "Still waiting for Baratheon."
    assert said(play(g, "stark not-yet")) == "Stark will choose again."


def test_the_game_begins_when_all_are_ready_and_not_before():
    g = play(gathered(), "stark ready", "lannister ready", "stark not-yet", "baratheon ready")
    assert (asks(g), g.round, g.armies["stark"].ready) == ("gather stark", 0, False)
    assert play(g, "stark ready").round == 1


@pytest.mark.rule("BASE-03")
def test_winter_shuffles_its_deck_and_another_card_follows():
    g = at(table(), "westeros")
    g = play(g, "stark card:winter-is-coming")
    assert (g.cards, g.question.step) == ((), "westeros")
    g = play(g, "lannister card:last-days-of-summer")
    assert g.cards == ("last-days-of-summer",)


def test_each_wildling_icon_is_a_space():
    g = at(table(), "westeros")
    g = play(g, "stark card:last-days-of-summer", "stark card:last-days-of-summer", "stark card:web-of-lies")
    assert g.threat == 8
    assert g.barred == "web-of-lies"


@pytest.mark.rule("BASE-03")
def test_the_cards_are_resolved_in_the_order_of_their_decks():
    g = at(table(), "westeros")
    g = play(g, "stark card:supply", "stark card:game-of-thrones", "stark card:wildlings-attack")
    assert g.question.step == "supply"
    g = play(g, *(f"{seat} level:2" for seat in g.seats))
    assert g.question.step == "income"
    assert play(g, *(f"{seat} income:0" for seat in g.seats)).question.step == "bid"


@pytest.mark.rule("BASE-04")
@pytest.mark.parametrize(
    ("step", "seat", "choice", "after"),
    [
        ("throne-of-blades", "baratheon", "mustering", "mustering baratheon"),
        ("throne-of-blades", "baratheon", "nothing", "planning stark lannister baratheon"),
        ("dark-wings", "lannister", "clash-of-kings", "bid baratheon lannister stark"),
        ("put-to-the-sword", "stark", "storm-of-swords", "planning stark lannister baratheon"),
    ],
)
def test_the_holder_of_a_token_chooses(step, seat, choice, after):
    g = within(table(), step)
    assert engine.to_act(g) == (seat,)
    assert asks(play(g, f"{seat} choose:{choice}")) == after


@pytest.mark.rule("BASE-05")
def test_what_a_card_forbids_holds_for_one_round():
    g = play(within(table(), "put-to-the-sword"), "stark choose:rains-of-autumn")
    assert g.barred == "rains-of-autumn"
    assert at(g, "round-end").barred == ""


@pytest.mark.rule("BASE-05")
@pytest.mark.parametrize(
    ("card", "asked"),
    [
        ("sea-of-storms", ["marches", "consolidation", "realms"]),
        ("feast-for-crows", ["raids", "marches", "realms"]),
        ("web-of-lies", ["raids", "marches", "consolidation", "realms"]),
        ("", ["raids", "marches", "consolidation", "realms"]),
    ],
)
def test_nobody_is_asked_about_orders_that_a_card_forbids(card, asked):
    g = play(at(table(), "raven", barred=card), "lannister rest")
    found = []
    while g.question.step != "realms":
        found.append(g.question.step)
        answers = [f"{seat} none" for seat in g.seats] if found[-1] == "consolidation" else ["stark resolved"]
        g = play(g, *answers)
    assert [*found, "realms"] == asked


@pytest.mark.rule("BASE-05")
@pytest.mark.parametrize(
    ("card", "asked"), [("feast-for-crows", "westeros"), ("rains-of-autumn", "consolidation")]
)
def test_the_map_asks_for_no_power_that_a_card_forbids(card, asked):
    g = field(3, stark="winterfell:F", lannister="lannisport:F", baratheon="dragonstone:F")
    g = at(g, "marches", barred=card)
    assert asks(play(g, *(f"{seat} no-march" for seat in g.turn_order))).startswith(asked)


@pytest.mark.rule("BASE-05")
def test_a_question_that_was_asked_before_the_card_was_corrected_can_still_be_answered():
    g = at(table(), "consolidation", barred="feast-for-crows")
    assert asks(play(g, "stark consolidate:1")) == "consolidation lannister baratheon"


@pytest.mark.rule("AGOT-01")
def test_everybody_counts_its_supply():
    g = within(table(), "supply")
    assert offered(g, "stark") == ["level 0-6"]
    g = play(g, "stark level:4", "baratheon level:2")
    assert g.armies["stark"].supply == 4
    assert asks(g) == "supply lannister"


@pytest.mark.rule("AGOT-02")
def test_a_level_allows_so_many_armies_of_such_sizes():
    assert limits(3) == (3, 2, 2, 2)
    assert armies_fit([2, 2, 2, 2], 3)
    assert not armies_fit([3, 3, 2, 2], 3)
    assert armies_fit([2, 2, 1, 1, 1], 0)
    assert not armies_fit([3, 2], 0)
    assert limits(9) == limits(6)


@pytest.mark.rule("AGOT-03")
def test_only_whose_supply_fell_looks_at_its_armies():
    g = play(within(table(), "supply"), "stark level:0", "lannister level:2", "baratheon level:3")
    assert asks(g) == "reconcile stark"
    help = str(engine.step_of(g).helping(g, "stark"))
    assert help == "At level 0: armies of at most 2, 2. Remove units until yours fit."
    g = play(g, "stark fits")
    assert asks(g) == "planning stark lannister baratheon"
    again = play(within(g, "supply"), "stark level:0", "lannister level:2", "baratheon level:3")
    assert asks(again) == "planning stark lannister baratheon", "nobody's supply has fallen since"


@pytest.mark.rule("AGOT-06")
@pytest.mark.rule("AGOT-13")
def test_houses_muster_in_turn_order():
    g = within(table(), "mustering", *table().turn_order)
    assert asks(g) == "mustering baratheon"
    told = str(engine.step_of(g).helping(g, "baratheon"))
    assert told.endswith("Keep to your supply; what is not spent is lost.")
    g = play(g, "baratheon mustered")
    assert asks(g) == "mustering lannister"
    with pytest.raises(IllegalAction):
        engine.play(g, "stark", "mustered")


@pytest.mark.rule("AGOT-21")
@pytest.mark.rule("BASE-08")
def test_income_comes_from_a_pool_of_twenty():
    g = within(power(table(), stark=18), "income")
    g = play(g, "stark income:5")
    assert g.armies["stark"].power == 20
    assert "The pool of Stark is empty." in said(g)
    with pytest.raises(IllegalAction):
        engine.play(g, "stark", "income:5")


@pytest.mark.rule("AGOT-74")
def test_orders_are_turned_over_when_all_have_placed():
    g = play(table(), "stark placed", "lannister placed")
    assert asks(g) == "planning baratheon"
    g = play(g, "stark not-yet", "baratheon placed", "stark placed")
    assert asks(g) == "raven lannister"


@pytest.mark.rule("BASE-12")
@pytest.mark.parametrize("mode", ["light", "full", "orders"])
def test_the_question_for_orders_shows_the_rule_about_placing_them(mode):
    g = table(mode=mode)
    assert g.question.step == "planning"
    assert "lays one order" in rulebook.rules("agot")[engine.step_of(g).resting_on(g)].text


@pytest.mark.rule("AGOT-50")
def test_the_rule_of_raids_keeps_ships_at_sea_from_no_land():
    """It said that ships in the sea of a port raid nothing on land."""
    assert open_orders.reaches("ironmans-bay", "riverrun")
    assert open_orders.reaches("ironmans-bay", "port-of-pyke")
    assert not open_orders.reaches("port-of-pyke", "pyke")
    told = "Ships in a port raid only its sea, and only ships in that sea raid them."
    assert rulebook.rules("agot")["AGOT-50"].text == told


def test_planning_names_the_orders_with_a_star():
    g = table()
    helps = [str(engine.step_of(g).helping(g, seat)) for seat in ("lannister", "stark", "baratheon")]
    assert [each.split("at most ")[1][0] for each in helps] == ["3", "2", "1"]


@pytest.mark.parametrize(
    ("mode", "words"),
    [("light", "none special."), ("full", "No special orders."), ("orders", "none special.")],
)
def test_the_last_of_the_kings_court_is_told_that_no_order_may_be_special(mode, words):
    g = table(5, mode)
    help = str(engine.step_of(g).helping(g, g.track("kings-court")[-1]))
    assert help.endswith(words)
    assert "at most" not in help.lower()


@pytest.mark.rule("AGOT-91")
def test_planning_tells_how_many_orders_and_that_a_house_without_units_places_none():
    """Of three houses Stark may place two special orders; Baratheon has lost all its units."""
    told = {
        "full": "1 order: Winterfell. At most 2 special.",
        "orders": "0 of 1 placed in secret, at most 2 special.",
    }
    for mode, expected in told.items():
        g = at(field(3, mode, stark="winterfell:F", lannister="lannisport:F riverrun:F"), "planning")
        helps = {seat: str(engine.step_of(g).helping(g, seat)) for seat in g.seats}
        assert helps["stark"] == expected
        assert helps["baratheon"] == "You have no units, so you place no orders."
        assert "placed" in offered(g, "baratheon")


@pytest.mark.rule("BASE-06")
@pytest.mark.parametrize(("action", "known"), [("swap", 9), ("look keep", 9), ("look bury", 0), ("rest", 9)])
def test_the_raven_swaps_looks_or_rests(action, known):
    g = at(table(), "raven", buried=("crow-killers",) * 9)
    g = play(g, *(f"lannister {each}" for each in action.split()))
    assert (g.question.step, len(g.buried)) == ("raids", known)


@pytest.mark.rule("BASE-06")
def test_the_wildling_card_is_seen_before_it_is_kept_or_buried():
    raven = at(table(), "raven")
    assert offered(raven, "lannister") == ["look", "rest", "swap"]
    g = play(raven, "lannister look")
    assert (offered(g, "lannister"), offered(g, "stark")) == (["bury", "keep"], [])
    assert engine.is_final(raven, g), "what was seen is not quietly taken back"
    assert board_page.phase(g) == "Planning phase"


@pytest.mark.rule("BASE-07")
def test_the_three_kinds_of_orders_follow_each_other():
    g = play(at(table(), "raids"), "stark resolved", "baratheon resolved")
    assert asks(g) == "consolidation stark lannister baratheon"
    g = play(g, "stark consolidate:2", "lannister none", "baratheon none")
    assert g.armies["stark"].power == 7
    assert g.question.step == "realms"


def test_tokens_are_laid_and_lifted_by_correction():
    g = engine.adjust(table(), "stark", "army/stark", "lay:stark")
    assert (g.armies["stark"].power, g.armies["stark"].tokens_out, g.pool("stark")) == (4, 1, 15)
    g = engine.adjust(g, "stark", "army/stark", "lift:stark")
    assert (g.armies["stark"].power, g.armies["stark"].tokens_out, g.pool("stark")) == (4, 0, 16)


@pytest.mark.rule("AGOT-75")
def test_nothing_can_be_given_to_another_house():
    """Power moves between a house, the board and the pool, never between houses."""
    g = table()
    for path in ("table", *(f"army/{seat}" for seat in g.seats)):
        for offer in engine.corrections(g, path):
            nouns = offer.action.split(":")[1:]
            assert sum(noun in g.seats for noun in nouns) <= 1


@pytest.mark.rule("BASE-07")
def test_who_cannot_march_any_more_is_not_asked():
    g = field(stark="winterfell:F", lannister="lannisport:F stoney-sept:F", greyjoy="pyke:F")
    g.objectives["pyke"].routed = ("footman",)
    g = at(g, "marches")
    g = play(g, "lannister march:lannisport:zero", "lannister go")
    assert asks(g) == "marches stark"
    g = play(g, "stark march:winterfell:zero", "stark go")
    assert asks(g) == "marches lannister"
    g = play(g, "lannister march:stoney-sept:plus", "lannister go")
    assert (asks(g), g.marched) == ("consolidation greyjoy", ())
