"""Manual scoring: any mode that has no rules here; the players enter its points and their sources."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Anybody, Mode, Offer, answer, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import DEPLOYING, Table
from games.systems.tmg.rules import deployment, missions, objective_tokens

TOKENS = [
    *objective_tokens.FIVE_TOKENS[1:],
    {"key": "token-e", "name": _("Token E")},
    {"key": "token-f", "name": _("Token F")},
]
SOURCES = {
    "objectives": _("Objectives"),
    "missions": _("Missions"),
    "combat": _("Combat (extra points)"),
    "mode": _("Another rule of the mode"),
}


class LayTokens(Anybody[Table]):
    """TMG-100: the players say how many objective tokens lie on the table; claims are noted as usual."""

    rule = "TMG-100"
    title = _("How many objective tokens?")
    help = _("As many as your mode's map shows.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("tokens", say(_("Objective tokens")), 0, len(TOKENS))

    @answer
    def tokens(self, g: Table, seat: str, count: int) -> None:
        for _token in range(count):
            objective_tokens.add_token(g)
        g.say_count(
            "%(count)s objective token lies on the battlefield.",
            "%(count)s objective tokens lie on the battlefield.",
            count,
        )
        deployment.advance(g)


class ScorePoints(missions.EnterPoints):
    """TMG-100: objectives, missions, combat and the mode's other rules each give what the players enter."""

    def sources(self, g: Table) -> dict[str, str]:
        return SOURCES


MODE = Mode(
    slug="manual-scoring",
    title=_("Manual scoring"),
    summary=_("Any other mode: you enter its points and what gave them"),
    first=deployment.Muster,
    steps=(LayTokens, ScorePoints),
    facts={
        "deployment": 0,
        "set_up": [deployment.Muster.name, LayTokens.name, DEPLOYING],
        "objectives": TOKENS,
        "lies_ready": False,
    },
)
