"""Tables by choice: the setting, a player's own table, a pairing moved by hand also during its round."""

from __future__ import annotations

import pytest

from games.hall import commands, event_undo
from games.hall.models import Event
from games.hall.rules.event_state import TABLES
from tests.hall.halls import ANNA, begun, opened, refused, scores, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


def tables(code: str) -> dict[str, int | None]:
    """The table of each pairing of the newest round."""
    g = state(code)
    return {one.key: one.table for one in g.at(g.last.number)}


def version(code: str) -> int:
    return Event.objects.get(code=code).version


def test_the_form_chooses_who_sits_where_also_during_the_event() -> None:
    code = begun(4)
    phone = phone_of(code)
    for name in TABLES:
        assert f'<option value="{name}"' in page(phone, code, "organise-settings")
        assert send(phone, code, "settings", "settings", name="Cup", tables=name).status_code == 302
        assert state(code).tables == name
    assert refused(commands.change_settings, code, ANNA, {"tables": "round"}).status == 409


def test_a_player_has_a_table_of_their_own_from_the_next_draw_on() -> None:
    code = opened(6)
    phone = phone_of(code)
    assert send(phone, code, "fix_table p5", "player p5", table="12").status_code == 302
    commands.pair(code, ANNA)
    g = state(code)
    assert (g.players["p5"].table, g.pairing_of("p5", 1).table) == (12, 12)
    assert {one.table for one in g.at(1)} == {1, 2, 12}
    assert 'value="12"' in page(phone, code, "organise-player", "p5")
    send(phone, code, "fix_table p5", "player p5", table="")
    commands.repair(code, ANNA)
    assert (state(code).players["p5"].table, {one.table for one in state(code).at(1)}) == (None, {1, 2, 3})
    assert refused(commands.fix_table, code, ANNA, "p5", 1000).status == 409


def test_a_pairing_moves_to_another_table_and_whoever_sits_there_to_its_own() -> None:
    code = begun(6)
    phone = phone_of(code)
    assert "Move to another table" in page(phone, code, "organise-pairings")
    matches = {one.key: one.match for one in state(code).at(1)}
    assert send(phone, code, "move", "pairings", moved="1-1", table="3", sure="on").status_code == 302
    assert tables(code) == {"1-3": 1, "1-2": 2, "1-1": 3}
    commands.move(code, ANNA, "1-2", 40)
    assert tables(code) == {"1-3": 1, "1-1": 3, "1-2": 40}
    assert {one.key: one.match for one in state(code).at(1)} == matches, "the phones stay where they are"


def test_no_table_moves_that_has_a_result() -> None:
    code = begun(6)
    one, other, _third = state(code).at(1)
    commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
    for pairing, table in ((one.key, 3), (other.key, one.table)):
        assert "has a result already" in str(refused(commands.move, code, ANNA, pairing, table))
    assert tables(code) == {"1-1": 1, "1-2": 2, "1-3": 3}


def test_a_move_is_undone_unless_somebody_else_sits_there_by_now() -> None:
    code = begun(6)
    first = commands.move(code, ANNA, "1-1", 9).version
    second = commands.move(code, ANNA, "1-2", 1).version
    assert "Other players are at table 1 now" in str(refused(event_undo.undo, code, first, ANNA))
    event_undo.undo(code, second, ANNA)
    event_undo.undo(code, first, ANNA)
    assert tables(code) == {"1-1": 1, "1-2": 2, "1-3": 3}


def test_a_table_is_moved_in_the_draft_too() -> None:
    code = opened(6)
    commands.pair(code, ANNA)
    commands.move(code, ANNA, "1-1", 2)
    commands.open_round(code, ANNA)
    assert tables(code) == {"1-2": 1, "1-1": 2, "1-3": 3}
