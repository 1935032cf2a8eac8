"""A Melee Exchange at a table: one row of the history, one undo, and a split that nobody learns too early."""

import pytest
from django.test import Client

from games.core import engine
from games.match import play
from games.match.storage import current
from games.systems.bushido.rules import melee_exchange
from tests.browser.driving import do
from tests.match.test_sequences import rows
from tests.match.undo import answer, ask, request_of
from tests.playing import state_of

pytestmark = pytest.mark.django_db

BEFORE = """
red demo:ryu
blue demo:ito
red ready
blue ready
red scenario:keii
red deployed
blue deployed
red rolled:5
blue rolled:3
red first:red
"""
CARDS = (
    "red unit/{own} melee-pool:{own}:4\nblue unit/{enemy} melee-pool:{enemy}:4\nred table begin-exchange\n"
)


@pytest.fixture
def match():
    """Red's model has fought one of Blue's, and the exchange begins in the app."""
    match = play.open_match("bushido", "risen-sun", {"red": "Ada", "blue": "Bo"}, seed="exchange")
    do(match, BEFORE)
    state = state_of(match)
    own, enemy = (next(state.units_of(seat)).key for seat in ("red", "blue"))
    do(match, f"red act:{own}\nred melee:{enemy}\n" + CARDS.format(own=own, enemy=enemy))
    return match


def seen(match):
    """Everything that the page for spectators, the history and the API tell of the table."""
    client = Client()
    addresses = (f"/t/{match.code}/watch", f"/t/{match.code}/history", f"/api/matches/{match.code}")
    return [client.get(address).content.decode() for address in addresses]


def test_a_sealed_split_shows_nowhere_and_neither_does_a_second_one(match):
    do(match, "red split:plain:3\nred unseal\nred split:plain:1\n")
    entries = list(match.entries.order_by("-version")[:3])
    assert [entry.action for entry in entries] == ["split", "unseal", "split"]
    assert "1, &#x27;plain" not in "".join(seen(match))
    assert all("plain" not in str((entry.before, entry.after, entry.lines)) for entry in entries)
    assert melee_exchange.has_split(state_of(match), "red")


def test_undoing_a_sealed_split_takes_the_whole_exchange_back_and_shows_nothing(match):
    before = len(rows(match))
    do(match, "red split:plain:3\n")
    assert len(rows(match)) == before
    match.refresh_from_db()
    ask(match, "red", match.version)
    state = state_of(match)
    assert (melee_exchange.current(state), state.armies["red"].hidden, request_of(match)) == (None, {}, None)
    assert "plain" not in "".join(seen(match))


def test_a_rolled_exchange_is_one_row_and_both_agree_to_undo_it(match):
    before, wounds = len(rows(match)), {key: unit.wounds for key, unit in state_of(match).units.items()}
    do(match, "red split:plain:2\nblue split:plain:2\n")
    while (state := current(match).state).question.step == "blows":
        offers = {offer.action for offer in engine.offers(state, "red")}
        do(match, f"red {'roll' if 'roll' in offers else 'go-on'}\n")
        match.refresh_from_db()
    assert len(rows(match)) == before
    ask(match, "red", match.version)
    assert request_of(match)["needs"] == ["blue"]
    answer(match, "blue", True)
    assert {key: unit.wounds for key, unit in state_of(match).units.items()} == wounds
    assert melee_exchange.current(state_of(match)) is None
