"""How the lines below a card are read: its models, its other face, what it carries, and what each costs."""

import pytest

from games.systems.bushido.lists.warband_grammar import read
from games.systems.bushido.lists.warband_lines import MAX_LINES
from games.systems.bushido.tests.test_warband_forms import said
from games.systems.bushido.tests.warbands import MODELS


def band(text):
    return read(f"Faction: Prefecture of Ryu\n{text}", MODELS)


def costs(warband):
    return [(model.name, model.rice) for model in warband.models]


def carried(warband):
    return [(card.name, card.rice, card.bearer) for card in warband.held]


TWINS = ". Silverback A\n. Silverback B"


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (f"Silverback [24 Rice]\n{TWINS}", 12, 12),
        (f"Silverback\n{TWINS}", 12, 12),
        ("Silverback\n. Silverback A [12 Rice]\n. Silverback B", 12, 12),
        ("Silverback [24 Rice]\n. Silverback A [13 Rice]\n. Silverback B [11 Rice]", 13, 11),
        (f"Silverback [20 Rice]\n{TWINS}", 20, 0),
        (f"Silverbak [24 Rice]\n{TWINS}", 12, 12),
        (f"A Pair of Apes [24 Rice]\n{TWINS}", 12, 12),
        ("Silverback [24 Rice]\n. Silverback A [13 Rice]\n. Silverback B", 13, 12),
    ],
    ids=[
        "its sum",
        "no sum",
        "one of them",
        "both",
        "another sum",
        "misspelt",
        "unknown",
        "one of them and a sum",
    ],
)
def test_the_models_of_one_card_cost_together_what_the_list_says(text, first, second):
    warband = band(text)
    assert costs(warband) == [("Silverback A", first), ("Silverback B", second)]
    assert said(warband) == []


def test_what_lies_below_a_card_of_two_models_and_is_none_is_carried_by_the_first():
    warband = band(f"Silverback [24 Rice]\n{TWINS}\n. Lantern")
    assert costs(warband) == [("Silverback A", 12), ("Silverback B", 12)]
    assert carried(warband) == [("Lantern", 0, "Silverback A")]


def test_a_card_of_two_models_may_count_what_they_carry_in_its_sum():
    """As BattleScribe does; otherwise the list would seem to cost the gear twice."""
    warband = band(f"Silverback [26 Rice]: Lantern [2 Rice]\n{TWINS}\n++ Total: [26 Rice] ++")
    assert costs(warband) == [("Silverback A", 12), ("Silverback B", 12)]
    assert carried(warband) == [("Lantern", 2, "Silverback A")]
    assert said(warband) == []


def test_a_model_that_lies_below_another_is_a_model_and_no_gear():
    warband = band("Hiromasa [16 Rice]\n  - Kizoko [17 Rice]\n  - Lantern [1 Rice]")
    assert costs(warband) == [("Hiromasa", 16), ("Kizoko", 17)]
    assert carried(warband) == [("Lantern", 1, "Hiromasa")]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("2x Spearmen of Nowhere [16 Rice]", 2),
        ("Spearmen of Nowhere [16 Rice]\n. Spearmen of Nowhere A\n. Spearmen of Nowhere B", 2),
        ("2x Spearmen of Nowhere [16 Rice]\n. Spearmen of Nowhere A\n. Spearmen of Nowhere B", 2),
        ("Spearmen of Nowhere;16;1/3;4;2", 2),
    ],
    ids=["a number", "one by one", "both", "the plain form"],
)
def test_a_card_that_nobody_knows_has_as_many_models_as_its_list_says(text, count):
    warband = band(text)
    assert [(model.name, model.rice, model.count) for model in warband.models] == [
        ("Spearmen of Nowhere", 16, count)
    ]
    assert not any("one copy" in line for line in said(warband))


@pytest.mark.parametrize(
    ("below", "is_carried"),
    [
        ("Spearmen of Nowhere A [8 Rice]", True),
        ("Spearmen of Nowhere Boss", True),
        ("Spearmen of Nowhere AB", True),
        ("Spearmen of Nowhere", False),
    ],
)
def test_what_has_a_price_or_a_longer_name_is_none_of_the_card_s_own_models(below, is_carried):
    warband = band(f"Spearmen of Nowhere [16 Rice]\n. {below}")
    assert [model.count for model in warband.models] == [1]
    assert [card.name for card in warband.held] == ([below.partition(" [")[0]] if is_carried else [])


@pytest.mark.parametrize(
    ("total", "own"), [(18, 16), (20, 18)], ids=["with what it carries", "without what it carries"]
)
def test_the_list_s_total_tells_whether_a_sum_counts_what_lies_below(total, own):
    """Builders differ; of a card that the catalogue does not know nothing else can tell."""
    warband = band(f"Nobody of Note [18 Rice]: Katana [2 Rice]\n++ Total: [{total} Rice] ++")
    assert costs(warband) == [("Nobody of Note", own)]
    assert said(warband) == ["Line 2: “Nobody of Note” is not in the catalogue. Check its numbers."]


@pytest.mark.parametrize(
    ("line", "figures"),
    [
        ("Kizoko;17;3/9;5", ("3", "9", "5")),
        ("Kizoko;17;3/9", ("3", "9", "6")),
        ("Kizoko;17;;5", ("2", "8", "5")),
        ("Kizoko;;;", ("2", "8", "6")),
        ("Kizoko;17;3;5", ("3", "", "5")),
        ("Kizoko;17;/9;5", ("", "9", "5")),
        ("Kizoko;17;–;5", ("2", "8", "5")),
        ("Kizoko;17;3/lots;5", ("2", "8", "5")),
        ("Kizoko;17;lots/9;5", ("2", "8", "5")),
    ],
)
def test_figures_that_a_list_leaves_out_are_those_of_the_card(line, figures):
    (kizoko,) = band(line).models
    assert (kizoko.rice, kizoko.ki, kizoko.cap, kizoko.wounds) == (17, *figures)


@pytest.mark.parametrize(("line", "is_read"), [("hello", False), ("- hello", True), ("hello (3)", True)])
def test_a_line_of_an_unknown_name_is_a_model_if_it_has_the_form_of_a_card(line, is_read):
    warband = band(f"- Hiromasa (16)\n{line}")
    assert ("hello" in [model.name for model in warband.models]) == is_read
    assert any("was not understood" in words for words in said(warband)) != is_read


def test_what_a_card_of_a_section_holds_is_of_that_section_too():
    warband = band("Hiromasa [16 Rice]\n+ Event Cards +\nSudden Rain [1 Rice]: Flood [2 Rice]")
    assert [(card.name, card.kind, card.rice, card.bearer) for card in warband.held] == [
        ("Sudden Rain", "event", 1, ""),
        ("Flood", "event", 2, ""),
    ]


def test_a_theme_that_costs_rice_and_a_second_one_are_kept_among_the_cards():
    warband = band("Hiromasa [16 Rice]\n+ Theme Cards +\nOath [2 Rice]\nDawn [1 Rice]")
    assert (warband.theme, warband.rice) == ("Oath", 19)
    assert [(card.name, card.kind, card.rice) for card in warband.held] == [
        ("Oath", "card", 2),
        ("Dawn", "card", 1),
    ]
    assert said(warband) == ["Line 5: “Dawn” is a second theme; a warband has one."]


def test_a_list_that_is_too_long_is_cut_within_a_card_and_says_so():
    many = "\n".join(f"Nobody {number};1" for number in range(198))
    warband = band(f"{many}\nHiromasa [16 Rice]: Lantern [1 Rice], Rope [1 Rice]\nKizoko [17 Rice]")
    assert [model.name for model in warband.models[198:]] == ["Hiromasa"]
    assert carried(warband) == [("Lantern", 1, "Hiromasa")]
    assert said(warband)[-1] == "Line 200: a warband of more than 200 cards; the rest was left out."


def test_what_stands_beyond_the_last_line_that_is_read_is_told_of():
    text = "Hiromasa [16 Rice]\n" + "++ ++\n" * (MAX_LINES - 2)
    assert said(band(f"{text}Kizoko [17 Rice]"))[-1:] == [
        f"The list is too long. Nothing after line {MAX_LINES} was read."
    ]
    assert said(band(text)) == []


@pytest.mark.parametrize("heading", ["+ Ronin +", "## Ronin", "Ronin:", "+ Ronin Profile Cards +"])
def test_ronin_under_a_heading_of_their_own_are_no_cards_of_the_section_before(heading):
    warband = band(
        f"Hiromasa [16 Rice]\n+ Event Cards +\nSudden Rain [1 Rice]\n{heading}\nSilverback A [12 Rice]"
    )
    assert costs(warband) == [("Hiromasa", 16), ("Silverback A", 12)]
    assert carried(warband) == [("Sudden Rain", 1, "")]


@pytest.mark.parametrize(("stated", "own"), [(1, 1), (2, 0), (3, 1)])
def test_what_a_card_carries_never_costs_more_than_its_sum(stated, own):
    warband = band(f"Nobody of Note [{stated} Rice]: Katana [2 Rice]\n++ Total: [{stated} Rice] ++")
    assert costs(warband) == [("Nobody of Note", own)]


@pytest.mark.parametrize(
    ("line", "rice", "is_remarked"),
    [
        ("2x Kizoko", 34, False),
        ("2x Kizoko (34)", 34, False),
        ("2x Kizoko (17)", 34, False),
        ("Kizoko;;2/8;6;2", 17, False),
        ("Kizoko;17;2/8;6;2", 17, False),
        ("Kizoko;34;2/8;6;2", 34, True),
        ("Kizokko (20)", 20, False),
    ],
)
def test_copies_cost_as_many_cards_and_models_of_the_plain_form_share_one(line, rice, is_remarked):
    warband = band(line)
    assert costs(warband) == [("Kizoko", rice)]
    assert any("costs 17 rice in the catalogue" in words for words in said(warband)) == is_remarked


def test_models_that_are_named_one_by_one_are_no_copies_of_the_card():
    warband = band("2x Kizoko (17)\n. Kizoko\n. Kizoko B")
    assert [(model.name, model.count) for model in warband.models] == [("Kizoko", 2)]
    assert said(warband) == []


def test_a_line_of_the_plain_form_is_a_model_of_its_own_wherever_it_stands():
    warband = band("Spearmen of Nowhere;16;2/6;5\n  Spearmen of Nowhere;;1/3;4")
    assert [(model.name, model.ki, model.count) for model in warband.models] == [
        ("Spearmen of Nowhere", "2", 1),
        ("Spearmen of Nowhere", "1", 1),
    ]
    (silverback, *_twins) = band(f"Silverback;24;3/6;5\n{TWINS}").models
    assert (silverback.ki, silverback.cap, silverback.wounds, silverback.rice) == ("3", "6", "5", 24)


def test_the_form_of_a_card_below_an_unknown_one_is_a_model():
    warband = read("Temple of Ro-Kan\nNobody of Note [5 Rice]\n. Kota - Fox Form", MODELS)
    assert [model.name for model in warband.models] == ["Kota - Fox Form"]


@pytest.mark.parametrize("line", ["Nobody;5;2", "Nobody;5;/6", "Nobody;5;;4"])
def test_an_unknown_model_with_any_figure_is_not_remarked_on(line):
    assert said(band(line)) == []


def test_in_a_warband_of_no_faction_of_the_game_no_model_is_of_another():
    remarks = said(read("Faction: Wolves\nKizoko (17)\nAkuba (15)", MODELS))
    assert not any("belongs to another faction" in line for line in remarks)


def test_only_a_guess_keeps_the_name_that_the_list_has():
    known, guessed = band("Hiromasa (16)\nKizokko (17)").models
    assert (known.guessed, guessed.guessed) == ("", "Kizokko")


def test_a_theme_that_is_named_twice_is_one():
    warband = band("Theme: Oath\nKizoko (17)\n+ Theme Cards +\noath")
    assert (warband.theme, warband.held, said(warband)) == ("oath", (), [])


def test_an_odd_cost_of_any_card_is_remarked_on():
    warband = band("Kizoko (17)\n+ Event Cards +\nSudden Rain [-3 Rice]")
    assert said(warband) == ["Line 4: “Sudden Rain” has a cost below zero. The cost was ignored."]


@pytest.mark.parametrize(("length", "quoted"), [(80, "x" * 80), (81, "x" * 79 + "…")])
def test_words_are_quoted_up_to_a_length(length, quoted):
    (remark,) = said(band(f"Kizoko (17)\n{'x' * length}"))
    assert remark == f"Line 3 was not understood: “{quoted}”."


def test_a_name_that_is_too_long_is_cut_to_its_letters():
    (model, _kizoko) = band(f"- {'Abc, de' + '-! ' * 3}{'xyz ' * 30} (5)\n- Kizoko (17)").models
    assert model.name == ("Abc de   " + "xyz " * 30)[:79].rstrip() + "…"
    assert len(model.name) <= 80
    (spaced, _kizoko) = band(f"- {'x' * 76 + ' y ' + 'z' * 9} (5)\n- Kizoko (17)").models
    assert spaced.name == "x" * 76 + " y…"
