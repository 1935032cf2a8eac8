"""What a mode lays out: the steps of its set-up by name, and the objective tokens on its table."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.state import Question
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Place, Table

CENTRE = "centre"
FIVE_TOKENS = [
    {"key": CENTRE, "name": _("Centre")},
    {"key": "token-a", "name": _("Token A")},
    {"key": "token-b", "name": _("Token B")},
    {"key": "token-c", "name": _("Token C")},
    {"key": "token-d", "name": _("Token D")},
]
"""Five objective tokens in the order of placing (TMG-61a)."""

MUSTER = "muster"
DEPLOYING = ["deploying"]
"""Stands in a mode's set-up for the steps by which its ruleset gives out zones and deploys."""

PLACED, DEALT = "place-token", "deal-cards"

FIVE_WITH_CARDS = [MUSTER, "token-roll", PLACED, DEALT, *DEPLOYING]
"""The set-up of a mode whose tokens are placed by the players and have cards (TMG-61)."""

AS_DRAWN = [MUSTER, *DEPLOYING]
"""The set-up of a mode whose tokens lie where its map says."""


def spelled_out(set_up: Iterable[str], deploying: Iterable[str]) -> list[str]:
    """A mode's set-up with the steps of its ruleset where it says that armies deploy."""
    return [step for name in set_up for step in (deploying if [name] == DEPLOYING else (name,))]


def order(g: Table) -> list[str]:
    """The steps that this match's mode walks through in its set-up, by name."""
    return g.rules.get("set_up", FIVE_WITH_CARDS)


def advance(g: Table) -> None:
    """Go on to the next step of the mode's set-up; after the last one the match begins."""
    following = order(g)[order(g).index(g.question.step) + 1 :]
    g.goto(following[0] if following else "begin")


def position(g: Table, question: Question) -> int | None:
    """Which step of set-up a question stands at, from 0; None once the match has begun."""
    return order(g).index(question.step) if question.step in order(g) else None


def tokens(g: Table) -> list[dict[str, str]]:
    """The objective tokens of this match's mode, in the order of placing."""
    return g.rules.get("objectives", FIVE_TOKENS)


def has_cards(g: Table) -> bool:
    """Whether a card lies beside each token in this mode (TMG-61b)."""
    return DEALT in order(g)


def laid(g: Table) -> int:
    """How many tokens lie on the table."""
    return sum(1 for _token in g.tokens())


def add_token(g: Table) -> Place:
    """Lay the next objective token on the table."""
    number = laid(g)
    entry = tokens(g)[number]
    token = Place(entry["key"], name=entry["name"], kind="token", order=number)
    g.objectives[token.key] = token
    return token


def lay_tokens(g: Table) -> None:
    """Lay out the tokens that nobody has to place: all of them, but for those that a step asks about."""
    if PLACED in order(g):
        add_token(g)
        g.say(_("One objective token lies in the centre of the battlefield."))
    elif g.rules.get("lies_ready", True) and tokens(g):
        lying = tuple(Term(add_token(g).name) for _token in tokens(g))
        g.say(_("Objective tokens lie on the battlefield: %(tokens)s."), tokens=lying)
        if where := g.rules.get("lying"):
            g.say(where)


def where_first(g: Table, words: Line) -> Line:
    """The help of the first roll after the lists: it says where tokens lie that nobody places (TMG-67)."""
    where = g.rules.get("lying")
    return say(_("%(first)s %(then)s"), first=Line(where), then=words) if where else words
