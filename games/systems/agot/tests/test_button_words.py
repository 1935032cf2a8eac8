"""Orders and cards stand three beside each other on a phone: their German words break where words meet.

Tiles and cards between the halves of a tablet or a wide screen are as narrow.
"""

from __future__ import annotations

import re

import pytest

from games import translation
from games.systems.agot.orders.order_tokens import ORDERS
from games.systems.agot.pieces import HOUSES
from games.systems.agot.tracks import westeros_phase, wildling_cards
from games.translation import gettext

MOST_LETTERS = 10
"""What a third of a phone of 360 pixels has room for, with the usual space at the sides."""
LABELS = [
    *ORDERS.values(),
    *westeros_phase.CARDS.values(),
    *westeros_phase.BARS.values(),
    *wildling_cards.CARDS.values(),
    *HOUSES.values(),
    "Wildling threat",
]


@pytest.mark.parametrize("label", tuple(map(str, LABELS)))
def test_no_part_of_a_word_is_broader_than_a_third_of_a_phone(label: str) -> None:
    with translation.override_game("agot", "de"):
        said = gettext(label)
    assert [part for part in re.split(r"[\s\u00ad-]", said) if len(part) > MOST_LETTERS] == []
