"""A whole match as it reads at the table, told anew by the rules of today.

After a change that is meant, `GOLDEN=rewrite make test` writes the new telling, to be read as a difference.
"""

import os
from pathlib import Path

import pytest

from games.match import transcript
from games.systems.tmg import SYSTEM
from games.systems.tmg.tests import tables  # noqa: F401
from tests.retelling import retell, written

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_match_is_told_the_same_today(path):
    text = path.read_text(encoding="utf-8")
    today = retell(text)
    if os.environ.get("GOLDEN") == "rewrite":
        path.write_text(today, encoding="utf-8")
    assert today == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_match_is_whole(path):
    *_others, (_action, last) = transcript.positions(path.read_text(encoding="utf-8"))
    assert last.result is not None


def test_there_is_a_golden_match_of_every_mode_and_of_every_variant():
    headings = [path.read_text(encoding="utf-8").splitlines()[0].split() for path in GOLDEN]
    assert {heading[2] for heading in headings} == {f"mode={mode.slug}" for mode in SYSTEM.modes}
    for variant in SYSTEM.variants:
        settings = {f"{name}={value}" for name, value in variant.items()}
        assert any(settings <= set(heading) for heading in headings)


def test_a_transcript_that_names_no_game_is_no_transcript():
    with pytest.raises(ValueError, match="begins with its game"):
        transcript.opening_state("match tmg")


def test_a_action_is_read_as_it_is_written():
    actions = [
        transcript.Action("red", "activate:wolves"),
        transcript.Action("blue", "wounds:wolves:-3", "unit/wolves"),
        transcript.Action("red", "time-out", "table"),
        transcript.Action("red", "points:red:1", "army/red", "a ransom paid"),
    ]
    text = "\n".join(
        ["game tmg", *(f"{action.seat:6}{written(action):38}What was said." for action in actions)]
    )
    assert list(transcript.actions(text)) == actions


def test_a_line_that_is_no_action_is_an_error():
    with pytest.raises(ValueError, match="no action of a transcript: nonsense"):
        list(transcript.actions("game tmg\nnonsense\n"))
