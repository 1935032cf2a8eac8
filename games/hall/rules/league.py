"""A league: the dates that its players agree on, deadlines that move, and games that are overdue.

Functions change the copy they get.
"""

from __future__ import annotations

from games.core import IllegalAction, say
from games.core import gettext_noop as _
from games.hall.rules.event_results import open_pairing
from games.hall.rules.event_state import OPEN, EventState, Pairing


def propose(g: EventState, key: str, player: str, moment: int) -> None:
    """Propose when to play, or agree to what the opponents have proposed, by the same moment; 0: no date."""
    pairing = open_pairing(g, key, player)
    if not g.is_league:
        raise IllegalAction(say(_("Only a league has games to arrange.")))
    if pairing.is_decided or pairing.is_bye:
        raise IllegalAction(say(_("Table %(table)s has a result already."), table=pairing.table or 0))
    others = {who: told for who, told in pairing.dates.items() if who != player}
    pairing.dates = {**others, player: moment} if moment else {}
    name = g.players[player].name
    if not moment:
        g.say(_("%(name)s cancels the date of table %(table)s."), name=name, table=pairing.table or 0)
    elif pairing.agreed_for is not None:
        g.say(_("The players of table %(table)s have agreed on a date."), table=pairing.table or 0)
    else:
        g.say(_("%(name)s proposes a date for table %(table)s."), name=name, table=pairing.table or 0)


def move_deadline(g: EventState, number: int, until: int) -> None:
    """Have the games of an open round played until then."""
    found = g.rounds.get(str(number))
    if found is None or found.state != OPEN or not g.is_league:
        raise IllegalAction(say(_("This round is not open.")))
    found.until = until
    g.say(_("The deadline of round %(number)s is moved."), number=number)


def overdue(g: EventState, now: int) -> list[Pairing]:
    """The games that should have been played by now, the oldest first."""
    late = {one.number for one in g.rounds.values() if one.state == OPEN and (one.until or now) < now}
    return [one for number in sorted(late) for one in g.at(number) if not one.is_decided and not one.is_bye]
