"""The board before the match begins: who is still missing, and where the army lists are."""

from __future__ import annotations

from django.urls import reverse
from msgspec.structs import replace

from games import view_models
from games.hall import event_tables
from games.pages.table.loaded import Table
from games.translation import gettext as _
from games.view_models.game_page import Page


def with_lobby(
    shown: view_models.Board, table: Table, page: Page, seats: tuple[str, ...]
) -> view_models.Board:
    """The board with what is to be done before the match begins, for a phone with these seats."""
    free = [chair.key for chair in table.open_seats]
    sides = tuple(
        replace(side, empty=_("This seat is free.")) if side.key in free and not side.groups else side
        for side in shown.sides
    )
    if table.match.result is not None:
        return replace(shown, sides=sides)
    seat, hint = shown.seat, _hint(table, page, shown.seat)
    ways, notice = shown.ways, shown.notice
    if seat:
        ways = army_way(table, seat)
        notice = notice or (_handed_in(table, seat) if ways else None)
    return replace(
        shown,
        sides=sides,
        middle=replace(shown.middle, invitee=_invitee(table, page, seats) if seat else None),
        question=replace(shown.question, hint=hint or shown.question.hint),
        ways=ways,
        notice=notice,
    )


def _hint(table: Table, page: Page, seat: str) -> str:
    """What to do about a free seat; "" for nothing, or for the seat that is asked."""
    free = [chair.key for chair in table.open_seats]
    if not free:
        return ""
    if not seat:
        is_somebody_here = len(free) < len(table.state.seats)
        return _("There is a free seat: take it to play, or just watch.") if is_somebody_here else ""
    names = _(", ").join(page.name(key) for key in free if key in table.awaited)
    if seat in table.awaited or not names:
        return ""
    return _("Not here yet: %(names)s. Let them scan the QR code of this table.") % {"names": names}


def army_way(table: Table, seat: str) -> tuple[view_models.Link, ...]:
    """The link to a seat's army list, until it is ready."""
    state = table.state
    if state.round or state.result is not None or not table.game.brings_armies or state.armies[seat].ready:
        return ()
    label, tone = _("Paste your list"), "main"
    if table.game.roster(state, seat) is not None:
        label, tone = _("Correct the list"), ""
    elif event_tables.is_list_waiting(table.match.code, seat):
        label, tone = _("Paste it here instead"), ""
    return (view_models.Link(reverse("army", args=[table.match.code, seat]), label, "list", tone=tone),)


def _handed_in(table: Table, seat: str) -> view_models.Notice | None:
    """That this seat's list is in its event's keeping, as long as it is asked for here."""
    is_here = table.game.roster(table.state, seat) is not None
    return None if is_here else event_tables.waiting_list(table.match.code, seat)


def _invitee(table: Table, page: Page, seats: tuple[str, ...]) -> view_models.Invitee | None:
    """The first seat still open; once all have come, the other players, if this device has not every seat."""
    code = table.match.code
    if table.open_seats:
        chair = table.open_seats[0]
        return view_models.Invitee(
            page.marks[chair.key],
            _("%(name)s is not here yet") % {"name": page.name(chair.key)},
            reverse("invitation", args=[code, chair.key, chair.epoch]),
            code,
            reverse("seats", args=[code]),
        )
    others = [key for key in table.state.seats if key not in seats]
    if not others:
        return None
    names = _(", ").join(map(page.name, others))
    return view_models.Invitee(page.marks[others[0]], _("Joined: %(names)s") % {"names": names})
