"""Orders from pages that a correction has overtaken: none goes to an area that its page did not show."""

import pytest

from games.core import RequestRefused
from games.match import play
from games.models import Match
from games.systems.agot.orders import secret_orders
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db


def opened():
    """Stark's page asks for the order of Winterfell, the first of its areas."""
    match = play.open_match("agot", "orders", {"stark": "Ada", "lannister": "Bo", "baratheon": "Cy"})
    for seat in ("stark", "lannister", "baratheon"):
        seen = tap(match, seat, "ready")
    assert secret_orders.busy_with(state_of(match), "stark") == "winterfell"
    return match, seen


def correct(match, path, action):
    play.adjust(match.code, "lannister", path, action, play.new_key())


def answer(match, seen):
    play.tap(match.code, "stark", "order:support", seen, play.new_key())
    return secret_orders.placed_by(state_of(Match.objects.get(pk=match.pk)), "stark")


@pytest.mark.rule("BASE-12")
def test_an_order_is_refused_if_a_correction_has_changed_which_area_it_is_for():
    match, seen = opened()
    correct(match, "objective/castle-black", "footman:castle-black-of-stark:1")
    with pytest.raises(RequestRefused) as refused:
        answer(match, seen)
    assert refused.value.status == 409
    assert secret_orders.placed_by(state_of(match), "stark") == {}


def test_other_corrections_and_other_houses_orders_refuse_none():
    match, seen = opened()
    correct(match, "army/stark", "power:stark:1")
    tap(match, "lannister", "order:raid")
    assert answer(match, seen) == {"winterfell": "support"}
