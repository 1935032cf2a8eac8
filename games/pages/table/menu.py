"""The menu of a table: where else it leads."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from games.core.system import system
from games.models import Match
from games.pages.table import hints
from games.people.seats import Phone
from games.view_models import Link, MenuGroup


def groups(match: Match, phone: Phone, event: Link | None) -> tuple[MenuGroup, ...]:
    """The menu under three headings; `event` is the way to the event that the table belongs to."""
    of_match = [*((event,) if event else ()), *_of_match(match, phone)]
    return (
        MenuGroup(_("Match"), tuple(of_match)),
        MenuGroup(_("Players"), tuple(_of_people(match, phone))),
        MenuGroup(_("Reference"), tuple(_of_reference(match))),
    )


def _of_match(match: Match, phone: Phone) -> Iterator[Link]:
    code = [match.code]
    yield Link(reverse("table", args=code), _("Table"), "table", current=True)
    yield Link(reverse("watch", args=code), _("Page for watchers"), "watch")
    if phone.seats and match.result is None:
        yield Link(reverse("piece", args=[*code, "table"]), _("Correct the match"), "adjust")
    yield Link(reverse("score", args=code), _("Score card"), "finish")
    yield Link(reverse("history", args=code), _("History"), "history")
    if match.is_practice:
        yield hints.another_game()


def _of_people(match: Match, phone: Phone) -> Iterator[Link]:
    code, plays = [match.code], match.result is None
    if plays and not phone.seats:
        yield Link(reverse("join", args=code), _("Take a seat"), "plus")
    yield from _lists(match, phone)
    yield Link(reverse("seats", args=code), _("Seats and guests"), "people")
    if plays and phone.seats:
        yield Link(reverse("name", args=code), _("Change your name"), "adjust")


def _of_reference(match: Match) -> Iterator[Link]:
    code = [match.code]
    yield Link(reverse("table-rules", args=code), _("Rules"), "list")
    yield Link(reverse("print", args=code), _("Print on one page"), "list")
    yield Link(reverse("verify", args=code), _("Check random results"), "check")


def _lists(match: Match, phone: Phone) -> Iterator[Link]:
    """The army lists of this phone's seats, while they can be changed."""
    game = system(match.system)
    if match.round or match.result is not None or not game.brings_armies:
        return
    for seat in phone.seats:
        label = _("Army") if len(phone.seats) == 1 else f"{_('Army')} · {_(game.seat_names[seat])}"
        yield Link(reverse("army", args=[match.code, seat]), label)
