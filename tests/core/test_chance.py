"""Draws: recomputable, uniform, committed to in advance."""

import hashlib
import hmac
from collections import Counter

import pytest

from games.core import chance


def test_a_draw_is_the_hmac_of_its_number():
    digest = hmac.new(b"winter", b"7:0", hashlib.sha256).digest()
    assert chance.draw("winter", 7, 6) == int.from_bytes(digest[:8], "big") % 6


def test_the_commitment_is_the_hash_of_the_seed():
    assert chance.commitment("winter") == hashlib.sha256(b"winter").hexdigest()


def test_every_outcome_is_about_as_likely():
    rolled = Counter(chance.draw("winter", counter, 6) for counter in range(6000))
    assert set(rolled) == set(range(6))
    assert sum((count - 1000) ** 2 / 1000 for count in rolled.values()) < 20.5


@pytest.mark.parametrize("outcomes", [0, -1, 2**64 + 1])
def test_nothing_can_be_drawn_from_nothing_nor_from_more_than_there_are_numbers(outcomes: int):
    """With more outcomes no number would ever be accepted, and a check of the draw would never end."""
    with pytest.raises(ValueError, match="has one outcome at least"):
        chance.draw("winter", 0, outcomes)
