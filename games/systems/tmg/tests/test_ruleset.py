"""The ruleset as data: complete, and readable by people."""

import pytest

from games.systems.tmg import ruleset
from games.systems.tmg.tests.tables import lobby, table

RULES = ruleset.read()


@pytest.mark.rule("TMG-02")
def test_a_match_keeps_its_own_copy_of_the_ruleset():
    g = lobby(points=50)
    assert g.rules["version"] == RULES["version"]
    assert "target" not in RULES
    assert type(g).from_json(g.to_json()).rules == g.rules


@pytest.mark.rule("TMG-61")
def test_the_deck_has_ten_cards_that_say_when_they_work():
    cards = RULES["cards"]
    assert [card["number"] for card in cards] == list(range(1, 11))
    assert len({card["key"] for card in cards}) == 10
    assert {card["when"] for card in cards} == {"scoring", "controlling"}


@pytest.mark.rule("TMG-61")
def test_the_centre_card_scores_one_more_and_tests_with_two_less():
    assert (RULES["centre_card"]["bonus"], RULES["centre_card"]["panic"]) == (1, -2)


@pytest.mark.rule("TMG-32")
def test_every_zone_and_card_says_what_it_does():
    texts = list(ruleset.messages(RULES))
    assert all(texts)
    assert len(texts) == 1 + 2 * (5 + 2 + 12)


def test_a_card_or_zone_that_the_ruleset_does_not_know_is_none():
    g = table()
    assert ruleset.card(g, "unheard-of") is None
    assert ruleset.zone(g, "unheard-of") is None
