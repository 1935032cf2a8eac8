"""A VIM named in secret and a flank reach nobody else: pages, streams, the log, undo."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.match import play
from games.models import Match
from tests.trust.twins import (
    PLAYERS,
    Transcript,
    Where,
    differences,
    everywhere,
    first_pages,
    tap,
    transcript,
)

LATE = "late-comer"
"""A model that a correction brought; taking that back has nothing to do with who the VIM is."""

FLANKS = {"soon, left": "left:2", "late, right": "right:4"}


def set_up(match: Match) -> None:
    """Two warbands, a model that a correction adds to one of them, and a scenario with hidden VIMs."""
    for action in ("red demo:ryu", "blue demo:ito"):
        tap(match, *action.split())
    play.adjust(match.code, "red", "army/red", "summon:red", "a-model-more", note="Late-comer")
    for action in ("red ready", "blue ready", "red scenario:seigyo"):
        tap(match, *action.split())


NAMED = 8
"""The version at which the first VIM is named."""

LATER = ("blue vim:hitoshi", "blue deployed", "red deployed", "red rolled:4", "blue rolled:2")
"""What leads from the VIMs into the first turn."""


def vims(vim: str, later: tuple[str, ...] = (), where: Where = first_pages, *, undone: int = 0) -> Transcript:
    """Everything that others see once Red has named this VIM and these actions have followed."""

    def script(match: Match) -> Iterator[str]:
        set_up(match)
        assert match.entries.count() == NAMED - 1
        for action in (f"red vim:{vim}", *later):
            tap(match, *action.split())
        yield "red"

    return transcript(("bushido", "risen-sun"), PLAYERS, script, where, undone=undone)


def flanks(note: str) -> Transcript:
    """Everything that others see while Red notes a flank, and after the warbands are deployed."""

    def script(match: Match) -> Iterator[str]:
        set_up(match)
        for action in ("red vim:kizoko", "blue vim:hitoshi", f"red flank:{LATE}"):
            tap(match, *action.split())
        yield "red"
        tap(match, "red", f"note:{note}")
        yield "red"
        for action in ("red deployed", "blue deployed"):
            tap(match, *action.split())
        yield "red"

    return transcript(("bushido", "risen-sun"), PLAYERS, script, first_pages, undone=1)


def is_told_alike(worlds: dict[str, Transcript]) -> None:
    """Fail unless others see the same in all worlds, and something at all."""
    first, *others = worlds.values()
    assert [differences(first, other) for other in others] == [[]] * len(others)
    assert {role for role, _path, _seen in first} == {"anon", "organiser", "blue", "robot blue"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("later", "pair"),
    [((), (LATE, "kizoko")), (LATER[:1], ("kizoko", "isamu")), (LATER, (LATE, "isamu"))],
    ids=["one named", "both named", "in play"],
)
def test_no_vim_can_be_told_from_another_before_it_is_revealed(later: tuple[str, ...], pair: tuple[str, str]):
    """With nothing after the naming, what came before it is taken back; otherwise only what came since."""
    first = NAMED if later else 1
    is_told_alike({vim: vims(vim, later, undone=first) for vim in pair})


@pytest.mark.django_db
def test_no_address_tells_who_the_vim_is():
    is_told_alike({vim: vims(vim, where=everywhere) for vim in (LATE, "kizoko")})


@pytest.mark.django_db
def test_no_flank_can_be_told_from_another_before_the_model_arrives():
    is_told_alike({world: flanks(note) for world, note in FLANKS.items()})
