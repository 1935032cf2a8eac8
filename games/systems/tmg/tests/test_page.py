"""What the page of the miniatures game shows of a position."""

import random
from contextlib import suppress
from functools import partial
from itertools import islice

import pytest
from django.utils.translation import override

from games.core import IllegalAction, engine
from games.match import random_play
from games.systems.tmg import SYSTEM
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import destruction
from games.systems.tmg.tests.tables import infantry, ncu, play, table
from games.systems.tmg.tests.test_decks import dealt
from games.translation import override_game, translator


def page(g, seat="red"):
    """The page as this seat reads it, in the words of the rules."""
    return TmgPage(g, seat, engine.offers(g, seat), str, lambda path: path)


def facts(g, seat):
    return [badge.text for badge in page(g).facts(seat)]


@pytest.mark.rule("TMG-50")
@pytest.mark.rule("E19")
def test_the_points_that_an_army_has_lost_stand_beside_its_cards():
    g = table(blue=[infantry("lions"), infantry("knights")])
    assert facts(g, "blue") == ["Hand 3, deck 17"]
    destruction.destroy(g, g.units["lions"], "red")
    assert facts(g, "blue") == ["Hand 3, deck 17", "Destroyed: 5 army points"]
    g.units["lions"].cost = 1
    assert facts(g, "blue")[1] == "Destroyed: 1 army point"


def test_the_numbers_of_units_are_named_above_them():
    g = table([infantry("wolves"), ncu("sansa")])
    combat, others = page(g).side("red").groups
    assert combat.note.startswith("wounds left · ")
    assert "wounds" not in others.note


def test_a_card_says_where_its_unit_stands_whom_it_fights_and_that_it_was_deployed():
    g = table()
    wolves, lions = g.units["wolves"], g.units["lions"]
    assert said(g, wolves) == []
    g.objectives["centre"].claimed_by = "wolves"
    assert said(g, wolves) == ["Centre"]
    g.objectives["centre"].claimed_by = None
    wolves.engaged_with, lions.engaged_with = frozenset({"lions"}), frozenset({"wolves"})
    assert (said(g, wolves), said(g, lions)) == ([lions.name], [wolves.name])
    assert said(table(round=0), wolves) == ["Deployed"]


def said(g, unit):
    return [badge.text for badge in page(g).card(g.units[unit.key]).badges]


@pytest.mark.parametrize(("rivals", "is_folded"), [(3, False), (4, True)])
def test_many_enemies_fold_away_beside_the_acting_unit_and_places_do_not(rivals, is_folded):
    g = play(table(blue=[infantry(f"lions-{number}") for number in range(rivals)]), "red activate:wolves")
    places, enemies = page(g).acting().groups
    assert (places.title, len(places.offers), places.folded) == ("Stands on", 5, False)
    assert (enemies.title, len(enemies.offers), enemies.folded) == ("Engaged with", rivals, is_folded)


def test_an_offer_stands_on_one_card_however_often_that_is_drawn():
    shown = page(table())
    wolves = shown.g.units["wolves"]
    assert shown.card(wolves).offer.action == "activate:wolves"
    assert shown.card(wolves).offer is None
    assert shown.groups() == ()


@pytest.mark.parametrize("mode", [mode.slug for mode in SYSTEM.modes])
def test_every_offer_has_one_control_and_no_other_stands_on_the_page(mode):
    for seed in range(2):
        state, luck = random_play.fresh_state(SYSTEM, mode, seed), random.Random(seed)
        for _seat, _action, after in random_play.play(state, luck, SYSTEM.longest):
            for seat in engine.to_act(after):
                assert sorted(controls(after, seat)) == [offer.action for offer in engine.offers(after, seat)]


def controls(g, seat):
    """The actions of everything that can be tapped as an answer on a seat's page."""
    shown = page(engine.view(g, seat), seat)
    shown.left = {offer.action: offer for offer in engine.offers(g, seat)}
    sides, middle = shown.sides(), shown.middle()
    cards = [card for side in sides for group in side.groups for card in group.cards]
    offers = [card.offer for card in (*cards, *middle.objectives) if card.offer]
    return [offer.action for offer in (*offers, *(one for group in shown.groups() for one in group.offers))]


def cards(g, seat, is_read=False):
    """What all cards of units say to a reader, whose addresses are their own."""
    shown = TmgPage(engine.view(g, seat), seat, engine.offers(g, seat) if seat else (), str, address(seat))
    shown.is_read_only = is_read
    return [card for side in shown.sides() for group in side.groups for card in group.cards]


def address(seat):
    """Where a reader corrects; whoever looks on cannot."""
    return (lambda path: path) if seat else (lambda path: "")


def following(g):
    """The positions after each answer and each correction that is offered, at its least and most."""
    for seat in g.seats:
        for action in actions(engine.answers(g, seat)):
            yield engine.play(g, seat, action)
    for path in SYSTEM.corrections_step.paths(g):
        for action in actions(engine.corrections(g, path)):
            with suppress(IllegalAction):
                yield engine.adjust(g, "red", path, action, "a reason")


def actions(offers):
    for offer in offers:
        numbers = {offer.minimum, offer.maximum}
        yield from (offer.action if number is None else f"{offer.action}:{number}" for number in numbers)


READERS = [("red", False), ("red", True), (None, True)]


def test_a_card_never_says_what_was():
    g = random_play.fresh_state(SYSTEM, SYSTEM.modes[0].slug, 7, options={"decks": 1})
    luck = random.Random(7)
    for _tap in range(60):
        g = engine.play(g, *random_play.tap(g, luck))
    engine.keep(g)
    for reader in READERS:
        cards(g, *reader)
    for after in islice(following(g), 0, None, 3):
        fresh = type(after).from_json(after.to_json())
        for reader in READERS:
            assert cards(after, *reader) == cards(fresh, *reader), (after.lines, reader)


@pytest.mark.parametrize("override_words", [partial(override_game, "tmg"), override])
def test_a_card_that_stays_is_in_the_language_of_each_reader(override_words):
    g = engine.keep(play(table(), "red activate:wolves"))
    labels = []
    for language in ("en", "de", "zh-hans", "en", "de", "zh-hans"):
        with override_words(language):
            shown = TmgPage(g, None, (), translator(), lambda path: path)
            labels.append(next(card.state_label for card in shown.side("red").groups[0].cards))
    assert labels == ["Acting", "Handelt", "行动中"] * 2


@pytest.mark.rule("TMG-29")
@pytest.mark.parametrize(
    ("kept", "untracked", "hint"),
    [
        (0, "", "Draw 2 tactics cards and give one enemy unit a condition."),
        (1, "", "The app has drawn your cards. Give one enemy unit a condition."),
        (1, "cards", "Draw 2 tactics cards and give one enemy unit a condition."),
    ],
)
def test_nobody_is_reminded_to_draw_what_the_app_has_drawn(kept, untracked, hint):
    g = table([ncu("sansa"), infantry("wolves")])
    g = dealt(g) if kept else g
    g.untracked = frozenset(untracked.split())
    g = play(g, "red activate:sansa", "red claim:letters")
    assert page(g).acting().hint == hint
