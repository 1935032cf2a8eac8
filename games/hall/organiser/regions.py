"""What updates by itself on the organisers' pages: drawn once for each version, language and role."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games import translation
from games.hall import access, roles, rooms
from games.hall import event_undo as undoing
from games.hall.kept import Kept
from games.hall.models import Helper
from games.hall.organiser import hall as halls
from games.hall.organiser.access import Visit
from games.hall.organiser.hall import Hall, hall_of
from games.hall.organiser.next_step import next_step
from games.hall.pages import rounds
from games.hall.pages.region import ANNOUNCED
from games.hall.roles import may
from games.hall.rooms import WALL
from games.hall.rules import drawing
from games.hall.rules import seen as rounds_seen
from games.hall.rules.pieces import OPEN, Announcement
from games.history import logbook
from games.live import listeners
from games.live.hub import Audience
from games.templating import part
from games.view_models import organiser as parts
from games.view_models.watch import Feed
from games.web import clock
from games.web.program import origin

FEW, SOME = 12, 40
"""Up to this many tables are large on the wall, and up to this many are of middle size."""
SHORT = 6
"""Up to this many tables the organisers' page lists by number; with more, those done are folded."""
BEAT = 10
"""Seconds after which a region with a running clock is drawn again for the next request."""

DRAWN: Kept[SafeString] = Kept(256)


def overview_html(code: str, audience: Audience) -> str:
    """The organisers' region for a stream, for the role that its ticket's holder has now."""
    return _once(code, audience.language, "organiser", _role(code, audience))


def wall_html(code: str, audience: Audience) -> str:
    """The wall for a stream."""
    return _once(code, audience.language, "wall", "")


VIEWS: dict[str, Callable[[str, Audience], str]] = {"organiser": overview_html, "wall": wall_html}
"""What streams of an event show, by the kind of view."""


def html(visit: Visit, view: str) -> SafeString:
    """The region that this phone sees."""
    role = visit.actor.role if view == "organiser" else ""
    return _once(visit.code, get_language() or "en", view, role)


def _once(code: str, language: str, view: str, role: str) -> SafeString:
    hall = hall_of(code)
    mark = (hall.version, hall.event.chain, _beat(hall))
    return DRAWN.get((code, language, view, role), mark, lambda: _draw(hall, language, view, role))


def _draw(hall: Hall, language: str, view: str, role: str) -> SafeString:
    with translation.override_game(hall.event.system, language):
        if view == "organiser":
            return part("hall/organiser/overview_region.html", region=overview(hall, role))
        return part("hall/organiser/wall_region.html", region=wall_region(hall))


def _beat(hall: Hall) -> int:
    """Changes every few seconds while the clock runs: a page without scripts shows it as it was drawn."""
    last = hall.state.last
    return int(clock.seconds()) // BEAT if last is not None and last.running_since is not None else 0


def overview(hall: Hall, role: str) -> parts.OverviewRegion:
    """What the organisers see of a hall; words in the active language."""
    g, following = hall.state, next_step(hall, role)
    waiting, folded = _by_need(halls.tables(hall, hall.current))
    return parts.OverviewRegion(
        version=hall.version,
        news=following.title,
        standing=_standing(hall),
        next=following,
        calls=tuple(_call(hall, number, role) for number in sorted(hall.open_calls().values())),
        clock=halls.hall_clock(g, _clock_buttons(hall, role)),
        title=_("Tables of round %(number)s") % {"number": _(", ").join(map(str, halls.rounds_of(g)))},
        tables=waiting,
        folded_title=_done_tables(len(folded)),
        folded=folded,
        jumps=len(waiting) > SHORT,
        byes=halls.byes(g, hall.current),
        done=_newest(hall, role),
        announcements=tuple(_said(one, role) for one in g.announced()[:ANNOUNCED]),
    )


def wall_region(hall: Hall) -> parts.WallRegion:
    """Every table of the current rounds, first those that need somebody."""
    g, last = hall.state, hall.state.last
    tables = _first(halls.tables(hall, hall.current), URGENT)
    done = sum(one.tone == "done" for one in tables)
    size = "few" if len(tables) <= FEW else "some" if len(tables) <= SOME else "many"
    news = g.news()
    return parts.WallRegion(
        version=hall.version,
        news="",
        title=_("Round %(number)s") % {"number": last.number} if last is not None else _("No round yet"),
        counted=_("%(done)s of %(all)s tables done") % {"done": done, "all": len(tables)} if tables else "",
        clock=halls.hall_clock(g),
        tables=tables,
        size=size,
        said=_said(news) if news is not None else None,
    )


URGENT = ("called", "contested")
"""Which tables come first on the wall."""


def _first(tables: tuple[parts.HallTable, ...], tones: tuple[str, ...]) -> tuple[parts.HallTable, ...]:
    """The tables by number, those with these tones before the others."""
    return tuple(sorted(tables, key=lambda one: tones.index(one.tone) if one.tone in tones else len(tones)))


def _by_need(tables: tuple[parts.HallTable, ...]) -> tuple[tuple[parts.HallTable, ...], ...]:
    """In a small hall all by number; in a larger one what needs somebody first, and what is done apart."""
    if len(tables) <= SHORT:
        return tables, ()
    waiting = tuple(one for one in tables if one.tone != "done")
    return _first(waiting, (*URGENT, "reported")), tuple(one for one in tables if one.tone == "done")


def _done_tables(count: int) -> str:
    return ngettext("%(count)s table done", "%(count)s tables done", count) % {"count": count}


def feed(visit: Visit, view: str) -> Feed:
    """Where the page gets news of the hall."""
    return Feed(
        stream_url(visit, view),
        f"{reverse('wall-stream', args=[visit.code])}?view={view}&program={origin()}",
        f"{reverse('wall-news', args=[visit.code])}?view={view}&program={origin()}",
        origin(),
        int(clock.seconds()),
    )


def version_of(visit: Visit) -> int:
    """The current version of what these pages show."""
    return rooms.version(WALL + visit.code, visit.event)


def stream_url(visit: Visit, view: str) -> str:
    """A fresh address of the stream; a helper's stream ends when their link does.

    Whoever is logged in to the admin acts by that, whatever place their phone holds; the ticket names the
    role.
    """
    place, language = visit.actor.place, get_language() or "en"
    if place is None:
        return listeners.stream_url(WALL + visit.code, Audience((), language, view, visit.actor.role), ())
    name = access.name_of(place)
    return listeners.stream_url(WALL + visit.code, Audience((name,), language, view), ((name, place.epoch),))


# --- parts -----------------------------------------------------------------------------------------


def _role(code: str, audience: Audience) -> str:
    """The role of a ticket's holder; it names the role itself for those who have it by the admin."""
    if not audience.seats:
        return audience.speaker or roles.ORGANISER
    number = audience.seats[0][1:]
    found = Helper.objects.filter(event__code=code, pk=number).values_list("role", flat=True).first()
    return found or roles.GUEST


def _standing(hall: Hall) -> str:
    g, last = hall.state, hall.state.last
    return rounds.name_of(g, last) if last is not None and drawing.rounds_in_all(g) else ""


def _clock_buttons(hall: Hall, role: str) -> tuple[parts.Button, ...]:
    last = hall.state.last
    if last is None or last.state != OPEN or not may(role, "extend"):
        return ()
    seen = rounds_seen.mark(hall.state)
    turn = (
        parts.Button(f"start_clock {seen}", _("Start"), icon="go")
        if last.running_since is None
        else parts.Button(f"pause_clock {seen}", _("Pause"))
    )
    return (turn, parts.Button(f"extend 5 all {seen}", _("+5 min")))


def _call(hall: Hall, number: int, role: str) -> parts.CallRow:
    call = hall.state.calls[str(number)]
    pairing = hall.state.pairings.get(call.pairing)
    table = str(pairing.table) if pairing is not None and pairing.table else ""
    title = _("Table %(table)s calls a judge") % {"table": table}
    asker = hall.state.called(call.player) if call.player in hall.state.players else ""
    text = ": ".join(part for part in (asker, call.question) if part)
    buttons = []
    if may(role, "answer_call") and not call.comes:
        buttons.append(parts.Button(f"answer_call {number}", _("On my way"), "main"))
    if may(role, "close_call"):
        buttons.append(parts.Button(f"close_call {number}", _("Done"), "quiet"))
    url = reverse("organise-table", args=[hall.event.code, call.pairing])
    comes = _("%(name)s comes") % {"name": call.comes} if call.comes else ""
    return parts.CallRow(
        number=number,
        title=title,
        url=url,
        text=text,
        comes=comes,
        asked=halls.moment(call.asked_at),
        buttons=tuple(buttons),
    )


def _said(one: Announcement, role: str = "") -> parts.Said:
    """An announcement, with the button that takes it down for those who may."""
    may_take_down = bool(role) and may(role, "take_down")
    button = (
        parts.Button(f"take_down {one.number}", _("Take down"), "quiet", "close") if may_take_down else None
    )
    return parts.Said(one.text, one.author, halls.moment(one.said_at), button)


def _newest(hall: Hall, role: str) -> parts.Done | None:
    """The newest action not undone; organisers may undo it."""
    found = undoing.not_undone(hall.event, 1)
    if not found:
        return None
    is_free = may(role, "undo") and any(undoing.may_undo(hall.state, found))
    button = parts.Button(f"undo {found[0].version}", _("Undo"), "quiet", "undo") if is_free else None
    return parts.Done(halls.sentences(logbook.lines_for(found[0])), button)
