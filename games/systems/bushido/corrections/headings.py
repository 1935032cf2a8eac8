"""The headings under which a sheet shows its corrections."""

from __future__ import annotations

from games.core.words import gettext_noop as _

WOUNDS = _("Wounds left")
HIT = _("Wounds by success level")
FEAT = _("Active feat, by its Ki")
KI = _("Ki")
ACTIVATION = _("Activation")
STATES = _("States")
NEW_STATES = _("Another state")
POSITION = _("Position")
ALIGNMENT = _("Alignment")
POINTS = _("Points")
TOKENS = _("Tokens")
NOTE = _("Note")
FIGURES = _("On its card")
TURN = _("Turn")
CLOCK = _("Clock")
ENTRY = _("Warband")
END = _("End of the match")

HEADINGS = (
    WOUNDS, KI, ACTIVATION, FEAT, HIT, STATES, NEW_STATES, POSITION, ALIGNMENT, POINTS,
    TOKENS, NOTE, FIGURES, TURN, CLOCK, ENTRY, END,
)  # fmt: skip
"""In the order in which a sheet shows them, the most often changed first."""
