"""A large draw takes a second: it is worked out before the event is locked, and again if it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.hall import commands, event_actions
from games.hall.rules import pairing
from games.hall.rules.pairing import Pairs
from tests.hall.halls import ANNA, begun, by_chance, opened, play_round, refused, state

pytestmark = pytest.mark.django_db


def watched(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object] = lambda: None) -> list[str]:
    """What is done one after the other; `meanwhile` happens between working out the draw and the lock."""
    done: list[str] = []
    dutch, lock = pairing.dutch, event_actions.lock_event

    def working(*field: Any, **how: Any) -> Pairs:
        done.append("works out")
        return dutch(*field, **how)

    def locking(*event: Any) -> Any:
        if not done.count("locks"):
            done.append("locks")
            meanwhile()
        return lock(*event)

    monkeypatch.setattr(pairing, "dutch", working)
    monkeypatch.setattr(event_actions, "lock_event", locking)
    return done


def second_round(**settings: Any) -> str:
    code = opened(9, mode="manual-scoring", seed="1", **settings)
    play_round(code, by_chance(1))
    return code


@pytest.mark.parametrize("command", [commands.pair, commands.repair])
def test_a_draw_is_worked_out_before_the_event_is_locked(
    monkeypatch: pytest.MonkeyPatch, command: Callable[..., object]
) -> None:
    code = second_round()
    if command is commands.repair:
        commands.pair(code, ANNA)
    done = watched(monkeypatch)
    command(code, ANNA)
    assert set(done[: done.index("locks")]) == {"works out"}
    assert "works out" not in done[done.index("locks") :]
    assert len(list(state(code).at(2))) == 5


def test_a_draw_of_what_has_changed_meanwhile_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    code = second_round()
    leaving = next(iter(state(code).players))
    done = watched(monkeypatch, lambda: commands.drop(code, ANNA, leaving))
    commands.pair(code, ANNA)
    assert "works out" in done[done.index("locks") :]
    assert state(code).pairing_of(leaving, 2) is None
    assert len(list(state(code).at(2))) == 4


def test_what_is_refused_works_out_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    code = begun(4)
    done = watched(monkeypatch)
    assert refused(commands.pair, code, ANNA).status == 409
    assert refused(commands.pair, code, event_actions.Actor("helper-9", "Ben", "judge")).status == 403
    assert "works out" not in done
