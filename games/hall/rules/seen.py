"""What a page showed of the rounds, so that a button of an older page does nothing to another round."""

from __future__ import annotations

from games.core import chance
from games.core.steps import IllegalAction
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall.rules.pieces import Gathering


def mark(g: Gathering) -> str:
    """A short text that names the newest round (0: none), how far it has got and who is paired in it."""
    last = g.last
    if last is None:
        return "0"
    paired = [[*one.players, one.match] for one in g.at(last.number) if not one.is_bye]
    return f"{last.key}-{chance.secret_hash('', last.key, [last.state, paired])[:8]}"


def refuse_other(g: Gathering, seen: str) -> None:
    """Refuse what was asked for on a page that showed another newest round, or another state of it.

    `seen` is its `mark`, or only its number; "" refuses nothing.
    """
    if seen and seen not in (now := mark(g), now.partition("-")[0]):
        raise IllegalAction(say(_("This page showed an older state of the rounds. Look at what stands now.")))
