"""Every question of the recorded matches: how it looks to the player asked, and to those who wait.

The recorded matches of each game (its `tests/golden`) are each played at a separate table, and stop
whenever something is asked for the first time: `bushido-vim-14-act`, `agot-light-6-80-carry`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.core import State, engine, system
from games.match import play, storage, transcript
from games.models import Match
from tests.browser import driving
from tests.browser.scenes import Scene, seated

GAMES = Path(__file__).parents[2] / "games/systems"

TOLD_APART = frozenset({"carry", "fall", "rise", "preempted", "bid", "places"})
"""Questions that look different depending on what they are about: each wildling card, each track."""


def recorded(wanted: tuple[str, ...] = ("",)) -> Iterator[Scene]:
    """The questions of the recorded matches whose names may have these beginnings, in their order."""
    for path in sorted(GAMES.glob("*/tests/golden/*.txt")):
        name = f"{path.parents[2].name}-{path.stem}"
        if any(name.startswith(each) or each.startswith(name) for each in wanted):
            yield from questions(name, path.read_text(encoding="utf-8"))


def questions(name: str, text: str) -> Iterator[Scene]:
    """The table of one recorded match at each new question, for the player asked and one who waits."""
    heading, told = text.splitlines()[0], list(transcript.actions(text))
    match = table(heading)
    seen: set[str] = set()
    for number in range(len(told) + 1):
        state = storage.load(Match.objects.get(pk=match.pk)).state
        if (what := question(state)) not in seen:
            seen.add(what)
            at = f"{name}-{number:03}-{what}"
            asked = engine.awaited(state)
            waits = next((seat for seat in state.seats if seat not in asked), None)
            if asked:
                yield at, seated(match, asked[0])
            if waits and state.result is None:
                yield f"{at}-waits", seated(match, waits)
            if state.result is not None:
                yield at, seated(match, state.seats[0])
        if number < len(told):
            driving.carry_out(match, [told[number]])


def question(state: State) -> str:
    """What is asked, as part of a name."""
    if state.result is not None:
        return "over"
    asked = state.question
    about = asked.about[:1] if asked.step in TOLD_APART else ()
    return "-".join((asked.step, *about))


def table(heading: str) -> Match:
    """A fresh table for the match that a transcript's first line opens."""
    opened = transcript.opening_state(heading)
    names = {seat: army.name for seat, army in opened.armies.items()}
    settings = dict(word.split("=", 1) for word in heading.split()[2:])
    options = {name: int(settings[name]) for name in system(opened.system).options if name in settings}
    return play.open_match(opened.system, opened.mode, names, options, seed=settings["seed"])
