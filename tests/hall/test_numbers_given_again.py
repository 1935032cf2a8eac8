"""Nobody gets what was somebody else's: the key of who was taken off the list, the link of a lost row."""

from __future__ import annotations

import pytest

from games.core import RequestRefused
from games.hall import commands, event_links, event_undo
from games.hall.event_actions import Actor
from games.hall.models import Event, Helper, Player
from games.history import commits
from tests.hall.halls import ANNA, by_chance, opened, play_round, refused, state

pytestmark = pytest.mark.django_db

GUEST, KEY = Actor("guest", "", ""), "key-of-a-form"


def register(code: str, name: str, key: str) -> Player:
    outcome = commands.register(code, GUEST, name, key=key)
    return commands.registered(Event.objects.get(code=code), outcome)


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_form_that_is_sent_again_opens_no_place_of_somebody_else(is_undone: bool) -> None:
    code = opened(2)
    ada = register(code, "Ada", KEY)
    if is_undone:
        event_undo.undo(code, Event.objects.get(code=code).version, ANNA)
    else:
        commands.remove(code, ANNA, ada.key)
    register(code, "Bo", f"{KEY}-2")
    told = refused(register, code, "Ada", KEY)
    assert (told.status, str(told)) == (404, "There is no such player in this event.")


@pytest.mark.parametrize("is_undone", [False, True])
def test_an_older_page_does_nothing_to_who_came_after_somebody_taken_off_the_list(is_undone: bool) -> None:
    code = opened(2)
    ada = register(code, "Ada", KEY)
    version = Event.objects.get(code=code).version
    event_undo.undo(code, version, ANNA) if is_undone else commands.remove(code, ANNA, ada.key)
    bo = register(code, "Bo", f"{KEY}-2")
    assert refused(commands.remove, code, ANNA, ada.key).status == 409
    assert register(code, "Bo", f"{KEY}-2") == bo


def test_who_is_back_on_the_list_keeps_their_key_beside_who_came_meanwhile() -> None:
    code = opened(2)
    version = commands.remove(code, ANNA, "p2").version
    bo = register(code, "Bo", KEY)
    event_undo.undo(code, version, ANNA)
    names = {key: one.name for key, one in state(code).players.items()}
    assert names == {"p1": "Player 1", "p2": "Player 2", bo.key: "Bo"}
    assert commits.faults(Event.objects.get(code=code)) == []


def test_who_is_back_on_the_list_hands_in_again() -> None:
    code = opened(3, mode="manual-scoring", length=3)
    commands.hand_in(code, ANNA, "p3", ["one list", "another list"])
    commands.check_in(code, ANNA, "p3", False)
    play_round(code, by_chance(1))
    version = commands.remove(code, ANNA, "p3").version
    event_undo.undo(code, version, ANNA)
    assert state(code).players["p3"].lists == ()
    commands.check_in(code, ANNA, "p3")
    commands.hand_in(code, ANNA, "p3", ["one list", "another list"])
    commands.pair(code, ANNA)
    commands.by_hand(code, ANNA, [["p1", "p3"], ["p2"]])
    commands.open_round(code, ANNA)
    commands.choose(code, ANNA, "p3", 2)
    assert commits.faults(Event.objects.get(code=code)) == []


def restored_with(row: Player | Helper, lost: Player | Helper) -> Player | Helper:
    """The row, made once an older backup had taken `lost` away, whose number it got."""
    type(lost).objects.filter(pk=lost.pk).delete()
    type(row).objects.filter(pk=row.pk).update(id=lost.pk)
    return type(row).objects.select_related("event").get(pk=lost.pk)


def opens(row: Player | Helper, token: str) -> bool:
    try:
        return event_links.holder_of(row.event, token) == row
    except RequestRefused:
        return False


def test_a_link_that_a_restored_backup_does_not_know_opens_nobody_elses_place() -> None:
    code = opened(0)
    ada, bo = register(code, "Ada", KEY), register(code, "Bo", f"{KEY}-2")
    lost = event_links.secret(ada)
    now = restored_with(bo, ada)
    assert not opens(now, lost)
    assert opens(now, event_links.secret(now))


def test_a_helpers_link_opens_no_later_helpers_place_either() -> None:
    code = opened(0)
    numbers = [commands.appoint(code, ANNA, "organiser", name).made for name in ("Ada", "Bo")]
    ada, bo = (Helper.objects.select_related("event").get(pk=number) for number in numbers)
    lost = event_links.secret(ada)
    assert not opens(restored_with(bo, ada), lost)


def test_a_new_link_given_after_a_restore_is_not_the_one_that_was_withdrawn_before_it() -> None:
    code = opened(0)
    ada = register(code, "Ada", KEY)
    tokens = []
    for _again in range(2):
        Player.objects.filter(pk=ada.pk).update(epoch=1, salt=ada.salt)
        commands.new_link(code, ANNA, ada.key)
        ada.epoch = Player.objects.get(pk=ada.pk).epoch
        tokens.append(event_links.secret(Player.objects.select_related("event").get(pk=ada.pk)))
    assert ada.epoch == 2
    assert tokens[0] != tokens[1]
