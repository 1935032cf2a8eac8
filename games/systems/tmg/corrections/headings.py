"""The headings under which a sheet shows its corrections, and names as nouns."""

from __future__ import annotations

from zlib import crc32

from games.core.army_lists import key_of
from games.core.words import gettext_noop as _

WOUNDS = _("Wounds left")
CONDITIONS = _("Conditions")
POSITION = _("Position")
ACTIVATION = _("Activation")
COUNTERS = _("Counters")
NOTE = _("Note")
ENTRY = _("List entry")
CONTROL = _("Control")
CARD = _("Objective card")
POINTS = _("Points")
CARDS = _("Tactics cards")
NAMES = _("Names of the tactics cards")
TURN = _("Turn")
BOARD = _("Tactics board")
KEPT = _("Tracked in the app")
END = _("End of the match")

HEADINGS = (
    WOUNDS, CONDITIONS, POINTS, POSITION, CONTROL, ACTIVATION, COUNTERS,
    CARDS, NAMES, CARD, NOTE, TURN, BOARD, ENTRY, KEPT, END,
)  # fmt: skip
"""In the order in which a sheet shows them, the most often changed first."""


def noun(words: str) -> str:
    """A name as the noun of an action; one outside ASCII gets a checksum too."""
    plain = key_of(words, ())
    return plain if words.isascii() else f"{plain}-{crc32(words.encode()):08x}"
