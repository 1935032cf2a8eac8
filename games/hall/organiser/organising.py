"""The organisers' pages by name, and what their forms do: one command each, under the form's key.

Every form posts to one address and says what it wants ("do") and which page it is on ("at"). A refusal
comes back on that page as a sentence, with everything that was typed.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_POST, require_safe

from games import translation, view_models
from games.core import (
    NAME_GRAPHEMES,
    RequestRefused,
    Unreadable,
    clean_int,
    clean_key,
    clean_name,
    clean_note,
    clean_text,
    is_number,
    say,
)
from games.core import gettext_noop as noop
from games.hall import commands, comparing, event_undo
from games.hall.event_actions import Actor, position_of, refuse_role
from games.hall.organiser import import_page, overview, players_pages, rounds_pages, settings_pages
from games.hall.organiser.organiser_page import (
    OrganiserFrame,
    Sender,
    Visit,
    at_event,
    helper_of,
    organiser_of,
)
from games.hall.organiser.rounds_pages import groups_of, stated_in
from games.hall.rules import seating_changes, team_rounds
from games.hall.rules.event_state import OPEN, EventState
from games.hall.rules.team_rounds import as_paired
from games.match.play import new_key
from games.pages import filled
from games.pages.common import field, malformed, tap_key, without_referrer
from games.pages.watching.watch import fresh_stream, live_region
from games.translation import gettext as _
from games.translation import words
from games.web import TAPS, clock, device_at_table, limited, list_too_soon

# --- what a form does --------------------------------------------------------------------------------


NUMBER = (0, 999_999_999)
KEY = 12
"""Letters in a form's key that say which of its buttons was tapped: each button counts once."""


@dataclass(frozen=True)
class Asked:
    """What a form asks for: the verb, what follows it ("extend 5 1-3"), and what was typed."""

    request: HttpRequest
    visit: Visit
    verb: str
    about: tuple[str, ...]
    key: str

    @property
    def to(self) -> tuple[str, Actor]:
        """Which event, and who acts."""
        return self.visit.code, self.visit.actor

    def nth(self, at: int) -> str:
        """A word after the verb; "" if there is none."""
        return self.about[at] if at < len(self.about) else ""

    def number(self, at: int) -> int:
        """A word after the verb that is a number."""
        return int(clean_int(self.nth(at), *NUMBER))

    def typed(self, name: str) -> int:
        """A field that holds a number; 0 if it is empty."""
        return int(clean_int(self.request.POST.get(name, "").strip() or "0", *NUMBER))

    def row(self, at: int) -> int:
        """A word after the verb that numbers a row of the database: it may be long."""
        if not is_number(word := self.nth(at)):
            raise malformed()
        return int(word)

    def line(self, name: str) -> str:
        """A field of one line, which may be empty."""
        return clean_note(self.request.POST.get(name, ""))

    def name(self, name: str = "name") -> str:
        """A field that holds a name."""
        return clean_name(self.request.POST.get(name, ""))

    def short(self, name: str) -> str:
        """A field that may hold a name."""
        return clean_note(self.request.POST.get(name, ""), NAME_GRAPHEMES)

    def state(self) -> EventState:
        """The event as it stands. Shared: callers must not change it."""
        return position_of(self.visit.event)


def carry_out(request: HttpRequest, visit: Visit) -> Asked:
    """Carry out what a form asks for. Raises `RequestRefused` and `Unreadable`; then nothing has changed."""
    sent = field(request, "do")
    verb, *about = sent.split()[:4] or [""]
    if verb not in ACTIONS:
        raise malformed()
    refuse_role(visit.actor.role, ROLES.get(verb, verb))
    button = hashlib.sha256(sent.encode(errors="replace")).hexdigest()[:KEY]
    key = clean_key(f"{tap_key(request)[:40]}-{button}")
    asked = Asked(request, visit, verb, tuple(about), key)
    ACTIONS[verb](asked)
    return asked


def _register(asked: Asked) -> object:
    person = (asked.name(), asked.short("club"), asked.short("faction"))
    division = asked.short("division")
    if how := asked.request.POST.get("how", ""):
        return commands.come_late(*asked.to, *person, how, division, key=asked.key)
    return commands.register(*asked.to, *person, division, key=asked.key)


def _amend(asked: Asked) -> object:
    person = {"name": asked.name(), "club": asked.short("club"), "faction": asked.short("faction")}
    same = filled.unchanged(asked.request.POST)
    changed = {name: value for name, value in person.items() if name not in same}
    code, who = asked.to
    return commands.amend(code, who, asked.nth(0), **changed, key=asked.key)


def _register_team(asked: Asked) -> object:
    lines = map(str.strip, asked.request.POST.get("players", "").splitlines())
    names, division = [name for name in lines if name], asked.short("division")
    return commands.register_team(*asked.to, asked.name(), names, division, key=asked.key)


def _amend_team(asked: Asked) -> object:
    same = filled.unchanged(asked.request.POST)
    fields = {"name": asked.name(), "captain": asked.short("captain"), "division": asked.short("division")}
    changed = {
        name: value for name, value in fields.items() if name in asked.request.POST and name not in same
    }
    code, who = asked.to
    return commands.amend_team(code, who, asked.nth(0), **changed, key=asked.key)


def _import(asked: Asked) -> object:
    sent = asked.request.POST
    return commands.import_table(*asked.to, sent.get("text", ""), asked.key, import_page.stated_in(sent))


def _extend(asked: Asked) -> object:
    """Everybody gets more time in the round that was seen, or else one table, which names its round."""
    minutes, table = asked.number(0), asked.nth(1)
    if table == "all":
        return commands.extend(*asked.to, minutes, key=asked.key, seen=asked.nth(2))
    return commands.extend(*asked.to, minutes, table, key=asked.key)


def _enter(asked: Asked) -> object:
    return commands.enter_result(*asked.to, *_result(asked, asked.nth(0), asked.request.POST), key=asked.key)


def _enter_table(asked: Asked) -> object:
    stated = rounds_pages.at_table(asked.state(), asked.request.POST)
    return commands.enter_result(*asked.to, *_result(asked, *stated), key=asked.key)


def _result(asked: Asked, pairing: str, sent: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    g = asked.state()
    stated = stated_in(sent, g, pairing)
    rounds_pages.refuse_odd(g, stated, sent)
    return pairing, stated


def _rule(asked: Asked) -> object:
    _pairing, stated = _result(asked, asked.nth(0), asked.request.POST)
    why, seen = asked.line("reason"), asked.line("seen")
    return commands.rule(*asked.to, asked.nth(0), stated, why, key=asked.key, seen=seen)


def _two(command: Callable[..., object], rule: Callable[..., object]) -> Callable[[Asked], object]:
    """What changes the places of two players; in an open round only once its effect has been seen."""

    def do(asked: Asked) -> object:
        first, second = (asked.request.POST.get(name, "") for name in ("one", "other"))
        if asked.nth(2):
            first, second = asked.nth(1), asked.nth(2)  # The button has named them.
        else:
            _see_first(asked, rule, first, second)
        return command(*asked.to, first, second, key=asked.key, seen=asked.nth(0))

    return do


def _call_off_table(asked: Asked) -> object:
    pairing = asked.request.POST.get("moved", "")
    _see_first(asked, partial(seating_changes.call_off_table, now=0), pairing)
    return commands.call_off_table(*asked.to, pairing, key=asked.key)


def _see_first(asked: Asked, rule: Callable[..., object], *stated: str | int) -> None:
    """Show what a change of an open round would do, until the form says that this was seen."""
    last = asked.state().last
    if last is not None and last.state == OPEN and "sure" not in asked.request.POST:
        raise RequestRefused(commands.preview(asked.visit.code, rule, *stated), 409, "unsure")


def _move(asked: Asked) -> object:
    pairing, table = asked.request.POST.get("moved", ""), asked.typed("table")
    _see_first(asked, seating_changes.move, pairing, table)
    return commands.move(*asked.to, pairing, table, key=asked.key, seen=asked.nth(0))


def _fix_table(asked: Asked) -> object:
    return commands.fix_table(*asked.to, asked.nth(0), asked.typed("table"), key=asked.key)


def _seed(asked: Asked) -> object:
    return commands.seed(*asked.to, asked.nth(0), asked.typed("seed"), key=asked.key)


def _deadline(asked: Asked) -> object:
    until = clock.read(asked.line("until"), asked.visit.event.zone)
    return commands.move_deadline(*asked.to, asked.typed("round"), until, key=asked.key)


def _set_houses(asked: Asked) -> object:
    pairing = asked.state().pairings.get(asked.nth(0))
    houses = [asked.request.POST.get(f"house-{key}", "") for key in (pairing.players if pairing else ())]
    return commands.set_houses(*asked.to, asked.nth(0), houses, key=asked.key)


def _by_hand(asked: Asked) -> object:
    groups = groups_of(as_paired(asked.state()), asked.request.POST.get("groups", ""))
    return commands.by_hand(*asked.to, groups, key=asked.key, seen=asked.nth(0))


def _announce(asked: Asked) -> object:
    if not (text := asked.line("text")):
        raise RequestRefused(say(noop("Type your announcement.")), 422, "malformed")
    return commands.announce(*asked.to, text, key=asked.key)


def _note(asked: Asked) -> object:
    if not (ruling := asked.line("ruling")):
        raise RequestRefused(say(noop("Type the ruling.")), 422, "malformed")
    return commands.note_ruling(*asked.to, asked.nth(0), ruling, key=asked.key)


def _settings(asked: Asked) -> object:
    sent = settings_pages.changed_in(asked.request.POST)
    values = settings_pages.values_of(sent, asked.state())
    if "options" in values:
        values["options"] = {**asked.visit.event.options, **values["options"]}
    if "name" in sent:
        values["name"] = clean_name(sent["name"], 60)
    return commands.change_settings(*asked.to, values, key=asked.key)


def _appoint(asked: Asked) -> object:
    return commands.appoint(*asked.to, asked.request.POST.get("role", ""), asked.name(), key=asked.key)


def _hand_in(asked: Asked) -> object:
    texts = [asked.request.POST.get(name, "") for name in ("first", "second")]
    lists = [clean_text(text) for text in texts if text.strip()]
    return commands.hand_in(*asked.to, asked.nth(0), lists, key=asked.key)


def _rounds(command: Callable[..., object]) -> Callable[[Asked], object]:
    """An action on the newest round, or the next: the form names what it showed of the rounds."""
    return lambda asked: command(*asked.to, key=asked.key, seen=asked.nth(0))


def _in_mode(command: Callable[..., object]) -> Callable[[Asked], object]:
    return lambda asked: command(*asked.to, asked.line("mode"), key=asked.key, seen=asked.nth(0))


def _set_options(asked: Asked) -> object:
    options = rounds_pages.options_in(asked.request.POST)
    return commands.set_options(*asked.to, options, asked.key, asked.nth(0))


def _player(command: Callable[..., object]) -> Callable[[Asked], object]:
    return lambda asked: command(*asked.to, asked.nth(0), key=asked.key)


ACTIONS: dict[str, Callable[[Asked], object]] = {
    "register": _register,
    "import": _import,
    "amend": _amend,
    "remove": _player(commands.remove),
    "remove_picked": lambda asked: commands.remove(
        *asked.to, *asked.request.POST.getlist("pick"), key=asked.key
    ),
    "check_in": _player(commands.check_in),
    "check_out": lambda asked: commands.check_in(*asked.to, asked.nth(0), False, key=asked.key),
    "check_in_all": lambda asked: commands.check_in_all(*asked.to, key=asked.key),
    "drop": _player(commands.drop),
    "register_team": _register_team,
    "amend_team": _amend_team,
    "check_in_team": _player(commands.check_in_team),
    "propose": lambda asked: commands.propose(
        *asked.to, asked.nth(0), asked.nth(2), key=asked.key, seen=asked.nth(1)
    ),
    "rest_by_lot": _player(commands.rest_by_lot),
    "pair_anew": _player(commands.pair_anew),
    "penalise": lambda asked: commands.penalise(
        *asked.to, asked.nth(0), asked.typed("penalty"), asked.line("reason"), key=asked.key
    ),
    "set_division": lambda asked: commands.set_division(
        *asked.to, asked.nth(0), asked.short("division"), key=asked.key
    ),
    "come_back": _player(commands.come_back),
    "challenge": lambda asked: commands.challenge(*asked.to, asked.nth(0), asked.nth(1), key=asked.key),
    "withdraw": lambda asked: commands.consent(*asked.to, asked.nth(0), False, key=asked.key),
    "new_link": _player(commands.new_link),
    "pair": _in_mode(commands.pair),
    "repair": _rounds(commands.repair),
    "keep_draw": _rounds(commands.keep_draw),
    "swap": _two(commands.swap, team_rounds.swap),
    "seat_together": _two(commands.seat_together, team_rounds.seat_together),
    "call_off_table": _call_off_table,
    "no_show": lambda asked: commands.no_show(*asked.to, asked.nth(0), asked.nth(1), key=asked.key),
    "move": _move,
    "set_houses": _set_houses,
    "draw_houses": _player(commands.draw_houses),
    "fix_table": _fix_table,
    "seed": _seed,
    "deadline": _deadline,
    "go_on": lambda asked: commands.go_on(*asked.to, asked.nth(0), asked.nth(1), key=asked.key),
    "by_hand": _by_hand,
    "set_mode": _in_mode(commands.set_mode),
    "set_options": _set_options,
    "open_round": _rounds(commands.open_round),
    "call_off": _rounds(commands.call_off),
    "close_round": lambda asked: commands.close_round(
        *asked.to, asked.number(0) if asked.nth(0) else None, key=asked.key
    ),
    "hand_in": _hand_in,
    "reopen": _rounds(commands.reopen),
    "finish": _rounds(commands.finish),
    "start_clock": _rounds(commands.start_clock),
    "pause_clock": _rounds(commands.pause_clock),
    "extend": _extend,
    "enter": _enter,
    "enter_table": _enter_table,
    "rule": _rule,
    "announce": _announce,
    "take_down": lambda asked: commands.take_down(*asked.to, asked.number(0), key=asked.key),
    "call_judge": lambda asked: commands.call_judge(
        *asked.to, asked.nth(0), "", asked.line("question"), key=asked.key
    ),
    "answer_call": lambda asked: commands.answer_call(*asked.to, asked.number(0), key=asked.key),
    "close_call": lambda asked: commands.close_call(
        *asked.to, asked.number(0), asked.line("ruling"), key=asked.key
    ),
    "note_ruling": _note,
    "settings": _settings,
    "appoint": _appoint,
    "dismiss": lambda asked: commands.dismiss(*asked.to, asked.row(0), key=asked.key),
    "restore": lambda asked: comparing.restore(*asked.to, asked.nth(0), key=asked.key),
    "keep": lambda asked: comparing.keep(*asked.to, asked.nth(0), key=asked.key),
    "undo": lambda asked: event_undo.undo(
        asked.visit.code, asked.number(0), asked.visit.actor, key=asked.key
    ),
}
"""The verbs that can be asked for; each is refused to roles that may not do it."""

ROLES = {
    "check_out": "check_in",
    "remove_picked": "remove",
    "enter_table": "enter",
    "settings": "change",
    "withdraw": "consent",
}
"""Verbs whose right goes by another name."""


# --- pairings as text ------------------------------------------------------------------------------


# --- the addresses -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """What a page is shown with besides the event: a sentence, and what had been typed."""

    notice: view_models.Notice | None = None
    sent: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    status: int = 200


Make = Callable[[HttpRequest, Visit, str, Mapping[str, Any]], tuple[str, dict[str, Any]]]

PAGES: dict[str, Make] = {
    "": overview.overview,
    "players": players_pages.players,
    "player": players_pages.player,
    "table": rounds_pages.table,
    "teams": players_pages.teams,
    "team": players_pages.team,
    "match": rounds_pages.match,
    "pairings": rounds_pages.pairings,
    "results": rounds_pages.results,
    "log": overview.log,
    "import": import_page.importing,
    "removing": players_pages.removing,
    "settings": settings_pages.settings,
    "helpers": settings_pages.helpers,
    "slips": players_pages.slips,
    "altered": overview.altered,
}
"""What makes each page's title and values; its template has the page's name."""

ORGANISERS = frozenset({"import", "removing", "settings", "helpers", "slips", "altered"})
"""Pages with links that open other people's places, or with what only organisers may change."""

BRINGS_LISTS = (["hand_in"], ["import"])
"""How forms ask that bring an army list, or a list of players."""

NAMES = {"": "organise", **{name: f"organise-{name}" for name in PAGES if name}}


@require_safe
@without_referrer
@at_event
def page(request: HttpRequest, code: str, name: str, about: str = "") -> HttpResponse:
    """One of the organisers' pages."""
    visit = organiser_of(request, code) if name in ORGANISERS else helper_of(request, code)
    return _show(request, visit, name, about, Shown(sent=request.GET))


@require_POST
@limited(TAPS, device_at_table)
@at_event
def do(request: HttpRequest, code: str) -> HttpResponse:
    """Do what a form on these pages asks for, once for each key."""
    visit = helper_of(request, code)
    if request.POST.get("do", "").split()[:1] in BRINGS_LISTS and (refusal := _too_soon(request)):
        return refusal
    name, _space, about = request.POST.get("at", "").partition(" ")
    if not _is_page(visit, name, about) or (name in ORGANISERS and not visit.may("change")):
        name, about = "", ""
    try:
        carry_out(request, visit)
    except (RequestRefused, Unreadable) as wrong:
        if wrong.status == 403:
            raise
        notice = view_models.Notice(words(wrong.line), "bad")
        visit = helper_of(request, code)
        return _show(request, visit, name, about, Shown(notice, request.POST, wrong.status))
    return HttpResponseRedirect(_after(request, visit, name, about))


@require_POST
@limited(TAPS, device_at_table)
@at_event
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """A player list as it would be read; nothing is entered."""
    return _too_soon(request) or _show(
        request, organiser_of(request, code), "import", "", Shown(sent=request.POST)
    )


@require_POST
@limited(TAPS, device_at_table)
@at_event
def picked(request: HttpRequest, code: str) -> HttpResponse:
    """Players who were picked to be taken off the list, once more by name; nobody is taken off yet."""
    return _show(request, organiser_of(request, code), "removing", "", Shown(sent=request.POST))


def _too_soon(request: HttpRequest) -> HttpResponse | None:
    return list_too_soon(request, device_at_table(request))


def _is_page(visit: Visit, name: str, about: str) -> bool:
    try:
        return name in PAGES and bool(_address(visit, name, about))
    except NoReverseMatch:
        return False


def _address(visit: Visit, name: str, about: str) -> str:
    return reverse(NAMES[name], args=[visit.code, *([about] if about else [])])


def _after(request: HttpRequest, visit: Visit, name: str, about: str) -> str:
    """Where a form leads once it is done: its own page, or the one before it if that is over."""
    verb, *rest = request.POST["do"].split()
    if verb in ("enter", "rule", "no_show", "open_round", "call_off", "settings", "restore", "keep"):
        name, about = "", ""
    if verb in ("import", "remove", "remove_picked"):
        name, about = "players", ""
    url = _address(visit, name, about)
    if verb in ("enter", "rule") and rest:
        return f"{url}#table-{rounds_pages.following(visit, rest[0])}"
    # The list stays where it was: checking in many people must not jump back to the top each time.
    following = rest[1] if (verb, name) == ("check_in", "players") and len(rest) > 1 else ""
    return f"{url}#{following}" if following.isalnum() else url


def _show(request: HttpRequest, visit: Visit, name: str, about: str, shown: Shown) -> HttpResponse:
    title, values = PAGES[name](request, visit, about, shown.sent)
    frame = OrganiserFrame(
        event=visit.event.name,
        code=visit.code,
        title=title,
        sender=Sender(reverse("organise-do", args=[visit.code]), new_key(), f"{name} {about}".strip()),
        back=_back(visit, name),
        notice=shown.notice,
        feed=None if name else overview.feed(visit, "organiser"),
    )
    template = f"hall/organiser/{name or 'overview'}.html"
    return render(request, template, {"frame": frame, **values}, status=shown.status)


def _back(visit: Visit, name: str) -> view_models.Link | None:
    if not name:
        return None
    if name in ("team", "match"):
        return view_models.Link(reverse("organise-teams", args=[visit.code]), _("Teams"))
    if name in ("player", "import", "removing", "slips"):
        return view_models.Link(reverse("organise-players", args=[visit.code]), _("Player list"))
    return view_models.Link(reverse("organise", args=[visit.code]), visit.event.name)


# --- the wall, and what changes by itself ----------------------------------------------------------


@require_safe
@at_event
def wall(request: HttpRequest, code: str) -> HttpResponse:
    """Every table of the round on one screen."""
    visit = helper_of(request, code)
    frame = OrganiserFrame(
        event=visit.event.name,
        code=visit.code,
        title=_("All tables"),
        sender=Sender("", "", ""),
        back=view_models.Link(reverse("organise", args=[visit.code]), visit.event.name),
        notice=None,
        feed=overview.feed(visit, "wall"),
    )
    return render(
        request, "hall/organiser/wall.html", {"frame": frame, "region": overview.html(visit, "wall")}
    )


@require_safe
@at_event
def news(request: HttpRequest, code: str) -> HttpResponse:
    """The region of a page (`view`)."""
    visit = helper_of(request, code)

    def html() -> str:
        translation.activate_game(visit.event.system)
        return overview.html(visit, _view(request))

    return live_region(request, overview.version_of(visit), html)


@require_safe
@at_event
def stream(request: HttpRequest, code: str) -> HttpResponse:
    visit = helper_of(request, code)
    return fresh_stream(request, lambda: overview.stream_url(visit, _view(request)))


def _view(request: HttpRequest) -> str:
    wanted = request.GET.get("view", "")
    return wanted if wanted in overview.VIEWS else "organiser"
