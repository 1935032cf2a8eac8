"""What the headings of a list state, in every form that builders and people give them."""

import pytest

from games.systems.bushido.lists.warband_lines import heading, is_other_game, labelled, row_of

RYU = "Prefecture of Ryu"


def read(text):
    return heading(row_of(1, text))


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("++ Risen Sun (Ryu) [70 Rice] ++", {"faction": RYU, "total": 70}),
        ("# ++ Risen Sun ++ [70/100 Rice]", {"total": 70, "limit": 100}),
        (
            "++ Army (Imperium) [500 pts] ++",
            {"faction": "Imperium", "game": "Army", "total": 500},
        ),
        ("++ Army (Imperium) ++", {"faction": "Imperium", "game": "Army"}),
        ("++ Army [500 pts] ++", {"game": "Army", "total": 500}),
        ("++ Friday (Ryu) [70 Rice] ++", {"faction": RYU, "total": 70}),
        ("++ Friday ++", {}),
        ("++ Prefecture of Ryu [70 Rice] ++", {"faction": RYU, "total": 70}),
        ("++ Total: [70 Rice] ++", {"total": 70}),
        ("++ Total Rice: [70/100 Rice] ++", {"total": 70, "limit": 100}),
        ("# Ryu", {"faction": RYU, "section": ""}),
        ("# Friday night", {"name": "Friday night", "section": ""}),
        ("# Friday night: [70 Rice]", {"name": "Friday night", "total": 70, "section": ""}),
        ("# Friday night – [70 Rice]", {"name": "Friday night", "total": 70, "section": ""}),
        ("# Friday night - [70 Rice]", {"name": "Friday night", "total": 70, "section": ""}),
        ("# Army (Imperium)", {"faction": "Imperium", "name": "Army (Imperium)", "section": ""}),
        ("++ Models ++", {}),
        ("++ Bushido [70 Rice] ++", {"total": 70}),
        ("++ Bushido: Risen Sun [70 Rice] ++", {"total": 70}),
        ("++ Risen Sun (casual) (Ryu) [70 Rice] ++", {"faction": RYU, "total": 70}),
        ("++ Army (casual) (Ryu) [70 Rice] ++", {"faction": RYU, "total": 70}),
        ("+++ Friday (Bushido: Risen Sun) [31 Rice] +++", {"name": "Friday", "total": 31}),
        ("++ Risen Sun (Bushido) [31/40 Rice] ++", {"total": 31, "limit": 40}),
        ("++ Army ( Imperium ) [500 pts] ++", {"faction": "Imperium", "game": "Army", "total": 500}),
    ],
)
def test_a_framed_heading_names_whose_warband_it_is_and_what_it_costs(text, stated):
    assert read(text) == stated


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("+ Faction Profile Cards +", "model"),
        ("## Ronin Profile Cards [32 Rice]", "model"),
        ("+ Ronin +", "model"),
        ("+ Ronin Event Cards +", "event"),
        ("+ Faction Theme Cards +", "theme"),
        ("+ Special Cards +", "card"),
        ("+ Cards +", "card"),
        ("+ Additional Rules +", "nothing"),
        ("+ Whatever +", ""),
        ("+ Faction Profiles +", "model"),
        ("+ Profile +", "model"),
        ("+ Model Cards +", "model"),
        ("+ Themes +", "theme"),
        ("+ Faction Reference Cards +", "reference"),
        ("+ Events +", "event"),
        ("+ Events Cards +", "event"),
        ("+ Faction Terrain Cards +", "terrain"),
        ("+ Equipment Cards +", "equipment"),
        ("+ Enhancements +", "enhancement"),
        ("+ Communal Cards +", "communal"),
        ("+ Curse Cards +", "curse"),
        ("+ Other Cards +", "card"),
        ("+ Filters +", "nothing"),
        ("+ Configuration +", "nothing"),
        ("+ Cycle +", "nothing"),
        ("Event Card:", "event"),
        ("Ronin Profiles", "model"),
        ("_Event Cards_:", "event"),
        ("Event Cards:", "event"),
        ("**Models**", "model"),
        ("Ronin:", "model"),
        ("Models", "model"),
        ("Models:", "model"),
        ("Profiles", "model"),
        ("Events", "event"),
        ("**Events**", "event"),
        ("_Event:_", "event"),
        ("Faction Events", "event"),
        ("Ronin Events", "event"),
        ("Themes", "theme"),
        ("Enhancements", "enhancement"),
        ("Enhancement:", "enhancement"),
        ("Terrain", "terrain"),
        ("Terrain:", "terrain"),
        ("Equipment", "equipment"),
        ("Special:", "card"),
        ("Additional Rules", "nothing"),
    ],
)
def test_a_section_says_what_stands_below_it(text, section):
    assert read(text) == {"section": section}


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Faction: Ryu", {"faction": RYU}),
        ("Faction: Wolves | Limit: 100 | Theme: Oath", {"faction": "Wolves", "limit": 100, "theme": "Oath"}),
        ("Warband: Friday | Game: Chess", {"name": "Friday", "game": "Chess"}),
        ("Total: 70", {"total": 70}),
        ("Points: 70 / 100", {"total": 70, "limit": 100}),
        ("Points: 70/100 | Limit: 90", {"total": 70, "limit": 90}),
        ("Player: Somebody", {"player": "Player: Somebody"}),
        ("Theme Card: *Oath* | List: _Friday_", {"theme": "Oath", "name": "Friday"}),
        ("List name: Friday | Game system: Chess", {"name": "Friday", "game": "Chess"}),
        ("Total Rice: 7 / 9", {"total": 7, "limit": 9}),
        ("Rice: about 70", {"total": 70}),
        ("Total: 123456/654321", {"total": 123456, "limit": 654321}),
        ("Size: up to 100 rice", {"limit": 100}),
        ("Limit: 70/100", {"limit": 70}),
        ("Ryu - Friday – [90 Rice]", {"faction": RYU, "name": "Friday", "total": 90}),
        ("Ryu -  Friday  - [90 Rice]", {"faction": RYU, "name": "Friday", "total": 90}),
        ("Theme: **", {}),
        ("Ryu - Friday - [90 Rice]", {"faction": RYU, "name": "Friday", "total": 90}),
        ("Ryu [90/100 Rice]", {"faction": RYU, "total": 90, "limit": 100}),
        ("**Ryu:**", {"faction": RYU}),
    ],
)
def test_a_line_with_a_key_or_a_faction_is_a_heading(text, stated):
    assert read(text) == stated


@pytest.mark.parametrize(
    "text",
    [
        "Hiromasa [16 Rice]",
        "- Ryu",
        "- Ryu [90 Rice]",
        "Theme: Oath | and so on",
        "Theme;3",
        "Theme: Oath;3",
        "Special",
        "Theme",
        "Event Cards (5)",
        "Ryu: Lantern",
        "Events (2)",
        "Events [2 Rice]",
        "- Events",
        "Event",
        "Factions",
        "Ronins:",
        "s",
        "Old Events",
        "Kizoko:",
        "  Events",
        ". Events",
    ],
)
def test_any_other_line_is_a_card(text):
    assert read(text) is None


@pytest.mark.parametrize(
    ("game", "is_other"),
    [
        ("", False),
        ("Risen Sun", False),
        ("Bushido - Risen Sun", False),
        ("Bushido, 2nd edition", False),
        ("Warband", False),
        ("Warhammer 40,000", True),
    ],
)
def test_a_list_of_this_game_is_never_said_to_be_of_another(game, is_other):
    assert is_other_game(game) is is_other


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "Serpents rise (Ito) [31/40 Rice]",
            {"faction": "Ito Clan", "title": "Serpents rise", "total": 31, "limit": 40},
        ),
        ("Friday (casual) (Ito) [31 Rice]", {"faction": "Ito Clan", "title": "Friday", "total": 31}),
        ("Risen Sun (Ito Clan) [31 Rice]", {"faction": "Ito Clan", "title": "", "total": 31}),
        ("Friday (Bushido: Risen Sun) [31 Rice]", {"title": "Friday", "total": 31}),
        ("Friday (Ito)", None),
        ("Friday [31 Rice]", None),
        ("Friday (Imperium) [31 Rice]", None),
        ("Silverback (Ronin) [24 Rice]", None),
        ("- Friday (Ito) [31 Rice]", None),
        ("Friday (Ito);31", None),
    ],
)
def test_a_title_names_its_faction_or_this_game_in_brackets(text, stated):
    assert read(text) == stated


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Events: Rain: the first (1)", ("event", "Rain: the first")),
        ("Profile Cards:Kizoko (17)", ("model", "Kizoko")),
        ("Terrain: Shrine (2)", ("terrain", "Shrine")),
        ("Faction Equipment: Rope (1)", ("equipment", "Rope")),
        ("Terrain: 2", None),
        ("Events: Rain;3;1/1", None),
        ("Events: 3", None),
        ("Event: Rain (1)", None),
        ("Friends: Kizoko (17)", None),
        ("Kizoko (17)", None),
    ],
)
def test_a_line_may_name_its_section_before_its_first_card(text, found):
    row = row_of(1, text)
    section, rest = labelled(row)
    assert (section, row.card(rest)[0].words if section else rest) == (found or (None, row.text))
