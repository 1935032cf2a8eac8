"""The parts of the game that the players keep on the table itself; the app does not ask about these.

Players who have tokens beside a tray and cards in hand need no second set on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core.corrections import switch
from games.core.steps import Corrections, Offer, answer
from games.core.words import Line, Term
from games.core.words import gettext_noop as _
from games.systems.tmg.corrections.headings import KEPT
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules import objective_tokens, tactics_cards

PARTS = {
    "wounds": _("Wounds and ranks"),
    "conditions": _("Conditions and counters"),
    "engagements": _("Engaged units"),
    "cards": _("Tactics cards"),
    "effects": _("Effects of objectives"),
    "notes": _("Notes of units"),
}
"""What may be kept on the table, and what the switch for it says."""

VERBS = {
    **dict.fromkeys(("wounds", "panic"), "wounds"),
    **dict.fromkeys(("gain", "lose", "more", "less", "counter"), "conditions"),
    **dict.fromkeys(("engage", "disengage"), "engagements"),
    **dict.fromkeys(("hand", "deck", "draw", "hand-bonus", "siege-cards"), "cards"),
    **dict.fromkeys(("note", "remind", "forget"), "notes"),
}
"""The part that each of these corrections belongs to."""


def is_tracked(g: Table, correction: Offer) -> bool:
    """Whether this is a correction of something that is tracked here."""
    part = VERBS.get(correction.action.partition(":")[0])
    return part is None or g.tracks(part)


class TrackingCorrections(Corrections[Table]):
    """A switch for each part: tracked here, or kept on the table."""

    def parts_of(self, g: Table) -> Iterator[Offer]:
        for part, called in PARTS.items():
            if part == "cards" and tactics_cards.is_tracked(g):
                continue  # the table has asked the app to keep them
            yield switch(g.tracks(part), f"track:{part}", f"keep-aside:{part}", Line(called), KEPT)

    @answer
    def track(self, g: Table, seat: str, part: str) -> None:
        with objective_tokens.watching(g):
            g.untracked -= {part}
            g.say(_("%(part)s: tracked in the app again."), part=Term(PARTS[part]))

    @answer
    def keep_aside(self, g: Table, seat: str, part: str) -> None:
        with objective_tokens.watching(g):
            g.untracked |= {part}
            g.say(_("%(part)s: no longer tracked in the app."), part=Term(PARTS[part]))
            if part == "engagements":
                for unit in g.units.values():
                    unit.engaged_with = frozenset()
            if part == "effects":
                for token in g.tokens():
                    token.scored = None
