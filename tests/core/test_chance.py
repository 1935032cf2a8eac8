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


def number(counter: int, attempt: int) -> int:
    """The eight bytes behind a draw."""
    digest = hmac.new(b"winter", f"{counter}:{attempt}".encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big")


def test_a_number_beyond_the_last_whole_multiple_is_drawn_again_until_one_is_not():
    """Three quarters of the numbers make one multiple; the rest would favour the lower outcomes."""
    outcomes, taken = 3 * 2**62, set()
    for counter in range(60):
        first = next(attempt for attempt in range(20) if number(counter, attempt) < outcomes)
        assert chance.draw("winter", counter, outcomes) == number(counter, first)
        taken.add(first)
    assert {0, 1, 2} <= taken


def test_of_one_outcome_there_is_no_choice_and_of_all_numbers_each_is_one():
    assert chance.draw("winter", 7, 1) == 0
    assert chance.draw("winter", 7, 2**64) == number(7, 0)


@pytest.mark.parametrize("outcomes", [0, -1, 2**64 + 1])
def test_nothing_can_be_drawn_from_nothing_nor_from_more_than_there_are_numbers(outcomes: int):
    """With more outcomes no number would ever be accepted, and a check of the draw would never end."""
    with pytest.raises(ValueError, match="has one outcome at least"):
        chance.draw("winter", 0, outcomes)
