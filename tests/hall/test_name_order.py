"""Lists of names are in the order in which their readers look."""

from __future__ import annotations

import pytest

from games.hall.pages.name_order import by_surname, initial


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["Ada Berg", "Zoe Berg", "Eva", "Éva", "Evan", "Kim van der Meer", "Li Ødegård", "Zoe Olsen"]),
        ("de", ["Äbel", "Abels", "Jo Groß", "Jo Grosser", "Łuk", "Mo Lund"]),
        ("en", ["berg, Zoe", "Ada Bergman", "欧阳修", "陈伟"]),
        # a, chen (also 陳), dan but shan for a surname, qiu, yan, zeng
        (
            "zh-hans",
            [
                "阿伦",
                "陈伟",
                "陳小明",
                "李四",
                "仇英",
                "单田芳",
                "王五",
                "闫妮",
                "曾国藩",
                "张三",
                "Ada Berg",
            ],
        ),
    ],
)
def test_names_are_in_the_order_of_their_surnames(language: str, names: list[str]) -> None:
    assert sorted(set(names), key=lambda name: by_surname(name, language)) == names


@pytest.mark.parametrize(
    ("name", "letter"), [("Ada Éber", "E"), ("berg, Zoe", "B"), ("欧阳修", "欧"), ("!", "#")]
)
def test_a_name_is_looked_up_by_its_first_letter(name: str, letter: str) -> None:
    assert initial(name) == letter
