"""Several warbands in one text: where one ends and the next begins."""

import pytest

from games.systems.bushido.lists.warband_grammar import MAX_PARTS, parts_of

RYU = "Faction: Prefecture of Ryu\nHiromasa (16)"
ITO = "Faction: Ito Clan\nIto Masunagi (17)"


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"{RYU}\n{ITO}", [RYU, ITO]),
        (f"\n{RYU}\n\n\n{ITO}\n\n", [RYU, ITO]),
        (f"hello\n{RYU}\n{ITO}", [f"hello\n{RYU}", ITO]),
        (f"{RYU}\n{ITO}\n{RYU}", [RYU, ITO, RYU]),
        (f"{RYU}\n\nName: Friday\n{ITO}", [RYU, f"Name: Friday\n{ITO}"]),
        (f"{RYU}\n# Friday\nLimit: 70\n{ITO}", [RYU, f"# Friday\nLimit: 70\n{ITO}"]),
        (f"{RYU}\n++ Total: [16 Rice] ++\n{ITO}", [f"{RYU}\n++ Total: [16 Rice] ++", ITO]),
        (f"{RYU}\nTotal: 16\nName: Friday\n{ITO}", [f"{RYU}\nTotal: 16", f"Name: Friday\n{ITO}"]),
        (f"{RYU}\n+ Event Cards +\n{ITO}", [f"{RYU}\n+ Event Cards +", ITO]),
        (f"{RYU}\nName: Friday\n+ Models +\n{ITO}", [f"{RYU}\nName: Friday\n+ Models +", ITO]),
        (f"{RYU}\nName: Friday\n+ Event Cards +\n{ITO}", [RYU, f"Name: Friday\n+ Event Cards +\n{ITO}"]),
        (f"{RYU}\nName: Friday\nKizoko (17)\n{ITO}", [f"{RYU}\nName: Friday\nKizoko (17)", ITO]),
        (
            "Ryu [16 Rice]\nHiromasa (16)\nIto Clan\nYanki",
            ["Ryu [16 Rice]\nHiromasa (16)", "Ito Clan\nYanki"],
        ),
    ],
    ids=lambda value: repr(value)[:60] if isinstance(value, str) else "",
)
def test_a_warband_ends_where_another_begins(text, parts):
    assert parts_of(text) == parts


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        f"\n\n{RYU}\n",
        f"Faction: Ito Clan\n{RYU}",
        "Hiromasa (16)\nKizoko (17)",
        f"Hiromasa\n\n{ITO}\n",
    ],
)
def test_a_text_of_one_warband_stays_as_it_is(text):
    assert parts_of(text) == [text]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("number", [2, MAX_PARTS, MAX_PARTS + 1, MAX_PARTS + 5])
def test_the_last_of_the_warbands_keeps_the_rest(number):
    parts = parts_of("\n".join([RYU] * number))
    assert MAX_PARTS == 20
    assert len(parts) == min(number, MAX_PARTS)
    assert parts[0] == RYU
    assert parts[-1] == "\n".join([RYU] * (1 + max(number - MAX_PARTS, 0)))
