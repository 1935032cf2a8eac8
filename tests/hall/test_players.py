"""Players of an event: who comes late, leaves or vanishes, names alike, roles, sealed lists."""

from __future__ import annotations

import pytest

from games.core import IllegalAction
from games.hall import commands, event_actions, event_links, event_undo
from games.hall.event_actions import Actor
from games.hall.models import ArmyList, EventEntry, Player
from games.hall.rules import event_rounds, registration, standings
from games.history.signals import link_revoked
from games.match import storage
from games.models import Match
from tests.hall.halls import (
    ANNA,
    begun,
    by_chance,
    first_table,
    gathering,
    opened,
    play_round,
    refused,
    scores,
    state,
)
from tests.hall.test_organiser import page, phone_of
from tests.hearing import heard

KEY = "key-of-a-button"


@pytest.mark.django_db
class TestPlayers:
    def test_somebody_who_vanishes_leaves_their_rival_a_bye(self):
        code = begun(length=2)
        table = first_table(code)
        commands.drop(code, ANNA, table.players[0])
        found = state(code).pairings[table.key]
        assert (found.state, found.how, found.winner) == ("entered", "left", table.players[1])
        other = next(one for one in state(code).at(1) if one.key != table.key)
        commands.enter_result(code, ANNA, other.key, scores(other, 1, 0))
        commands.close_round(code, ANNA)
        commands.pair(code, ANNA)
        assert table.players[0] not in [key for one in state(code).at(2) for key in one.players]
        commands.call_off(code, ANNA)
        commands.come_back(code, ANNA, table.players[0])
        commands.pair(code, ANNA)
        assert table.players[0] in [key for one in state(code).at(2) for key in one.players]

    def test_a_result_that_stands_stays_when_somebody_leaves(self):
        code = begun()
        table = first_table(code)
        commands.enter_result(code, ANNA, table.key, scores(table, 5, 2))
        commands.drop(code, ANNA, table.players[0])
        assert state(code).pairings[table.key].how == "finished"

    def test_nobody_leaves_when_the_event_is_over(self):
        """The final standings would say so, and nobody could be let back in."""
        code = opened(2, mode="manual-scoring", length=1)
        play_round(code, by_chance(1))
        assert "Drop player" in page(phone_of(code), code, "organise-player", "p1")
        commands.finish(code, ANNA)
        for who in (ANNA, Actor("p1", "", "player")):
            assert str(refused(commands.drop, code, who, "p1")) == "This event is over."
        shown = page(phone_of(code), code, "organise-player", "p1")
        assert ("Drop player" in shown, "New link" in shown) == (False, True)

    @pytest.mark.parametrize(("how", "wins"), [("bye", 1), ("loss", 0)])
    def test_who_comes_late_has_a_bye_or_a_loss(self, how, wins):
        code = opened(4, length=3)
        play_round(code, by_chance(1))
        play_round(code, by_chance(2))
        key = commands.come_late(code, ANNA, "Zoe", "", "", how).made
        line = next(one for one in standings.standings(state(code)) if one.player == key)
        assert (line.values["wins"], line.lost) == (wins, 2 - wins)
        # With five one sits out, and it is nobody who had a bye.
        commands.pair(code, ANNA)
        (out,) = [one.players[0] for one in state(code).at(3) if one.is_bye]
        assert (out == key) is (how == "loss")

    def test_names_alike_are_told_apart_by_a_club(self):
        code = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA).code
        commands.register(code, ANNA, "Ada Byron")
        told = refused(commands.register, code, ANNA, "ADA  BYRON ")
        assert "tell them apart" in str(told)
        commands.register(code, ANNA, "Ada Byron", "London")
        assert len(state(code).players) == 2
        assert refused(commands.amend, code, ANNA, "p2", "Ada Byron", "", "").status == 409

    @pytest.mark.parametrize("name", ["", "   ", "\u202eevil", "x" * 41, "\u200b", "a\nb"])
    def test_what_is_no_name_is_refused(self, name):
        code = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA).code
        assert refused(commands.register, code, ANNA, name).status == 422
        assert state(code).players == {}

    def test_who_was_paired_leaves_and_is_not_removed(self):
        code = begun()
        assert "already been paired" in str(refused(commands.remove, code, ANNA, "p1"))
        fresh = opened(2)
        commands.remove(fresh, ANNA, "p1")
        assert list(state(fresh).players) == ["p2"]

    def test_roles_do_what_is_theirs(self):
        code = begun()
        table = first_table(code)
        judge, scorer = Actor("helper-1", "Ben", "judge"), Actor("helper-2", "Cem", "scorekeeper")
        for who in (judge, scorer, Actor("p1", "P", "player"), Actor("guest", "", "")):
            for command in (commands.call_off, commands.pair, commands.finish, commands.open_round):
                assert refused(command, code, who).status == 403
            assert refused(event_undo.undo, code, 2, who).status == 403
            assert refused(commands.remove, code, who, "p1").status == 403
        assert refused(commands.rule, code, scorer, table.key, scores(table, 1, 0), "x").status == 403
        commands.enter_result(code, scorer, table.key, scores(table, 1, 0))
        commands.rule(code, judge, table.key, scores(table, 0, 1), "Miscounted.")
        assert refused(commands.drop, code, Actor("p1", "P", "player"), "p2").error == "not_yours"

    def test_guests_register_while_the_event_is_open_for_it(self):
        code = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA).code
        guest = Actor("guest", "", "")
        commands.register(code, guest, "Ada")
        commands.change_settings(code, ANNA, {"is_open": False})
        assert refused(commands.register, code, guest, "Bo").status == 409

    def test_lists_are_sealed_until_both_are_in(self):
        code = opened(2, mode="manual-scoring")
        commands.hand_in(code, ANNA, "p1", ["Faction: Stark\n- Umber Berserkers (7)"])
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        g = state(code)
        assert not registration.may_read_lists(g, "p2", "p1")
        assert registration.may_read_lists(g, "p1", "p1")
        told = str(list(EventEntry.objects.filter(event__code=code).values_list("before", "after", "lines")))
        assert "Umber" not in told
        (pairing,) = g.at(1)
        assert Match.objects.get(code=pairing.match).version == 1
        commands.hand_in(code, ANNA, "p2", ["Faction: Lannister\n- Lannister Guardsmen (5)"])
        assert registration.may_read_lists(state(code), "p2", "p1")

    def test_lists_are_brought_to_the_table_and_two_are_chosen_from(self):
        code = opened(2)
        stark, lannister = (f"demo list of {name}" for name in ("stark", "lannister"))
        assert stark != lannister
        for key, lists in (("p1", [STARK, STARK]), ("p2", [LANNISTER])):
            commands.hand_in(code, ANNA, key, lists)
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        (pairing,) = state(code).at(1)
        assert storage.load(Match.objects.get(code=pairing.match)).state.units == {}
        commands.choose(code, Actor("p1", "", "player"), "p1", 2)
        assert storage.load(Match.objects.get(code=pairing.match)).state.units != {}
        version = Match.objects.get(code=pairing.match).version
        commands.finish_opening(code)
        assert Match.objects.get(code=pairing.match).version == version
        assert ArmyList.objects.filter(event__code=code).count() == 4

    def test_lists_are_brought_to_the_tables_that_an_undo_opens_again(self):
        code = opened(2)
        for key, text in (("p1", STARK), ("p2", LANNISTER)):
            commands.hand_in(code, ANNA, key, [text])
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        # Lists count as nothing played: the table goes with its round, and comes back as another one.
        version = commands.call_off(code, ANNA).version
        assert not Match.objects.exists()
        event_undo.undo(code, version, ANNA)
        assert storage.load(Match.objects.get()).state.units != {}

    def test_lists_and_factions_do_not_change_once_the_event_has_begun(self):
        code = opened(2, mode="manual-scoring")
        commands.hand_in(code, ANNA, "p1", [STARK])
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        assert refused(commands.hand_in, code, ANNA, "p1", [STARK]).status == 409
        assert refused(commands.amend, code, ANNA, "p1", "Player 1", "", "Stark").status == 409


STARK = "Faction: Stark\n- Umber Berserkers (7)\n- Stark Sworn Swords (5)"
LANNISTER = "Faction: Lannister\n- Lannister Guardsmen (5)"


@pytest.mark.django_db
def test_a_new_link_that_is_asked_for_twice_ends_streams_of_the_old_one_only(
    django_capture_on_commit_callbacks,
):
    """The answer was lost: what the form that is sent again does in vain shuts nobody out of the new link."""
    code = opened(1)
    player = Player.objects.get(event__code=code, key="p1")
    links = heard(link_revoked, "code", "holder", "epoch")
    with links as told, django_capture_on_commit_callbacks(execute=True):
        for _time in range(2):
            commands.new_link(code, ANNA, "p1", KEY)
        assert told == [], "not before it is so"
    assert told == [(code, event_links.name_of(player), player.epoch)]
    player.refresh_from_db()
    assert player.epoch == 2


@pytest.mark.django_db
def test_a_link_that_is_replaced_while_its_action_waits_does_nothing():
    """Who acts is read before the event is locked, and somebody may ask for a new link in between."""
    code = opened(2)
    player = Player.objects.get(event__code=code, key="p1")
    waiting = Actor("p1", player.name, "player", player)
    commands.new_link(code, ANNA, "p1")
    answer = refused(commands.drop, code, waiting, "p1")
    assert (answer.status, answer.error) == (403, "bad_token")
    assert state(code).players["p1"].dropped is None


@pytest.mark.django_db
def test_a_new_link_is_one_person_s():
    code, other = opened(2), opened(2)
    commands.appoint(code, ANNA, "judge", "Jo")
    commands.new_link(code, ANNA, "p1")
    epochs = Player.objects.order_by("event", "key").values_list("event__code", "key", "epoch")
    assert list(epochs) == [(code, "p1", 2), (code, "p2", 1), (other, "p1", 1), (other, "p2", 1)]


@pytest.mark.django_db
def test_nobody_plays_with_a_list_that_was_not_handed_in():
    code = opened(2)
    for key, lists in (("p1", [STARK, STARK]), ("p2", [LANNISTER])):
        commands.hand_in(code, ANNA, key, lists)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    for number in (-1, 0, 3):
        told = refused(commands.choose, code, Actor("p1", "", "player"), "p1", number)
        assert (told.status, str(told)) == (409, "There is no such list.")
    (pairing,) = state(code).at(1)
    assert set(pairing.chosen) == {"p2"}


def test_who_is_taken_off_the_list_is_named():
    g = gathering(3)
    registration.remove(g, "p2")
    assert [str(line) for line in g.lines] == ["Player 2 is taken off the list."]


def test_who_sits_nowhere_has_no_table():
    g = gathering(3)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    (alone,) = (one.players[0] for one in g.at(1) if one.is_bye)
    with pytest.raises(IllegalAction, match="no table in this round"):
        registration.table_of(g, alone)
