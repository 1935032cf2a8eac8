"""The parts of the game that the players keep on the table itself; the app does not ask about these.

Players who have tokens beside a tray and cards in hand need no second set on a phone.
"""

from __future__ import annotations

from games.core.steps import Offer
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table

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
