"""Which matches statistics are about: what a form or an address asks for, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThanOrEqual, LessThan
from django.utils import timezone

from games.core.system import System
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.match import delay
from games.models import Army, Match

YEARS = range(2000, 2101)
LONGEST = 20
"""How many characters of a typed date are shown again."""
OTHERS = "others"
"""Stands for every faction that the game does not know, and for none: what people typed is never shown."""

PLAYED = Coalesce("finished_at", "changed_at")
"""When a match ended, or was last played."""

BAD_DATE = _("Please enter a date such as 2026-05-31.")


def counted() -> QuerySet[Match]:
    """The matches that statistics may count: listed tables at which play has begun.

    A match that is shown late counts once it is over.
    """
    public = Match.objects.filter(is_listed=True, is_demo=False, is_practice=False).exclude(delay.LATE)
    return public.filter(Q(round__gt=0) | ~Q(finished_at=None))


def factions_of(game: System) -> dict[str, str]:
    """The factions of a game → their names; in a game without factions, its seats."""
    return game.factions or game.seat_names


@dataclass(frozen=True)
class Asked:
    """The wanted matches of a game; "" and None mean any.

    `faction` is one that took part. `since` and `until` are the first and last day, both included, on which a
    match ended (or was last played). `is_any` includes matches that are still going on.
    """

    game: str
    mode: str = ""
    faction: str = ""
    since: date | None = None
    until: date | None = None
    is_any: bool = False

    def matches(self, game: System) -> QuerySet[Match]:
        """These matches."""
        found = counted().filter(system=self.game).order_by()
        if not self.is_any:
            found = found.exclude(finished_at=None)
        if self.mode:
            found = found.filter(mode=self.mode)
        if self.faction:
            column = "faction" if game.factions else "key"
            sides = Army.objects.filter(match=OuterRef("pk"), **{column: self.faction})
            found = found.filter(Exists(sides))
        if self.since:
            found = found.filter(GreaterThanOrEqual(PLAYED, _midnight(self.since)))
        if self.until:
            found = found.filter(LessThan(PLAYED, _midnight(self.until + timedelta(days=1))))
        return found


@dataclass
class Reading:
    """What was asked for; by field the sentences about unreadable values, and the dates to show again."""

    asked: Asked
    typed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, Line] = field(default_factory=dict)


def read(game: System, sent: Mapping[str, Any]) -> Reading:
    """What a form or an address asks for; an unreadable value narrows nothing and gets a sentence."""
    found = Reading(Asked(game.slug))
    _choose(found, sent, "mode", {mode.slug for mode in game.modes}, _("This game has no such mode."))
    _choose(found, sent, "faction", factions_of(game).keys(), _("This game has no such faction."))
    for name in ("since", "until"):
        _read_date(found, sent, name)
    _choose(found, sent, "which", {"any"}, _("Please choose finished matches or all of them."))
    since, until = found.asked.since, found.asked.until
    if since and until and since > until:
        found.errors["until"] = say(_("The last day comes before the first."))
    return found


def _choose(found: Reading, sent: Mapping[str, Any], name: str, known: Any, refusal: str) -> None:
    value = sent.get(name, "")
    if not value:
        return
    if value not in known:
        found.errors[name] = say(refusal)
    elif name == "which":
        found.asked = replace(found.asked, is_any=True)
    else:
        found.asked = replace(found.asked, **{name: value})


def _read_date(found: Reading, sent: Mapping[str, Any], name: str) -> None:
    value = sent.get(name, "").strip()
    if not value:
        return
    found.typed[name] = value[:LONGEST]
    try:
        day = date.fromisoformat(value)
    except ValueError:
        found.errors[name] = say(BAD_DATE)
        return
    if day.year not in YEARS:
        found.errors[name] = say(BAD_DATE)
    else:
        # A date field takes no other form than this one.
        found.typed[name] = day.isoformat()
        is_first = name == "since"
        found.asked = replace(found.asked, since=day) if is_first else replace(found.asked, until=day)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
