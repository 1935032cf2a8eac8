"""What a share code or a string of numbers is, byte by byte, before anybody asks what its cards are."""

from base64 import b64encode

import pytest

from games.systems.tmg.lists import army_codes as codes
from games.systems.tmg.lists.army_grammar import read_roster
from games.systems.tmg.tests.armies import CARDS, block, varint


def sent(*fields):
    """A share code of these fields, each a field's number and its value."""
    parts = (
        block(field, value) if isinstance(value, bytes) else varint(field << 3) + varint(value)
        for field, value in fields
    )
    return b64encode(b"".join(parts)).decode()


UNIT_OF = (11, b"\x08" + varint(10804))
"""A field that holds one unit."""


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize(
    ("fields", "limit"),
    [
        ([(4, 40)], 40),
        ([(4, 0)], None),
        ([(4, 1)], 1),
        ([(4, 999)], 999),
        ([(4, 1000)], None),
        ([(4, b"forty")], None),
        ([], None),
    ],
)
def test_the_size_of_a_shared_list_is_a_number_of_points(fields, limit):
    found = codes.code_in(sent((2, b"The name of a list"), *fields, UNIT_OF))
    assert (found.limit, found.units, found.is_whole) == (limit, ((10804,),), True)


@pytest.mark.rule("TMG-07")
def test_the_faction_of_a_shared_list_is_the_one_that_it_states_by_number():
    """Two of three of its cards are Neutral: nobody could tell it from them."""
    of = {name: number for number, name in CARDS.factions_by_number.items()}
    stated = sent((2, b"The name of a list"), (3, of["stark"]), (11, b"\x08" + varint(10401)))
    assert read_roster(stated, CARDS).faction == "stark"
    assert codes.code_in(sent((2, b"The name of a list"), (3, b"stark"), UNIT_OF)).faction == 0


@pytest.mark.rule("TMG-07")
def test_a_unit_has_a_number_and_its_attachments_and_nothing_else():
    unit = b"\x08" + varint(10804) + b"\x10" + varint(20803) + b"\x18" + varint(20801)
    assert codes.code_in(sent((2, b"A name"), (11, unit))).units == ((10804, 20803),)
    twice = b"\x08" + varint(10804) + b"\x08" + varint(10805) + b"\x10" + varint(20803)
    assert codes.code_in(sent((2, b"A name"), (11, twice))).units == ((10804, 20803),)


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize(
    ("number", "is_army"), [(9_999, False), (10_000, True), (999_999, True), (1_000_000, False)]
)
def test_a_message_is_an_army_if_its_numbers_are_of_cards(number, is_army):
    code = sent((2, b"The name of a list"), UNIT_OF, (12, number))
    assert (codes.code_in(code) is not None) == is_army


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize("missing", [1, 5, 12])
def test_a_message_that_breaks_off_within_a_field_is_not_whole(missing):
    octets = block(*UNIT_OF) + block(2, b"The name of the list")
    cut = codes.code_in(b64encode(octets[:-missing]).decode())
    assert (cut.units, cut.name, cut.is_whole) == (((10804,),), "", False)
    whole = codes.code_in(b64encode(octets).decode())
    assert (whole.units, whole.name, whole.is_whole) == (((10804,),), "The name of the list", True)


@pytest.mark.rule("TMG-07")
def test_what_an_army_does_not_hold_is_passed_over():
    """A name or a unit that is a number, fields of eight or four bytes, fields of other numbers."""
    others = varint(7 << 3 | 1) + b"\xff" * 8 + varint(8 << 3 | 5) + b"\xff" * 4 + block(9, b"more")
    others += varint(2 << 3) + varint(7) + varint(11 << 3) + varint(7)
    found = codes.code_in(b64encode(others + block(*UNIT_OF)).decode())
    assert (found.name, found.units, found.is_whole) == ("", ((10804,),), True)


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize(
    "damage", [varint(7 << 3 | 3), b"\x02\x01\x01", varint(4 << 3) + b"\xff" * 10 + b"\x01"]
)
def test_what_no_message_holds_ends_it(damage):
    """A kind of field that there is not, one without a number, a number of more than ten bytes."""
    found = codes.code_in(b64encode(block(*UNIT_OF) * 3 + damage + block(*UNIT_OF)).decode())
    assert (found.units, found.is_whole) == (((10804,),) * 3, False)


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize(
    ("line", "is_shared"),
    [
        ("CgQxMjM0", True),
        ("X1y2", True),
        ("x1y2", False),
        ("STARK", False),
        ("Stark", False),
        ("a" * 41, True),
        ("a" * 40, False),
        ("winteriscoming", False),
        ("StarkList", True),
        ("STARK1", True),
        ("1234567", False),
        ("Ab1", False),
        ("Stark Sworn Swords 5", False),
        ("Ca*gQx", False),
    ],
)
def test_what_looks_like_a_share_code_is_one_word_of_mixed_letters_and_figures(line, is_shared):
    """Who pastes half of one reads that it is damaged, and not that a list names no unit."""
    assert codes.looks_shared(line) == is_shared


@pytest.mark.rule("TMG-07")
def test_a_share_code_is_read_up_to_its_greatest_length_spaces_not_counted():
    def shared(units):
        return sent(*[(12, 30802)] * units)

    longest = shared(codes.LONGEST * 3 // 4 // 4)
    assert len(longest) == codes.LONGEST
    found = codes.code_in(" ".join(longest[at : at + 2] for at in range(0, len(longest), 2)))
    assert (set(found.others), len(found.others)) == ({30802}, codes.MOST_NUMBERS)
    assert codes.code_in(shared(codes.LONGEST * 3 // 4 // 4 + 1)) is None
    assert codes.code_in("") is None


@pytest.mark.rule("TMG-08")
@pytest.mark.parametrize(
    ("text", "is_army"),
    [(";10000", True), (";999999,10204", True), (";9999", False), (";1000000", False), (":10204,7", False)],
)
def test_numbers_without_a_faction_are_an_army_only_if_all_of_them_are_of_cards(text, is_army):
    assert (codes.code_in(text) is not None) == is_army
    assert codes.code_in(f"stark{text}") is not None


# --- what the numbers mean --------------------------------------------------------------------------

CAPTAIN = next(int(fact.id) for fact in CARDS.facts if fact.name == "Sworn Sword Captain")


def kinds(roster):
    return [(entry.name, entry.kind) for entry in roster.entries]


@pytest.mark.rule("TMG-07")
def test_what_stands_apart_in_a_code_is_an_enemy_s_if_it_is_an_attachment_and_comes_last():
    """Known or not: of an unknown number the first digit tells what it is."""
    code = sent((2, b"The name"), (12, CAPTAIN), (12, 20999), (12, 30802), (12, 30999), (12, 19999), UNIT_OF)
    assert kinds(read_roster(code, CARDS)) == [
        (CARDS.by_id["10804"].name, "unit"),
        (CARDS.by_id["30802"].name, "ncu"),
        ("30999", "ncu"),
        ("19999", "ncu"),
        ("Sworn Sword Captain", "enemy"),
        ("20999", "enemy"),
    ]


@pytest.mark.rule("TMG-07")
def test_a_card_is_what_the_catalogue_says_wherever_the_code_has_it():
    unit = b"\x08" + varint(30802)
    roster = read_roster(sent((2, b"The name of a list"), (11, unit), UNIT_OF), CARDS)
    assert [kind for _name, kind in kinds(roster)] == ["unit", "ncu"]


@pytest.mark.rule("TMG-08")
@pytest.mark.parametrize(("number", "is_cut"), [(60, False), (61, True)])
def test_sixty_numbers_are_an_army_and_more_are_told_of(number, is_cut):
    roster = read_roster("stark;" + ",".join(["10201"] * number), CARDS)
    assert (len(roster.entries), roster.points) == (60, 300)
    told = "Line 1: the code has too many units; the first were kept."
    assert (told in map(str, roster.warnings)) == is_cut


@pytest.mark.rule("TMG-08")
def test_the_faction_before_the_numbers_is_the_army_s_whatever_its_cards_are():
    roster = read_roster("stark;10401,10101", CARDS)
    assert roster.faction == "stark"
    (foreign,) = [str(line) for line in roster.warnings if "another faction" in str(line)]
    assert foreign.startswith("Line 1: ")


@pytest.mark.rule("TMG-08")
def test_a_number_that_nobody_knows_is_a_name_without_a_cost():
    known, unknown = read_roster("stark;10201,19999", CARDS).entries
    assert (unknown.name, unknown.title, unknown.cost, unknown.fact) == ("19999", "", 0, None)
    assert known.fact is CARDS.by_id["10201"]
    assert (known.title, known.cost) == ("", 5)


@pytest.mark.rule("TMG-08")
@pytest.mark.parametrize(
    ("text", "is_army"), [("Stark: 999", False), ("stark;1000", True), ("Stark: 40", False)]
)
def test_a_faction_and_a_size_are_no_code(text, is_army):
    assert (codes.code_in(text) is not None) == is_army
