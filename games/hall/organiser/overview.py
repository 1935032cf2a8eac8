"""The organisers' first page, the wall and the history: what is next, who needs somebody, what was done.

What updates by itself is drawn once for each version, language and role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import translation, view_models
from games.core import ViewModel, isolated, together
from games.hall import comparing, event_actions, event_file, event_links, event_undo
from games.hall.comparing import Comparison
from games.hall.event_actions import GUEST, ORGANISER, Kept, may, position_of
from games.hall.models import Event, EventEntry, Helper
from games.hall.organiser import hall_tables
from games.hall.organiser.hall_tables import Hall, HallTable, hall_of
from games.hall.organiser.organiser_page import AT_ONCE, Made, Visit, at_event, organiser_of, page_url
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.pages.rounds_and_standings import (
    ANNOUNCED,
    Announced,
    HallClock,
    announced,
    clock_of,
    latest,
    moment,
)
from games.hall.pages.team_matches import TeamMatchRow
from games.hall.rules import event_rounds, round_draw, seating_changes, team_rounds
from games.hall.rules.event_rounds import Changed
from games.hall.rules.event_state import (
    CONTESTED,
    DRAFTED,
    OPEN,
    OVER,
    PUT_UP,
    ROUND_ROBIN,
    Announcement,
    EventState,
    Pairing,
    Round,
)
from games.hall.rules.team_rounds import as_paired
from games.history import commits
from games.live import hub, rooms
from games.live.hub import Audience
from games.live.rooms import WALL
from games.pages.common import instant
from games.pages.opening import seating
from games.pages.watching.watch import feed_of
from games.templating import part
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models import Button, Feed, Instant, Link
from games.web import address_for_others, clock, picture_of


class Next(ViewModel):
    """The one next thing: a sentence, the button that does it, and a link to where it is done or checked.

    Where somebody has to be chosen there are `choices` instead of the button. `overdue` leads to the
    games of a league that should have been played by now.
    """

    title: str
    detail: str = ""
    button: Button | None = None
    link: Link | None = None
    choices: tuple[Button, ...] = ()
    overdue: tuple[Link, ...] = ()


class CallRow(ViewModel):
    """A call for a judge: where, by whom, about what, and who is coming."""

    number: int
    title: str
    url: str
    text: str
    comes: str
    asked: Instant
    buttons: tuple[Button, ...] = ()


class StaleDraw(ViewModel):
    """That results under the newest round have changed: what that changes, and what may be done about it."""

    text: str
    buttons: tuple[Button, ...]
    link: Link


class Done(ViewModel):
    """The newest action, with the button that undoes it."""

    text: str
    button: Button | None = None


class OverviewRegion(ViewModel):
    """What updates by itself on the organisers' page.

    `folded` are the tables that are done, apart from the others; `jumps` says that the list is long.
    """

    version: int
    news: str
    standing: str
    next: Next
    stale: StaleDraw | None = None
    calls: tuple[CallRow, ...] = ()
    clock: HallClock | None = None
    clock_buttons: tuple[Button, ...] = ()
    title: str = ""
    tables: tuple[HallTable, ...] = ()
    folded_title: str = ""
    folded: tuple[HallTable, ...] = ()
    jumps: bool = False
    matches: tuple[TeamMatchRow, ...] = ()
    byes: str = ""
    seatings: tuple[Button, ...] = ()
    done: Done | None = None
    announcements: tuple[Announced, ...] = ()


class WallRegion(ViewModel):
    """Every table of a round on one screen; `size` says how many there are: "few", "some" or "many"."""

    version: int
    news: str
    title: str
    counted: str
    clock: HallClock | None
    tables: tuple[HallTable, ...]
    size: str
    said: Announced | None = None


class AlteredNotice(ViewModel):
    """That something was changed outside the program: what comes first, and where to decide about it."""

    sentence: str
    url: str


class LogRow(ViewModel):
    """One action of the history; `state` is "", "undone" or "undo"."""

    who: str
    at: Instant
    lines: tuple[str, ...]
    state: str = ""
    button: Button | None = None


# --- the one next thing ------------------------------------------------------------------------------


FEW_TABLES = 4
"""Most tables that are named when a round waits for them."""


def next_step(hall: Hall, role: str) -> Next:
    """What comes next; somebody who may not do it is told who does."""
    step = _next(hall)
    step = replace(step, overdue=tuple(_overdue(hall)))
    if step.button is None or may(role, step.button.do.split()[0]):
        return step
    awaited = _("Waiting for an organiser: %(label)s") % {"label": step.button.label}
    return replace(step, detail=awaited, button=None)


def _next(hall: Hall) -> Next:
    g, last = hall.state, hall.state.last
    if g.status == OVER:
        return Next(_("The event is over"), _("The standings are final."), link=_standings(hall))
    if g.is_ladder and len(g.players) > 1:
        return _climbing(hall)
    if last is None:
        return _before_rounds(hall)
    if last.state == DRAFTED:
        return _drafted(hall, last)
    if opened := g.open_rounds:
        return _playing(hall, opened)
    if 0 < round_draw.rounds_in_all(as_paired(g)) <= last.number:
        title = _("All rounds are played")
        return Next(
            title, _("Check the standings once more."), _button(hall, "finish", _("Finalise standings"))
        )
    title = _("Round %(number)s is closed") % {"number": last.number}
    return Next(title, _here(hall), _draw(hall, last.number + 1))


def _before_rounds(hall: Hall) -> Next:
    g = hall.state
    here, everybody = _counted(hall)
    if not g.players or (g.is_league and here < event_rounds.fewest(g)):
        link = Link(_page(hall, "players"), _("Enter players"), "plus")
        detail = _("Let players register with the event code, or enter or paste them yourself.")
        return Next(_here(hall) if g.players else _("No players yet"), detail, link=link)
    missing = everybody - here
    checking_in = Link(_page(hall, "players"), _("Check players in"), "people")
    if here < event_rounds.fewest(g):
        return Next(_here(hall), _("Check in everyone who is here."), link=checking_in)
    if not missing:
        return Next(_here(hall), "", _draw(hall, 1))
    detail = ngettext(
        "%(count)s player is not checked in, and would not be paired.",
        "%(count)s players are not checked in, and would not be paired.",
        missing,
    )
    return Next(_here(hall), detail % {"count": missing}, _draw(hall, 1), checking_in)


def _climbing(hall: Hall) -> Next:
    """A ladder: what waits for a judge or a result, or else that nothing needs to be done."""
    g = hall.state
    waiting = [event_round for event_round in g.open_rounds if not g.is_decided(event_round.number)]
    if waiting:
        return _playing(hall, waiting)
    detail = _("Players challenge each other on their phones. To end the ladder, finalise it under Pairings.")
    return Next(_here(hall), detail, link=_standings(hall))


def _draw(hall: Hall, number: int) -> Button:
    return _button(hall, "pair", _("Pair round %(number)s") % {"number": number})


def _button(hall: Hall, verb: str, label: str) -> Button:
    """A button of what is done with the rounds as they are shown here."""
    return Button(f"{verb} {event_rounds.mark(hall.state)}", label)


def _drafted(hall: Hall, last: Round) -> Next:
    number, g = last.number, hall.state
    tables = g.matches_at(number) if g.team_size else _tables(hall, last)
    if not tables and hall.state.kind != ROUND_ROBIN:
        link = Link(_page(hall, "pairings"), _("Pair by hand"), "people")
        return Next(_("Round %(number)s waits for its pairings") % {"number": number}, link=link)
    title = ngettext(
        "Round %(number)s is paired: %(count)s table",
        "Round %(number)s is paired: %(count)s tables",
        len(tables),
    ) % {"number": number, "count": len(tables)}
    if g.team_size:
        title = _("Round %(number)s is paired: %(teams)s") % {
            "number": number,
            "teams": _(", ").join(team_rounds.in_words(g, match) for match in g.matches_at(number)),
        }
    to_pairings = Link(_page(hall, "pairings"), _("Pairings"), "list")
    if left_out := event_rounds.unpaired(as_paired(hall.state), last):
        return Next(title, _(event_rounds.UNPAIRED) % {"names": _(", ").join(left_out)}, link=to_pairings)
    if event_rounds.changed(as_paired(hall.state)) is not None:
        return Next(
            title, _("Pair again, or keep these pairings. Then you can open the round."), link=to_pairings
        )
    detail = _("Each player’s phone then shows where to sit.")
    if g.team_size and g.team_tables == PUT_UP:
        detail = _("The captains then pair the tables on their phones.")
    opening = _button(hall, "open_round", _("Open round %(number)s") % {"number": number})
    return Next(title, detail, opening, to_pairings)


def _playing(hall: Hall, opened: list[Round]) -> Next:
    """A round in a hall, or every round of a league that is still being played."""
    g, last = hall.state, opened[-1]
    tables = [pairing for event_round in opened for pairing in _tables(hall, event_round)]
    missing = [pairing for pairing in tables if not pairing.is_decided]
    contested = [pairing for pairing in missing if pairing.state == CONTESTED]
    if contested:
        title = _("Table %(table)s is disputed") % {"table": contested[0].table}
        return Next(title, _("Hear both sides, then rule."), link=_to_table(hall, contested[0]))
    if level := next(filter(g.is_level, tables), None):
        title = _("Table %(table)s was a draw. Choose who advances.") % {"table": level.table}
        return Next(title, link=_to_table(hall, level), choices=going_on(g, level))
    if match := next(
        filter(None, (team_rounds.level(g, event_round.number) for event_round in opened)), None
    ):
        title = _(team_rounds.LEVEL) % {"teams": team_rounds.in_words(g, match)}
        teams_view = as_paired(g)
        return Next(title, choices=going_on(teams_view, teams_view.pairings[match.key]))
    if waiting := [match for match in g.matches_at(last.number) if match.question]:
        names = _(", ").join(team_rounds.in_words(g, match) for match in waiting)
        link = Link(_page(hall, "teams"), _("Teams"), "people")
        return Next(_("The captains are pairing: %(teams)s") % {"teams": names}, link=link)
    done = _("%(done)s of %(all)s tables done") % {
        "done": len(tables) - len(missing),
        "all": len(tables),
    }
    is_fresh = last.running_since is None and not last.run and not g.is_league and last.minutes
    if is_fresh and tables and len(missing) == len(tables):
        title = _("Round %(number)s is open") % {"number": last.number}
        return Next(title, done, _button(hall, "start_clock", _("Start the clock")))
    for event_round in opened:
        if all(pairing.is_decided for pairing in _tables(hall, event_round)):
            label = _("Close round %(number)s") % {"number": event_round.number}
            return Next(done, "", Button(f"close_round {event_round.number}", label))
    detail = _waiting(g, missing)
    return Next(done, detail, link=_to_table(hall, missing[0]) if len(missing) == 1 else None)


def going_on(g: EventState, level: Pairing) -> tuple[Button, ...]:
    """Who may go on after a draw."""
    label = _("%(name)s advances")
    return tuple(
        Button(f"go_on {level.key} {key}", label % {"name": isolated(g.called(key))}) for key in level.players
    )


def _overdue(hall: Hall) -> Iterator[Link]:
    g = hall.state
    for pairing in event_rounds.overdue(g, int(clock.seconds())) if g.is_league else ():
        names = " – ".join(isolated(g.called(key)) for key in pairing.players)
        line = _("Overdue: %(names)s") if g.is_ladder else _("Overdue: round %(number)s, %(names)s")
        label = line % {"number": pairing.round, "names": names}
        yield Link(reverse("organise-table", args=[hall.event.code, pairing.key]), label, "alert")


def _waiting(g: EventState, missing: list[Pairing]) -> str:
    if len(missing) > FEW_TABLES:
        return ""
    tables = _(", ").join(hall_tables.number_of(g, pairing) for pairing in missing)
    return ngettext("Waiting for table %(tables)s", "Waiting for tables %(tables)s", len(missing)) % {
        "tables": tables
    }


def _here(hall: Hall) -> str:
    here, everybody = _counted(hall)
    return here_in_words(hall.state, here, everybody)


def here_in_words(g: EventState, here: int, everybody: int) -> str:
    """How many are here; in a league, which has no check-in, how many play."""
    if g.is_league:
        return ngettext("%(count)d player", "%(count)d players", everybody) % {"count": everybody}
    return _("%(here)s of %(all)s checked in") % {"here": here, "all": everybody}


def _counted(hall: Hall) -> tuple[int, int]:
    """How many are here for the next round, of how many who have not left."""
    g = hall.state
    number = g.last.number + 1 if g.last is not None else 1
    staying = [player for player in g.players.values() if player.plays(number)]
    return len(g.present(number)), len(staying)


def _tables(hall: Hall, this_round: Round) -> list[Pairing]:
    return [pairing for pairing in hall.state.at(this_round.number) if not pairing.is_bye]


def _to_table(hall: Hall, pairing: Pairing) -> Link:
    url = reverse("organise-table", args=[hall.event.code, pairing.key])
    return Link(url, _("Go to table %(table)s") % {"table": pairing.table}, "go")


def _standings(hall: Hall) -> Link:
    return Link(reverse("event-standings", args=[hall.event.code]), _("Standings"), "finish")


def _page(hall: Hall, name: str) -> str:
    return reverse(f"organise-{name}", args=[hall.event.code])


# --- what updates by itself --------------------------------------------------------------------------


FEW, SOME = 12, 40
"""Up to this many tables are large on the wall, and up to this many are of middle size."""
SHORT = 6
"""Up to this many tables the organisers' page lists by number; with more, those done are folded."""
BEAT = 10
"""Seconds after which a region with a running clock is drawn again for the next request."""

DRAWN: Kept[SafeString] = Kept(256)


def overview_html(code: str, audience: Audience) -> str:
    """The organisers' region for a stream, for the role that its ticket's holder has now."""
    return _region(code, audience.language, "organiser", _role(code, audience))


def wall_html(code: str, audience: Audience) -> str:
    """The wall for a stream."""
    return _region(code, audience.language, "wall", "")


VIEWS: dict[str, Callable[[str, Audience], str]] = {"organiser": overview_html, "wall": wall_html}
"""What streams of an event show, by the kind of view."""


def html(visit: Visit, view: str) -> SafeString:
    """The region that this phone sees."""
    role = visit.actor.role if view == "organiser" else ""
    return _region(visit.code, get_language() or "en", view, role)


def _region(code: str, language: str, view: str, role: str) -> SafeString:
    hall = hall_of(code)
    mark = (hall.version, hall.event.chain, _beat(hall))
    return DRAWN.get((code, language, view, role), mark, lambda: _draw_region(hall, language, view, role))


def _draw_region(hall: Hall, language: str, view: str, role: str) -> SafeString:
    with translation.override_game(hall.event.system, language):
        if view == "organiser":
            return part("hall/organiser/overview_region.html", region=overview_of(hall, role))
        return part("hall/organiser/wall_region.html", region=wall_region(hall))


def _beat(hall: Hall) -> int:
    """Changes every few seconds while the clock runs: a page without scripts shows it as it was drawn."""
    last = hall.state.last
    return int(clock.seconds()) // BEAT if last is not None and last.running_since is not None else 0


def overview_of(hall: Hall, role: str) -> OverviewRegion:
    """What the organisers see of a hall; words in the active language."""
    g, following = hall.state, next_step(hall, role)
    waiting, folded = _by_need(hall_tables.tables(hall, hall.current))
    return OverviewRegion(
        version=hall.version,
        news=following.title,
        standing=_standing(hall),
        next=following,
        stale=_stale(hall, role),
        calls=tuple(_call(hall, number, role) for number in sorted(hall.open_calls().values())),
        clock=clock_of(g, g.last),
        clock_buttons=_clock_buttons(hall, role, following.button),
        title=_("Challenges")
        if g.is_ladder
        else _("Tables of round %(number)s") % {"number": _(", ").join(map(str, hall_tables.rounds_of(g)))},
        tables=waiting,
        folded_title=_done_tables(len(folded)),
        folded=folded,
        jumps=len(waiting) > SHORT,
        matches=team_matches.rows(g, g.last.number) if g.last is not None else (),
        byes=hall_tables.byes(g, hall.current),
        seatings=tuple(seatings(g, role)),
        done=newest(hall, role),
        announcements=tuple(_said(g, announcement, role) for announcement in g.announced()[:ANNOUNCED]),
    )


def _wall_title(g: EventState) -> str:
    if g.last is None:
        return _("No round yet")
    return _("Challenges") if g.is_ladder else _("Round %(number)s") % {"number": g.last.number}


def wall_region(hall: Hall) -> WallRegion:
    """Every table of the current rounds, first those that need somebody."""
    g, last = hall.state, hall.state.last
    tables = _first(hall_tables.tables(hall, hall.current), URGENT)
    done = sum(table.tone == "done" for table in tables)
    size = "few" if len(tables) <= FEW else "some" if len(tables) <= SOME else "many"
    return WallRegion(
        version=hall.version,
        news="",
        title=_wall_title(g),
        counted=_("%(done)s of %(all)s tables done") % {"done": done, "all": len(tables)} if tables else "",
        clock=clock_of(g, last),
        tables=tables,
        size=size,
        said=latest(g),
    )


URGENT = ("called", "contested")
"""Which tables come first on the wall."""


def _first(tables: tuple[HallTable, ...], tones: tuple[str, ...]) -> tuple[HallTable, ...]:
    """The tables by number, those with these tones before the others."""
    return tuple(sorted(tables, key=lambda row: tones.index(row.tone) if row.tone in tones else len(tones)))


def _by_need(tables: tuple[HallTable, ...]) -> tuple[tuple[HallTable, ...], ...]:
    """In a small hall all by number; in a larger one what needs somebody first, and what is done apart."""
    if len(tables) <= SHORT:
        return tables, ()
    waiting = tuple(table for table in tables if table.tone != "done")
    return _first(waiting, (*URGENT, "reported")), tuple(table for table in tables if table.tone == "done")


def _done_tables(count: int) -> str:
    return ngettext("%(count)s table done", "%(count)s tables done", count) % {"count": count}


def feed(visit: Visit, view: str) -> Feed:
    """Where the page gets news of the hall."""
    stream, news = (reverse(name, args=[visit.code]) for name in ("wall-stream", "wall-news"))
    return feed_of(stream_url(visit, view), stream, news, view=view)


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
        return hub.stream_url(WALL + visit.code, Audience((), language, view, visit.actor.role), ())
    name = event_links.name_of(place)
    return hub.stream_url(WALL + visit.code, Audience((name,), language, view), ((name, place.epoch),))


# --- parts -----------------------------------------------------------------------------------------


def _role(code: str, audience: Audience) -> str:
    """The role of a ticket's holder; it names the role itself for those who have it by the admin."""
    if not audience.seats:
        return audience.speaker or ORGANISER
    number = audience.seats[0][1:]
    role = Helper.objects.filter(event__code=code, pk=number).values_list("role", flat=True).first()
    return role or GUEST


def seatings(g: EventState, role: str) -> Iterator[Button]:
    """What lets two who have no game in the open round play each other."""
    seen = event_rounds.mark(g)
    may_seat = may(role, "seat_together") and not g.team_size
    for first, second in seating_changes.may_sit_together(g) if may_seat else ():
        names = {"one": isolated(g.called(first)), "other": isolated(g.called(second))}
        yield Button(f"seat_together {seen} {first} {second}", _("Seat %(one)s with %(other)s") % names)


def _stale(hall: Hall, role: str) -> StaleDraw | None:
    g, last = hall.state, hall.state.last
    now = event_rounds.changed(as_paired(g))
    if last is None or now is None:
        return None
    buttons = []
    if last.state == DRAFTED and may(role, "repair"):
        buttons.append(_button(hall, "repair", _("Pair again")))
    if may(role, "keep_draw") and event_rounds.may_keep(as_paired(g), last):
        buttons.append(_button(hall, "keep_draw", _("Keep these pairings")))
    return StaleDraw(stale_in_words(last, now), tuple(buttons), Link(_page(hall, "pairings"), _("See"), "go"))


def stale_in_words(last: Round, now: Changed) -> str:
    """What results that have changed change in the newest round."""
    if not now.pairings:
        line = _("Results before round %(number)s have changed. It cannot be paired from them.")
        return line % {"number": last.number}
    line = _("Results under round %(number)s have changed: this changes %(changed)s of %(count)s pairings.")
    return line % {"number": last.number, "changed": len(now.pairings), "count": now.total}


def _standing(hall: Hall) -> str:
    g, last = hall.state, hall.state.last
    is_counted = last is not None and round_draw.rounds_in_all(as_paired(g))
    return rounds_and_standings.name_of(g, last) if last is not None and is_counted else ""


def _clock_buttons(hall: Hall, role: str, following: Button | None) -> tuple[Button, ...]:
    """What starts, pauses and extends the clock, without the button that comes next anyway."""
    last = hall.state.last
    if last is None or last.state != OPEN or not may(role, "extend"):
        return ()
    seen = event_rounds.mark(hall.state)
    turn = (
        Button(f"start_clock {seen}", _("Start"), icon="go")
        if last.running_since is None
        else Button(f"pause_clock {seen}", _("Pause"))
    )
    is_next = following is not None and following.do == turn.do
    return (*(() if is_next else (turn,)), Button(f"extend 5 all {seen}", _("+5 min")))


def _call(hall: Hall, number: int, role: str) -> CallRow:
    call = hall.state.calls[str(number)]
    pairing = hall.state.pairings.get(call.pairing)
    table = str(pairing.table) if pairing is not None and pairing.table else ""
    title = _("Table %(table)s calls a judge") % {"table": table}
    asker = hall.state.called(call.player) if call.player in hall.state.players else ""
    text = ": ".join(part for part in (asker, call.question) if part)
    buttons = []
    if may(role, "answer_call") and not call.comes:
        buttons.append(Button(f"answer_call {number}", _("On my way"), "main"))
    if may(role, "close_call"):
        buttons.append(Button(f"close_call {number}", _("Done"), "quiet"))
    url = reverse("organise-table", args=[hall.event.code, call.pairing])
    comes = _("%(name)s is coming") % {"name": call.comes} if call.comes else ""
    return CallRow(
        number=number,
        title=title,
        url=url,
        text=text,
        comes=comes,
        asked=moment(hall.state, call.asked_at),
        buttons=tuple(buttons),
    )


def _said(g: EventState, announcement: Announcement, role: str) -> Announced:
    """An announcement, with the button that takes it down for those who may."""
    if not may(role, "take_down"):
        return announced(g, announcement)
    button = Button(f"take_down {announcement.number}", _("Remove"), "quiet", "close")
    return replace(announced(g, announcement), button=button)


def newest(hall: Hall, role: str) -> Done | None:
    """The newest action not undone; organisers may undo it."""
    entries = event_undo.not_undone(hall.event, 1)
    if not entries:
        return None
    is_free = may(role, "undo") and any(event_undo.may_undo(hall.state, entries))
    button = Button(f"undo {entries[0].version}", _("Undo"), "quiet", "undo") if is_free else None
    return Done(hall_tables.sentences(commits.lines_for(entries[0])), button)


# --- the pages ---------------------------------------------------------------------------------------


FORMER = 7
"""How many of the newest challenges of a ladder the overview leads to."""


def overview(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """What is next, the tables, and the way to everything else."""
    g = position_of(visit.event)
    rounds = sorted(g.rounds.values(), key=attrgetter("number"))[-FORMER if g.is_ladder else 0 :]
    former = [
        view_models.Link(
            f"{page_url(visit, 'pairings')}?round={event_round.number}",
            (_("Challenge %(number)s") if g.is_ladder else _("Round %(number)s"))
            % {"number": event_round.number},
            "list",
        )
        for event_round in rounds[:-1]
    ]
    ways = [
        view_models.Link(page_url(visit, "players"), _("Player list"), "people"),
        *_to_teams(visit),
        view_models.Link(page_url(visit, "pairings"), _("Pairings"), "list"),
        *former,
        view_models.Link(page_url(visit, "results"), _("Enter results"), "check"),
        view_models.Link(reverse("wall", args=[visit.code]), _("All tables"), "watch"),
        view_models.Link(reverse("event-tv", args=[visit.code]), _("TV display"), "share"),
        view_models.Link(page_url(visit, "log"), _("History"), "history"),
    ]
    if visit.may("change"):
        ways += [
            view_models.Link(page_url(visit, "helpers"), _("Helpers"), "plus"),
            view_models.Link(page_url(visit, "settings"), _("Settings"), "adjust"),
            view_models.Link(f"{reverse('new-season')}?event={visit.code}", _("Start a season"), "finish"),
        ]
    ways.append(view_models.Link(reverse("event", args=[visit.code]), _("Event page"), "go"))
    ways.append(view_models.Link(reverse("event-standings", args=[visit.code]), _("Standings"), "finish"))
    address = address_for_others(request, reverse("event", args=[visit.code]))
    invitation = seating.Invitation(address, picture_of(address), visit.code)
    values = {
        "altered": link(visit),
        "region": html(visit, "organiser"),
        "ways": tuple(ways),
        "may_announce": visit.may("announce"),
        "text": sent.get("text", ""),
        "invitation": invitation,
        "is_empty": not g.players,
        "exports": _exports(visit),
    }
    return _("Organise"), values


def _to_teams(visit: Visit) -> tuple[Link, ...]:
    return (Link(page_url(visit, "teams"), _("Teams"), "people"),) if visit.event.team_size else ()


def _exports(visit: Visit) -> tuple[view_models.Link, ...]:
    """The event as files, the same that programs get."""
    files = {"players": _("Player list"), "pairings": _("Pairings"), "standings": _("Standings")}
    if visit.event.team_size:
        files["teams"] = _("Standings of teams")
    tables = (
        view_models.Link(reverse("api:hall-table", args=[visit.code, what]), f"{label} (CSV)")
        for what, label in files.items()
    )
    whole = view_models.Link(reverse("api:hall", args=[visit.code]), _("Download all (JSON)"))
    if not visit.may("change"):
        return (*tables, whole)
    history = view_models.Link(
        reverse("organise-file", args=[visit.code]), _("History with fingerprints (JSON)")
    )
    return (*tables, whole, history)


def log(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The history, newest first; organisers may undo what nothing else depends on."""
    every = "all" in request.GET
    entries = commits.entries_of(visit.event).select_related("undone_by").order_by("-version")
    shown = list(entries if every else entries[:AT_ONCE])
    more = view_models.Link(f"{page_url(visit, 'log')}?all=1", _("Show all"))
    free: frozenset[int] = frozenset()
    if visit.may("undo") and shown:
        stands = event_undo.not_undone(visit.event, None if every else AT_ONCE)
        free = frozenset(event_undo.may_undo(position_of(visit.event), stands))
    zone = visit.event.zone
    rows_ = tuple(_log_row(entry, zone, may_undo=entry.version in free) for entry in shown)
    return _("History"), {"rows": rows_, "more": more if len(shown) == AT_ONCE and not every else None}


def _log_row(entry: EventEntry, zone: str, *, may_undo: bool) -> LogRow:
    state = "undo" if entry.action == event_actions.UNDO else "undone" if hasattr(entry, "undone_by") else ""
    button = Button(f"undo {entry.version}", _("Undo"), "quiet", "undo") if may_undo else None
    lines = tuple(words(line) for line in commits.lines_for(entry))
    return LogRow(entry.author, instant(entry.created_at, zone=zone), lines, state, button)


# --- shared ----------------------------------------------------------------------------------------


# --- what was changed outside the program ------------------------------------------------------------


def link(visit: Visit) -> AlteredNotice | None:
    """The first difference, for those who may decide about it; None if there is none."""
    if not visit.may("change"):
        return None
    comparison = comparing.news(visit.event)
    if comparison is None:
        return None
    sentences = [*_sentences(comparison, 1), *filter(None, [_broken(comparison)])]
    if not sentences:
        return None
    said = _("Changed outside the program: %(what)s") % {"what": together(sentences)}
    return AlteredNotice(said, reverse("organise-altered", args=[visit.code]))


def altered(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> tuple[str, dict]:
    """All that differs, and the buttons that take what the history says or keep what is stored."""
    comparison = comparing.compare(visit.event)
    buttons = (
        Button(f"{comparing.RESTORE} {comparison.mark}", _("Take what the history says"), "main"),
        Button(f"{comparing.KEEP} {comparison.mark}", _("Keep what is stored"), "quiet"),
    )
    values = {
        "differences": _sentences(comparison, comparing.NAMED),
        "broken": _broken(comparison),
        "buttons": buttons if comparison.differences else (),
    }
    return _("Changed outside the program"), values


@require_safe
@at_event
def file(request: HttpRequest, code: str) -> HttpResponse:
    """The history of an event as a file that `verify.py` checks."""
    visit = organiser_of(request, code)
    text = msgspec.json.encode(event_file.history(visit.event))
    headers = {"Content-Disposition": f'attachment; filename="roundtable-event-{visit.code}.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


def _sentences(comparison: Comparison, most: int) -> tuple[str, ...]:
    return tuple(words(line) for line in islice(comparing.sentences(comparison, _field_name), most))


def _broken(comparison: Comparison) -> str:
    """That the history itself was altered; no button can mend that."""
    if not comparison.broken:
        return ""
    entries = _(", ").join(str(version) for version in comparison.broken[: comparing.NAMED])
    line = _("These entries of the history do not match their fingerprints: %(entries)s.")
    return line % {"entries": entries}


def _field_name(kind: str, name: str) -> str:
    """What a field is called: the name of its column."""
    model = event_actions.MODELS.get(kind, Event)
    column = event_actions.TO_COLUMN.get(name, name).removesuffix("_id")
    return next(capfirst(str(field.verbose_name)) for field in model._meta.fields if field.name == column)
