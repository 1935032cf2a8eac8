"""The pairings of the newest round: look at them, swap, make by hand, draw again, call off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.core.system import system
from games.core.validation import name_key
from games.hall.organiser import hall as halls
from games.hall.organiser.access import Visit
from games.hall.organiser.actions import called, groups_as_text
from games.hall.organiser.hall import hall_of
from games.hall.organiser.pages import Made
from games.hall.organiser.regions import SHORT
from games.hall.rules import drawing, running
from games.hall.rules import seen as rounds_seen
from games.hall.rules.pieces import CLOSED, DRAFTED, OPEN, OVER, Gathering, Pairing, Round
from games.view_models import Link, Option
from games.view_models import organiser as parts


def pairings(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The newest round; while it is only drafted it can be swapped, drawn again, made by hand, called off."""
    hall = hall_of(visit.code)
    g, last = hall.state, hall.state.last
    if last is None:
        return _("Pairings"), {
            "page": parts.PairingsPage(
                title="",
                tables=(),
                byes="",
                hint=_("No round is drawn up yet."),
                mode=None,
                swapping=(),
                by_hand=None,
                buttons=(),
            )
        }
    is_drafted, may = last.state == DRAFTED, visit.may
    tables = halls.tables(hall, g.at(last.number))
    page = parts.PairingsPage(
        title=_("Round %(number)s") % {"number": last.number},
        tables=tables,
        jumps=is_drafted and len(tables) > SHORT,
        byes=halls.byes(g, g.at(last.number)),
        hint=_("This round is open: its pairings no longer change.") if last.state == OPEN else "",
        mode=_mode_field(g, last.mode) if is_drafted and may("set_mode") else None,
        swapping=_swapping(g, g.at(last.number), sent) if is_drafted and may("swap") else (),
        by_hand=_hand_field(g, last.number, sent) if is_drafted and may("by_hand") else None,
        is_by_hand="groups" in sent or not tables,
        buttons=tuple(_buttons(visit, g, last)),
        seen=rounds_seen.mark(g),
        ways=_to_print(visit, g),
    )
    return _("Pairings"), {"page": page}


def _buttons(visit: Visit, g: Gathering, last: Round) -> Iterator[parts.Button]:
    """What may be done with the newest round as a whole."""
    is_drafted, may, seen = last.state == DRAFTED, visit.may, rounds_seen.mark(g)
    if is_drafted and may("open_round"):
        yield parts.Button(f"open_round {seen}", _("Open round %(number)s") % {"number": last.number}, "main")
    if is_drafted and may("repair") and g.kind != drawing.FREE:
        yield parts.Button(f"repair {seen}", _("Draw again"), "", "roll")
    following = last.number + 1
    if last.state == OPEN and running.overlaps(g, following) and may("pair"):
        yield parts.Button(f"pair {seen}", _("Draw round %(number)s") % {"number": following}, "", "roll")
    if last.state != CLOSED and may("call_off"):
        yield parts.Button(f"call_off {seen}", _("Call this round off"), "danger")
    if last.state == CLOSED and may("finish") and g.status != OVER:
        # Next comes another round, unless somebody has said how many there are.
        yield parts.Button(f"finish {seen}", _("Standings final"), "quiet")
    if last.state == CLOSED and may("reopen"):
        yield parts.Button(f"reopen {seen}", _("Open this round again"), "quiet")


def _to_print(visit: Visit, g: Gathering) -> tuple[Link, ...]:
    """Links to pages to hang up in the hall: where everybody plays, once that is settled, and standings."""
    assert g.last is not None
    standings = Link(reverse("event-print-standings", args=[visit.code]), _("Print the standings"), "finish")
    if g.last.state == DRAFTED:
        return (standings,)
    where = reverse("event-print-round", args=[visit.code, g.last.number])
    return (Link(where, _("Print the pairings"), "list"), standings)


def _mode_field(g: Gathering, mode: str) -> parts.Field | None:
    modes = system(g.system).modes
    if len(modes) < 2:
        return None
    options = tuple(Option(one.slug, _(one.title), one.slug == mode) for one in modes)
    return parts.Field("mode", _("Mode of this round"), "select", options=options)


def _swapping(g: Gathering, found: Iterable[Pairing], sent: Mapping[str, Any]) -> tuple[parts.Field, ...]:
    """Two players to swap, at first of different pairings: swapping two of one pairing changes nothing."""
    groups = {key: one.players for one in found for key in one.players}
    keys = sorted(groups, key=lambda key: name_key(called(g, key)))
    if len(keys) < 2:
        return ()
    first = sent.get("one", keys[0])
    apart = [key for key in keys if key not in groups.get(first, ())]
    chosen = {"one": first, "other": sent.get("other", (apart or keys)[0])}
    return tuple(
        parts.Field(
            name,
            label,
            "select",
            options=tuple(Option(key, called(g, key), key == chosen[name]) for key in keys),
        )
        for name, label in (("one", _("This player")), ("other", _("and this player")))
    )


def _hand_field(g: Gathering, number: int, sent: Mapping[str, Any]) -> parts.Field:
    groups = [one.players for one in g.at(number)] or [(key,) for key in drawing.present(g, number)]
    text = sent.get("groups", groups_as_text(g, groups))
    help = _("One table per line, names separated by “/”; a name alone gets a bye.")
    return parts.Field("groups", _("Pair by hand"), "area", value=text, help=help)
