"""Random undos at random tables; `make fuzz` plays many more."""

from __future__ import annotations

import random

import pytest

from games.core import system
from games.match import random_play, undoing

TABLES = (
    ("rps", "plain"),
    ("auction", "tracks"),
    ("agot", "light"),
    ("agot", "full"),
    ("agot", "orders"),
    ("bushido", "risen-sun"),
    ("tmg", "a-game-of-thrones"),
    ("tmg", "winds-of-winter"),
)
STEPS, GAMES = 250, 6


def play(game: str, mode: str, seed: int, steps: int) -> random_play.Table:
    state = random_play.fresh_state(system(game), mode, seed)
    table = random_play.Table(state, random.Random(seed), corrects=seed % 2 == 1)
    for _step in range(steps):
        if table.state.result is None:
            table.go_on()
    return table


@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_whatever_is_undone_nobody_is_skipped_stranded_or_exposed(game: str, mode: str) -> None:
    tables = [play(game, mode, seed, STEPS) for seed in range(GAMES)]
    assert sum(table.undos for table in tables) >= GAMES


def test_an_answer_that_goes_alone_leaves_what_there_would_be_without_it() -> None:
    """The fuzzer's comparison is made often enough to be worth something."""
    assert sum(play("agot", "orders", seed, STEPS).compared for seed in range(0, GAMES, 2)) >= GAMES // 2


def test_a_match_with_undos_comes_to_its_end() -> None:
    state = random_play.fresh_state(system("bushido"), "risen-sun", 1)
    table = random_play.Table(state, random.Random(1), corrects=False)
    table.play(system("bushido").longest)
    assert table.state.result is not None
    assert table.undos > 5


def breaks(mode: str) -> set[str]:
    """What the fuzzer says about some tables of the board game; nothing if all is well."""
    found = set()
    for seed in range(12):
        try:
            play("agot", mode, seed, 200)
        except random_play.Broken as broken:
            found.add(str(broken).partition(":")[0])
    return found


def test_an_old_answer_that_goes_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undoing, "_is_rested_on", lambda state, target, later: False)
    assert "without what was undone these would be different" in breaks("light")


def test_an_undo_after_which_nobody_can_act_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if only what came after a question's last answer went along, and never that answer itself."""
    state = random_play.fresh_state(system("rps"), "plain", 1)
    after = state.copy()
    for seat in after.seats:
        after.hide(seat, "throw", "rock")
    with pytest.raises(random_play.Broken, match="nobody can act"):
        random_play.check_undo(state, after, "red", ())


def test_an_answer_that_changes_without_asking_its_player_is_found() -> None:
    state = random_play.fresh_state(system("agot"), "light", 1)
    after = state.copy()
    after.mark_answered("stark")
    random_play.check_undo(state, after, "lannister", ("stark",))
    random_play.check_undo(state, after, "stark", ())
    with pytest.raises(random_play.Broken, match="nobody has asked stark"):
        random_play.check_undo(state, after, "lannister", ())


def test_a_question_that_is_over_without_somebodys_answer_is_found() -> None:
    table = random_play.Table(
        random_play.fresh_state(system("agot"), "light", 2), random.Random(2), corrects=False
    )
    before = table.state.copy()
    before.mark_answered("stark")
    before.mark_answered("lannister")
    with pytest.raises(random_play.Broken, match="lannister, stark"):
        table.check_answers(before, "baratheon")
