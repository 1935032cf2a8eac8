"""Who may do what at an event; anything else is refused with a sentence."""

from __future__ import annotations

from games.core import RequestRefused, say
from games.core import gettext_noop as _

ORGANISER, JUDGE, SCOREKEEPER, PLAYER, GUEST = "organiser", "judge", "scorekeeper", "player", ""

_PLAYER = frozenset(
    {
        *("amend", "hand_in", "choose", "check_in", "drop"),
        *("report", "contest", "call_judge", "absent", "present", "go_on", "date"),
        *("propose", "take_back", "check_in_team", "add_to_team"),
    }
)
_SCOREKEEPER = frozenset({"enter", "go_on", "check_in", "check_in_team", "call_judge"})
_JUDGE = _SCOREKEEPER | {
    "amend",
    "rule",
    "answer_call",
    "close_call",
    "note_ruling",
    "announce",
    "take_down",
    "start_clock",
    "pause_clock",
    "extend",
    "swap",
    "move",
    "seat_together",
    "no_show",
    "fix_table",
    "penalise",
    "hand_in",
    "drop",
    *("propose", "take_back", "rest_by_lot", "pair_anew", "amend_team", "check_in_team"),
}
ALLOWED = {
    GUEST: frozenset({"register", "register_team"}),
    PLAYER: _PLAYER,
    SCOREKEEPER: _SCOREKEEPER,
    JUDGE: _JUDGE,
}
"""What each role may do; an organiser may do everything, a judge corrects and rules but deletes nothing."""


def may(role: str, action: str) -> bool:
    """Whether a role may do this."""
    return role == ORGANISER or action in ALLOWED.get(role, ())


def refuse(role: str, action: str) -> None:
    """Refuse (403) an action that a role may not do."""
    if not may(role, action):
        raise RequestRefused(say(_("Only the organisers of the event can do this.")), 403, "not_allowed")
