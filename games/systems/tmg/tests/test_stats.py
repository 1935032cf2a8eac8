"""What a unit's printed card says: read from a table, kept as entries, shown by the ranks that are left."""

import pytest

from games.core import Entries, Unreadable, facts
from games.systems.tmg.lists import army_cards
from games.systems.tmg.lists.army_cards import catalogue, rows_of
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.tests.tables import cavalry, infantry, ncu, solo, table

CROSSBOWMEN = {
    "name": "Lannister Crossbowmen",
    "speed": "5",
    "attack1_kind": "long",
    "attack1_name": "Crossbow",
    "attack1_hit": "3+",
    "attack1_dice": "6.6.4",
    "attack2_kind": "melee",
    "attack2_name": "Short Sword",
    "attack2_hit": "5+",
    "attack2_dice": "5.4.3",
    "defence": "4+",
    "morale": "7+",
    "abilities": "Crossbow; Volley",
    "version": "2021-S01",
}


def profile(unit, entries=None):
    """What a spectator is shown of this unit's card."""
    g = table(blue=[unit])
    if entries is not None:
        g.entries = entries
    return TmgPage(g, None, (), str, lambda path: path).profile(f"unit/{unit.key}")


def test_every_row_of_the_table_belongs_to_a_combat_unit_of_the_catalogue():
    cards = catalogue().by_id
    rows = list(rows_of(facts.read_text("games.systems.tmg", army_cards.STATS_TABLE)))
    assert len(rows) == len(army_cards.known_stats()) == 148
    assert [row["id"] for row in rows if row["id"] not in cards or cards[row["id"]].kind != "unit"] == []


def test_a_card_has_a_value_of_dice_for_each_rank_at_most():
    cards = catalogue().by_id
    for slug, found in army_cards.known_stats().items():
        ranks = 1 if cards[slug].tray == "solo" else max(cards[slug].ranks, 1)
        assert all(len(attack.dice) <= max(ranks, 3) for attack in found.attacks), slug


def test_a_row_is_read_as_numbers():
    found = army_cards.stats_of("10106", CROSSBOWMEN)
    assert (found.speed, found.defence, found.morale) == (5, "4+", "7+")
    assert found.attacks == (
        army_cards.Attack("long", "Crossbow", "3+", (6, 6, 4)),
        army_cards.Attack("melee", "Short Sword", "5+", (5, 4, 3)),
    )
    assert (found.abilities, found.version) == (("Crossbow", "Volley"), "2021-S01")


def test_a_card_may_have_one_attack_or_none():
    one = CROSSBOWMEN | dict.fromkeys([name for name in CROSSBOWMEN if name.startswith("attack2")], "")
    assert len(army_cards.stats_of("1", one).attacks) == 1


@pytest.mark.parametrize(
    ("cell", "value", "says"),
    [
        ("speed", "fast", "whole number"),
        ("speed", "21", "20"),
        ("defence", "4", "A roll looks like 4+"),
        ("morale", "13+", "A roll looks like 4+"),
        ("attack1_hit", "", "A roll looks like 4+"),
        ("attack1_kind", "far", "melee, short or long"),
        ("attack1_dice", "6,6,4", "6.5.4"),
        ("attack1_dice", "6.0.4", "6.5.4"),
        ("name", "", ""),
    ],
)
def test_a_row_that_cannot_be_read_says_why(cell, value, says):
    with pytest.raises(Unreadable) as caught:
        army_cards.stats_of("10106", CROSSBOWMEN | {cell: value})
    assert says in str(caught.value.line)


def test_a_row_needs_the_number_of_a_card():
    with pytest.raises(Unreadable):
        army_cards.stats_of("crossbowmen", CROSSBOWMEN)


@pytest.mark.rule("TMG-39")
@pytest.mark.parametrize(("wounds", "now"), [(12, 0), (9, 0), (8, 1), (5, 1), (4, 2), (1, 2)])
def test_the_dice_of_the_ranks_that_are_left_are_marked(wounds, now):
    shown = profile(infantry("lions", card="10106", wounds=wounds))
    assert [(attack.name, attack.dice, attack.now) for attack in shown.attacks] == [
        ("Crossbow", ("6", "6", "4"), now),
        ("Short Sword", ("5", "4", "3"), now),
    ]
    assert shown.numbers == (("Speed", "5"), ("Defence", "4+"), ("Morale", "7+"))
    assert [attack.kind for attack in shown.attacks] == ["Long range", "Melee"]


@pytest.mark.rule("TMG-39")
def test_cavalry_and_single_models_mark_theirs():
    knights = profile(cavalry("knights", card="10105", wounds=6)).attacks[0]
    assert (knights.dice, knights.now) == (("5", "4"), 1)
    gregor = profile(solo("gregor", card="10107", wounds=1, rank_size=3)).attacks[0]
    assert (gregor.dice, gregor.now) == (("3",), 0)


def test_no_dice_are_marked_where_the_app_counts_no_wounds():
    g = table(blue=[infantry("lions", card="10106", wounds=4)])
    g.untracked = frozenset({"wounds"})
    shown = TmgPage(g, None, (), str, lambda path: path).profile("unit/lions")
    assert [attack.now for attack in shown.attacks] == [None, None]
    fallen = profile(infantry("lions", card="10106", wounds=0, place="destroyed"))
    assert [attack.now for attack in fallen.attacks] == [None, None]


def test_an_unknown_card_shows_nothing_false():
    shown = profile(infantry("lions"))
    assert (shown.numbers, shown.attacks, shown.abilities, shown.note) == ((), (), (), "")
    assert profile(ncu("tyrion", title="The Imp", cost=4)).lines == ("Tyrion, The Imp · 4 points",)


def test_attachments_are_shown_with_title_and_cost():
    unit = infantry("lions", card="10106", attachments=(("Bronn", "The Sellsword", 1, "blue"),))
    assert profile(unit).lines == ("Lions · 5 points", "Bronn, The Sellsword · 1 point")


def test_only_a_unit_has_a_printed_card():
    page = TmgPage(table(), None, (), str, lambda path: path)
    assert page.profile("objective/centre") is page.profile("army/red") is page.profile("table") is None


def test_an_organiser_s_numbers_take_the_place_of_the_package_s():
    entries = Entries(
        {army_cards.STATS: {"10106": CROSSBOWMEN | {"speed": "6"}, "10105": {"speed": "nonsense"}}}
    )
    assert profile(infantry("lions", card="10106"), entries).numbers[0] == ("Speed", "6")
    assert profile(cavalry("knights", card="10105"), entries).numbers[0] == ("Speed", "5")


def test_numbers_of_another_season_than_the_catalogue_s_say_so():
    cards = catalogue().by_id
    other = next(
        slug for slug, found in army_cards.known_stats().items() if found.version != cards[slug].version
    )
    seasons = army_cards.known_stats()[other].version, cards[other].version
    note = profile(infantry("lions", card=other)).note
    assert all(season in note for season in seasons)
    assert profile(infantry("lions", card="10106")).note == ""


def test_a_unit_that_is_brought_knows_its_card():
    from games.systems.tmg.tests.tables import lobby, play

    g = play(lobby(), "red demo:lannister")
    assert {unit.name: unit.card for unit in g.units_of("red")}["Lannister Crossbowmen"] == "10106"
