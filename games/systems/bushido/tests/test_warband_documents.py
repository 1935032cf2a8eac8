"""Rosters as files: what each of their elements says, line by line, and how much of one is read."""

import pytest

from games.core import Unreadable
from games.core import army_lists as documents
from games.systems.bushido.lists.warband_files import text_of
from games.systems.bushido.lists.warband_grammar import read
from games.systems.bushido.tests.test_warband_forms import TEXTS
from games.systems.bushido.tests.warbands import MODELS


def cost(rice, name=" Rice", tag="cost"):
    return f'<{tag} name="{name}" value="{rice}"/>'


def figures(name, **stated):
    inside = "".join(
        f'<characteristic name="{key.replace("_", " ")}">{text}</characteristic>'
        for key, text in stated.items()
    )
    return f'<profile name="{name}"><characteristics>{inside}</characteristics></profile>'


def selection(inside="", **attributes):
    own = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<selection{own}>{inside}</selection>"


def category(name, primary="true"):
    own = f'<category name="{name}" primary="{primary}"/>'
    return f'<categories><category name="Samurai" primary="false"/>{own}</categories>'


def costs(*all_costs):
    return f"<costs>{''.join(all_costs)}</costs>"


def roster(selections, head="", **attributes):
    own = "".join(f' {key}="{value}"' for key, value in attributes.items())
    force = f'<force catalogueName="Ito Clan"><selections>{selections}</selections></force>'
    return f"<roster{own}>{head}<forces>{force}</forces></roster>"


MASUNAGI = figures("Ito  Masunagi", Ki="2", Ki_Cap="6", Wounds="5 OOOOO")
ITO = f"<profiles>{MASUNAGI}</profiles>"
UNNAMED = f"<profiles>{figures('', Ki='2')}{figures('Sword', Strength='1')}</profiles>"
TWICE = f"<profiles>{figures('A', Wounds='2')}{figures('A', Wounds='3')}</profiles>"


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (
            selection(costs(cost("16.0")) + category("Faction Profile Cards") + ITO, name="A", number="2"),
            ["+ Faction Profile Cards +", "Ito Masunagi;16;2/6;5 OOOOO;2"],
        ),
        (
            selection(costs(cost("16.0"), cost("3"), cost("9", "pts")), name="Bow; of Rain", type="upgrade"),
            ["+ Other Cards +", "Bow, of Rain;19"],
        ),
        (selection(name="Cub", type="model"), ["+ Profile Cards +", "Cub;0;;;1"]),
        (selection(name="Pack", type="unit"), ["+ Profile Cards +", "Pack;0;;;1"]),
        (
            selection(ITO, name="A", type="upgrade"),
            ["+ Profile Cards +", "Ito Masunagi;0;2/6;5 OOOOO;1"],
        ),
        (
            selection(category("Uncategorised"), name="Cub", type="model"),
            ["+ Profile Cards +", "Cub;0;;;1"],
        ),
        (
            selection(category("Event Cards", "false"), name="Cub", type="model"),
            ["+ Profile Cards +", "Cub;0;;;1"],
        ),
        (
            selection(category("+ Event Cards +") + costs(cost("3")), name="Rain", type="upgrade"),
            ["+ Event Cards +", "Rain;3"],
        ),
        (selection(category("Special Models"), name="Cub"), ["+ Special Models +", "Cub;0;;;1"]),
        (selection(type="model"), ["+ Profile Cards +", "?;0;;;1"]),
        (
            selection(UNNAMED, name="Cub"),
            ["+ Profile Cards +", "Cub;0;2/;;1"],
        ),
        (
            selection(TWICE, name="Cub"),
            ["+ Profile Cards +", "A;0;/;2;1"],
        ),
    ],
    ids=[
        "a model", "a card", "a model without figures", "a unit without figures", "an upgrade with figures",
        "uncategorised", "of a lesser category", "a framed category", "a category of models", "nameless",
        "a nameless profile", "one profile twice",
    ],
)  # fmt: skip
def test_a_selection_is_a_card_below_its_heading(body, lines):
    assert text_of(roster(body)) == "\n".join(["Faction: Ito Clan", "", *lines, ""])


@pytest.mark.rule("BUSH-26")
def test_what_a_card_carries_stands_below_its_first_model_and_who_comes_with_it_behind():
    twins = f"<profiles>{MASUNAGI}{figures('Snake', Ki='1', Ki_Cap='4', Wounds='3')}</profiles>"
    face = selection(
        f"<profiles>{figures('Snake Form', Ki='3')}</profiles>" + category("Faction Reference Cards"),
        name="Snake Form",
    )
    friend = selection(
        f"<profiles>{figures('Friend', Ki='2')}</profiles>" + costs(cost("7")), name="Friend", number="3"
    )
    bow = selection(costs(cost("2")), name="Bow")
    body = selection(
        twins + costs(cost("16")) + f"<selections>{bow}{friend}{face}</selections>",
        name="Masunagi",
        type="model",
    )
    assert text_of(roster(body)) == "\n".join(
        [
            "Faction: Ito Clan",
            "",
            "+ Profile Cards +",
            "Ito Masunagi;16;2/6;5 OOOOO;1",
            "  Bow;2",
            "  Snake Form;0",
            "Snake;0;1/4;3;1",
            "Friend;7;2/;;3",
            "",
        ]
    )


@pytest.mark.rule("BUSH-26")
def test_the_cost_of_a_card_without_figures_goes_to_the_first_who_comes_with_it():
    both = "".join(
        selection(f"<profiles>{figures(name, Ki='2')}</profiles>" + costs(cost("5")), name=name)
        for name in "AB"
    )
    body = selection(costs(cost("3")) + f"<selections>{both}</selections>", name="Pair", type="unit")
    assert text_of(roster(body)).split("\n")[3:5] == ["A;8;2/;;1", "B;5;2/;;1"]


@pytest.mark.rule("BUSH-26")
def test_cards_of_one_section_stand_together():
    one = selection(category("Event Cards"), name="Rain", type="upgrade")
    two = selection(category("Event Cards"), name="Fog", type="upgrade")
    text = text_of(roster(one + selection(name="Cub", type="model") + two))
    assert text == "Faction: Ito Clan\n\n+ Event Cards +\nRain;0\nFog;0\n\n+ Profile Cards +\nCub;0;;;1\n"


CUB = selection(name="Cub", type="model")


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("head", "attributes", "above", "below"),
    [
        ("", {}, [], []),
        ("", {"name": "  Friday "}, ["Name: Friday"], []),
        ("", {"gameSystemName": "Bushido: Risen Sun"}, [], []),
        (costs(cost("16.0")), {}, [], ["", "Total: 16"]),
        (costs(cost("0")), {}, [], ["", "Total: 0"]),
        (costs(cost("9", "pts"), cost("16")), {}, [], ["", "Total: 16"]),
        (costs(cost("9", "pts")), {}, [], []),
        (f"<costLimits>{cost('70.0', tag='costLimit')}</costLimits>", {}, ["Limit: 70"], []),
        (f"<costLimits>{cost('1', tag='costLimit')}</costLimits>", {}, ["Limit: 1"], []),
        (f"<costLimits>{cost('0', tag='costLimit')}{cost('-1', tag='costLimit')}</costLimits>", {}, [], []),
        (f"<costLimits>{cost('70', 'pts', 'costLimit')}</costLimits>", {}, [], []),
    ],
)
def test_the_headings_of_a_roster(head, attributes, above, below):
    lines = ["Faction: Ito Clan", *above, "", "+ Profile Cards +", "Cub;0;;;1", *below, ""]
    assert text_of(roster(CUB, head, **attributes)) == "\n".join(lines)


@pytest.mark.rule("BUSH-26")
def test_the_game_of_a_roster_is_named_if_it_is_another_and_its_total_only_of_one_force():
    text = roster(CUB, costs(cost("9")), gameSystemName="Chess | fast")
    assert text_of(text).startswith("Game: Chess / fast\nFaction: Ito Clan\n")
    force = text[text.index("<force ") : text.index("</forces>")]
    assert "Total" not in text_of(text.replace("</forces>", force + "</forces>"))


# --- how much is read -------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("before", ["", "\n", "\ufeff", " \t\n"])
@pytest.mark.parametrize("start", ['<?xml version="1.0"?>', "<!-- a roster -->", ""])
def test_a_document_may_be_pasted_with_blank_lines_above(before, start):
    text = before + start + roster(CUB)
    assert documents.is_document(text)
    assert text_of(text) == text_of(roster(CUB))
    assert read(before + TEXTS["roster.ros"], MODELS) == read(TEXTS["roster.ros"], MODELS)


def test_what_stands_in_other_elements_is_passed_over():
    meant, force = text_of(roster(CUB)), f"<force><selections>{CUB}</selections></force>"
    assert (
        text_of(roster(CUB, f"<rules><forces>{force}</forces><selections>{CUB}</selections></rules>"))
        == meant
    )
    assert text_of(roster(f"{CUB}<entry>{CUB}</entry>")) == meant
    named = (
        roster(CUB).replace("<", "<x:").replace("<x:/", "</x:").replace("<x:roster", "<x:roster xmlns:x='y'")
    )
    assert text_of(f'<?xml version="1.0"?>{named}') == meant
    root = documents._parsed("<roster><rules><forces/></rules><forces><rules/></forces></roster>")
    assert [(one.tag, one.children) for one in root.children] == [("forces", [])]


@pytest.mark.parametrize(("depth", "is_read"), [(60, True), (61, False)])
def test_a_document_is_read_to_a_depth(depth, is_read):
    deep = f"<roster>{'<selections>' * depth}{'</selections>' * depth}</roster>"
    with pytest.raises(Unreadable, match="no warband" if is_read else "not a valid roster"):
        text_of(deep)


@pytest.mark.parametrize(("number", "is_read"), [(99_999, True), (100_000, False)])
def test_a_document_is_read_up_to_a_number_of_elements(number, is_read):
    with pytest.raises(Unreadable, match="no warband" if is_read else "not a valid roster") as refusal:
        text_of(f"<roster>{'<x/>' * number}</roster>")
    assert refusal.value.status == 422


def test_a_figure_is_read_up_to_a_length():
    body = selection(f"<profiles>{figures('A', Ki='&#49;' * 60)}</profiles>", name="A")
    assert f"A;0;{'1' * 40}/;;1" in text_of(roster(body))
