"""Who may do what at an event; anything else is refused with a sentence."""

from __future__ import annotations

from games.core import RequestRefused, say
from games.core import gettext_noop as _

ORGANISER, JUDGE, SCOREKEEPER, PLAYER, GUEST = "organiser", "judge", "scorekeeper", "player", ""

_PLAYER = frozenset(
    {
        *("amend", "hand_in", "choose", "check_in", "drop", "consent", "challenge"),
        *("report", "contest", "call_judge", "absent", "present", "go_on", "date"),
        *("propose", "take_back", "check_in_team", "add_to_team", "bid", "choose_house"),
    }
)
RIGHTS: tuple[tuple[str, frozenset[str], tuple[str, ...]], ...] = (
    (_("enter results, say who advances after a draw"), frozenset({"enter", "go_on"}), (JUDGE, SCOREKEEPER)),
    (
        _("check players in, call a judge to a table"),
        frozenset({"check_in", "check_in_team", "call_judge"}),
        (JUDGE, SCOREKEEPER),
    ),
    (
        _("rule on results, also in closed rounds; give penalty points; answer judge calls"),
        frozenset({"rule", "penalise", "answer_call", "close_call", "note_ruling"}),
        (JUDGE,),
    ),
    (
        _("run the round clock, give extra time, announce"),
        frozenset({"start_clock", "pause_clock", "extend", "announce", "take_down"}),
        (JUDGE,),
    ),
    (
        _("change who sits where, end a table for a no-show"),
        frozenset(
            {"swap", "move", "seat_together", "no_show", "fix_table"}
            | {"choose_house", "set_houses", "draw_houses"}
        ),
        (JUDGE,),
    ),
    (
        _("correct names, hand in army lists, drop and reinstate players"),
        frozenset({"amend", "amend_team", "hand_in", "drop", "come_back"}),
        (JUDGE,),
    ),
    (
        _("answer for a captain, pair a team match again"),
        frozenset({"propose", "take_back", "rest_by_lot", "pair_anew"}),
        (JUDGE,),
    ),
    (
        _(
            "pair, open, close and cancel rounds, enter and remove players, undo, change settings, "
            "invite helpers, make new links, finalise standings: everything else"
        ),
        frozenset(),
        (),
    ),
)
"""What helpers may do, as the page of helpers says it: the actions, and who may besides organisers."""


def _of(role: str) -> frozenset[str]:
    return frozenset().union(*(actions for _title, actions, may_do in RIGHTS if role in may_do))


ALLOWED = {
    GUEST: frozenset({"register", "register_team"}),
    PLAYER: _PLAYER,
    SCOREKEEPER: _of(SCOREKEEPER),
    JUDGE: _of(JUDGE),
}
"""What each role may do; an organiser may do everything, a judge corrects and rules but deletes nothing."""


def may(role: str, action: str) -> bool:
    """Whether a role may do this."""
    return role == ORGANISER or action in ALLOWED.get(role, ())


def refuse(role: str, action: str) -> None:
    """Refuse (403) an action that a role may not do."""
    if not may(role, action):
        raise RequestRefused(say(_("Only the organisers of the event can do this.")), 403, "not_allowed")
