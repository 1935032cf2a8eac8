"""Which matches statistics are asked about: what a form or an address says, read and checked."""

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
"""As many letters of what was typed for a day are shown again."""
OTHERS = "others"
"""Stands for every faction that the game does not know, and for none: what people typed is not shown."""

PLAYED = Coalesce("finished_at", "changed_at")
"""When a match ended, or was played last."""

BAD_DATE = _("Please enter a date such as 2026-05-31.")


def counted() -> QuerySet[Match]:
    """The matches that statistics may speak of: listed tables on which people have begun to play.

    One that is shown late counts when it is over.
    """
    public = Match.objects.filter(is_listed=True, is_demo=False, is_practice=False).exclude(delay.LATE)
    return public.filter(Q(round__gt=0) | ~Q(finished_at=None))


def factions_of(game: System) -> dict[str, str]:
    """What can be played in a game → its name: its factions, or its seats where these are what is played."""
    return game.factions or game.seat_names


@dataclass(frozen=True)
class Asked:
    """The matches of a game that are wanted; "" and None narrow nothing.

    `faction` is one that took part. `since` and `until` are days, both included, on which a match ended
    (or was played last). `is_any` takes in matches that go on, too.
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
    """What was asked for; by field the sentences about what could not be read, and the days as typed."""

    asked: Asked
    typed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, Line] = field(default_factory=dict)


def read(game: System, sent: Mapping[str, Any]) -> Reading:
    """What a form or an address asks for; what cannot be read narrows nothing and gets its sentence."""
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
        is_first = name == "since"
        found.asked = replace(found.asked, since=day) if is_first else replace(found.asked, until=day)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
