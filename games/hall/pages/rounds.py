"""Rounds as pages show them: the clock, who plays whom, and the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.system import system
from games.core.words import gettext_noop as noop
from games.core.words import isolated
from games.hall.rules import drawing, knockout, results
from games.hall.rules.pieces import (
    AGREED,
    CONTESTED,
    CUT,
    DRAFTED,
    ENTERED,
    LEFT,
    LOSS,
    OPEN,
    REPORTED,
    Gathering,
    Pairing,
    Round,
)
from games.view_models import hall as parts
from games.web import clock as clocks

STATES = {
    OPEN: noop("being played"),
    REPORTED: noop("reported"),
    CONTESTED: noop("contested"),
    AGREED: noop("agreed"),
    ENTERED: noop("entered"),
}
"""A pairing's state in one word, short enough to fit beside its players on a phone."""


def shown(g: Gathering) -> Round | None:
    """The newest round that players may see: not a drafted one, which can still change."""
    return max(
        (one for one in g.rounds.values() if one.state != DRAFTED), key=lambda one: one.number, default=None
    )


def name_of(g: Gathering, found: Round) -> str:
    """A round in words: "Round 2 of 5", "Final"."""
    if found.stage == CUT:
        return _of_knockout(knockout.rounds_left(g, found.number))
    most = drawing.rounds_in_all(g)
    if most:
        return _("Round %(number)s of %(count)s") % {"number": found.number, "count": most}
    return _("Round %(number)s") % {"number": found.number}


def _of_knockout(left: int) -> str:
    known = {1: _("Final"), 2: _("Semi-finals"), 3: _("Quarter-finals")}
    return known.get(left) or _("Last %(count)s") % {"count": 2**left}


def mode_of(g: Gathering, mode: str) -> str:
    """A mode in the words of the event's game."""
    return _(system(g.system).mode(mode).title)


def labels(g: Gathering) -> dict[str, str]:
    """What forms call each number of a result."""
    return {
        "vp": _("Points") if g.size > 2 else _("Victory points"),
        "destroyed": _("Points destroyed"),
        "scenario": _("Scenario points"),
        "vim": _("VIM of the opponent removed in turn"),
        "place": _("Place"),
        "points": _("Tournament points"),
    }


def numbers_in_words(g: Gathering, scores: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """What a result says beyond its points, one kind of number at a time: "Points destroyed: Ada 12"."""
    for name in results.asked(g):
        told = [
            f"{isolated(g.called(key))} {scores[key][name]}"
            for key in results.in_order(g, scores)
            if name in scores[key]
        ]
        if told and name != "vp":
            yield _("%(field)s: %(problem)s") % {"field": labels(g)[name], "problem": _(", ").join(told)}


def clock_of(g: Gathering, found: Round | None, extra: int = 0) -> parts.HallClock | None:
    """The hall clock of an open round; None if there is none."""
    if found is None or found.state != OPEN or g.is_league or not found.minutes:
        return None
    now = int(clocks.seconds())
    left, more = found.left(now, extra), (found.extended + extra) // 60
    note = ngettext("%(count)d minute added", "%(count)d minutes added", more) % {"count": more}
    if found.running_since is not None:
        label, ends = _("Time left"), now + left
    else:
        label, ends = (_("The clock is paused") if found.run else _("The clock has not started")), 0
    return parts.HallClock(label, span(left), ends, 60 * found.overtime, note if more > 0 else "")


def span(seconds: int) -> str:
    """Minutes and seconds, as the clock counts them."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"


def until(found: Round) -> str:
    """The last day of a league's round; "" for a round in a hall."""
    if found.until is None:
        return ""
    day = timezone.localtime(datetime.fromtimestamp(found.until, UTC))
    return _("To be played until %(day)s") % {"day": date_format(day, "DATE_FORMAT")}


def rows(g: Gathering, number: int) -> tuple[parts.PairingRow, ...]:
    """The pairings of a round."""
    return tuple(row(g, one) for one in g.at(number))


def row(g: Gathering, pairing: Pairing) -> parts.PairingRow:
    """One pairing."""
    return parts.PairingRow(
        key=pairing.key,
        table=pairing.table or 0,
        players=tuple(_paired(g, pairing)),
        state="bye" if pairing.is_bye else pairing.state,
        label=label_of(pairing),
        url=reverse("watch", args=[pairing.match]) if pairing.match else "",
    )


def label_of(pairing: Pairing) -> str:
    """A pairing's state in words."""
    if pairing.is_bye:
        return _("Loss") if pairing.how == LOSS else _("Bye")
    if pairing.how == LEFT:
        return _("The opponent has left")
    return _(STATES[pairing.state])


def seat_of(g: Gathering, pairing: Pairing, key: str) -> str:
    """A player's seat at a table of more than two, drawn as the round opens; "" before, and at one of two."""
    at = pairing.players.index(key)
    return pairing.seats[at] if g.size > 2 and at < len(pairing.seats) else ""


def seat_name(g: Gathering, seat: str) -> str:
    """A seat of the event's game in words, such as a house."""
    return _(system(g.system).seat_names.get(seat, seat)) if seat else ""


def mark_of(g: Gathering, seat: str) -> int:
    """The mark of a seat of the event's game; 0 for none."""
    seats = list(system(g.system).seat_names)
    return seats.index(seat) + 1 if seat in seats else 0


def _paired(g: Gathering, pairing: Pairing) -> Iterator[parts.Paired]:
    for key in pairing.players:
        player, numbers = g.players.get(key), pairing.results.get(key, {})
        seat = seat_of(g, pairing, key)
        yield parts.Paired(
            key,
            player.name if player else key,
            player.club if player else "",
            points=str(numbers["vp"]) if "vp" in numbers else "",
            wins=bool(pairing.winner) and pairing.winner == key and not pairing.is_bye,
            seat=seat_name(g, seat),
            mark=mark_of(g, seat),
        )
