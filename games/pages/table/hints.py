"""Hints beside a board for newcomers: first steps, and what to do about a free seat."""

from __future__ import annotations

from django.urls import reverse

from games import view_models
from games.core.records import replace
from games.match import practice
from games.pages.table.loaded import Table
from games.translation import gettext as _
from games.view_models.game_page import Page


def with_first_steps(shown: view_models.Board, table: Table, page: Page, seat: str) -> view_models.Board:
    """The board with what a newcomer is told, and with the next control marked."""
    found = practice.suggestion(table.state, seat)
    if found is None:
        return replace(shown, first_steps=_after(table))
    shown, control = view_models.pointed(shown, found.controls(seat))
    # A control on a side is tapped by that side's player, one in the bar by the player who is asked.
    mark = control.mark or page.marks[seat]
    name = next(page.name(key) for key, number in page.marks.items() if number == mark)
    text = _(found.text) if found.text else ""
    links = (another_game(),) if table.match.version == 1 else ()
    steps = view_models.FirstSteps(
        title=_("First steps"), text=text, tap=control.says, name=name, mark=mark, links=links
    )
    return replace(shown, first_steps=steps)


def another_game() -> view_models.Link:
    """The link to the games that a newcomer can try."""
    return view_models.Link(reverse("first-steps"), _("Try another game"), "table")


def _after(table: Table) -> view_models.FirstSteps:
    """What a newcomer is told once the round is over, and where to go from there."""
    links = (
        view_models.Link(
            f"{reverse('new')}?game={table.match.system}", _("Start a real table"), "plus", tone="main"
        ),
        another_game(),
    )
    text = _("That was a whole round. At a real table everybody taps on their own phone.")
    return view_models.FirstSteps(_("First steps"), text, links=links)


def of_lobby(table: Table, page: Page, seat: str) -> str:
    """What to do about a free seat before the match begins; "" for nothing, or for the seat that is asked."""
    free = [chair.key for chair in table.open_seats]
    if table.state.round or not free or table.match.result is not None:
        return ""
    if not seat:
        is_somebody_here = len(free) < len(table.state.seats)
        return _("There is a free seat: take it to play, or just watch.") if is_somebody_here else ""
    names = _(", ").join(page.name(key) for key in free if key in table.awaited)
    if seat in table.awaited or not names:
        return ""
    line = _("Not here yet: %(names)s. Let them scan the QR code of this table.")
    return line % {"names": names}


def of_side(side: view_models.Side, table: Table) -> view_models.Side:
    """Before the match begins, an empty side whose seat is free says that nobody has it."""
    is_free = any(chair.key == side.key for chair in table.open_seats)
    is_empty = is_free and not table.state.round and not side.groups
    return replace(side, empty=_("Nobody has this seat yet.")) if is_empty else side
