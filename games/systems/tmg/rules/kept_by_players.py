"""The parts of the game that the players keep on the table itself; the app does not ask about these.

Players who have tokens beside a tray and cards in hand need no second set on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Line, Offer, Term
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules import tactics_cards

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
    **dict.fromkeys(("wounds", "panic", "attack", "test-panic"), "wounds"),
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


def parts(g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    """The parts that the players may keep on the table."""
    for part, called in PARTS.items():
        if part != "cards" or not tactics_cards.is_tracked(
            g
        ):  # where the table has asked the app to keep them
            yield part, Line(called)


def track(g: Table, _table: Table, part: str) -> None:
    """Track a part here again."""
    g.untracked -= {part}
    g.say(_("%(part)s: tracked in the app again."), part=Term(PARTS[part]))


def keep_aside(g: Table, _table: Table, part: str) -> None:
    """Leave a part to the players; what it says of fights or effects is forgotten."""
    g.untracked |= {part}
    g.say(_("%(part)s: no longer tracked in the app."), part=Term(PARTS[part]))
    for unit in g.units.values() if part == "engagements" else ():
        unit.engaged_with = frozenset()
    for token in g.tokens() if part == "effects" else ():
        token.scored = None
