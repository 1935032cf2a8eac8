"""What the headings of a list state, in every form that builders and people give them."""

import pytest

from games.systems.bushido.lists.headings import Heading, heading, is_other_game
from games.systems.bushido.lists.lines import lines_of

RYU = "Prefecture of Ryu"


def read(text):
    ((line,), _beyond) = lines_of(text)
    return heading(line)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("++ Risen Sun (Ryu) [70 Rice] ++", Heading(faction=RYU, total=70)),
        ("# ++ Risen Sun ++ [70/100 Rice]", Heading(total=70, limit=100)),
        (
            "++ Army (Imperium) [500 pts] ++",
            Heading(faction="Imperium", game="Army", total=500),
        ),
        ("++ Army (Imperium) ++", Heading(faction="Imperium", game="Army")),
        ("++ Army [500 pts] ++", Heading(game="Army", total=500)),
        ("++ Friday (Ryu) [70 Rice] ++", Heading(faction=RYU, total=70)),
        ("++ Friday ++", Heading()),
        ("++ Total: [70 Rice] ++", Heading(total=70)),
        ("++ Total Rice: [70/100 Rice] ++", Heading(total=70, limit=100)),
        ("# Ryu", Heading(faction=RYU, section="")),
        ("# Friday night", Heading(name="Friday night", section="")),
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
        ("Event Cards:", "event"),
        ("**Models**", "model"),
        ("Ronin:", "model"),
    ],
)
def test_a_section_says_what_stands_below_it(text, section):
    assert read(text) == Heading(section=section)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Faction: Ryu", Heading(faction=RYU)),
        ("Faction: Wolves | Limit: 100 | Theme: Oath", Heading(faction="Wolves", limit=100, theme="Oath")),
        ("Warband: Friday | Game: Chess", Heading(name="Friday", game="Chess")),
        ("Total: 70", Heading(total=70)),
        ("Points: 70 / 100", Heading(total=70, limit=100)),
        ("Points: 70/100 | Limit: 90", Heading(total=70, limit=90)),
        ("Player: Somebody", Heading()),
        ("Theme: **", Heading()),
        ("Ryu - Friday - [90 Rice]", Heading(faction=RYU, name="Friday", total=90)),
        ("Ryu [90/100 Rice]", Heading(faction=RYU, total=90, limit=100)),
        ("**Ryu:**", Heading(faction=RYU)),
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
        "Special",
        "Theme",
        "Event Cards (5)",
        "Ryu: Lantern",
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
