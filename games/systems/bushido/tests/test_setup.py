"""Set-up: warbands, what is odd about them, flanks, deployment."""

import pytest

from games.core import IllegalAction, RosterRow, clean_name, engine
from games.models import NAME_LENGTH
from games.systems.bushido import SYSTEM
from games.systems.bushido.rules.end_phase import EndEffects
from games.systems.bushido.tests.tables import READY, chosen, lobby, play
from tests.positions import asks, offered, said

DEPLOYED = ("red deployed", "blue deployed")


def brought(text):
    g = lobby()
    SYSTEM.bring(g, "red", text)
    return g


def refused(text):
    with pytest.raises(IllegalAction) as found:
        brought(text)
    return str(found.value.line)


@pytest.mark.rule("BUSH-26")
def test_a_warband_comes_as_lines_and_is_counted_in_rice():
    g = brought("Goshi;5;2/6;4\nYarimen;16;1/6;5;2\n")
    units = [(unit.name, unit.cost, unit.ki_stat, unit.ki_cap, unit.wounds) for unit in g.units.values()]
    assert units == [
        ("Goshi", 5, "2", "6", 4),
        ("Yarimen", 8, "1", "6", 5),
        ("Yarimen 2", 8, "1", "6", 5),
    ]
    assert g.armies["red"].rice == 21
    assert str(SYSTEM.roster(g, "red").summary) == "No faction, 21 rice, 3 models"


@pytest.mark.rule("BUSH-26")
def test_statistics_that_are_no_numbers_are_kept_as_they_stand():
    g = brought("Yanki;10;X/6;7\nAkuba;15;2/*;5\nKaiyo;0;0/∞;Special\nAtsukau;0;0/3;Kami\n")
    told = {unit.name: (unit.gain, unit.cap, unit.tracks_wounds) for unit in g.units.values()}
    assert told == {
        "Yanki": (None, 6, True),
        "Akuba": (2, None, True),
        "Kaiyō": (0, None, False),
        "Atsukau": (0, 3, False),
    }
    assert g.units["atsukau"].ki == 3, "a Kami starts with all its Ki"
    assert engine.problems(g) == ()


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("Goshi;x;2/6;4", "Line 1: “Goshi” has an impossible cost. The cost was ignored."),
        ("Goshi;5;-2/6;4", "Line 1: “-2/6” is not a Ki value such as 2/6. It was ignored."),
        ("Goshi;5;2/6;-1", "Line 1: “-1” is not a wounds value. It was ignored."),
        ("Goshi;5;2/6;4;0", "Line 1: too many models for “Goshi”; 1 to 20 are allowed."),
        ("Goshi;900;2/6;4", "Line 1: “Goshi” has an impossible cost. The cost was ignored."),
    ],
)
def test_what_is_odd_is_remarked_on_and_never_refused(line, remark):
    g = brought(line)
    assert [str(found) for _number, found in SYSTEM.roster(g, "red").warnings] == [remark]
    assert len(g.units) == 1


@pytest.mark.rule("BUSH-26")
def test_what_is_no_warband_is_refused_in_one_sentence():
    assert refused("\n# nothing\n").startswith("No model was found in this text.")
    assert refused(" \n").startswith("There is nothing to read here.")
    assert refused("<roster/>") == "This roster holds no warband."


@pytest.mark.rule("BUSH-26")
def test_until_ready_a_warband_may_be_replaced_and_corrected():
    g = play(lobby(), "red demo:ryu")
    g = play(g, "red another", "red demo:ito")
    assert len(list(g.units_of("red"))) == 9
    SYSTEM.amend(g, "red", [RosterRow("Jirou"), RosterRow("Yanki")])
    assert [(unit.name, unit.wounds, unit.ki_stat) for unit in g.units_of("red")] == [
        ("Jirou", 5, "2"),
        ("Yanki", 7, "X"),
    ]
    g = play(g, "red ready")
    with pytest.raises(IllegalAction):
        SYSTEM.bring(g, "red", "Goshi;5")
    assert asks(play(g, "red unready")) == "muster red blue"


@pytest.mark.rule("BUSH-26")
def test_no_warband_comes_after_the_lobby():
    g = chosen("keii")
    g.armies["red"].ready = False
    with pytest.raises(IllegalAction) as found:
        SYSTEM.bring(g, "red", "Goshi;5")
    assert str(found.value.line) == "You can choose a warband only until you are ready."


@pytest.mark.rule("BUSH-26")
def test_a_name_that_both_have_is_told_apart():
    g = play(lobby(), "red demo:ryu", "blue demo:ryu", "red ready", "blue ready")
    assert {unit.name for unit in g.units.values()} >= {"Kizoko (Red)", "Kizoko (Blue)"}


@pytest.mark.rule("BUSH-26")
def test_names_that_both_crowd_with_accents_still_fit_into_a_row():
    """A name counts as people count; its row counts every accent. Rows that are too long break PostgreSQL."""
    g, accents = lobby(), "\u0301\u0302\u0303"
    for seat in g.seats:
        g.armies[seat].name = clean_name(f"z{accents}" * 39 + seat[0])
        SYSTEM.bring(g, seat, f"{f'q{accents}' * 80};5\n{f'q{accents}' * 80};5")
    g = play(g, "red ready", "blue ready")
    names = {unit.name for unit in g.units.values()}
    assert len(names) == 4
    assert max(map(len, names)) <= NAME_LENGTH


def joined(*actions):
    """The names of the models that both have, after some have joined."""
    begun = (*READY, "red scenario:keii", "red deployed", "blue deployed")
    g = play(lobby(), *begun, "blue army/blue summon:blue Kappa", *actions)
    return [unit.name for unit in g.units.values() if "Kappa" in unit.name], said(g)


@pytest.mark.rule("BUSH-26")
def test_a_model_that_joins_is_told_apart_from_a_namesake_of_the_enemy():
    again = "red army/red summon:red Kappa"
    assert joined()[0] == ["Kappa"]
    assert joined(again) == (["Kappa", "Kappa (Red)"], "Kappa (Red) joins Red.")
    assert joined(again, again)[0] == ["Kappa", "Kappa (Red)", "Kappa (Red) 2"]
    early = ("red demo:ryu", "red army/red summon:red Kappa", "blue army/blue summon:blue Kappa")
    names = {unit.name for unit in play(lobby(), *early).units.values()}
    assert {"Kappa", "Kappa (Blue)"} & names == {"Kappa"}, "the lobby waits for all"


@pytest.mark.rule("BUSH-26")
def test_every_demo_warband_fits_a_hundred_rice():
    for slug in SYSTEM.demo_armies():
        g = play(lobby(), f"red demo:{slug}")
        assert g.armies["red"].rice == 100
        assert g.armies["red"].warnings == ()


@pytest.mark.rule("BUSH-32")
def test_all_deploy_and_the_first_turn_begins():
    g = play(chosen("keii"), "red deployed")
    assert asks(g) == "deploy blue"
    g = play(g, "blue deployed")
    assert (asks(g), g.round) == ("tactical-test red blue", 1)
    assert {unit.place for unit in g.units.values()} == {"table"}


@pytest.mark.rule("BUSH-26")
@pytest.mark.rule("BUSH-28")
def test_models_that_one_card_stands_for_share_it_in_a_corrected_list_too():
    text, twins = "Hiromasa;16;2/6;6;2\nKizoko;17;2/8;6;1", ("hiromasa", "hiromasa-2")
    g = lobby()
    SYSTEM.bring(g, "red", text)
    rows = list(SYSTEM.roster(g, "red").rows)
    SYSTEM.amend(g, "red", rows)
    assert g.shared == (twins,)
    g = brought(text)
    SYSTEM.bring(g, "blue", text)
    assert g.shared == (twins, ("hiromasa-3", "hiromasa-4"))
    SYSTEM.amend(g, "red", rows[1:])
    assert g.shared == (("hiromasa-3", "hiromasa-4"),), "one of them is left"
    assert play(g, "blue another").shared == ()


@pytest.mark.rule("BUSH-32")
def test_a_flank_note_is_known_to_its_player_until_the_model_arrives():
    g = play(chosen("keii"), "red flank:isamu")
    assert offered(g, "red") == ["back", "note:left 2-4", "note:right 2-4"]
    g = play(g, "red note:left:2")
    assert (g.units["isamu"].place, g.armies["red"].hidden) == ("elsewhere", {"flank-isamu": [2, "left"]})
    assert engine.view(g, "blue").armies["red"].hidden == {"flank-isamu": None}
    assert "left" not in said(g)
    g = play(g, *DEPLOYED, "red rolled:4", "blue rolled:2", "red first:red")
    assert (g.units["isamu"].counters, asks(g)) == (0, "turn red")
    g = _next_turn(g)
    g = play(g, "red rolled:4", "blue rolled:2", "red first:blue")
    assert (asks(g), offered(g, "red")) == ("starting-effects red", ["arrive:isamu"])
    after = play(g, "red arrive:isamu")
    assert "Isamu arrives by the left flank." in said(after)
    arrived = after.units["isamu"]
    assert (arrived.place, arrived.counters, arrived.activated, arrived.flanks) == ("table", 2, False, False)
    assert after.armies["red"].hidden == {}
    assert engine.is_final(g, after)


@pytest.mark.rule("BUSH-32")
def test_while_one_notes_a_flank_the_other_deploys():
    """The one's note and the other's answer cross: neither makes the other's tap stale."""
    g = play(chosen("keii"), "red flank:isamu")
    assert asks(g) == "deploy red blue"
    assert offered(g, "blue") == offered(play(chosen("keii")), "blue")
    noted = play(g, "blue deployed", "red note:left:2")
    assert noted.asked == g.asked == chosen("keii").asked
    assert (noted.armies["red"].noting, noted.units["isamu"].flanks) == ("", True)
    assert play(noted, "red deployed").round == 1
    both = play(g, "blue flank:ito-kinu")
    assert offered(both, "blue") == offered(both, "red") == ["back", "note:left 2-4", "note:right 2-4"]
    assert str(engine.step_of(both).asking(both, "red")) == "When and where does Isamu arrive?"
    assert str(engine.step_of(both).asking(both, "blue")) == "When and where does Ito Kinu arrive?"
    assert str(engine.step_of(both).asking(both, None)) == "Deploy for Keii"


@pytest.mark.rule("BUSH-32")
def test_a_flank_that_is_being_noted_holds_its_own_player_up():
    g = play(chosen("keii"), "red flank:isamu")
    with pytest.raises(IllegalAction):
        play(g, "red deployed")
    with pytest.raises(IllegalAction):
        play(play(g, "red back"), "red note:left:2")
    del g.units["isamu"]
    assert "deployed" in offered(g, "red")


def _next_turn(g):
    for unit in g.units.values():
        unit.counters = 0
    g.flow = ()
    g.call(EndEffects)
    engine.advance(g)
    return g


@pytest.mark.rule("BUSH-32")
def test_a_flank_can_be_thought_better_of_before_deployment():
    g = play(chosen("keii"), "red flank:isamu", "red note:right:3", "red stay:isamu")
    assert (g.units["isamu"].flanks, g.armies["red"].hidden) == (False, {})
    assert play(chosen("keii"), "red flank:isamu", "red back").units["isamu"].flanks is False


@pytest.mark.rule("BUSH-32")
def test_a_rival_cannot_bring_a_flanking_model_to_the_table():
    g = play(chosen("keii"), "red flank:isamu", "red note:left:3", *DEPLOYED)
    with pytest.raises(IllegalAction) as found:
        play(g, "blue unit/isamu on-table:isamu")
    assert "cannot make that correction" in str(found.value.line)


@pytest.mark.rule("BUSH-32")
def test_a_model_that_joins_a_deployed_warband_stands_on_the_battlefield_with_it():
    g = play(chosen("keii"), "red deployed", "red army/red summon:red Oni Brother", "blue deployed")
    (joined,) = (unit for unit in g.units.values() if unit.name == "Oni Brother")
    assert (g.round, joined.place) == (1, "table")


@pytest.mark.rule("BUSH-25")
def test_a_scenario_that_the_event_sets_is_played_without_a_question():
    g = lobby(scenario="seikyu")
    assert said(g).split("\n")[-1] == "The event sets the scenario: Seikyu."
    after = play(g, *READY)
    assert after.rules["scenario"] == chosen("seikyu").rules["scenario"]
    assert (asks(after), after.objectives) == (asks(chosen("seikyu")), chosen("seikyu").objectives)


@pytest.mark.rule("BUSH-25")
def test_a_scenario_that_is_gone_is_chosen_by_the_players():
    assert asks(play(lobby(scenario="nowhere"), *READY)) == asks(play(lobby(), *READY))
