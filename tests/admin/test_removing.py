"""A piece that an organiser takes off the table is named nowhere any more, in any game; others stay named."""

from __future__ import annotations

from typing import Any

import pytest

from games.admin import match_edits
from games.admin.piece_fields import TABLE
from games.core import KINDS, State, System, systems
from games.core.army_lists import key_of
from games.match import random_play

CAN_GO = ("unit", "objective")
FIELDS = [
    (game, path, told.among)
    for game in systems()
    for path, told in game.columns.items()
    if told.among in CAN_GO
]


def table(game: System) -> State:
    return random_play.fresh_state(game, game.modes[0].slug, 7, game.seat_range[0], {})


def put(g: State, kind: str, name: str) -> str:
    return match_edits.add(
        g, kind, {"name": name, **({"army": next(iter(g.seats))} if kind == "unit" else {})}
    )


def holder(g: State, where: str) -> Any:
    """Somebody who can name a piece: the table, a side, or a piece that stays."""
    if where == TABLE:
        return g
    pieces = getattr(g, KINDS[where])
    key = next(iter(g.seats)) if where == "army" else put(g, where, "Bystander")
    return pieces[key]


@pytest.mark.parametrize(
    ("game", "path", "kind"), FIELDS, ids=[f"{game.slug}-{path}" for game, path, _kind in FIELDS]
)
def test_who_is_gone_is_named_nowhere(game: System, path: str, kind: str):
    where, _slash, name = path.partition("/")
    g = table(game)
    gone, stays = put(g, kind, "Doomed"), put(g, kind, "Spared")
    one = holder(g, where)
    if isinstance(getattr(one, name), frozenset):
        setattr(one, name, frozenset({gone, stays}))
        left: object = {stays}
    else:
        setattr(one, name, gone)
        left = None
    match_edits.remove(g, kind, gone)
    assert gone not in getattr(g, KINDS[kind])
    assert getattr(one, name) == left
    setattr(one, name, frozenset({stays}) if left else stays)
    kept = getattr(one, name)
    match_edits.remove(g, kind, gone)
    assert getattr(one, name) == kept, "who is gone already takes nobody else along"
    assert stays in getattr(g, KINDS[kind])


@pytest.mark.parametrize("game", systems(), ids=lambda game: game.slug)
def test_pieces_of_one_name_get_a_key_each(game: System):
    g = table(game)
    for kind in CAN_GO:
        keys = [put(g, kind, "Twin") for _one in range(3)]
        assert len(set(keys)) == 3
        assert [getattr(g, KINDS[kind])[key].name for key in keys] == ["Twin"] * 3
        assert key_of("Twin", getattr(g, KINDS[kind]), kind) not in keys


def test_who_is_named_names_back_and_lets_go_again():
    """An engagement stands on both sides, whichever of them the organiser edits."""
    game = next(one for one in systems() if any(told.is_mutual for told in one.columns.values()))
    path = next(path for path, told in game.columns.items() if told.is_mutual)
    kind, _slash, name = path.partition("/")
    g = table(game)
    one, two, three = (put(g, kind, word) for word in ("One", "Two", "Three"))
    pieces = getattr(g, KINDS[kind])
    match_edits.change(g, kind, one, {name: frozenset({two, three})})
    match_edits.change(g, kind, two, {name: frozenset()})
    assert [getattr(pieces[key], name) for key in (one, two, three)] == [{three}, set(), {one}]
    # Somebody has taken it away meanwhile.
    match_edits.change(g, kind, "nobody", {name: frozenset({one})})
    assert "nobody" not in pieces
    assert getattr(pieces[one], name) == {three}


def test_of_the_table_what_is_said_is_set():
    g = table(next(iter(systems())))
    match_edits.change(g, TABLE, "", {"round": 5})
    assert g.round == 5
