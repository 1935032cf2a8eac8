"""A seat freed while its phone's request is on its way: nothing is done for the phone that lost it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games.core import RequestRefused
from games.hall import commands, event_actions, event_links, event_undo
from games.hall.models import Event, Player
from games.match.play import acting_for, refuse_lost_seat
from games.models import Entry, Match, Seat
from games.people import seats
from tests.hall import halls
from tests.trust import cast
from tests.trust.cast import BLUE, RED, World
from tests.trust.conftest import LIST

NOT_YOURS = "This device does not have that seat."


def freed(match: Match, key: str) -> Seat:
    """The seat, freed and taken again by another phone."""
    seat = Seat.objects.select_related("match").get(match=match, key=key)
    seats.revoke(seat)
    seat.refresh_from_db()
    Seat.objects.filter(pk=seat.pk).update(is_taken=True)
    return seat


@pytest.fixture
def too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that asks for something has lost its seat by the time the match is locked."""
    cast.lose(monkeypatch)


def forms(world: World) -> dict[str, dict[str, Any]]:
    """What red may send to its table, by the name of the address."""
    return {
        "act": cast.bid(world.match),
        "adjust": cast.correction("too-late-0"),
        "undo": {"undo": str(world.newest_action()), "key": "too-late-1"},
        "guests": {"let_in": str(cast.request_of(world.match).pk), "key": "too-late-2"},
        "score": {"round": "1", "seen": "0123", "key": "too-late-3"},
        "name": {"seat": RED, "name": "Ruby"},
        "watch-delay": {"delay": "5"},
    }


@pytest.mark.usefixtures("too_late")
@pytest.mark.parametrize("name", ["act", "adjust", "undo", "guests", "score", "name", "watch-delay"])
def test_nothing_is_done_for_a_seat_that_was_freed_on_the_way(world: World, name: str):
    before = Entry.objects.filter(match=world.match).count()
    answer = world.phones["red"].ask("POST", reverse(name, args=[world.code]), forms(world)[name])
    assert answer.status_code == 403
    assert NOT_YOURS in answer.content.decode()
    assert Entry.objects.filter(match=world.match).count() == before
    asked = cast.request_of(world.match)
    assert asked.granted_at is None


@pytest.mark.usefixtures("too_late")
def test_no_list_is_brought_for_a_seat_that_was_freed_on_the_way(mustered: tuple[Match, cast.Phone]):
    match, red = mustered
    before = Entry.objects.filter(match=match).count()
    answer = red.ask("POST", reverse("army", args=[match.code, "red"]), {"do": "read", "text": LIST})
    assert answer.status_code == 403
    assert Entry.objects.filter(match=match).count() == before


@pytest.mark.parametrize("name", ["act", "adjust", "undo"])
def test_a_program_whose_seat_was_freed_on_the_way_does_nothing_and_is_shown_nothing(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
):
    occupy, before = seats.occupy, Entry.objects.filter(match=world.match).count()

    def lost(match: Match, key: str, epoch: int) -> None:
        occupy(match, key, epoch)
        seats.revoke(Seat.objects.select_related("match").get(match=match, key=key))

    monkeypatch.setattr(seats, "occupy", lost)
    sent = {
        "act": {"action": "bid:throne:2", "seen": world.match.version, "key": "too-late-0"},
        "adjust": {"path": f"army/{RED}", "action": f"power:{RED}:1", "note": "again", "key": "too-late-1"},
        "undo": {"version": world.newest_action(), "key": "too-late-2"},
    }
    answer = world.phones["robot"].ask("POST", f"/api/matches/{world.code}/{name}", sent[name])
    assert answer.status_code == 403
    assert answer.json()["message"] == NOT_YOURS
    assert answer.json().keys() == {"error", "message", "rule", "version"}
    assert Entry.objects.filter(match=world.match).count() == before


def test_a_seat_freed_and_taken_again_leaves_the_others_as_they_were(world: World):
    freed(world.match, RED)
    answer = world.phones["blue"].ask("POST", reverse("act", args=[world.code]), cast.bid(world.match))
    assert answer.status_code == 302


def test_another_seat_that_is_freed_on_the_way_stops_nobody(world: World, monkeypatch: pytest.MonkeyPatch):
    cast.lose(monkeypatch, BLUE)
    answer = world.phones["red"].ask("POST", reverse("act", args=[world.code]), cast.bid(world.match))
    assert answer.status_code == 302


@pytest.mark.parametrize("name", ["move", "free"])
def test_a_seat_that_somebody_else_has_by_now_is_neither_moved_nor_freed(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
):
    """A phone that takes the seat between the two looks at it keeps it."""
    chair = seats.chair

    def taken_meanwhile(match: Match, key: str, status: int = 404) -> Seat:
        freed(match, key)
        return chair(match, key, status)

    monkeypatch.setattr(seats, "chair", taken_meanwhile)
    answer = world.phones["red"].ask("POST", reverse(name, args=[world.code]), {"seat": RED})
    assert answer.status_code == 403
    seat = Seat.objects.get(match=world.match, key=RED)
    assert (seat.is_taken, seat.move_hash) == (True, "")


def test_a_moving_code_is_not_written_on_the_seat_of_whoever_came_after(world: World):
    stale = Seat.objects.select_related("match").get(match=world.match, key=RED)
    freed(world.match, RED)
    with pytest.raises(RequestRefused, match="does not have that seat"):
        seats.moving_code(stale)
    stale.refresh_from_db()
    assert stale.move_hash == ""


def test_a_moving_code_moves_the_seat_that_shows_it_and_no_other(world: World):
    world.match.seats.update(epoch=1)
    seat = Seat.objects.select_related("match").get(match=world.match, key=BLUE)
    seats.moving_code(seat)
    assert list(Seat.objects.exclude(move_hash="")) == [seat]


def test_a_match_counts_its_freed_seats_once_each(world: World):
    match = Match.objects.get(pk=world.match.pk)
    stale = Seat.objects.select_related("match").get(match=match, key=RED)
    both = Seat.objects.select_related("match").filter(match=match, key__in=[RED, BLUE])
    before, told = match.freed, []
    for held in ([stale], [stale], both):
        seats.revoke(*held)
        match.refresh_from_db()
        told.append(match.freed - before)
    assert told == [1, 1, 3]
    assert match.freed == sum(seat.epoch - 1 for seat in match.seats.all())


def test_the_seat_is_read_again_only_where_one_was_freed_meanwhile(
    world: World, django_assert_num_queries: Any
):
    """Seats freed before the phone's seat was looked up are already known."""
    freed(world.match, BLUE)
    red = Seat.objects.get(match=world.match, key=RED)
    match = Match.objects.get(pk=world.match.pk)
    phone = seats.Phone(((RED, red.epoch),), chairs=tuple(match.seats.all()))
    with phone.speaks(world.code, RED), django_assert_num_queries(0):
        refuse_lost_seat(match)
    seats.revoke(red)
    with acting_for(world.code, RED, red.epoch, match.freed):
        refuse_lost_seat(world.other)
        match.refresh_from_db()
        with pytest.raises(RequestRefused, match="does not have that seat"):
            refuse_lost_seat(match)
    refuse_lost_seat(match)


@pytest.mark.django_db
def test_an_event_does_nothing_for_whoever_was_dismissed_on_the_way():
    code = halls.opened(2)
    commands.appoint(code, halls.ANNA, "organiser", "Anna")
    number = commands.appoint(code, halls.ANNA, "organiser", "Ben").made
    helper = Event.objects.get(code=code).helpers.get(pk=number)
    ben = event_links.actor_of(helper)
    commands.appoint(code, ben, "judge", "Cleo")
    commands.dismiss(code, halls.ANNA, number)
    version = Event.objects.get(code=code).version
    for act in (
        lambda: commands.appoint(code, ben, "organiser", "Ben again"),
        lambda: event_undo.undo(code, version, ben),
    ):
        with pytest.raises(RequestRefused, match="no longer works") as refused:
            act()
        assert refused.value.status == 403
    assert Event.objects.get(code=code).version == version


@pytest.mark.django_db
def test_an_event_does_nothing_for_a_player_whose_link_is_an_old_one():
    code = halls.opened(2)
    player = Player.objects.select_related("event").get(event__code=code, key="p1")
    lost = event_links.actor_of(player)
    commands.new_link(code, halls.ANNA, "p1")
    with pytest.raises(RequestRefused, match="no longer works"):
        commands.drop(code, lost, "p1")
    player.refresh_from_db()
    commands.drop(code, event_links.actor_of(player), "p1")
    assert event_actions.load(code).state.players["p1"].dropped is not None
