"""How an action is written down: `verb[:noun[:noun]]` or `verb[:noun]:number`.

The same text is the value of a button, the `action` of the API, a line of a transcript, and what the fuzzer
plays.
"""

from __future__ import annotations

import re
from functools import lru_cache

from games.core.records import Record

LONGEST = 120
_NOUN = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_ACTION = re.compile(rf"([a-z]+(?:-[a-z]+)*)((?::{_NOUN}){{0,2}})(?::(0|-?[1-9][0-9]{{0,5}}))?")


class Malformed(ValueError):
    """The text is not an action at all."""


class Action(Record):
    """A verb, at most two nouns and at most one number. A noun begins with a letter."""

    verb: str
    nouns: tuple[str, ...] = ()
    number: int | None = None

    @property
    def stem(self) -> str:
        """The action without its number: what a numeric offer is called."""
        return ":".join((self.verb, *self.nouns))

    def __str__(self) -> str:
        return self.stem if self.number is None else f"{self.stem}:{self.number}"


@lru_cache(maxsize=4096)
def parse(text: str) -> Action:
    """The action that a text writes; raises `Malformed` for anything else."""
    if len(text) > LONGEST:
        raise Malformed("an action is shorter than that")
    match = _ACTION.fullmatch(text)
    if match is None:
        raise Malformed("not an action")
    verb, nouns, number = match.groups()
    action = Action(verb, tuple(nouns.split(":")[1:]), None if number is None else int(number))
    if action.number is not None and len(action.nouns) > 1:
        raise Malformed("an action with a number has at most one noun")
    return action
