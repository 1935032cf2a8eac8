"""What a mode lays out: the objective tokens on its table, and where it lets a ruleset deploy."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.words import Line, say
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

DEPLOYING = ["deploying"]
"""Stands in a mode's set-up for its ruleset's steps of picking zones and deploying."""


def spelled_out(set_up: Iterable[str], deploying: Iterable[str]) -> list[str]:
    """A mode's set-up with the steps of its ruleset in place of `DEPLOYING`."""
    return [step for name in set_up for step in (deploying if [name] == DEPLOYING else (name,))]


def tokens(g: Table) -> list[dict[str, str]]:
    """The objective tokens of this match's mode, in the order of placing."""
    laid_out: list[dict[str, str]] = g.rules.get("objectives", FIVE_TOKENS)
    return laid_out


def laid(g: Table) -> int:
    """How many tokens lie on the table."""
    return sum(1 for _token in g.tokens())


def add_token(g: Table) -> Place:
    """Lay the next objective token that is not on the table, with the card that belongs to it."""
    number, entry = next(each for each in enumerate(tokens(g)) if each[1]["key"] not in g.objectives)
    token = Place(entry["key"], name=entry["name"], kind="token", order=number, card=entry.get("card"))
    g.objectives[token.key] = token
    return token


def are_carried(g: Table) -> bool:
    """Whether units carry the tokens that they claim in this mode (TMG-91, TMG-92)."""
    return bool(g.rules.get("carried"))


TELLING = ("deal-cards", "terrain-roll", "zone-roll")
"""Steps of a set-up: the first of them tells the players where tokens lie that nobody places."""


def where_first(g: Table, step: str, words: Line) -> Line:
    """The help of a step of the set-up; the first says where tokens lie that nobody places (TMG-04)."""
    where = g.rules.get("lying")
    if not where or step != next((name for name in g.rules.get("set_up", ()) if name in TELLING), ""):
        return words
    return say(_("%(first)s %(then)s"), first=Line(where), then=words)
