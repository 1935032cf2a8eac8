"""Pasted lists become the armies that their players meant, with a remark for whatever is odd."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import PIECE_GRAPHEMES, Unreadable, clean_name
from games.systems.tmg.lists.army_cards import ATTACHMENT, ENEMY, FACTIONS, NCU, NEUTRAL, UNIT, plain
from games.systems.tmg.lists.army_grammar import (
    demo_roster,
    demo_rosters,
    demo_summary,
    demo_text,
    read_entry,
    read_pasted,
)
from games.systems.tmg.lists.army_roster import Attachment, Roster, RosterEntry
from games.systems.tmg.tests.armies import write_roster
from games.systems.tmg.tests.reading import CARDS, REAL, names, read, said

# --- real lists ---------------------------------------------------------------------------------

COUNTS = {
    # units, attachments, NCUs, points
    "baratheon": (4, 2, 3, 40),
    "bolton": (4, 4, 3, 40),
    "free-folk": (8, 4, 3, 45),
    "greyjoy": (5, 2, 3, 40),
    "lannister": (4, 2, 3, 40),
    "martell": (4, 5, 3, 40),
    "neutral": (4, 1, 3, 40),
    "nights-watch": (4, 4, 3, 40),
    "stark": (4, 3, 3, 40),
    "targaryen": (4, 3, 3, 40),
}


def test_all_ten_real_lists_are_here():
    assert set(REAL) == set(COUNTS)


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("slug", COUNTS)
def test_a_real_list_is_read_without_a_wrong_line(slug):
    roster = read(REAL[slug])
    units, attachments, ncus, points = COUNTS[slug]
    assert len(roster.of_kind(UNIT)) == units
    assert sum(len(entry.attachments) for entry in roster.entries) == attachments
    assert len(roster.of_kind(NCU)) == ncus
    assert (roster.points, roster.limit) == (points, 40)
    assert all(entry.fact for entry in roster.entries)
    assert all(attachment.fact for entry in roster.entries for attachment in entry.attachments)
    assert all(entry.fact.faction in (roster.faction, NEUTRAL) for entry in roster.entries)
    over = ["Line 3: the list costs 45 army points and was built for 40."] if slug == "free-folk" else []
    assert said(roster) == over


@pytest.mark.parametrize("slug", COUNTS)
def test_the_checksum_of_a_real_list_holds(slug):
    roster = read(REAL[slug])
    assert f"Activations: {roster.activations}\n" in REAL[slug]
    assert roster.activations == sum(line.startswith(" •") for line in REAL[slug].splitlines())


@pytest.mark.parametrize("slug", COUNTS)
def test_a_real_list_is_written_back_letter_by_letter(slug):
    assert write_roster(read(REAL[slug])).rstrip() == REAL[slug].rstrip()


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("slug", COUNTS)
def test_a_real_list_has_exactly_one_commander(slug):
    roster = read(REAL[slug])
    (led,) = [entry for entry in roster.entries if entry.commander]
    leaders = [attachment.full_name for attachment in led.attachments if attachment.commander]
    assert (leaders or [led.full_name]) == [roster.commander]


@pytest.mark.rule("TMG-05")
def test_the_stark_list_in_full():
    roster = read(REAL["stark"])
    assert (roster.faction, roster.commander) == ("stark", "Eddard Stark - Lord of Winterfell")
    assert (roster.points, roster.limit, roster.activations) == (40, 40, 7)
    assert names(roster) == [
        "Eddard's Honor Guard",
        "House Tully Cavaliers",
        "Golden Company Crossbowmen",
        "Crannogman Trackers",
    ]
    assert names(roster, NCU) == [
        "Arya Stark - The Wolf Girl",
        "Catelyn Stark - Lady of Winterfell",
        "Lord Varys - The Spider",
    ]
    guard, cavaliers = roster.entries[:2]
    assert guard.commander
    assert (guard.line, guard.points) == (7, 6)
    assert cavaliers.attachments == (
        Attachment(10, "Glory Seeker", "", 1, CARDS.find("Glory Seeker", kind=ATTACHMENT).fact),
    )
    assert (cavaliers.points, cavaliers.figures.wounds_total, cavaliers.figures.ranks) == (9, 12, 2)


def test_pets_count_in_the_checksum_and_keep_their_flags():
    roster = read(REAL["free-folk"])
    assert roster.activations == 11
    figures = {entry.name: entry.figures for entry in roster.entries}
    assert figures["Wolf Pack"].cannot_control
    assert figures["Borroq's Boar"].follows == "Borroq"
    assert figures["Varamyr Sixskins"].commander
    assert figures["Varamyr Sixskins"].unique


def test_a_second_attachment_is_kept_in_its_unit():
    spearwives = next(entry for entry in read(REAL["free-folk"]).entries if entry.name == "Spearwives")
    assert [a.full_name for a in spearwives.attachments] == ["Jarl - Advance Raid Leader", "Skinchanger"]


# --- other forms --------------------------------------------------------------------------------

BUILDER_2019 = """Faction: House Stark
Commander: Robb Stark – The Wolf Lord
Points: 21 (4 Neutral)

Combat Units:
• House Umber Greataxes (7)
  with Robb Stark – The Wolf Lord (0)
• Grey Wind (0)
• Stark Bowmen (6)
  with Sworn Sword Captain (1)

Non-Combat Units:
• Sansa Stark – Little Bird (3)
• Lord Varys – The Spider (4)

Made with ASOIAFBuilder.com
"""


@pytest.mark.rule("TMG-06")
def test_the_form_of_the_older_builder():
    roster = read(BUILDER_2019)
    assert (roster.faction, roster.commander) == ("stark", "Robb Stark - The Wolf Lord")
    assert (roster.points, roster.limit, roster.activations) == (21, None, 5)
    assert names(roster) == ["House Umber Greataxes", "Grey Wind", "Stark Bowmen"]
    assert names(roster, NCU) == ["Sansa Stark - Little Bird", "Lord Varys - The Spider"]
    assert roster.entries[0].commander
    assert roster.entries[2].attachments[0].name == "Sworn Sword Captain"
    assert said(roster) == []


BY_HAND = """**House Stark**
**Commander:** Greatjon Umber
Points: 31 | Activations: 6
---
- Stark Bowmen (6 pts)
- House Umber Berserkers (6 pts) with Umber Champion (1 pts)
* Umber Greataxes (7pts)
   with Greatjon Umber (C)
— Summer [3]
2. Sansa Stark 4 pts
• Lord Varys - 4
Built on some site
https://example.org/list/7
"""


@pytest.mark.rule("TMG-06")
def test_the_forms_of_peoples_hands():
    roster = read(BY_HAND)
    assert (roster.faction, roster.commander) == ("stark", "Greatjon Umber - Lord of Last Hearth")
    assert [(entry.name, entry.kind, entry.cost, len(entry.attachments)) for entry in roster.entries] == [
        ("Stark Bowmen", UNIT, 6, 0),
        ("House Umber Berserkers", UNIT, 6, 1),
        ("House Umber Greataxes", UNIT, 7, 1),
        ("Summer", UNIT, 3, 0),
        ("Sansa Stark", NCU, 4, 0),
        ("Lord Varys", NCU, 4, 0),
    ]
    assert said(roster) == []


def test_a_list_without_bullets_headings_or_indentation():
    roster = read(
        "Stark Sworn Swords (5)\nSworn Sword Captain (1)\nRobb Stark, The Wolf Lord (C)\nSansa Stark (4)"
    )
    assert (roster.faction, roster.commander, roster.points) == ("stark", "Robb Stark - The Wolf Lord", 10)
    assert [entry.name for entry in roster.entries] == ["Stark Sworn Swords", "Sansa Stark"]
    assert len(roster.entries[0].attachments) == 2
    assert said(roster) == []


@pytest.mark.parametrize("indentation", ["    ", "\t"])
def test_bullets_that_are_nested_are_attachments(indentation):
    lines = ["Faction: Stark", "- Stark Bowmen (6)", indentation + "- Somebody New (1)"]
    roster = read("\n".join([*lines, indentation + "- Umber Champion (1)"]))
    assert [a.name for a in roster.entries[0].attachments] == ["Somebody New", "Umber Champion"]


def test_enemy_attachments_stand_apart_and_out_of_the_checksum():
    text = REAL["lannister"] + "\nEnemy Attachments\n • Turncoat ( 1 )\n"
    roster = read(text)
    assert names(roster, ENEMY) == ["Turncoat"]
    assert roster.of_kind(ENEMY)[0].fact.joins_enemy
    assert roster.activations == 7
    assert said(roster) == []
    assert write_roster(roster) == text


def test_headings_on_one_line():
    roster = read(
        "Faction: Greyjoy | Commander: Euron Greyjoy | Points: 30/30 | Activations: 1\n- Ironmakers (7)"
    )
    assert (roster.faction, roster.points, roster.limit) == ("greyjoy", 30, 30)


def test_a_namesake_of_an_officer_is_told_apart_by_its_cost():
    roster = read("Faction: Nights Watch\nRanger Trackers (6)\nWatch Marshal (1)\nWatch Marshal (4)")
    assert [entry.name for entry in roster.entries] == ["Ranger Trackers", "Watch Marshal"]
    assert [a.name for a in roster.entries[0].attachments] == ["Watch Marshal"]


# --- demo armies --------------------------------------------------------------------------------


def test_the_demo_armies_are_ready_for_the_table():
    demos = demo_rosters()
    assert list(demos) == ["free-folk", "greyjoy", "lannister", "nights-watch", "stark", "targaryen"]
    assert demos["stark"] == "Stark"
    assert demo_summary("stark").arguments["leader"] == "Eddard Stark - Lord of Winterfell"
    for slug in demos:
        roster = demo_roster(slug)
        assert write_roster(roster).rstrip() == demo_text(slug).rstrip()
        assert sum(entry.commander for entry in roster.entries) == 1


# --- any list at all ----------------------------------------------------------------------------


@given(st.text())
@settings(max_examples=200)
def test_any_text_is_a_roster(text):
    roster = read(text)
    assert all(str(line) for line in roster.warnings)
    assert all(clean_name(entry.name, PIECE_GRAPHEMES) == entry.name for entry in roster.entries)


SHREDS = (
    *("Faction:", "Commander:", "Points:", "Combat Units", "NCUs", "Enemy Attachments", "Stark Bowmen"),
    *("Robb Stark", "Doran Martell", "with", "(5)", "( 0 )", "40 / 40", "x", "%s", *"|•-:\n\t "),
)
pieces = st.sampled_from(SHREDS)


@given(st.lists(pieces, max_size=40).map(" ".join))
@settings(max_examples=200)
def test_any_shreds_of_a_list_are_a_roster(text):
    roster = read(text)
    assert roster.activations == len(roster.of_kind(UNIT)) + len(roster.of_kind(NCU))
    assert sum(entry.commander for entry in roster.entries) <= 1
    assert all(str(line) for line in roster.warnings)


@given(st.one_of(st.text(), st.binary(), st.lists(pieces).map(" ".join)))
def test_anything_pasted_or_typed_is_read_or_refused(raw):
    for reader in (read_pasted, read_entry):
        try:
            reader(raw, CARDS)
        except Unreadable:
            continue


@st.composite
def rosters(draw):
    """Legal enough: one faction with Neutral, each character once, one commander among the attachments."""
    faction = draw(st.sampled_from(sorted(FACTIONS)))
    own = [f for f in CARDS.facts if f.faction == faction and not f.joins_enemy]
    shared = [f for f in CARDS.facts if f.faction == NEUTRAL] if faction != NEUTRAL else []
    mine = {plain(f.full_name) for f in own}
    cards = own + [f for f in shared if plain(f.full_name) not in mine]
    commander = draw(st.sampled_from([f for f in own if f.commander and f.kind == ATTACHMENT]))
    used = {plain(commander.name)}

    def pick(kind, most):
        pool = [f for f in cards if f.kind == kind and not f.commander]
        chosen = []
        for fact in draw(st.lists(st.sampled_from(pool), max_size=most)) if pool else []:
            if fact.unique and plain(fact.name) in used:
                continue
            used.add(plain(fact.name))
            chosen.append(fact)
        return chosen

    def attached(fact):
        return Attachment(0, fact.name, fact.title, fact.cost, fact, fact is commander)

    units = pick(UNIT, 6) or [next(f for f in own if f.kind == UNIT and not f.unique)]
    led = draw(st.integers(0, len(units) - 1))
    entries = []
    for index, fact in enumerate(units):
        crew = tuple(attached(f) for f in ([commander] if index == led else []) + pick(ATTACHMENT, 2))
        entries.append(RosterEntry(0, fact.name, fact.title, fact.cost, UNIT, crew, fact, index == led))
    entries += [RosterEntry(0, f.name, f.title, f.cost, NCU, (), f) for f in pick(NCU, 4)]
    points = sum(entry.points for entry in entries)
    limit = draw(st.sampled_from([None, 30, 40, 50]))
    return Roster(faction, commander.full_name, points, limit, len(entries), tuple(entries))


@given(rosters())
@settings(max_examples=150)
def test_a_roster_that_is_written_is_read_back_equal(roster):
    assert read(write_roster(roster)) == roster


@given(
    rosters(),
    st.sampled_from("•-*–—◦"),
    st.sampled_from(["({})", "( {} )", "({} pts)", "[{}]", "{} pts"]),
    st.sampled_from([" - ", " – ", " — ", ", "]),
    st.sampled_from(["  with {}", "    {}", "\t{}", "with {}", "  w/ {}", "  + {}"]),
    st.booleans(),
)
@settings(max_examples=300)
def test_a_roster_in_other_forms_is_read_back_equal(roster, bullet, cost, dash, attachment, shouting):
    def line(piece):
        name = f"{piece.name}{dash}{piece.title}" if piece.title else piece.name
        return f"{name.upper() if shouting else name.replace(chr(39), '’')} {cost.format(piece.cost)}"

    size = "" if roster.limit is None else f"/{roster.limit}"
    text = [f"Faction: House {FACTIONS[roster.faction]} | Points: {roster.points}{size}", ""]
    text += [f"Commander: {roster.commander.replace(' - ', dash)}", "", "Combat Units:"]
    for entry in roster.of_kind(UNIT):
        text += [f"{bullet} {line(entry)}", *(attachment.format(line(piece)) for piece in entry.attachments)]
    text += ["", "Non-Combat Units:", *(f"{bullet} {line(entry)}" for entry in roster.of_kind(NCU))]
    assert read("\n".join([*text, "", "Made with ASOIAFBuilder.com"])) == roster
