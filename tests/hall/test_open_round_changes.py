"""An open round can still be changed at tables without a result, with a look first and an undo afterwards."""

from __future__ import annotations

import html
import re

import pytest

from games.hall import commands, event_tables, event_undo
from games.hall.rules import event_rounds, standings
from games.hall.rules.event_state import LEFT, LOSS, Pairing
from games.match import play
from games.models import Match
from tests.hall.halls import ANNA, begun, end, refused, scores, state
from tests.hall.places import card, phone
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


def pairing_of(code: str, key: str) -> Pairing:
    found = state(code).pairing_of(key, 1)
    assert found is not None
    return found


def bye(code: str) -> str:
    (found,) = (one.players[0] for one in state(code).at(1) if one.is_bye)
    return found


def tap(code: str, pairing: Pairing) -> None:
    """Somebody taps at a table."""
    play.edit(pairing.match, lambda g: g.score(pairing.seats[0], 1, "points"), "Anna", "as played")


def whole(code: str) -> list[object]:
    """Everything about who sits where, apart from the codes of the tables."""
    return [(one.key, one.table, one.players, one.seats, one.how) for one in state(code).at(1)]


def test_a_latecomer_plays_at_once_with_whoever_has_the_bye() -> None:
    """Both sat out, and the latecomer got the next bye too."""
    code = begun(5)
    out = bye(code)
    late = commands.come_late(code, ANNA, "Late", "", "", "loss").made
    before = whole(code)
    version = commands.seat_together(code, ANNA, late, out).version
    found = pairing_of(code, late)
    assert (found.players, found.table, found.how) == ((late, out), 3, "")
    assert {army.name for army in Match.objects.get(code=found.match).armies.all()} == {
        "Late",
        state(code).players[out].name,
    }
    assert pairing_of(code, out) == found
    assert "Table 3" in card(phone(code, late), code)
    line = next(one for one in standings.standings(state(code)) if one.player == out)
    assert (line.byes, line.values["points"]) == (0, 0)
    event_undo.undo(code, version, ANNA)
    assert whole(code) == before
    assert not Match.objects.filter(code=found.match).exists()


def test_only_who_has_no_game_is_seated_with_somebody() -> None:
    code = begun(5)
    out, playing = bye(code), next(iter(state(code).at(1))).players[0]
    assert "has a game in this round" in str(refused(commands.seat_together, code, ANNA, out, playing))
    assert refused(commands.seat_together, code, ANNA, out, out).status == 409
    assert refused(commands.seat_together, code, ANNA, out, "nobody").status == 409
    assert pairing_of(code, out).is_bye


def test_two_players_of_an_open_round_change_places_and_their_tables_begin_anew() -> None:
    code = begun(6)
    one, other, third = state(code).at(1)
    before = whole(code)
    version = commands.swap(code, ANNA, one.players[0], other.players[0]).version
    now = state(code)
    assert now.pairings[one.key].players == (other.players[0], one.players[1])
    assert now.pairings[other.key].players == (one.players[0], other.players[1])
    assert now.pairings[third.key].match == third.match
    for was in (one, other):
        found = now.pairings[was.key]
        assert found.match not in (None, was.match)
        assert not Match.objects.filter(code=was.match).exists(), "its phones go back to the event"
        names = {army.key: army.name for army in Match.objects.get(code=found.match).armies.all()}
        assert names == dict(zip(found.seats, (now.players[key].name for key in found.players), strict=True))
    event_undo.undo(code, version, ANNA)
    assert whole(code) == before
    codes = {one.match for one in state(code).at(1)}
    assert Match.objects.filter(code__in=codes).count() == 3


def test_a_player_is_replaced_by_somebody_without_a_game() -> None:
    code = begun(4)
    leaving, staying = next(iter(state(code).at(1))).players
    late = commands.come_late(code, ANNA, "Late", "", "", "loss").made
    commands.swap(code, ANNA, leaving, late)
    assert pairing_of(code, staying).players == (late, staying)
    assert (pairing_of(code, leaving).is_bye, pairing_of(code, leaving).how) == (True, LOSS)


def test_who_changes_places_with_the_bye_has_it() -> None:
    code = begun(5)
    out, one = bye(code), next(iter(state(code).at(1))).players[0]
    commands.swap(code, ANNA, out, one)
    assert (bye(code), pairing_of(code, one).winner) == (one, one)


def test_results_that_stand_are_not_touched() -> None:
    code = begun(6)
    one, other, _third = state(code).at(1)
    commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
    for command, stated in (
        (commands.swap, (one.players[0], other.players[0])),
        (commands.swap, (other.players[0], one.players[0])),
        (commands.call_off_table, (one.key,)),
        (commands.no_show, (one.key, one.players[0])),
    ):
        assert "Table 1 has a result already" in str(refused(command, code, ANNA, *stated))
    commands.report(code, ANNA, other.key, other.players[0], scores(other, 3, 1))
    assert "Table 2 has a result already" in str(refused(commands.call_off_table, code, ANNA, other.key))


def test_no_change_is_undone_once_its_table_has_a_result() -> None:
    code = begun(6)
    one, other, _third = state(code).at(1)
    version = commands.swap(code, ANNA, one.players[0], other.players[0]).version
    found = state(code).pairings[one.key]
    commands.enter_result(code, ANNA, one.key, scores(found, 5, 2))
    assert "has a result already" in str(refused(event_undo.undo, code, version, ANNA))


def test_a_table_is_called_off_and_its_players_may_be_seated_again() -> None:
    code = begun(4)
    one, other = state(code).at(1)
    before = whole(code)
    commands.call_judge(code, ANNA, one.key)
    version = commands.call_off_table(code, ANNA, one.key).version
    g = state(code)
    assert one.key not in g.pairings
    assert {g.pairing_of(key, 1).how for key in one.players} == {LOSS}
    assert all(call.closed_at for call in g.calls.values())
    event_undo.undo(code, version, ANNA)
    assert whole(code) == before
    commands.call_off_table(code, ANNA, one.key)
    commands.seat_together(code, ANNA, *one.players)
    assert pairing_of(code, one.players[0]).table == one.table
    event_rounds.refuse_begun(state(code), 1)
    assert other.match == pairing_of(code, other.players[0]).match


def test_a_no_show_ends_a_table_and_meets_nobody() -> None:
    code = begun(4)
    one = next(iter(state(code).at(1)))
    absent, there = one.players
    phone_of(code)
    assert "has not come" in page(phone_of(code), code, "organise-table", one.key)
    assert send(phone_of(code), code, f"no_show {one.key} {absent}", f"table {one.key}").status_code == 302
    found = pairing_of(code, there)
    assert (found.how, found.winner, found.is_played) == (LEFT, there, False)
    assert state(code).players[absent].dropped is None
    assert "Your opponent has not come" in card(phone(code, there), code)
    assert "You were not at your table" in card(phone(code, absent), code)
    assert "was not there" in str(refused(commands.contest, code, ANNA, one.key, absent, "I’m here"))
    lines = {line.player: line for line in standings.standings(state(code))}
    assert (lines[there].byes, lines[absent].lost, lines[there].values["strength"]) == (1, 1, 0)


def test_a_result_that_arrives_from_a_table_called_off_counts_for_nothing() -> None:
    code = begun(4)
    one = next(iter(state(code).at(1)))
    tap(code, one)
    commands.call_off_table(code, ANNA, one.key)
    assert Match.objects.filter(code=one.match).exists(), "somebody has tapped there"
    end(one.match, 9, 2)
    commands.announce(code, ANNA, "Lunch")
    assert all(found.is_bye or not found.is_decided for found in state(code).at(1))


def test_the_page_says_whom_it_affects_before_it_does_it() -> None:
    code = begun(6)
    one, other, _third = state(code).at(1)
    tap(code, one)
    assert event_tables.is_touched(one.match)
    before = whole(code)
    wanted = {"one": one.players[0], "other": other.players[0]}
    shown = html.unescape(send(phone_of(code), code, "swap", "pairings", **wanted).content.decode())
    g = state(code)
    names = {key: g.players[key].name for key in (*one.players, *other.players)}
    assert "This would change: " in shown
    assert f"table 1 for {names[other.players[0]]} and {names[one.players[1]]}" in shown
    assert f"table 2 for {names[one.players[0]]} and {names[other.players[1]]}" in shown
    assert "what was tapped at table 1 no longer counts" in shown
    assert "what was tapped at table 2" not in shown
    assert shown.count('name="sure"') == 1, "only where the effect is shown"
    assert 'name="sure"' not in page(phone_of(code), code, "organise-pairings")
    assert whole(code) == before
    assert send(phone_of(code), code, "swap", "pairings", sure="on", **wanted).status_code == 302
    assert whole(code) != before
    off = {"moved": other.key}
    assert send(phone_of(code), code, "call_off_table", "pairings", **off).status_code == 409
    assert send(phone_of(code), code, "call_off_table", "pairings", sure="on", **off).status_code == 302


def test_a_phone_is_led_to_the_table_that_is_opened_anew() -> None:
    code = begun(4)
    one, other = state(code).at(1)
    watching = phone(code, one.players[1])
    before = watching.ask("GET", f"/e/{code}/").content.decode()
    commands.swap(code, ANNA, one.players[0], other.players[0])
    after = watching.ask("GET", f"/e/{code}/").content.decode()
    assert f'data-goes="{one.match}"' in before
    assert f'data-goes="{pairing_of(code, one.players[1]).match}"' in after


def test_a_latecomer_sits_with_the_bye_by_one_tap_on_the_overview() -> None:
    code = begun(5)
    out = bye(code)
    organiser = phone_of(code)
    assert "seat_together" not in page(organiser, code)
    late = commands.come_late(code, ANNA, "Late", "", "", "loss").made
    found = re.search(r'value="(seat_together [^"]+)"', page(organiser, code))
    assert found
    assert send(organiser, code, found[1]).status_code == 302
    assert pairing_of(code, late).players == (late, out)
    assert "seat_together" not in page(organiser, code)
    assert send(organiser, code, found[1]).status_code == 409, "the page of another moment"


def test_nobody_in_a_round_robin_is_seated_with_who_has_the_bye() -> None:
    code = begun(5, kind="round-robin")
    one = next(state(code).at(1))
    commands.call_off_table(code, ANNA, one.key)
    shown = page(phone_of(code), code)
    assert re.findall(r"seat_together \S+ (\w+) (\w+)", shown) == [one.players[::-1]]


def test_nobody_without_a_game_is_seated_who_has_left_or_in_a_knock_out() -> None:
    code = begun(5)
    out = bye(code)
    late = commands.come_late(code, ANNA, "Late", "", "", "loss").made
    commands.drop(code, ANNA, late)
    assert "seat_together" not in page(phone_of(code), code)
    assert refused(commands.seat_together, code, ANNA, late, out).status == 409
    code = begun(5, kind="knock-out")
    alone = [one.players[0] for one in state(code).at(1) if one.is_bye]
    assert "seat_together" not in page(phone_of(code), code)
    assert refused(commands.seat_together, code, ANNA, *alone[:2]).status == 409


def test_a_move_in_an_open_round_says_whom_it_affects_and_that_taps_move_along() -> None:
    code = begun(6)
    one, other, third = state(code).at(1)
    tap(code, one)
    wanted = {"moved": one.key, "table": str(other.table)}
    shown = html.unescape(send(phone_of(code), code, "move", "pairings", **wanted).content.decode())
    g = state(code)
    for pairing, table in ((one, other.table), (other, one.table)):
        names = " and ".join(g.players[key].name for key in pairing.players)
        assert f"table {table} for {names}" in shown
    assert f"what was tapped at table {one.table} moves along" in shown
    assert g.pairings[one.key].table == one.table
    assert send(phone_of(code), code, "move", "pairings", sure="on", **wanted).status_code == 302
    now = state(code).pairings
    assert (now[one.key].table, now[one.key].match) == (other.table, one.match)
    assert now[third.key].table == third.table


def test_a_phone_at_a_table_that_counts_no_more_is_led_to_its_new_one() -> None:
    code = begun(4)
    one, other = state(code).at(1)
    tap(code, one)
    mine = phone(code, one.players[0])
    assert 'data-leads=""' in mine.ask("GET", f"/t/{one.match}/event").content.decode()
    commands.swap(code, ANNA, one.players[0], other.players[0])
    assert f'data-leads="/e/{code}/#sit"' in mine.ask("GET", f"/t/{one.match}/event").content.decode()
    assert 'data-leads=""' in phone(code).ask("GET", f"/t/{one.match}/event").content.decode()
