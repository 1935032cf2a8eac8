"""Opening an event, its settings as a form, its helpers and their links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings as settings_of_server
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from games import translation, view_models
from games.core import (
    EventKind,
    RequestRefused,
    System,
    Unreadable,
    ViewModel,
    clean_name,
    say,
    system,
    systems,
    usual,
)
from games.core import gettext_noop as noop
from games.hall import commands, event_actions, event_links
from games.hall.event_actions import JUDGE, ORGANISER, RIGHTS, SCOREKEEPER
from games.hall.models import Event, Helper
from games.hall.organiser.organiser_page import (
    Field,
    FieldForm,
    FieldGroup,
    Made,
    Visit,
    at_event,
    halves,
    visit_of,
    whole,
)
from games.hall.pages.rounds_and_standings import meanings, number
from games.hall.rules import event_settings, pairing, standings
from games.hall.rules.event_settings import MOST_BYE, NUMBERS, may_change
from games.hall.rules.event_state import HOUSES, PLANNED, SCALES, TABLES, WAYS, EventState
from games.hall.rules.standings import MOST_CRITERIA, ways
from games.match import play
from games.pages import filled
from games.pages.common import tap_key, without_referrer
from games.pages.opening import seating
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.view_models import Button, Link, Notice, Option
from games.web import OPENINGS, clock, limited, picture_of


class NewEventPage(ViewModel):
    """Opening an event: presets lead to the same form with their settings, which are folded."""

    post_url: str
    back: Link
    key: str
    preset: str
    presets: tuple[Link, ...]
    name: str
    organiser: str
    summary: str
    groups: tuple[FieldGroup, ...]
    flags: str
    notice: Notice | None = None


class HelperRow(ViewModel):
    """A helper: their role, their link and its QR code."""

    name: str
    role: str
    link: str
    qr: str
    button: Button | None = None
    mine: bool = False


# --- kinds of event ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Preset:
    """A kind of event and its game."""

    game: str
    kind: EventKind

    @property
    def values(self) -> Mapping[str, Any]:
        """Its settings by name."""
        return {"system": self.game, **self.kind.settings}


def offered() -> tuple[Preset, ...]:
    """Every kind of event that a game declares, or one with the usual settings if it declares none.

    Those of the featured game come first.
    """
    featured = usual()
    return tuple(
        Preset(game.slug, kind)
        for game in sorted(systems(), key=lambda game: game is not featured)
        if game.modes
        for kind in game.events or (EventKind(game.slug, game.title, ""),)
    )


def preset_of(slug: str) -> Preset:
    """The preset of this name, or else the first one."""
    return next((preset for preset in offered() if preset.kind.slug == slug), offered()[0])


# --- settings as a form ------------------------------------------------------------------------------


MIXES = {
    pairing.TOGETHER: noop("Top six together"),
    pairing.SPREAD: noop("Spread the top players across tables"),
}
LABELS = {
    "length": noop("Rounds"),
    "cut": noop("Players in the knockout"),
    "minutes": noop("Minutes per round"),
    "overtime": noop("Overtime minutes"),
    "no_show": noop("Minutes until a no-show"),
    "days": noop("Days per round"),
    "legs": noop("Games per pair"),
    "first_table": noop("First table number"),
    "reach": noop("Places above that may be challenged"),
    "size": noop("Players at a table"),
    "least": noop("Fewest players at a table"),
    "team_cap": noop("Most points of a team in a match"),
    "team_margin": noop("A lead of up to this is a draw"),
}
"""The label of each number field, also used when its number is refused."""


def groups(g: EventState) -> tuple[FieldGroup, ...]:
    """The fields that may still change, under their headings."""
    every = (
        FieldGroup(_("The game"), tuple(_of_game(g))),
        FieldGroup(_("Rounds and time"), tuple(_of_time(g))),
        FieldGroup(_("Pairings"), tuple(_of_pairing(g))),
        FieldGroup(_("Teams and divisions"), tuple(_of_teams(g))),
        FieldGroup(_("Ranking and tiebreaks"), tuple(_of_ranking(g)), meanings(g, standings.CRITERIA)),
        FieldGroup(_("Registration"), tuple(_of_registration(g))),
    )
    shown = (
        replace(group, fields=tuple(f for f in group.fields if may_change(g, f.name))) for group in every
    )
    return tuple(group for group in shown if group.fields)


CHOICES = ("mode", "kind", "scoring", "tables", "mix", "houses", "zone", "team_tables", "team_scale")
"""The settings that are one of several words."""


def values_of(sent: Mapping[str, Any], g: EventState) -> dict[str, Any]:
    """The settings that a form of `g` has sent, by name. Raises `Unreadable` for a number that is none.

    What a bye is worth is only set if somebody has typed another number: it follows from the scoring.
    """
    game = system(g.system)
    typed = {name: text for name, text in sent.items() if text.strip()}
    values: dict[str, Any] = {name: sent[name].strip() for name in CHOICES if name in sent}
    for name, (low, high) in NUMBERS.items():
        if name in typed:
            values[name] = whole(_(LABELS[name]), typed[name], low, high)
    values |= {name: name in sent for name in sent.get("flags", "").split()}
    options = {
        name: whole(_option_label(game, name), typed[f"option-{name}"], low, high)
        for name, (_usual, low, high) in game.options.items()
        if f"option-{name}" in typed
    }
    if options:
        values["options"] = options
    criteria = (f"criterion-{at}" for at in range(1, MOST_CRITERIA + 1))
    if chosen := tuple(typed[name] for name in criteria if name in typed):
        values["criteria"] = chosen
    if "team_size" in sent:
        values["team_size"] = whole(_("Teams"), sent["team_size"], 0, 8)
    if "divisions" in sent:
        values["divisions"] = [
            division for division in map(str.strip, re.split("[,，;\n]", sent["divisions"])) if division
        ]
    if "places" in typed:
        values["places"] = _numbers(typed["places"])
    byes = {name: sent[f"{BYE}{name}"].strip() for name in standings.SUMMED if f"{BYE}{name}" in sent}
    if byes:
        kept = {name: value for name, value in g.bye.items() if name not in byes}
        said = {name: halves(_bye_label(name), text, 0, MOST_BYE) for name, text in byes.items() if text}
        values["bye"] = kept | said
    return values


BYE = "bye-"
"""How the names of the fields begin that say what a bye is worth."""


def _bye_label(name: str) -> str:
    return _("For a bye: %(criterion)s") % {"criterion": _(standings.CRITERIA[name])}


def _of_a_bye(g: EventState) -> Iterator[Field]:
    """What a bye is worth of each criterion that counts; an empty field leaves what is usual."""
    worth = standings.usual_bye(g)
    for name in standings.SUMMED:
        if name == "points" or name in standings.criteria(g):
            value = worth.get(name, 0)
            said = _("the average of the round") if value is None else number(name, value)
            help, set_to = _("Empty: %(value)s") % {"value": said}, str(g.bye.get(name, ""))
            yield Field(f"{BYE}{name}", _bye_label(name), "halves", set_to, low=0, high=MOST_BYE, help=help)


def _numbers(typed: str) -> tuple[int, ...]:
    try:
        return tuple(int(digits) for digits in typed.replace(",", " ").replace("，", " ").split())
    except ValueError:
        line = noop("Write the points by place as whole numbers, as in “6, 5, 4, 3, 2, 1”.")
        raise Unreadable(say(line)) from None


def _of_game(g: EventState) -> Iterator[Field]:
    game = system(g.system)
    if len(game.modes) > 1:
        modes = {mode.slug: _(mode.title) for mode in game.modes}
        yield _select("mode", _("Mode"), modes, g.mode, _("Another one may be chosen for each round."))
    yield from _options(game, g)
    low, high = game.seat_range
    if high > 2:
        yield _number("size", g.size, max(low, pairing.LEAST), high, _("No table has more where that can be"))
        help = _("Where the number of players allows it; never below three")
        yield _number("least", g.least, *NUMBERS["least"], help)


def _options(game: System, g: EventState) -> Iterator[Field]:
    if game.sizes:
        sizes = {size: size for size in game.sizes}
        chosen = str(g.options.get("points", game.options["points"][0]))
        yield _select("option-points", _option_label(game, "points"), sizes, chosen)
    for name, (usual_value, low, high) in game.options.items():
        label, value = _option_label(game, name), str(g.options.get(name, usual_value))
        if choices := {str(value): _(title) for value, title in game.asks(name).values.items()}:
            yield _select(f"option-{name}", label, choices, value)
        elif name != "points" or not game.sizes:
            yield Field(f"option-{name}", label, "number", value, low=low, high=high)


def _option_label(game: System, name: str) -> str:
    own = {"points": game.size_words[0], "target": noop("Victory Points to win")}
    return _(own.get(name) or game.asks(name).title)


def _of_time(g: EventState) -> Iterator[Field]:
    yield _number("length", g.length, *NUMBERS["length"], _("0: by the number of players"))
    if event_settings.may_cut(g):
        yield _number("cut", g.cut, *NUMBERS["cut"])
    yield _number("minutes", g.minutes, *NUMBERS["minutes"])
    yield _number("overtime", g.overtime, *NUMBERS["overtime"])
    no_show = _("A player reported absent loses the table then; 0: only an organiser ends it")
    yield _number("no_show", g.no_show, *NUMBERS["no_show"], no_show)
    days = _("For leagues and ladders only; 0 if everyone plays on the same day")
    yield _number("days", g.days, *NUMBERS["days"], days)
    if g.is_ladder or (g.size == 2 and g.status == PLANNED):
        yield _number("reach", g.reach, *NUMBERS["reach"], _("Ladder only"))
    yield _number("first_table", g.first_table, *NUMBERS["first_table"])
    zone = _("For print-outs and deadlines, such as Europe/Berlin. Leave empty for the server’s, %(zone)s")
    yield Field(
        "zone", _("Time zone"), value=g.zone, help=zone % {"zone": settings_of_server.TIME_ZONE}, most=40
    )


def _of_pairing(g: EventState) -> Iterator[Field]:
    kinds = {slug: _(title) for slug, title in event_settings.kinds(g).items()}
    yield _select("kind", _("Pairing method"), kinds, g.kind)
    tables = {slug: _(title) for slug, title in TABLES.items()}
    help = _("A table is fresh if neither player has sat there. Any pairing can be moved by hand.")
    yield _select("tables", _("Who sits at which table"), tables, g.tables, help)
    if g.size > 2:
        yield _select("mix", _("Who plays together"), {s: _(t) for s, t in MIXES.items()}, g.mix)
        houses = {slug: _(title) for slug, title in HOUSES.items()}
        help = _("Each round’s houses are shown once it is paired, and can be changed until it opens.")
        yield _select("houses", _("Who plays which house"), houses, g.houses, help)
    if g.size == 2:
        yield _number("legs", g.legs, *NUMBERS["legs"], _("Round robin only"))
        label = _("Round robin: the games of a player who leaves before half are annulled")
        yield Field("annuls", label, "check", checked=g.annuls)
        label = _("Knockout: the losers of the semifinals play for third place")
        yield Field("third", label, "check", checked=g.third)
    yield Field("apart", _("No same-club pairings in round 1"), "check", checked=g.apart)


def _of_teams(g: EventState) -> Iterator[Field]:
    sizes = {str(n): _("teams of %(count)s") % {"count": n} for n in event_settings.TEAM_SIZES if n}
    chosen = str(g.team_size)
    if g.size == 2:
        yield _select("team_size", _("Teams"), {"0": _("no teams"), **sizes}, chosen)
        ways_ = {slug: _(title) for slug, title in WAYS.items()}
        yield _select("team_tables", _("Who of two teams plays whom"), ways_, g.team_tables)
        scales = {slug: _(title) for slug, title in SCALES.items()}
        yield _select("team_scale", _("Team score"), scales, g.team_scale)
        yield _number("team_cap", g.team_cap, *NUMBERS["team_cap"], _("0: no limit"))
        yield _number("team_margin", g.team_margin, *NUMBERS["team_margin"])
    help = _("Names with commas between them; each division has standings of its own")
    yield Field("divisions", _("Divisions"), value=", ".join(g.divisions), help=help, most=200)


def _of_ranking(g: EventState) -> Iterator[Field]:
    scorings = {slug: f"{_(scoring.title)}: {_(scoring.summary)}" for slug, scoring in ways(g.system).items()}
    yield _select("scoring", _("Tournament points"), scorings, g.scoring)
    if g.scoring == "places":
        points = ", ".join(map(str, g.places or (6, 5, 4, 3, 2, 1)))
        yield Field("places", _("Points by place"), value=points, help=_("The winner’s first"))
    yield from _of_a_bye(g)
    named = {"": "–", **{name: _(title) for name, title in standings.CRITERIA.items()}}
    chosen = [*standings.criteria(g), *[""] * MOST_CRITERIA]
    for at in range(1, MOST_CRITERIA + 1):
        label = _("Decides first") if at == 1 else _("then")
        yield _select(f"criterion-{at}", label, named, chosen[at - 1])


def _of_registration(g: EventState) -> Iterator[Field]:
    yield Field("is_open", _("Players may register themselves"), "check", checked=g.is_open)
    yield Field("is_listed", _("Shown on the home page"), "check", checked=g.is_listed)
    if g.size == 2:
        label = _("Counts for the ratings, of players who agree to be named there")
        yield Field("is_rated", label, "check", checked=g.is_rated)


def _select(name: str, label: str, choices: Mapping[str, str], chosen: str, help: str = "") -> Field:
    options = tuple(Option(value, title, value == chosen) for value, title in choices.items())
    return Field(name, label, "select", options=options, help=help)


def _number(name: str, value: int, low: int, high: int, help: str = "") -> Field:
    return Field(name, _(LABELS[name]), "number", str(value), low=low, high=high, help=help)


def refilled(shown: Iterable[FieldGroup], sent: Mapping[str, Any]) -> tuple[FieldGroup, ...]:
    """The same fields filled with what was typed, for a form that is shown again."""
    return tuple(
        replace(group, fields=tuple(_refilled(field, sent) for field in group.fields)) for group in shown
    )


def _refilled(field: Field, sent: Mapping[str, Any]) -> Field:
    if field.kind == "check":
        return replace(field, checked=field.name in sent)
    if field.name not in sent:
        return field
    typed = sent[field.name]
    options = tuple(replace(option, selected=option.value == typed) for option in field.options)
    return replace(field, value=typed, options=options)


def flags(shown: Iterable[FieldGroup]) -> str:
    """The names of the tick boxes in a form: one that is not sent was not ticked."""
    return " ".join(field.name for group in shown for field in group.fields if field.kind == "check")


# --- what was changed ------------------------------------------------------------------------------

TICKED = "on"
CRITERION = "criterion-"
"""How the names of the places in the ranking begin: they are one setting together."""


def filled_as(groups: Iterable[FieldGroup], name: str) -> str:
    """What a form is filled with, to be sent back with it: then only what somebody changed counts."""
    fields = (field for group in groups for field in group.fields)
    return filled.as_text({"name": name, **{field.name: _filled(field) for field in fields}})


def _filled(field: Field) -> str:
    if field.kind == "check":
        return TICKED if field.checked else ""
    return next((option.value for option in field.options if option.selected), field.value)


def changed_in(sent: Mapping[str, Any]) -> dict[str, Any]:
    """What a form has sent, without the fields that are still as it was filled.

    Somebody else may have changed those meanwhile. A form that does not say how it was filled changes all.
    """
    same = filled.unchanged(sent)
    if any(name.startswith(CRITERION) for name in filled.before(sent).keys() - same):
        same = {name for name in same if not name.startswith(CRITERION)}
    flags = [name for name in sent.get("flags", "").split() if name not in same]
    return {**{name: sent[name] for name in sent if name not in same}, "flags": " ".join(flags)}


# --- settings and helpers ----------------------------------------------------------------------------


INVITED = (JUDGE, SCOREKEEPER, ORGANISER)
"""The roles of helpers, as they are offered."""


def settings(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The settings that can still change."""
    g = event_actions.position_of(visit.event)
    shown = groups(g)
    values = {
        "name": sent.get("name", g.name),
        "groups": refilled(shown, request.POST) if request.method == "POST" else shown,
        "flags": flags(shown),
        # A form that was refused still says how it was filled at first.
        "shown": sent.get("shown") or filled_as(shown, g.name),
    }
    return _("Settings"), values


def helpers(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The helpers, each with the link that makes a phone theirs, and the form that invites another."""
    rows = tuple(_helper(request, visit, helper) for helper in Helper.objects.filter(event=visit.event))
    may = _(
        "A judge corrects and rules, but deletes nothing. A scorekeeper enters results and checks players "
        "in. An organiser may do everything."
    )
    options = tuple(Option(role, capfirst(_(role)), role == sent.get("role")) for role in INVITED)
    fields = (
        Field("name", _("Helper’s name"), value=sent.get("name", ""), most=40),
        Field("role", _("Role"), "select", options=options, help=may),
    )
    button = Button("appoint", _("Make a link"), "main")
    form = FieldForm(fields, (button,), _("Invite a helper"))
    return _("Helpers"), {"rows": rows, "form": form, "rights": tuple(_rights())}


def _rights() -> Iterator[tuple[str, str]]:
    """What helpers may do, each with the roles that may."""
    for title, _actions, may_do in RIGHTS:
        names = (capfirst(_(role)) for role in (ORGANISER, *may_do))
        yield capfirst(_(title)), _(", ").join(names)


def _helper(request: HttpRequest, visit: Visit, helper: Helper) -> HelperRow:
    link = event_links.address_of(request, visit.event, helper)
    is_mine = visit.holder is not None and event_links.name_of(visit.holder) == event_links.name_of(helper)
    button = None if is_mine else Button(f"dismiss {helper.pk}", _("Remove this helper"), "danger")
    return HelperRow(
        name=helper.name, role=_(helper.role), link=link, qr=picture_of(link), button=button, mine=is_mine
    )


# --- opening an event, and a helper's link -----------------------------------------------------------


REPEATABLE = timedelta(minutes=10)
"""How long the same form sent again leads to the event that it opened."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(OPENINGS)
@at_event
def new_event(request: HttpRequest) -> HttpResponse:
    """Open an event by its kind and name; its opener becomes its organiser, on this phone and by a link."""
    preset = preset_of(request.POST.get("preset", "") or request.GET.get("kind", ""))
    translation.activate_game(preset.values["system"])
    if request.method != "POST":
        return _form(request, preset, {"organiser": seating.remembered(request)})
    key = tap_key(request)
    typed = {name: request.POST.get(name, "").strip() for name in ("name", "organiser")}
    try:
        values = {**preset.values, **values_of(request.POST, _initial(preset))}
        values["name"] = clean_name(typed["name"] or _(preset.kind.title), 60)
        organiser = clean_name(typed["organiser"] or _("Organiser"))
        event = _opened(request, values, organiser, key)
    except (Unreadable, RequestRefused) as wrong:
        notice = view_models.Notice(words(wrong.line), "bad")
        return _form(request, preset, typed, notice, wrong.status)
    return seating.remember(HttpResponseRedirect(reverse("organise", args=[event.code])), typed["organiser"])


@transaction.atomic
def _opened(request: HttpRequest, values: dict[str, object], organiser: str, key: str) -> Event:
    """The event, opened now or by the same form a moment ago; this phone becomes its organiser's."""
    opening = event_actions.opening(key)
    if opening is not None and opening.created_at > clock.now() - REPEATABLE:
        if (held := event_actions.opener(opening.event)) is not None:
            event_links.take(request, held)
        return opening.event
    event, held_now = commands.open_event(values, organiser, seats.address_hash(request), key)
    event_links.take(request, held_now)
    return event


def _form(
    request: HttpRequest,
    preset: Preset,
    typed: dict[str, str],
    notice: view_models.Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = groups(_initial(preset))
    page = NewEventPage(
        post_url=reverse("new-event"),
        back=view_models.Link(reverse("home"), _("Home")),
        key=play.new_key(),
        preset=preset.kind.slug,
        presets=tuple(_choice(offer, preset) for offer in offered()),
        name=typed.get("name", ""),
        organiser=typed.get("organiser", ""),
        summary=_(preset.kind.summary),
        groups=shown if notice is None else refilled(shown, request.POST),
        flags=flags(shown),
        notice=notice,
    )
    return render(request, "hall/organiser/new_event.html", {"page": page}, status=status)


def _initial(preset: Preset) -> EventState:
    """An event of this kind before anything is set otherwise."""
    values = {**preset.values, "name": _(preset.kind.title)}
    return event_actions.apply_rules(lambda: event_settings.initial_state(values))


def _choice(preset: Preset, chosen: Preset) -> view_models.Link:
    url = f"{reverse('new-event')}?kind={preset.kind.slug}"
    return view_models.Link(url, _(preset.kind.title), current=preset == chosen)


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@at_event
def helper_link(request: HttpRequest, code: str, secret: str) -> HttpResponse:
    """A helper's link. Opening it does nothing; the button gives the phone the role."""
    visit = visit_of(request, code)
    holder = event_links.holder_of(visit.event, secret)
    if not isinstance(holder, Helper):
        return HttpResponseRedirect(reverse("event-me", args=[visit.code, secret]))
    if request.method == "POST":
        if refusal := event_links.too_many_devices(request, holder):
            return refusal
        event_links.take(request, holder)
        return HttpResponseRedirect(reverse("organise", args=[visit.code]))
    context = {
        "event": visit.event.name,
        "who": _("%(name)s: %(role)s of this event") % {"name": holder.name, "role": _(holder.role)},
        "post_url": request.path,
    }
    return render(request, "hall/organiser/helper_link.html", context)
