"""Watching with a delay: the seats choose how much later spectators see their match.

While a match is played and shown late, addresses that would give away its current state are closed to
everybody without a seat, and the pages made for watching show the earlier position.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from games.core import RequestRefused, say
from games.core import gettext_noop as _
from games.match import play
from games.models import Entry, Match
from games.prepared import Prepared
from games.web import clock

AT_ONCE, ROUND = 0, -1
CHOICES = (AT_ONCE, 5, 15, ROUND)
"""Minutes; or until the round is over."""
LATE = Q(finished_at=None) & ~Q(watch_delay=AT_ONCE)
"""Matches that are shown late; once a match is over, all of it may be seen."""
CHOSEN = {
    AT_ONCE: _("Spectators now see the match without delay."),
    5: _("Spectators now see the match with a 5-minute delay."),
    15: _("Spectators now see the match with a 15-minute delay."),
    ROUND: _("Spectators now see each round once it is over."),
}
VERB = "watchers"


def is_late(code: str) -> bool:
    """Whether this table is shown late to spectators now."""
    return bool(_LATE(code))


_LATE = Prepared(lambda code: Match.objects.filter(LATE, code=code).order_by(), only=("id",))


def shown_version(match: Match) -> int:
    """The version of a match that watchers see now."""
    if match.watch_delay == AT_ONCE or match.finished_at is not None:
        return match.version
    entries = Entry.objects.filter(match=match)
    if match.watch_delay == ROUND:
        entries = entries.filter(round__lt=match.round)
    else:
        until = clock.now() - timedelta(minutes=match.watch_delay)
        entries = entries.filter(created_at__lte=until)
    newest = entries.order_by("-version").values_list("version", flat=True).first()
    # The opening says only who sits down to play.
    return max(1, newest or 1)


def seconds_behind(match: Match) -> int | None:
    """How long ago was what watchers see now; None if it stands still until a round is over."""
    if match.watch_delay == AT_ONCE or match.finished_at is not None:
        return 0
    return None if match.watch_delay == ROUND else 60 * match.watch_delay


def choose(code: str, seat: str, minutes: int | None) -> None:
    """Delay a match for watchers by `minutes` (one of `CHOICES`), and say so in the log.

    `RequestRefused`: no such choice (422); a table of an event (409), which is always shown at once.
    """
    if minutes not in CHOICES:
        raise RequestRefused(say(_("There is no such choice.")), 422, "unreadable")
    with transaction.atomic():
        match = play.lock_match(code)
        if match.watch_delay == minutes:
            return
        if minutes != AT_ONCE and match.pairings.exists():
            raise RequestRefused(say(_("The tables of an event are shown at once.")), 409, "in_event")
        Match.objects.filter(pk=match.pk).update(watch_delay=minutes)
        play.remark(code, say(CHOSEN[minutes]), match.armies.get(key=seat).name, VERB)
