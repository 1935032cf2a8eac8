"""A match as text: what is read is what was written, and what cannot be read is an error."""

from __future__ import annotations

import pytest

from games.match import transcript
from games.match.transcript import Action
from tests.retelling import written


def test_a_transcript_that_names_no_game_is_no_transcript():
    with pytest.raises(ValueError, match="begins with its game"):
        transcript.opening_state("match tmg")


def test_an_action_is_read_as_it_is_written():
    actions = [
        Action("red", "activate:wolves"),
        Action("blue", "wounds:wolves:-3", "unit/wolves"),
        Action("red", "time-out", "table"),
        Action("red", "points:red:1", "army/red", "a ransom paid"),
    ]
    lines = [f"{action.seat:6}{written(action):38}What was said." for action in actions]
    assert list(transcript.actions("\n".join(["game tmg", *lines]))) == actions


def test_what_is_between_the_actions_is_not_read():
    text = "game tmg\n= r1 turn:red\n\n# a note\n      what else was said\nred   pass"
    assert list(transcript.actions(text)) == [Action("red", "pass")]


def test_a_line_that_is_no_action_is_an_error():
    with pytest.raises(ValueError, match="no action of a transcript: nonsense"):
        list(transcript.actions("game tmg\nnonsense\n"))
