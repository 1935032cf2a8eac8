"""Every form of list, from every hand: the army that was meant, or remarks that say why not."""

import random
import time
from contextlib import suppress
from pathlib import Path

import pytest

from games.core import Unreadable
from games.systems.tmg import SYSTEM
from games.systems.tmg.lists.army_cards import ATTACHMENT, ENEMY, NCU, UNIT
from games.systems.tmg.lists.army_grammar import read_each, read_pasted, read_roster
from games.systems.tmg.lists.army_lines import parts_of
from games.systems.tmg.tests.armies import CARDS, FORMS, made_up, message, shared, today
from games.systems.tmg.tests.tables import lobby

REAL = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("lists/*.txt")}
VICTARION = "EglWaWN0YXJpb24YCCAoKABaAwi4VFoHCLdUEMOiAVoDCLFUWgMIslRaCwi0VBDCogEQyaIBYNPwAWDU8AFgw+0B"
REAVERS = "greyjoy;10808,10807,20803,10801"
DULL = random.Random(0)


def read(text):
    return read_pasted(text, CARDS)


def said(roster):
    return [str(line) for line in roster.warnings]


def names(roster, kind=UNIT):
    return [entry.name for entry in roster.of_kind(kind)]


# --- share codes ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-07")
def test_a_share_code_is_read():
    roster = read(VICTARION)
    assert (roster.name, roster.faction, roster.limit) == ("Victarion", "greyjoy", 40)
    assert roster.commander == "Victarion Greyjoy - The Iron Captain"
    assert names(roster) == [
        "Drowned Men", "Silenced Men", "Ironborn Reavers", "Ironborn Bowmen", "Ironmakers",
    ]  # fmt: skip
    assert names(roster, NCU) == ["Balon Greyjoy", "Wendamyr", "Lord Varys"]
    assert [a.name for a in roster.entries[4].attachments] == ["Asha Greyjoy", "Qarl"]
    assert [entry.name for entry in roster.entries if entry.commander] == ["Silenced Men"]
    assert said(roster) == ["Line 1: the list costs 42 army points and was built for 40."]


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize(
    "written",
    [
        VICTARION + "==",
        VICTARION.replace("+", "-").replace("/", "_"),
        f"  {VICTARION}\n\n",
        f"Here is my list:\n\n{VICTARION}\n\nsee you on Friday",
        "\n".join(VICTARION[n : n + 20] for n in range(0, len(VICTARION), 20)),
    ],
    ids=["padded", "address-safe", "spaced", "in a letter", "broken into lines"],
)
def test_a_share_code_is_read_however_it_was_sent(written):
    assert read(written) == read(VICTARION)


@pytest.mark.rule("TMG-07")
def test_a_share_code_that_breaks_off_keeps_what_stands_before():
    for length in range(50, len(VICTARION) - 1):
        roster = read(VICTARION[:length])
        assert names(roster)[:2] == ["Drowned Men", "Silenced Men"]
    roster = read(VICTARION[:61])
    assert "Line 1: the share code is damaged or cut off; what could be read was kept." in said(roster)


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize("code", [VICTARION[:14], VICTARION[::-1], VICTARION[:20] + "*" + "A1b2" * 9])
def test_a_code_without_an_army_gets_a_sentence(code):
    with pytest.raises(Unreadable, match=r"share code|No unit"):
        read(code)


@pytest.mark.rule("TMG-07")
def test_any_damage_to_a_code_is_a_roster_or_a_sentence():
    luck = random.Random(7)
    for _again in range(400):
        letters = list(VICTARION)
        for _letter in range(luck.randint(1, 4)):
            letters[luck.randrange(len(letters))] = luck.choice("AZaz09+/=-_")
        roster = None
        with suppress(Unreadable):
            roster = read("".join(letters))
        assert roster is None or (roster.entries and all(said(roster)))


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-08")
def test_a_string_of_numbers_is_read():
    roster = read(REAVERS)
    assert (roster.faction, roster.commander) == ("greyjoy", "Victarion Greyjoy - The Iron Captain")
    assert names(roster) == ["Drowned Men", "Silenced Men", "Ironborn Reavers"]
    assert [a.name for a in roster.entries[1].attachments] == ["Victarion Greyjoy"]
    assert said(roster) == []


@pytest.mark.rule("TMG-08")
@pytest.mark.parametrize(
    "written", ["Greyjoy; 10808, 10807 ,20803,10801", REAVERS + ",\n", ";10808,10807,20803,10801"]
)
def test_a_string_of_numbers_may_be_spaced_or_lack_its_faction(written):
    assert read(written) == read(REAVERS)


@pytest.mark.rule("TMG-08")
@pytest.mark.parametrize(
    ("numbers", "faction"),
    [
        ("10204,10401,10402", "stark"),
        ("10401,10402,19999", "neutral"),
        ("10204,10401,10402,10403,19999", "stark"),
    ],
)
def test_numbers_without_a_faction_are_of_the_one_that_is_not_neutral_where_there_is_one(numbers, faction):
    assert read(f";{numbers}").faction == faction


@pytest.mark.rule("TMG-08")
def test_unknown_numbers_are_units_to_edit():
    roster = read("stark;10999,20999,10201,30999,7")
    assert names(roster) == ["10999", CARDS.by_id["10201"].name, "7"]
    assert [a.name for a in roster.entries[0].attachments] == ["20999"]
    assert names(roster, NCU) == ["30999"]
    assert roster.entries[0].figures.wounds_total == 12
    assert said(roster)[1] == ("Line 1: the catalogue has no card 10999; please name it.")


@pytest.mark.rule("TMG-08")
def test_an_attachment_before_any_unit_is_put_into_the_first():
    roster = read("greyjoy;20803,10808")
    assert [a.name for a in roster.entries[0].attachments] == ["Victarion Greyjoy"]
    assert "was added to Drowned Men" in said(roster)[-1]


def test_what_joins_the_enemy_stands_apart():
    turncoat = CARDS.find("Turncoat", kind=ATTACHMENT).fact
    roster = read(f"lannister;10101,{turncoat.id}")
    assert names(roster, ENEMY) == ["Turncoat"]
    assert roster.activations == 1


# --- several lists --------------------------------------------------------------------------------


def test_lists_in_one_text_are_told_apart():
    text = "\n\n".join([REAL["stark"], "My other army\n" + REAL["greyjoy"], VICTARION, REAVERS])
    lists = read_each(text, CARDS)
    assert [roster.faction for _text, roster in lists] == ["stark", "greyjoy", "greyjoy", "greyjoy"]
    assert [roster.activations for _text, roster in lists] == [7, 8, 8, 3]
    for part, roster in lists:
        assert read(part) == roster
    assert said(lists[0][1]) == []


def test_all_real_lists_in_one_text():
    lists = read_each("\n".join(REAL.values()), CARDS)
    assert [roster for _text, roster in lists] == [read_roster(text, CARDS) for text in REAL.values()]


def test_one_list_is_one_list():
    for text in [*REAL.values(), VICTARION, REAVERS, "hello", ""]:
        assert len(parts_of(text)) == 1
    assert len(parts_of(REAL["stark"].replace("Commander:", "\nHouse Stark\nCommander:"))) == 1


def test_who_cannot_be_asked_gets_the_first_list_and_is_told():
    roster = read(REAL["stark"] + "\n" + REAL["greyjoy"])
    assert roster == read(REAL["stark"])
    assert said(roster) == ["This text holds 2 lists; the first was read."]


def test_more_lists_than_are_offered_stay_in_the_last():
    parts = parts_of("\n".join([REAVERS] * 50))
    assert len(parts) == 20
    assert parts[-1].count("greyjoy") == 31


# --- misspelt names -------------------------------------------------------------------------------


def test_a_letter_too_few_is_guessed_right_or_not_at_all():
    guessed = 0
    facts = [fact for fact in CARDS.facts if fact.kind == UNIT and len(fact.name) > 7]
    for fact in facts:
        wrong = fact.name[:3] + fact.name[4:]
        if CARDS.find(wrong, kind=UNIT, faction=fact.faction):
            continue
        found = CARDS.guess(wrong, kinds={UNIT}, faction=fact.faction)
        assert found is None or found.fact.name == fact.name
        guessed += found is not None
    assert guessed > 0.95 * len(facts)


@pytest.mark.parametrize("wrong", ["Bare", "Wolf", "Knights of Somewhere", "x" * 300, "", "熊"])
def test_nothing_is_guessed_from_far_away(wrong):
    assert CARDS.guess(wrong, kinds={UNIT, NCU}, faction="stark") is None


# --- what people paste ----------------------------------------------------------------------------

LED = """Faction: Stark
Commander: Robb Stark - The Wolf Lord
• Stark Bowmen (6)
  Robb Stark - The Wolf Lord (0)
"""
WARBAND = """++ Army Roster (Imperium - Space Marines) [500 pts] ++
+ HQ +
Captain [95 pts]: Power sword
+ Troops +
Intercessor Squad [100 pts]
"""


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (LED + "• Stark Sworn Swords (-5)", "Line 5: “Stark Sworn Swords” has a cost below zero"),
        (LED + "• Stark Sworn Swords (−5 pts)", "Line 5: “Stark Sworn Swords” has a cost below zero"),
        (
            LED + "• Stark Sworn Swords (0)\n  with Rodrik Cassel - Master-at-Arms (C)",
            "is a second Commander",
        ),
        (LED.replace("Faction: Stark", "Faction: Lannister"), "belongs to another faction: Stark"),
        (LED + "NCUs\n• Robb Stark (4)", "Robb Stark is already in this army"),
    ],
    ids=["minus", "long minus", "two commanders", "wrong faction", "twice the same"],
)
def test_what_is_odd_is_told_by_its_line(text, remark):
    roster = read(text)
    assert any(remark in line for line in said(roster)), said(roster)
    assert roster.entries[0].name == "Stark Bowmen"


def test_a_list_of_another_game_is_kept_line_by_line():
    roster = read(WARBAND)
    assert [entry.name for entry in roster.entries] == ["Captain", "Intercessor Squad"]
    assert all("Line" in line or "Commander" in line for line in said(roster))


def test_the_same_unit_six_times_is_six_units():
    roster = read(LED + "• Stark Sworn Swords (5)\n" * 6)
    assert names(roster).count("Stark Sworn Swords") == 6
    assert said(roster) == []


@pytest.mark.parametrize(
    "text",
    [
        REAVERS + ",10801" * 10_000,
        "greyjoy;" + "1" * 60_000,
        VICTARION * 600,
        "A" * 60_000,
        (VICTARION + "\n") * 600,
        (REAVERS + "\n") * 1_500,
        "Faction: Stark\n• Winterfel Gaurd (7)\n" * 1_500,
        "Commander: x\n" * 4_000,
        ("• " + "Wnterfll Grd" * 5 + "\n") * 900,
        "• Bostard's Goorls\n" * 3_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_huge_paste_is_read_in_no_time(text):
    start = time.process_time()
    read_each(text, CARDS)
    assert time.process_time() - start < 3


# --- the report -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-05")
def test_every_form_of_a_thousand_lists_is_read_right():
    luck = random.Random(20)
    wrong, remarked, count = [], [], 0
    for number in range(200):
        meant = made_up(luck)
        for form in FORMS:
            roster = read(form(meant, luck))
            count += 1
            if (roster.faction, roster.commander, roster.entries) != (
                meant.faction, meant.commander, meant.entries,
            ):  # fmt: skip
                wrong.append((number, form.__name__))
            if roster.activations != meant.activations:
                wrong.append((number, form.__name__, "activations"))
            remarked += [(form.__name__, line) for line in said(roster) if "built for" not in line]
    print(f"{count} lists read, {len(wrong)} wrong, {len(remarked)} remarked on: {remarked[:5]}")
    assert count == 1_000
    assert wrong == []
    assert remarked == []


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("slug", REAL)
def test_a_real_list_is_the_same_army_in_every_form(slug):
    meant = read(REAL[slug])
    for form in FORMS:
        roster = read(form(meant, DULL))
        assert [entry.name for entry in roster.entries] == [entry.name for entry in meant.entries]
        assert roster.faction == meant.faction
    assert message(meant)
    assert read(today(meant, DULL)) == meant
    assert read(shared(meant, DULL)).activations == meant.activations


@pytest.mark.rule("TMG-88")
def test_another_army_does_not_have_the_tactics_cards_of_the_one_before():
    g = lobby(decks=1)
    cards = "\nTactics Cards\n • Snow\n • Stone\n"
    for text, named in ((REAL["stark"] + cards, 2), (REAL["stark"], 2), (REAL["bolton"], 0)):
        SYSTEM.bring(g, "red", text)
        assert len(g.armies["red"].card_names) == named
