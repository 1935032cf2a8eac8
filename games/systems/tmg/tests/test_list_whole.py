"""No word of a list is lost: each ends in a row, in a remark with its line, or in what is not used."""

import random

import pytest

from games.core import IllegalAction, clean_text
from games.core.army_lists import folded
from games.systems.tmg import SYSTEM
from games.systems.tmg.lists.army_cards import ENEMY, NCU, UNIT, plain
from games.systems.tmg.lists.army_grammar import NEEDLESS, demo_rosters, demo_text, opened, read_pasted
from games.systems.tmg.lists.army_lines import LEADER, STATED, section
from games.systems.tmg.tests.reading import CARDS, REAL, names
from games.systems.tmg.tests.tables import lobby
from tests.deforming import DEFORMATIONS, deformed

LISTS = {**REAL, **{slug: demo_text(slug) for slug in demo_rosters()}}
STARK = "Faction: Stark\nCommander: Robb Stark - The Wolf Lord\n"


def words_in(text):
    return [word for word in folded(text).split() if word.isalpha() and len(word) > 1]


def read(text):
    return read_pasted(text, CARDS)


def kept_words(roster):
    """The words of the rows of an army and of what it is called, and of what is not used."""
    pieces = [one for entry in roster.entries for one in (entry, *entry.attachments)]
    stated = (roster.faction, roster.commander, roster.name, *roster.cards)
    texts = [*stated, *(piece.full_name for piece in pieces)]
    texts += [str(line.arguments["text"]) for line in roster.unused]
    return {plain(word) for text in texts for word in words_in(text)}


def lost(text, roster):
    """The words of a text that stand nowhere, by line."""
    kept = kept_words(roster)
    kept |= {word for words in STATED for word in words.split()} | set(words_in(LEADER.replace("|", " ")))
    remarked = {int(line.arguments.get("line", 0)) for line in roster.warnings}
    for number, row in enumerate(clean_text(text).split("\n"), start=1):
        if not remarked.isdisjoint((number, number - 1, number - 2)) or section(row.strip(" *_>|#:")):
            continue
        for word in words_in(row):
            is_form = word in NEEDLESS or word in ("house", "combat", "units", "unit", "non", "ncus")
            if plain(word) and plain(word) not in kept and not is_form and word not in roster.faction:
                yield number, word


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("slug", LISTS)
@pytest.mark.parametrize("change", DEFORMATIONS, ids=lambda change: change.__name__)
def test_no_word_is_lost_however_a_list_is_deformed(slug, change):
    luck, meant = random.Random(f"{slug}/{change.__name__}"), read(LISTS[slug])
    assert list(lost(LISTS[slug], meant)) == []
    text = change(LISTS[slug], luck)
    roster = read(text)
    assert list(lost(text, roster)) == []
    said = " ".join(map(str, (*roster.warnings, *roster.unused))).casefold()
    for kind in (UNIT, NCU, ENEMY):
        missing = set(names(meant, kind)) - set(names(roster, kind))
        assert [name for name in missing if name.partition(" - ")[0].casefold() not in said] == []


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("number", range(60))
def test_no_word_is_lost_by_several_deformations(number):
    luck = random.Random(number)
    text, changes = deformed(LISTS[luck.choice(sorted(LISTS))], luck)
    assert list(lost(text, read(text))) == [], changes


# --- what people write ----------------------------------------------------------------------------


def shape(roster):
    return [(e.kind, e.name, [one.name for one in e.attachments]) for e in roster.entries]


SWORDS = ("unit", "Stark Sworn Swords", ["Robb Stark"])
BOWMEN = ("unit", "Stark Bowmen", [])
SANSA = ("ncu", "Sansa Stark", [])


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "entries"),
    [
        (STARK + "• Stark Sworn Swords (5) (Robb Stark)", [SWORDS]),
        (STARK + "Stark Sworn Swords (Robb Stark)\n• Stark Bowmen (6)", [SWORDS, BOWMEN]),
        (
            "Faction: Targaryen\n• Dothraki Screamers (6)\nKhal Drogo (C) in Dothraki Veterans",
            [("unit", "Dothraki Screamers", []), ("unit", "Dothraki Veterans", ["Khal Drogo"])],
        ),
        (
            "Faction: Free Folk\n• Free Folk Trappers (5)\nRaiders with Raid Leader",
            [("unit", "Free Folk Trappers", []), ("unit", "Free Folk Raiders", ["Raid Leader"])],
        ),
        (
            STARK + "• Stark Sworn Swords (5)\n  Robb Stark (0)\nNCU's: Catelyn, Sansa and Tycho",
            [SWORDS, *[("ncu", name, []) for name in ("Catelyn Stark", "Sansa Stark", "Tycho Nestoris")]],
        ),
        (
            "Faction: Lannister\n• Lannister Guardsmen (5)\nKnights of Casterley Rock",
            [("unit", "Lannister Guardsmen", []), ("unit", "Knights of Casterly Rock", [])],
        ),
        (STARK + "\uf0b7 Stark Bowmen (6)\n\uf0b7 Stark Bowmen (6)", [BOWMEN, BOWMEN]),
        (STARK + "🗡️ Stark Bowmen {6}", [BOWMEN]),
        (STARK + "• Stark Bowmen (6)\n~~• Stark Outriders (7)~~", [BOWMEN]),
        (
            "Stark: Stark Sworn Swords (5), Robb Stark (0); Stark Bowmen (6); Sansa Stark (4)",
            [SWORDS, BOWMEN, SANSA],
        ),
        (
            "Faction: Stark Stark Sworn Swords (5) Robb Stark (0) Stark Bowmen Sansa Stark (4)",
            [SWORDS, BOWMEN, SANSA],
        ),
        (
            "Faction: Stark, Commander: Robb Stark, Stark Sworn Swords (5), Robb Stark (0), Stark Bowmen (6)",
            [SWORDS, BOWMEN],
        ),
        (
            "House Stark 40pts • Stark Sworn Swords (5) • Stark Bowmen (6)",
            [("unit", "Stark Sworn Swords", []), BOWMEN],
        ),
        (", ".join(["Stark Bowmen (6)"] * 13), [BOWMEN] * 13),
        (
            STARK.replace("\n", " ") + "Points: 11 Combat Units • Stark Bowmen (6) • Stark Sworn Swords (5) "
            "Robb Stark - The Wolf Lord (0) Made with care",
            [BOWMEN, SWORDS],
        ),
        (
            STARK
            + "• Stark Sworn\n  Swords (5)\n   Robb Stark - The Wolf\n   Lord (0)\n• Stark Bowmen\n (6)",
            [SWORDS, BOWMEN],
        ),
        (
            "++ Army (House Stark) [40 Points] ++\n+ Combat Units [11 pts] +\n"
            "Stark Sworn Swords [5 Points]\n. Robb Stark [0 Points]\nStark Bowmen [6 Points]",
            [SWORDS, BOWMEN],
        ),
        (
            "Stark - My list - [40pts]\n\n# ++ Main Force ++ [40pts]\n## Combat Units [11pts]\n"
            "Stark Sworn Swords [5pts]: Robb Stark, The Wolf Lord [0pts]\nStark Bowmen [6pts]",
            [SWORDS, BOWMEN],
        ),
        ("## Force [15pts]\nStark Bowmen [6pts]", [BOWMEN]),
        (STARK + "2x Stark Bowmen\nStark Bowmen x2", [BOWMEN] * 4),
        (STARK + "Units: Bowmen, Sworn Swords", [BOWMEN, ("unit", "Stark Sworn Swords", [])]),
        (
            STARK + "• Stark Sworn Swords (5) (Robb Stark) [Sworn Sword Captain]",
            [("unit", "Stark Sworn Swords", ["Robb Stark", "Sworn Sword Captain"])],
        ),
        (STARK + "• Stark Sworn Swords (5) (Robb\nStark)\n• Stark Bowmen\n(6) (painted)", [SWORDS, BOWMEN]),
        (
            STARK + "• Stark Sworn Swords with Robb Stark, The Wolf Lord and Sworn Sword Captain",
            [("unit", "Stark Sworn Swords", ["Robb Stark", "Sworn Sword Captain"])],
        ),
        (STARK + "• Stark Bowmen & Dragons of Doom", [BOWMEN]),
        (STARK + "3x Stark Bowmen, Sansa Stark", [*[BOWMEN] * 3, ("ncu", "Sansa Stark", [])]),
        (STARK + "• Stark Sworn Swords (5)\n  Robb Stark (Cmdr)", [SWORDS]),
    ],
)
def test_what_is_plainly_named_is_read(text, entries):
    roster = read(text)
    assert shape(roster) == entries
    assert list(lost(text, roster)) == []


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize(
    "mark",
    [
        "{} (Commander)", "{} [C]", "{} (C)", "{} (General)", "{} (Cmdr.)", "{} - Commander", "{} 👑",
        "👑 {}", "Commander {}", "[Commander] {}",
    ],
)  # fmt: skip
def test_a_commander_is_marked_in_many_ways(mark):
    roster = read("Faction: Stark\n• Stark Sworn Swords (5)\n   " + mark.format("Robb Stark"))
    assert (shape(roster), roster.commander) == ([SWORDS], "Robb Stark - The Wolf Lord")


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "price", [" <6>", " «6»", " /6/", " 6p", " {6 pts}", " ⟨6⟩", "……6", " ..... 6", " @6", " (cost 6)", "\t6"]
)
def test_a_price_stands_in_any_bracket(price):
    roster = read(f"Faction: Stark\nStark Bowmen{price}\n• Stark Sworn Swords (5)")
    assert ([entry.name for entry in roster.entries], roster.points) == (
        ["Stark Bowmen", "Stark Sworn Swords"],
        11,
    )


ROSTER = """<roster name="Friday" gameSystemName="A Song"><costs><cost name="pts" value="11.0"/></costs>
<costLimits><costLimit name="pts" value="40.0"/></costLimits><forces><force catalogueName="House Stark">
<selections><selection name="Stark Sworn Swords" type="unit" number="1"><costs><cost name="pts" value="5"/>
</costs><categories><category name="Combat Units" primary="true"/></categories><selections>
<selection name="Robb Stark, The Wolf Lord" type="upgrade"><costs><cost name="pts" value="0"/></costs>
</selection></selections></selection><selection name="Stark Bowmen" type="unit" number="1"><costs>
<cost name="pts" value="6"/></costs></selection></selections></force></forces></roster>"""
SAVED = """{"roster": {"name": "Friday", "costs": [{"name": "pts", "value": 11}],
"costLimits": [{"name": "pts", "value": 40}], "forces": [{"catalogueName": "House Stark", "selections": [
{"name": "Stark Sworn Swords", "type": "unit", "number": 1, "costs": [{"name": "pts", "value": 5}],
"categories": [{"name": "Combat Units", "primary": true}],
"selections": [{"name": "Robb Stark, The Wolf Lord", "costs": [{"name": "pts", "value": 0}]}]},
{"name": "Stark Bowmen", "type": "unit", "costs": [{"name": "pts", "value": 6}]}]}]}}"""
OBJECT = """{"name": "Friday", "faction": "Stark",
"commander": {"name": "Robb Stark", "title": "The Wolf Lord"},
"units": [{"name": "Stark Sworn Swords", "cost": 5, "attachments": [
{"name": "Robb Stark", "title": "The Wolf Lord", "cost": 0}]}, {"name": "Stark Bowmen", "cost": 6}]}"""


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("text", [ROSTER, SAVED, OBJECT], ids=["roster", "saved", "object"])
def test_a_builder_s_file_is_read(text):
    roster = read(text)
    assert (shape(roster), roster.faction, roster.name) == ([SWORDS, BOWMEN], "stark", "Friday")
    assert roster.commander == "Robb Stark - The Wolf Lord"
    assert list(map(str, roster.warnings)) == []
    assert list(lost(opened(text, CARDS), roster)) == []


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("text", [ROSTER[:-40], "<!DOCTYPE x><roster/>", "[" * 200 + '{"a": 1}' + "]" * 200])
def test_a_damaged_file_gets_one_sentence(text):
    g = lobby()
    assert SYSTEM.lists(g, text) == ()
    with pytest.raises(IllegalAction):
        SYSTEM.bring(g, "red", text)


@pytest.mark.rule("TMG-05")
def test_an_array_of_card_numbers_is_a_list():
    numbers = [CARDS.find(name, kind=UNIT).fact.id for name in ("Stark Bowmen", "Stark Sworn Swords")]
    assert shape(read(str(numbers).replace("'", '"'))) == [BOWMEN, ("unit", "Stark Sworn Swords", [])]


@pytest.mark.rule("TMG-09")
def test_what_is_not_used_has_its_line():
    text = STARK + "• Stark Sworn Swords (5) (Robb Stark)\nPlayer: Bob\n~~• Stark Bowmen (6)~~\n// dice"
    roster = read(text)
    assert list(map(str, roster.unused)) == [
        "Line 4: “Player: Bob” was not used.",
        "Line 5: “Stark Bowmen” was not used.",
        "Line 6: “dice” was not used.",
    ]
    assert roster.warnings == ()


@pytest.mark.rule("TMG-09")
def test_what_is_not_used_stays_with_a_brought_army_through_corrections():
    g = lobby()
    SYSTEM.bring(g, "red", STARK + "• Stark Sworn Swords (5) (Robb Stark)\nPlayer: Bob")
    brought = SYSTEM.roster(g, "red")
    SYSTEM.amend(g, "red", list(brought.rows))
    for roster in (brought, SYSTEM.roster(g, "red")):
        assert list(map(str, roster.unused)) == ["Line 4: “Player: Bob” was not used."]
        assert roster.warnings == ()
