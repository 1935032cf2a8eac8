"""Every form of list, from every hand: the warband that was meant, or remarks that say why not."""

import random
from pathlib import Path

import pytest

from games.core import Unreadable
from games.core import army_lists as documents
from games.systems.bushido.lists.warband_grammar import Card, Model, read, read_each
from games.systems.bushido.lists.warband_lines import card, joined
from games.systems.bushido.tests.warbands import FORMS, MODELS, made_up, written

FOLDER = Path(__file__).parent / "lists"
THREE = ("battlescribe.txt", "newrecruit.txt", "dashes.txt")
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}


def of(name):
    return read(TEXTS[name], MODELS)


def said(warband):
    return [str(line) for _number, line in warband.warnings]


def figures(model):
    return (model.name, model.rice, f"{model.ki}/{model.cap}", model.wounds, model.count)


# --- one file a form ------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
def test_the_text_that_battlescribe_shares():
    warband = of("battlescribe.txt")
    assert (warband.faction, warband.theme) == ("Prefecture of Ryu", "Blood of the Dragon")
    assert (warband.limit, warband.total, warband.rice) == (None, 95, 95)
    assert [figures(model) for model in warband.models] == [
        ("Hiromasa", 16, "2/6", "6", 1),
        ("Kizoko", 17, "2/8", "6", 1),
        ("Ryoka-Sha", 19, "2/8", "6", 1),
        ("Spearmen of the Coast", 16, "/", "", 2),
        ("Silverback A", 12, "2/0", "8", 1),
        ("Silverback B", 12, "2/0", "8", 1),
    ]
    assert warband.held == (
        Card("Katana of Duty", "equipment", 2, 9, "Hiromasa"),
        Card("Sudden Rain", "event", 1, 27),
    )
    assert said(warband) == ["Line 15: “Spearmen of the Coast” is not in the catalogue. Check its numbers."]


@pytest.mark.rule("BUSH-26")
def test_the_text_that_new_recruit_writes():
    warband = of("newrecruit.txt")
    assert (warband.faction, warband.theme) == ("Temple of Ro-Kan", "Walkers on the Mountain")
    assert (warband.name, warband.limit, warband.total, warband.rice) == ("Friday", 100, 90, 92 - 2)
    assert [figures(model) for model in warband.models] == [
        ("Kota - Human Form", 18, "3/9", "6", 1),
        ("Master Akari", 20, "3/10", "4", 1),
        ("Riku", 17, "2/6", "6", 1),
        ("Golden Sentinel A", 16, "2/6", "6", 1),
        ("Golden Sentinel B", 16, "2/6", "6", 1),
    ]
    assert [(card.name, card.kind, card.rice, card.bearer) for card in warband.held] == [
        ("Kota - Fox Form", "reference", 0, "Kota - Human Form"),
        ("Prayer Beads", "equipment", 2, "Kota - Human Form"),
        ("Shrine", "terrain", 1, ""),
    ]
    assert said(warband) == []


@pytest.mark.rule("BUSH-26")
def test_a_list_with_dashes_by_hand():
    warband = of("dashes.txt")
    assert (warband.faction, warband.theme, warband.name) == (
        "Cult of Yurei", "The Long Night", "The first try",
    )  # fmt: skip
    assert (warband.limit, warband.rice) == (70, 71)
    assert [figures(model) for model in warband.models] == [
        ("Kato, the Puppet Master", 22, "3/8", "6", 1),
        ("Akuba", 15, "2/*", "5", 1),
        ("Gyō Tochi", 9, "2/6", "5", 1),
        ("Kanashī", 14, "0/6", "6", 1),
        ("Koshō", 10, "0/0", "3", 1),
    ]
    assert warband.held == (Card("Lantern", "equipment", 1, 9, "Koshō"),)
    assert said(warband) == ["Line 2: the list costs 71 rice and was built for 70."]


@pytest.mark.rule("BUSH-26")
def test_plain_lines_and_figures_that_are_no_numbers():
    warband = of("plain.txt")
    assert warband.faction == "Ito Clan"
    assert [figures(model) for model in warband.models] == [
        ("Ito Masunagi", 17, "2/6", "5", 1),
        ("Yanki", 10, "X/6", "7", 1),
        ("Kami of Nowhere", 12, "0/∞", "Kami", 1),
        ("Shared Spirit", 4, "1/*", "Special", 2),
        ("Nobody Yet", 0, "/", "", 1),
    ]
    assert said(warband) == ["Line 7: “Nobody Yet” is not in the catalogue. Check its numbers."]


@pytest.mark.rule("BUSH-26")
def test_a_roster_as_it_is_saved():
    warband = of("roster.ros")
    assert (warband.faction, warband.theme, warband.name) == ("Shiho Clan", "The Old Way", "Sunday")
    assert (warband.limit, warband.total, warband.rice) == (70, 65, 65)
    assert [figures(model) for model in warband.models] == [
        ("Tanaka Kazuo", 25, "2/8", "6", 1),
        ("Cub", 0, "/", "2", 1),
        ("Golden Sentinel A", 16, "2/6", "6", 1),
        ("Golden Sentinel B", 16, "2/6", "6", 1),
    ]
    assert [(card.name, card.kind, card.rice, card.bearer) for card in warband.held] == [
        ("Bow, of Rain", "equipment", 3, "Tanaka Kazuo"),
        ("Ambush", "event", 5, ""),
    ]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("sign", ["> ", ">", "| ", ">> "])
@pytest.mark.parametrize("dash", ["-", "–", "—", "−"])
def test_a_quoted_list_has_the_headings_of_the_list(sign, dash):
    """They were models, and models were themes."""
    rows = TEXTS["newrecruit.txt"].replace(" - ", f" {dash} ", 2).split("\n")
    warband = read("\n".join(sign + row for row in rows), MODELS)
    assert (warband, said(warband)) == (of("newrecruit.txt"), [])


@pytest.mark.rule("BUSH-26")
def test_a_faction_may_stand_in_any_brackets():
    text = TEXTS["battlescribe.txt"].replace("(Prefecture of Ryu)", "【Prefecture of Ryu】")
    assert (read(text, MODELS), said(read(text, MODELS))) == (
        of("battlescribe.txt"),
        said(of("battlescribe.txt")),
    )


# --- the same warband in every form ---------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
def test_every_form_of_two_hundred_warbands_is_read_right():
    luck = random.Random(40)
    wrong, remarked, count = [], [], 0
    for number in range(200):
        meant = made_up(luck)
        for form in FORMS:
            found = read(form(meant, luck), MODELS)
            count += 1
            if found != meant:
                wrong.append((number, form.__name__, meant, found))
            remarked += [(form.__name__, line) for line in said(found) if "built for" not in line]
    print(f"{count} lists read, {len(wrong)} wrong, {len(remarked)} remarked on: {remarked[:5]}")
    assert count == 1_000
    assert wrong[:1] == []
    assert remarked == []


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_written_is_read_back(name):
    warband = of(name)
    again = read(written(warband), MODELS)
    assert again.models == warband.models
    assert sorted(card.name for card in again.held) == sorted(card.name for card in warband.held)
    assert (again.faction, again.theme, again.name) == (warband.faction, warband.theme, warband.name)


# --- names ----------------------------------------------------------------------------------------


def test_a_letter_too_few_is_guessed_right_or_not_at_all():
    guessed, asked = 0, 0
    for profile in MODELS.profiles:
        wrong = profile.name[:3] + profile.name[4:]
        if len(profile.name) < 8 or MODELS.knows(wrong):
            continue
        asked += 1
        found = MODELS.find(wrong, profile.faction)
        assert found is None or found.profile.name == profile.name, (wrong, found)
        guessed += found is not None and found.guessed
    assert asked > 100
    assert guessed > 0.9 * asked


@pytest.mark.parametrize(
    ("written_as", "meant", "guessed"),
    [
        ("Shogo-Ryu", "Shōgo-Ryu", False),
        ("SHŌGO RYU", "Shōgo-Ryu", False),
        ("Jung Sen’in", "Jung Sen'in", False),
        ("kirara", "Kira'a", True),
        ("Mizuko and Shogo Ryu", "Mizuko & Shōgo-Ryu", False),
        ("Kato the Puppetmaster", "Kato, the Puppet Master", False),
        ("Kota", "Kota - Human Form", False),
    ],
)
def test_names_are_found_however_they_are_written(written_as, meant, guessed):
    found = MODELS.find(written_as)
    assert (found.profile.name, found.guessed) == (meant, guessed)


def test_who_guesses_says_so():
    warband = read("Prefecture of Ryu\n- Hiromassa (16)\n", MODELS)
    assert warband.models == (Model("Hiromasa", 16, "2", "6", "6", 1, 2),)
    assert warband.models[0].guessed == "Hiromassa"
    assert said(warband) == ["Line 2: “Hiromassa” is not in the catalogue; read as Hiromasa."]


@pytest.mark.parametrize("wrong", ["Bear", "x" * 300, "", "熊", "Somebody Else Entirely"])
def test_nothing_is_guessed_from_far_away(wrong):
    assert MODELS.find(wrong, "Ito Clan") is None


# --- several lists --------------------------------------------------------------------------------


def test_a_comma_in_brackets_parts_no_options():
    _kizoko, behind = card(1, "Kizoko (17): Prayer Beads (blessed, twice) [2], Lantern [1]")
    options = [(one.words, one.rice) for one in joined(1, behind)]
    assert options == [("Prayer Beads (blessed, twice)", 2), ("Lantern", 1)]


@pytest.mark.parametrize("text", ["Spearmen [8 Rice] x2", "Spearmen x2 [8]", "2x Spearmen [8]"])
def test_a_count_stands_before_or_behind_the_rice(text):
    line, _behind = card(1, text)
    assert (line.words, line.rice, line.count) == ("Spearmen", 8, 2)


@pytest.mark.parametrize(
    ("text", "number"), [("16.0", 16), ("-2", -2), ("", 0), ("many", 0), ("99999", 99_999), ("100000", 0)]
)
def test_a_number_of_a_roster_beyond_all_sense_is_none(text, number):
    assert documents.whole(text) == number


def test_several_lists_in_one_text_are_told_apart():
    text = "\n\n".join(TEXTS[name] for name in THREE)
    lists = read_each(text, MODELS)
    assert [warband.faction for _text, warband in lists] == [
        "Prefecture of Ryu", "Temple of Ro-Kan", "Cult of Yurei",
    ]  # fmt: skip
    for (part, warband), name in zip(lists, THREE, strict=True):
        assert warband == of(name)
        assert read(part, MODELS) == warband
    assert said(read(text, MODELS))[0] == "This text holds 3 lists; the first was read."


@pytest.mark.parametrize("name", TEXTS)
def test_one_list_is_one_list(name):
    assert len(read_each(TEXTS[name], MODELS)) == 1


def test_two_forces_of_a_roster_are_two_lists():
    text = TEXTS["roster.ros"]
    force = text[text.index("<force ") : text.index("</forces>")]
    both = text.replace("</forces>", force.replace("Shiho Clan", "Ito Clan") + "</forces>")
    assert [warband.faction for _text, warband in read_each(both, MODELS)] == ["Shiho Clan", "Ito Clan"]


TWO = [("Ito Masunagi", 17), ("Ito Yudai", 14)]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "Faction: Ito Clan\nModels\nIto Masunagi (17)\nIto Yudai (14)\nEvents\nSudden Rain (2)\n",
        "**Ito Clan**\n**Models**\n- Ito Masunagi 17 rice\n- Ito Yudai (14)\n**Events**\n- Sudden Rain (2)",
        "Ito Clan\nProfiles:\nIto Masunagi\nIto Yudai\nEvent:\nSudden Rain (2)\n",
    ],
)
def test_a_heading_by_hand_is_no_model(text):
    warband = read(text, MODELS)
    assert [(model.name, model.rice) for model in warband.models] == TWO
    assert warband.held == (Card("Sudden Rain", "event", 2, len(text.splitlines())),)


@pytest.mark.rule("BUSH-26")
def test_what_a_model_carries_may_stand_below_a_heading_of_its_own():
    warband = read("Ito Clan\nIto Masunagi (17)\nEquipment:\nInk Brush (2)\nIto Yudai (14)\nOld Debt", MODELS)
    assert [(model.name, model.rice) for model in warband.models] == TWO
    assert [(card.name, card.kind) for card in warband.held] == [("Ink Brush", "equipment")]
    named = read("Events: Sudden Rain (2)\nIto Masunagi (17)\nModels:\nIto Yudai (14)\nA Stranger", MODELS)
    assert [model.name for model in named.models] == ["Ito Masunagi", "Ito Yudai", "A Stranger"]


FORCE = "++ Risen Sun (Ito Clan) [31 Rice] ++\n\n+ Faction Profile Cards +\nIto Masunagi [17 Rice]\n"


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("first", "name"),
    [
        ("+++ Ito test (Bushido: Risen Sun) [31 Rice] +++\n\n" + FORCE, "Ito test"),
        ("Serpents rise (Ito Clan) [31 Rice]\nIto Masunagi [17 Rice]\n", "Serpents rise"),
        ("Friday (Bushido) [31 Rice]\nRisen Sun (Ito Clan) [31 Rice]\nIto Masunagi [17 Rice]\n", "Friday"),
    ],
)
def test_a_title_above_the_models_is_no_other_game_and_no_model(first, name):
    warband = read(first + "Ito Yudai [14 Rice]\n", MODELS)
    assert (warband.faction, warband.name, warband.total) == ("Ito Clan", name, 31)
    assert [(model.name, model.rice) for model in warband.models] == TWO
    assert said(warband) == []


@pytest.mark.rule("BUSH-26")
def test_a_model_with_its_faction_in_brackets_is_a_model():
    for name in ("Ito Masunagi", "Ito Masunagy"):
        warband = read(f"{name} (Ito Clan) [17 Rice]\nIto Yudai (Ito Clan) [14 Rice]\n", MODELS)
        assert (len(warband.models), warband.rice) == (2, 31)
    late = read("Ito Clan\nIto Yudai [14 Rice]\nSerpents rise (Ito Clan) [31 Rice]\n", MODELS)
    assert len(late.models) == 2, "only above the models is it a title"


@pytest.mark.rule("BUSH-26")
def test_two_lists_each_keep_the_heading_that_names_their_game():
    lists = [f"+++ {name} (Bushido: Risen Sun) [17 Rice] +++\n{FORCE}" for name in ("One", "Two")]
    assert [warband.name for _part, warband in read_each("\n".join(lists).replace("31", "17"), MODELS)] == [
        "One",
        "Two",
    ]


def test_a_text_without_a_model_gets_a_sentence():
    with pytest.raises(Unreadable, match="No model was found"):
        read("hello there\nfriends", MODELS)


def test_of_two_headings_the_first_names_the_warband_and_the_last_sum_counts():
    first = "Faction: Ito Clan | Theme: Snakes | Name: One | Game: Chess | Total: 40 | Limit: 5"
    second = "Faction: Cult of Yurei | Theme: Wolves | Name: Two | Game: Go | Total: 45 | Limit: 6"
    warband = read(f"\n{first}\nTotal: 0\n\n{second}\nTotal: 0\nIto Yudai (14)", MODELS)
    assert (warband.faction, warband.theme, warband.name) == ("Ito Clan", "Snakes", "One")
    assert (warband.total, warband.limit) == (45, 6)
    assert said(warband) == [
        "Line 2: this is a list of another game: Chess.",
        "Line 5: the list states 45 rice, but its cards add up to 14.",
        "Line 5: the list costs 45 rice and was built for 6.",
    ]
    assert list(map(str, warband.unused)) == [
        f"Line 5: “{late}” was not used." for late in ("Cult of Yurei", "Wolves", "Two")
    ]
    assert read("Total: 0\nIto Yudai (14)", MODELS).total == 0
