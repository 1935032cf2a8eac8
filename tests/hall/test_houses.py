"""Houses at tables of several: drawn with the round, changed by hand, chosen in turn, or bid for."""

from __future__ import annotations

from typing import Any

import pytest

from games.hall import commands, event_undo
from games.hall.event_actions import Actor
from games.hall.models import ArmyList, Event, EventEntry
from games.hall.rules import seating_changes, standings
from games.hall.rules.event_state import Pairing
from games.models import Match
from tests.hall.halls import ANNA, first_table, opened, refused, scores, state
from tests.hall.places import card, do, phone
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db
SIX = {"stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell"}


def paired(players: int = 6, **settings: Any) -> str:
    code = opened(players, system="agot", **settings)
    commands.pair(code, ANNA)
    return code


def table(code: str) -> Pairing:
    return first_table(code)


def me(key: str) -> Actor:
    return Actor(key, "", "player")


def test_the_draft_shows_the_houses_and_the_round_opens_with_them() -> None:
    code = paired()
    drawn = table(code).seats
    assert set(drawn) == SIX
    assert "(Stark)" in page(phone_of(code), code, "organise-pairings")
    commands.open_round(code, ANNA)
    assert table(code).seats == drawn
    named = dict(zip(drawn, table(code).players, strict=True))
    seated = Match.objects.get(code=table(code).match).armies.all()
    assert {one.key: one.name for one in seated} == {
        seat: state(code).players[key].name for seat, key in named.items()
    }


def test_houses_are_changed_by_hand_until_the_round_opens() -> None:
    code = paired()
    found, organiser = table(code), phone_of(code)
    about = f"table {found.key}"
    turned = [*found.seats[1:], found.seats[0]]
    form = {f"house-{key}": seat for key, seat in zip(found.players, turned, strict=True)}
    assert send(organiser, code, f"set_houses {found.key}", about, **form).status_code == 302
    assert table(code).seats == tuple(turned)
    form[f"house-{found.players[0]}"] = turned[1]
    twice = send(organiser, code, f"set_houses {found.key}", about, **form)
    assert (twice.status_code, "Two players have the same house" in twice.content.decode()) == (409, True)
    for wrong in ([*turned[1:]], [*turned[1:], "arryn"], [*turned[1:], ""]):
        assert "a house of this table" in str(refused(commands.set_houses, code, ANNA, found.key, wrong))
    version = EventEntry.objects.filter(event__code=code).latest("version").version
    event_undo.undo(code, version, ANNA)
    assert table(code).seats == found.seats
    commands.open_round(code, ANNA)
    assert "no longer change" in str(refused(commands.set_houses, code, ANNA, found.key, turned))
    assert "set_houses" not in page(organiser, code, "organise-table", found.key)


def test_two_who_are_swapped_in_a_draft_have_houses_that_are_new_to_them() -> None:
    code = paired(12, length=3)
    commands.open_round(code, ANNA)
    for one in state(code).at(1):
        commands.enter_result(code, ANNA, one.key, scores(one, 7, 6, 5, 4, 3, 2))
    commands.close_round(code, ANNA)
    commands.pair(code, ANNA)
    one, other = state(code).at(2)
    commands.swap(code, ANNA, one.players[0], other.players[0])
    had = {
        (key, seat)
        for each in state(code).pairings.values()
        for key, seat in zip(each.players, each.seats, strict=True)
    }
    assert len(had) == 24


def test_players_choose_in_turn_and_the_last_house_opens_the_table() -> None:
    code = paired(4, size=4, houses="choice")
    commands.open_round(code, ANNA)
    found = table(code)
    order = list(reversed(found.players))
    assert (found.match, found.seats) == (None, ("", "", "", ""))
    first, second, third, last = order
    assert "Which house do you play?" in card(phone(code, first), code)
    assert f"Waiting for: {state(code).players[first].name}." in card(phone(code, last), code)
    assert "Choosing houses" in page(phone_of(code), code)
    early = refused(commands.choose_house, code, me(second), found.key, second, "stark")
    assert "not your turn" in str(early)
    assert do(phone(code, first), code, f"house-greyjoy {found.key}").status_code == 302
    taken = refused(commands.choose_house, code, me(second), found.key, second, "greyjoy")
    assert "Someone has this house" in str(taken)
    others = refused(commands.choose_house, code, me(first), found.key, second, "stark")
    assert others.status == 403
    commands.choose_house(code, me(second), found.key, second, "stark")
    assert table(code).match is None
    commands.choose_house(code, ANNA, found.key, third, "baratheon")
    seated = dict(zip(table(code).players, table(code).seats, strict=True))
    assert seated == {first: "greyjoy", second: "stark", third: "baratheon", last: "lannister"}
    assert Match.objects.filter(code=table(code).match).exists()
    assert "Go to your table" in card(phone(code, last), code)


def test_an_organiser_draws_the_houses_that_are_left_and_an_undo_gives_them_back() -> None:
    code = paired(4, size=4, houses="choice")
    commands.open_round(code, ANNA)
    found, organiser = table(code), phone_of(code)
    first = found.players[-1]
    commands.choose_house(code, me(first), found.key, first, "stark")
    assert send(organiser, code, f"draw_houses {found.key}", f"table {found.key}").status_code == 302
    drawn = table(code)
    assert (drawn.seats[-1], len(set(drawn.seats)), "" in drawn.seats) == ("stark", 4, False)
    version = EventEntry.objects.filter(event__code=code).latest("version").version
    event_undo.undo(code, version, ANNA)
    assert (table(code).match, table(code).seats.count("")) == (None, 3)
    assert not Match.objects.filter(code=drawn.match).exists()


def test_bids_are_sealed_until_all_are_in_and_paid_in_tournament_points() -> None:
    code = paired(4, size=4, houses="bid")
    commands.open_round(code, ANNA)
    found = table(code)
    low, high, same, none = found.players
    assert "How much do you bid?" in card(phone(code, low), code)
    assert "not your turn" in str(refused(commands.choose_house, code, me(none), found.key, none, "stark"))
    for key, number in ((low, 1), (high, 3), (same, 3)):
        assert do(phone(code, key), code, f"bid-{number} {found.key}").status_code == 302
    assert "Your bid is sealed" in card(phone(code, low), code)
    told = EventEntry.objects.filter(event__code=code, action="bid")
    assert not any("has bid %(number)s" in str(entry.lines) for entry in told)
    assert all(isinstance(bid, str) and len(bid) > 20 for bid in table(code).bids.values())
    commands.bid(code, me(low), found.key, low, 2)
    assert "no such player" in str(refused(commands.bid, code, ANNA, found.key, "p999", 2))
    assert "from 0 to 5" in str(refused(commands.bid, code, me(none), found.key, none, 6))
    commands.bid(code, me(none), found.key, none, 0)
    assert table(code).bids == {low: 2, high: 3, same: 3, none: 0}
    assert "not bidding" in str(refused(commands.bid, code, me(low), found.key, low, 5))
    # Of two equal bids the lower in the ranking goes first.
    for key, seat in ((same, "greyjoy"), (high, "stark"), (low, "lannister")):
        assert seating_changes.chooser(state(code), table(code)) == key
        commands.choose_house(code, me(key), found.key, key, seat)
    assert table(code).seats == ("lannister", "stark", "greyjoy", "baratheon")
    commands.enter_result(code, ANNA, found.key, scores(found, 7, 5, 4, 2))
    points = {line.player: line.values["points"] for line in standings.standings(state(code))}
    assert points == {low: 6 - 2, high: 5 - 3, same: 4 - 3, none: 3}
    assert "pays their bid" in page(phone_of(code), code, "event-standings")


def test_nobody_pays_a_bid_that_nobody_has_seen() -> None:
    code = paired(4, size=4, houses="bid")
    commands.open_round(code, ANNA)
    found = table(code)
    commands.bid(code, me(found.players[0]), found.key, found.players[0], 4)
    commands.set_houses(code, ANNA, found.key, ["stark", "lannister", "baratheon", "greyjoy"])
    assert (table(code).bids, table(code).match is None) == ({}, False)
    assert ArmyList.objects.filter(event=Event.objects.get(code=code)).count() == 1
