"""A warband that is brought, shown row by row, corrected and brought again."""

from dataclasses import replace

import pytest

from games.core import Entries, IllegalAction, RosterRow, system
from games.match import random_play
from games.systems.bushido.lists.warband_cards import MODEL
from games.systems.bushido.rules import muster_and_deployment
from games.systems.bushido.tests.tables import READY, play
from games.systems.bushido.tests.tables import lobby as opened
from games.systems.bushido.tests.test_warband_forms import TEXTS

BUSHIDO = system("bushido")


@pytest.fixture
def lobby():
    g = random_play.fresh_state(BUSHIDO, "risen-sun", 1).copy()
    BUSHIDO.bring(g, "red", TEXTS["battlescribe.txt"])
    return g


def rows_of(g):
    return list(BUSHIDO.roster(g, "red").rows)


def units(g):
    return {unit.name: unit for unit in g.units_of("red")}


def warned(g):
    return [str(line) for _number, line in BUSHIDO.roster(g, "red").warnings]


@pytest.mark.rule("BUSH-26")
def test_a_list_becomes_models_with_the_figures_of_their_cards(lobby):
    assert list(units(lobby)) == [
        "Hiromasa", "Kizoko", "Ryoka-Sha", "Spearmen of the Coast", "Spearmen of the Coast 2",
        "Silverback A", "Silverback B",
    ]  # fmt: skip
    one = units(lobby)["Kizoko"]
    assert (one.cost, one.ki_stat, one.ki_cap, one.wounds, one.wounds_stat) == (17, "2", "8", 6, "6")
    two = units(lobby)["Spearmen of the Coast 2"]
    assert (two.cost, two.ki_stat, two.wounds_stat, two.tracks_wounds) == (8, "", "", False)
    side = lobby.armies["red"]
    assert (side.faction, side.theme, side.rice) == ("Prefecture of Ryu", "Blood of the Dragon", 95)
    assert side.cards[0] == ("Katana of Duty", "equipment", 2, "Hiromasa")
    assert [number for number, _line in side.warnings] == [15, 31]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("name", TEXTS)
def test_rows_that_nobody_changed_are_the_same_warband(lobby, name):
    BUSHIDO.bring(lobby, "red", TEXTS[name])
    before, models = rows_of(lobby), {unit.key: unit.to_json() for unit in lobby.units_of("red")}
    BUSHIDO.amend(lobby, "red", before)
    assert rows_of(lobby) == before
    assert {unit.key: unit.to_json() for unit in lobby.units_of("red")} == models


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("slug", sorted(muster_and_deployment.demo_armies()))
def test_a_ready_warband_costs_a_hundred_rice(lobby, slug):
    muster_and_deployment.bring(lobby, "red", muster_and_deployment.demo_warband(slug))
    side = lobby.armies["red"]
    assert (side.rice, warned(lobby)) == (100, [])
    assert muster_and_deployment.demo_armies()[slug] == side.faction
    assert all(unit.cost and unit.ki_stat and unit.wounds_stat for unit in lobby.units_of("red"))


def test_the_ready_warbands_are_of_different_factions():
    assert (
        len(set(muster_and_deployment.demo_armies().values()))
        == len(muster_and_deployment.demo_armies())
        == 4
    )


@pytest.mark.rule("BUSH-26")
def test_a_row_says_what_its_model_is(lobby):
    rows = rows_of(lobby)
    rows[0] = replace(rows[0], cost=20, facts={"ki": "x", "cap": "inf", "track": "special"})
    rows[1] = replace(rows[1], facts={"ki": "", "cap": "*", "track": "Kami"})
    BUSHIDO.amend(lobby, "red", rows)
    one, two = units(lobby)["Hiromasa"], units(lobby)["Kizoko"]
    assert (one.cost, one.ki_stat, one.ki_cap, one.wounds_stat) == (20, "X", "∞", "Special")
    assert (two.ki_stat, two.ki_cap, two.is_kami) == ("", "*", True)
    assert lobby.armies["red"].rice == 99


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"ki": "-2"}, "“-2” is not a Ki value. Enter a number, X or nothing."),
        ({"cap": "many"}, "“many” is not a Ki cap"),
        ({"track": "-1"}, "“-1” is not a wounds value"),
        ({"track": "0"}, "“0” is not a wounds value"),
    ],
)
def test_what_cannot_be_a_figure_is_refused(lobby, facts, told):
    rows = rows_of(lobby)
    rows[0] = replace(rows[0], facts=rows[0].facts | facts)
    before = {unit.key: unit.to_json() for unit in lobby.units_of("red")}
    with pytest.raises(IllegalAction, match=told) as refusal:
        BUSHIDO.amend(lobby, "red", rows)
    assert refusal.value.rule == "BUSH-26"
    assert {unit.key: unit.to_json() for unit in lobby.units_of("red")} == before


@pytest.mark.rule("BUSH-26")
def test_a_line_added_by_name_comes_with_its_figures(lobby):
    assert "Atsushi" in BUSHIDO.known_names(lobby, "red")
    assert "Silverback A" in BUSHIDO.known_names(lobby, "red")
    assert "Akuba" not in BUSHIDO.known_names(lobby, "red")
    BUSHIDO.amend(lobby, "red", [*rows_of(lobby), RosterRow("atsushi", kind=MODEL)])
    one = units(lobby)["Atsushi"]
    assert (one.cost, one.ki_stat, one.ki_cap, one.wounds_total) == (14, "2", "6", 6)
    assert warned(lobby) == ["109 rice, in a match of 100."]


@pytest.mark.rule("BUSH-26")
def test_a_renamed_row_becomes_that_model(lobby):
    rows = rows_of(lobby)
    rows[0] = replace(rows[0], name="Atsushii")
    BUSHIDO.amend(lobby, "red", rows)
    assert units(lobby)["Atsushi"].cost == 14
    assert warned(lobby) == ["“Atsushii” is not in the catalogue; read as Atsushi."]


@pytest.mark.rule("BUSH-26")
def test_a_warband_can_be_written_line_by_line():
    g = random_play.fresh_state(BUSHIDO, "risen-sun", 1).copy()
    assert BUSHIDO.roster(g, "red") is None
    assert len(BUSHIDO.known_names(g, "red")) > 500
    BUSHIDO.amend(g, "red", [RosterRow("Akuba")])
    assert (g.armies["red"].faction, units(g)["Akuba"].ki_cap) == ("Cult of Yurei", "*")
    BUSHIDO.amend(g, "red", [*rows_of(g), RosterRow("Bone Man", kind=MODEL)])
    assert warned(g) == ["“Bone Man” is not in the catalogue. Check its numbers."]
    assert rows_of(g)[1].facts == {"ki": "", "cap": "", "track": ""}


@pytest.mark.rule("BUSH-26")
def test_a_theme_and_cards_are_rows_too(lobby):
    rows = [row for row in rows_of(lobby) if row.kind != "theme"]
    rows += [RosterRow("Oath at Dawn", kind="theme"), RosterRow("Old Debt", kind="event", cost=3)]
    BUSHIDO.amend(lobby, "red", rows)
    side = lobby.armies["red"]
    assert (side.theme, side.cards[-1], side.rice) == ("Oath at Dawn", ("Old Debt", "event", 3, ""), 98)


@pytest.mark.rule("BUSH-26")
def test_a_theme_that_costs_rice_and_a_second_one_are_kept_as_cards(lobby):
    models = [row for row in rows_of(lobby) if row.kind == MODEL]
    themes = [RosterRow("Oath", kind="theme", cost=2), RosterRow("Dawn", kind="theme")]
    BUSHIDO.amend(lobby, "red", [*models, *themes])
    side = lobby.armies["red"]
    assert (side.theme, side.cards) == ("Oath", (("Oath", "card", 2, ""), ("Dawn", "card", 0, "")))
    assert [(row.name, row.kind, row.cost) for row in rows_of(lobby) if row.kind != MODEL] == [
        ("Oath", "theme", 0),
        ("Oath", "card", 2),
        ("Dawn", "card", 0),
    ]
    BUSHIDO.amend(lobby, "red", models)
    assert [row.kind for row in rows_of(lobby)] == [MODEL] * len(models)


@pytest.mark.rule("BUSH-26")
def test_a_new_row_is_the_model_of_its_name_and_a_known_one_what_its_figures_say(lobby):
    """Also if a card other than a model has that name already."""
    stated = {"ki": "5", "cap": "", "track": "9"}
    rows = [
        RosterRow("Hiromasa", kind=MODEL, cost=16),
        RosterRow("Kizoko", kind=MODEL, cost=17, facts=stated),
        RosterRow("Katana of Duty", kind=MODEL, cost=3, facts=stated),
        RosterRow("Sudden Rain", kind=MODEL, cost=3),
    ]
    BUSHIDO.amend(lobby, "red", rows)
    hiromasa, kizoko, katana, rain = units(lobby).values()
    assert (hiromasa.ki_stat, hiromasa.ki_cap, hiromasa.wounds_stat) == ("2", "6", "6")
    assert [(one.ki_stat, one.ki_cap, one.wounds_stat) for one in (kizoko, katana)] == [("5", "", "9")] * 2
    assert (rain.ki_stat, rain.cost) == ("", 3)
    assert warned(lobby) == ["“Sudden Rain” is not in the catalogue. Check its numbers."]
    lobby.armies["red"].cards = (("Atsushi", "event", 0, ""),)
    BUSHIDO.amend(lobby, "red", [RosterRow("Atsushi", kind=MODEL, facts=stated)])
    assert units(lobby)["Atsushi"].ki_stat == "2"


@pytest.mark.rule("BUSH-26")
def test_a_letter_behind_a_namesake_s_name_is_a_part_of_it(lobby):
    BUSHIDO.amend(lobby, "red", [RosterRow(name, kind=MODEL) for name in ("Unit", "Unit B")])
    assert [row.name for row in rows_of(lobby)] == ["Unit", "Unit B"]


@pytest.mark.rule("BUSH-26")
def test_the_form_asks_of_each_kind_what_it_has(lobby):
    roster = BUSHIDO.roster(lobby, "red")

    def asked(kind):
        return [(cell.name, cell.form) for cell in roster.cells if not cell.only or kind in cell.only]

    basic = [("kind", "kind"), ("cost", "number")]
    assert asked("model") == [*basic, ("ki", "text"), ("cap", "text"), ("track", "text")]
    assert asked("theme") == basic
    assert list(roster.kinds)[:2] == ["model", "theme"]
    for kind in list(roster.kinds)[2:]:
        assert asked(kind) == [*basic, ("title", "text")]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("rows", [[], [RosterRow(f"Model {n}", kind=MODEL) for n in range(201)]])
def test_a_refusal_names_the_rule(lobby, rows):
    with pytest.raises(IllegalAction) as refusal:
        BUSHIDO.amend(lobby, "red", rows)
    assert refusal.value.rule == "BUSH-26"


@pytest.mark.rule("BUSH-26")
def test_a_warband_of_more_models_than_it_may_have_is_refused(lobby):
    rows = [
        RosterRow(f"Model {number}", kind=MODEL) for number in range(muster_and_deployment.MOST_MODELS + 1)
    ]
    with pytest.raises(IllegalAction, match="at most 200 models"):
        BUSHIDO.amend(lobby, "red", rows)
    BUSHIDO.amend(lobby, "red", rows[1:])
    assert len(units(lobby)) == muster_and_deployment.MOST_MODELS


@pytest.mark.rule("BUSH-26")
def test_a_warband_is_of_the_faction_that_is_known_else_of_its_first_model_that_is_no_ronin(lobby):
    names = ("Nobody of Nowhere", "Atsunobu", "Akoshi", "Kizoko")
    rows = [RosterRow(name, kind=MODEL) for name in names]
    BUSHIDO.amend(lobby, "red", rows)
    assert lobby.armies["red"].faction == "Prefecture of Ryu", "as it was"
    fresh = random_play.fresh_state(BUSHIDO, "risen-sun", 2).copy()
    BUSHIDO.amend(fresh, "red", rows)
    assert fresh.armies["red"].faction == "Cult of Yurei"


@pytest.mark.rule("BUSH-26")
def test_a_number_behind_a_name_is_left_out_only_where_it_tells_two_models_apart(lobby):
    names = ("Akoshi", "Akoshi", "Unit 7")
    BUSHIDO.amend(lobby, "red", [RosterRow(name, kind=MODEL) for name in names])
    assert list(units(lobby)) == ["Akoshi", "Akoshi 2", "Unit 7"]
    assert tuple(row.name for row in rows_of(lobby) if row.kind == MODEL) == names


def again(g):
    """The warbands of a match on a new table, where the players have changed seats."""
    new = opened().copy()
    for seat in g.seats:
        BUSHIDO.bring(new, g.rival(seat), BUSHIDO.roster(g, seat).text)
        BUSHIDO.amend(new, g.rival(seat), list(BUSHIDO.roster(g, seat).rows))
    return new


@pytest.mark.rule("BUSH-26")
def test_the_next_match_does_not_begin_with_what_was_summoned_in_the_last():
    begun = (*READY, "red scenario:keii", "red deployed", "blue deployed")
    g = play(opened(), *begun, "red army/red summon:red Kappa")
    assert "kappa" in g.units
    new = again(g)
    assert "Kappa" not in {unit.name for unit in new.units.values()}
    assert (new.armies["blue"].rice, new.armies["blue"].warnings) == (100, ())


def noted():
    """What is known of a model beside its row, after another has joined its warband."""
    noted = ("tactician:hiromasa:2", "tough:hiromasa:1", "regenerate:hiromasa:1", "tireless:hiromasa")
    noted += ("note:hiromasa Hidden blade", "remind:hiromasa:starting")
    g = play(opened(), "red demo:ryu", *(f"red unit/hiromasa {told}" for told in noted)).copy()
    BUSHIDO.amend(g, "red", [*rows_of(g), RosterRow("Akoshi", kind=MODEL)])
    assert not units(g)["Kizoko"].note
    one = units(g)["Hiromasa"]
    return one.tactician, one.tough, one.regenerate, one.tireless, one.note, one.reminders


@pytest.mark.rule("BUSH-26")
def test_a_list_that_is_corrected_keeps_what_was_noted_on_its_models():
    assert noted() == (2, 1, 1, True, "Hidden blade", {"starting"})


@pytest.mark.rule("BUSH-26")
def test_a_model_that_takes_another_s_place_in_the_list_has_none_of_its_notes():
    g = play(opened(), "red demo:ryu").copy()
    BUSHIDO.amend(g, "red", [RosterRow("山", kind=MODEL), RosterRow("川", kind=MODEL)])
    first = units(g)["山"].key
    g = play(g, f"red unit/{first} note:{first} Hidden blade").copy()
    BUSHIDO.amend(g, "red", [RosterRow("森", kind=MODEL), *rows_of(g)[1:]])
    assert units(g)["森"].key == first
    assert not units(g)["森"].note


def by_hand():
    """What a warband of 100 rice costs with another 12 and 5 more, and the remarks on it."""
    g = play(opened(), "red demo:ryu", "red army/red summon:red Kappa", "red unit/hiromasa rice:hiromasa:5")
    assert sum(row.cost for row in rows_of(g)) == 117
    return BUSHIDO.list_cost(g, "red"), warned(g), g


@pytest.mark.rule("BUSH-26")
def test_what_is_added_and_corrected_by_hand_counts_in_rice():
    cost, remarks, g = by_hand()
    assert (cost, remarks) == (117, ["117 rice, in a match of 100."])
    g = play(g, "red unit/hiromasa rice:hiromasa:-10")
    assert warned(g) == ["107 rice, in a match of 100."]
    g = play(g, "red unit/kappa rice:kappa:-12")
    assert (BUSHIDO.list_cost(g, "red"), warned(g)) == (95, [])


@pytest.mark.rule("BUSH-26")
def test_correcting_a_cost_keeps_the_other_cards_and_remarks_and_a_summoned_model_costs_nothing(lobby):
    before = warned(lobby)
    g = play(lobby, "red unit/kizoko rice:kizoko:3", "blue demo:ito", "red ready", "blue ready")
    assert (BUSHIDO.list_cost(g, "red"), warned(g)) == (98, before)
    g = play(g, "red scenario:keii", "red deployed", "blue deployed", "red army/red summon:red Kappa")
    assert (BUSHIDO.list_cost(g, "red"), warned(g)) == (98, before)


@pytest.mark.rule("BUSH-26")
def test_the_next_match_knows_nothing_of_who_had_which_namesake_in_the_last():
    two = "Goshi (Red);5\nOni;5\nOni;5"
    g = opened().copy()
    for seat, text in (("red", two), ("blue", "Oni;5\nOni;5")):
        BUSHIDO.bring(g, seat, text)
    g = play(g, "red ready", "blue ready")
    assert {unit.name for unit in g.units_of("red")} == {"Goshi (Red)", "Oni (Red)", "Oni 2 (Red)"}
    assert [row.name for row in rows_of(g)] == ["Goshi (Red)", "Oni", "Oni"]
    for red, blue in (("", ""), ("Ada", "Bo (2)")):
        g.armies["red"].name, g.armies["blue"].name = red, blue
        new = again(g)
        assert {unit.name for unit in new.units_of("blue")} == {"Goshi (Red)", "Oni", "Oni 2"}
        assert {unit.name for unit in new.units_of("red")} == {"Oni", "Oni 2"}


@pytest.mark.rule("BUSH-26")
def test_a_warband_without_a_model_is_refused(lobby):
    with pytest.raises(IllegalAction, match="at least one model"):
        BUSHIDO.amend(lobby, "red", [RosterRow("Old Debt", kind="event")])


def test_nobody_corrects_a_list_after_being_ready(lobby):
    rows = rows_of(lobby)
    lobby.armies["red"].ready = True
    with pytest.raises(IllegalAction, match="until you are ready"):
        BUSHIDO.amend(lobby, "red", rows)
    with pytest.raises(IllegalAction, match="until you are ready"):
        BUSHIDO.bring(lobby, "red", TEXTS["plain.txt"])


def test_a_document_is_kept_in_short(lobby):
    BUSHIDO.bring(lobby, "red", TEXTS["roster.ros"])
    text = lobby.armies["red"].roster
    assert "Tanaka Kazuo;25;2/8;6 OOOOO O;1" in text
    assert "<" not in text
    BUSHIDO.bring(lobby, "red", text)
    assert units(lobby)["Tanaka Kazuo"].wounds == 6


@pytest.mark.parametrize("text", ["nothing here", "<!DOCTYPE x><roster/>", "\x00", "x" * 70_000])
def test_what_is_no_list_is_refused_with_a_sentence(lobby, text):
    before = rows_of(lobby)
    with pytest.raises(IllegalAction):
        BUSHIDO.bring(lobby, "red", text)
    assert BUSHIDO.lists(lobby, text) == ()
    assert rows_of(lobby) == before


def test_what_organisers_say_of_a_model_is_what_the_next_list_reads(lobby):
    stated = {
        "faction": "Prefecture of Ryu",
        "name": "Hiromasa",
        "rice": "21",
        "ki": "3",
        "cap": "9",
        "wounds": "8",
    }
    lobby.entries = Entries({MODEL: {"ryu-hiromasa": stated, "ryu-broken": {"faction": "Nobody"}}})
    BUSHIDO.bring(lobby, "red", "Prefecture of Ryu\n- Hiromasa")
    one = units(lobby)["Hiromasa"]
    assert (one.cost, one.ki_stat, one.ki_cap, one.wounds) == (21, "3", "9", 8)
