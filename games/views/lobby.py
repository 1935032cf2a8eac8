"""The front door: start a table, join one by its code, see what is being played."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import view_models
from games.core import validation
from games.core.system import System, systems, usual
from games.events.models import Event
from games.match import play
from games.match.verdict import RequestRefused
from games.models import Match, Seat
from games.people import seats
from games.translation import words
from games.views import again, names, tables
from games.views.access import claim_key, cleaned, match_of, refusing
from games.views.hall import listed
from games.web import limits


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Start, join, your tables, live tables; searched by `q` (a player or a code) and `game`."""
    return home_page(request)


def home_page(request: HttpRequest, code: str = "", error: str = "", status: int = 200) -> HttpResponse:
    """The front door, with what was typed and the sentence about it."""
    found = tables.Search.of(request.GET)
    own = tables.own(request)
    last = own.first()
    page = view_models.HomePage(
        home_url=reverse("home"),
        new_url=reverse("new"),
        again_url=again.address(last) if last else "",
        join_url=reverse("find"),
        sections=tables.sections(own, found),
        games=found.games(),
        wanted=found.text,
        is_searched=found.is_narrow,
        code=code,
        error=error,
        statistics_url=reverse("statistics"),
        events=listed.for_home(request),
        events_url=reverse("events"),
    )
    return render(request, "home.html", {"page": page}, status=status)


@require_safe
@never_cache
def find(request: HttpRequest) -> HttpResponse:
    """To the table whose code was typed."""
    typed = "".join(filter(str.isalnum, request.GET.get("code", ""))).upper()[:24]
    if Event.objects.filter(code=typed).exists():
        return HttpResponseRedirect(reverse("event", args=[typed]))
    if not Match.objects.filter(code=typed).exists():
        if refusal := limits.wrong_guess(request):
            return refusal
        error = _(
            "There is no table with this code. Look at the other device: codes have six letters or digits."
        )
        return home_page(request, typed, error, 404)
    return HttpResponseRedirect(reverse("join" if _is_awaited(request, typed) else "table", args=[typed]))


def _is_awaited(request: HttpRequest, code: str) -> bool:
    """Whether a table that has yet to begin waits for somebody, and this phone may be who comes."""
    taken = Seat.objects.filter(match__code=code, match__round=0, match__finished_at=None)
    is_full = not taken.filter(is_taken=False).exists()
    return not is_full and taken.filter(is_taken=True).exists() and not seats.phone(request, code).seats


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.OPENINGS)
@never_cache
@refusing
def new(request: HttpRequest) -> HttpResponse:
    """Open a table: the game and its mode, the size, the names, the seat and army of this phone."""
    like = again.table_of(request)
    if like and again.kept(request, like):
        return HttpResponseRedirect(reverse("rematch", args=[like.code]))
    if request.method != "POST":
        fresh = {"game": request.GET.get("game", ""), "name": names.known(request)}
        begun = again.form_values(request, like) if like else fresh
        return render(request, "new.html", {"page": _new_page(begun, {})})
    values = {name: request.POST.get(name, "").strip() for name in fields()}
    errors: dict[str, str] = {}
    opening = _read(values, errors)
    if opening is None:
        return render(request, "new.html", {"page": _new_page(values, errors)}, status=422)
    key = claim_key(request)
    return _open(request, opening, f"{key} {json.dumps(values)}" if key else "")


@require_safe
@never_cache
@refusing
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """From a finished table to its rematch: to the seat that is kept for this phone, else to the table."""
    match = match_of(code)
    if kept := again.kept(request, match):
        args = [kept.match.code, kept.key, seats.link_secret(kept)]
        return HttpResponseRedirect(reverse("claim", args=args))
    opened = again.opened(match)
    return HttpResponseRedirect(reverse("table", args=[opened.match.code if opened else match.code]))


FIELDS = ("mode", "name", "rival", "seats", "seat", "army", "like")


def fields() -> tuple[str, ...]:
    """What the form may send: its own fields, and the options of whichever game is chosen."""
    return tuple(dict.fromkeys((*FIELDS, *(option for game in systems() for option in game.options))))


@dataclass(frozen=True)
class Opening:
    """What was asked for on the form of a new table, read and clean."""

    game: System
    mode: str
    seat: str
    names: dict[str, str]
    options: dict[str, int]
    army: str


@transaction.atomic
def _open(request: HttpRequest, opening: Opening, key: str) -> HttpResponse:
    """Open the table; the same form sent again (by its `key`) leads to the table that it opened."""
    seat = seats.claimed(key)
    is_new = seat is None
    if seat is None:
        match = play.open_match(
            opening.game.slug,
            opening.mode,
            opening.names,
            opening.options,
            opened_from=seats.address_hash(request),
        )
        seat = Seat.objects.select_related("match").get(match=match, key=opening.seat)
    seats.sit_down(request, seat, key)
    like = again.table_of(request)
    if is_new and like and like.result is not None and like.system == seat.match.system:
        again.tell(request, like, seat)
    if is_new and opening.army == again.SAME_ARMY:
        _bring_again(request, seat.match, seat.key)
    elif is_new and opening.army:
        play.tap(seat.match.code, seat.key, f"demo:{opening.army}", seat.match.version, play.new_key())
    answer = HttpResponseRedirect(reverse("table", args=[seat.match.code]))
    return names.kept(answer, opening.names[opening.seat])


def _bring_again(request: HttpRequest, match: Match, seat: str) -> None:
    """The armies of last time; one that cannot come again is left to be pasted."""
    like = again.table_of(request)
    if like is None or like.system != match.system:
        return
    for key, army in again.armies_of(request, like, seat).items():
        with suppress(RequestRefused):
            again.bring(match, key, army)


def _read(values: dict[str, str], errors: dict[str, str]) -> Opening | None:
    """What the form says; None with the sentences about it, by field, in `errors`."""
    game, mode = _mode(values["mode"], errors)
    keys = list(game.seat_names)[: _count(game, values["seats"], errors)]
    seat = values["seat"] or keys[0]
    if seat not in keys:
        errors["seat"] = _no_such_seat(game, seat, len(keys))
        seat = keys[0]
    if values["army"] not in ("", again.SAME_ARMY, *game.demo_armies()):
        errors["army"] = _("Choose one of the armies.")
    names = dict.fromkeys(keys, "")
    names[seat] = _clean(values, "name", errors, _name)
    names[next(key for key in keys if key != seat)] = _clean(values, "rival", errors, _name)
    options = {
        option: _clean(values, option, errors, partial(validation.clean_int, minimum=low, maximum=high))
        for option, (_default, low, high) in game.options.items()
        if values.get(option)
    }
    for option in game.options:
        if option in options and option not in errors and not game.may_be(option, options[option]):
            errors[option] = _("This option has no such value.")
    return None if errors else Opening(game, mode, seat, names, options, values["army"])


def _count(game: System, typed: str, errors: dict[str, str]) -> int:
    """How many play: as many as were asked for, else as few as can."""
    fewest, most = game.seat_range
    if not typed:
        return fewest
    try:
        return cleaned(validation.clean_int, typed, fewest, most)
    except RequestRefused:
        line = _("This game is played by %(fewest)s to %(most)s players.")
        errors["seats"] = line % {"fewest": fewest, "most": most}
        return fewest


def _no_such_seat(game: System, seat: str, count: int) -> str:
    """Why a seat cannot be taken: it does not exist, or only with more players."""
    keys = list(game.seat_names)
    if seat not in keys[: game.seat_range[1]]:
        return _("Choose one of the seats.")
    line = _("%(seat)s joins with %(count)s players. Choose more players or another seat.")
    return line % {"seat": _(game.seat_names[seat]), "count": max(keys.index(seat) + 1, count + 1)}


def _mode(wanted: str, errors: dict[str, str]) -> tuple[System, str]:
    for game in systems():
        for mode in game.modes:
            if wanted == f"{game.slug}/{mode.slug}":
                return game, mode.slug
    game = usual()
    if wanted:
        errors["mode"] = _("Choose one of the games.")
    return game, game.modes[0].slug


def _name(text: str) -> str:
    return validation.clean_name(text) if text else ""


def _clean(values: dict[str, str], name: str, errors: dict[str, str], gate: Callable[[str], Any]) -> Any:
    try:
        return cleaned(gate, values[name])
    except RequestRefused as refused:
        errors[name] = words(refused.line)
        return ""


def _new_page(values: dict[str, str], errors: dict[str, str]) -> view_models.NewPage:
    game, chosen = _mode(values.get("mode") or _first_mode(values.get("game", "")), {})
    fewest, most = game.seat_range
    keys = list(game.seat_names)[:most]
    count = values.get("seats") or str(fewest)
    points = values.get("points") or str(game.options.get("points", (0, 0, 0))[0])
    armies = {
        "": _("Paste or type my own list"),
        **({again.SAME_ARMY: _("The same armies as last time")} if values.get("like") else {}),
        **{slug: _demo(game, slug, title) for slug, title in game.demo_armies().items()},
    }
    modes = tuple(
        view_models.Option(
            f"{game.slug}/{mode.slug}", _(mode.title), mode.slug == chosen, _(mode.summary or game.title)
        )
        for mode in game.modes
    )
    choices = {option: _choice(game, option, values, errors) for option in _asked(game)}
    rare = [option for option in choices if game.asks(option).is_rare and not _is_set(game, option, values)]
    folded = tuple(mode for mode in modes[AT_HAND:] if not mode.selected)
    return view_models.NewPage(
        post_url=reverse("new"),
        back=view_models.Link(reverse("home"), _("Home")),
        games=tuple(
            view_models.Link(f"{reverse('new')}?game={one.slug}", _(one.title), current=one is game)
            for one in systems()
        ),
        modes=tuple(mode for mode in modes if mode not in folded),
        more_modes=folded,
        counts=tuple(
            view_models.Option(str(number), str(number), str(number) == count)
            for number in range(fewest, most + 1)
            if fewest < most
        ),
        points=tuple(view_models.Option(size, size, size == points) for size in game.sizes),
        seats=tuple(
            view_models.Option(
                key,
                _(game.seat_names[key]),
                key == (values.get("seat") or keys[0]),
                _("from %(count)s players") % {"count": number} if number > fewest else "",
            )
            for number, key in enumerate(keys, 1)
        ),
        armies=tuple(
            view_models.Option(slug, title, slug == values.get("army", "")) for slug, title in armies.items()
        )
        if game.brings_armies
        else (),
        choices=tuple(choices[option] for option in choices if option not in rare),
        more_choices=tuple(choices[option] for option in rare),
        most_target=game.options.get("target", (0, 0, 0))[2],
        has_rival=most == MOST_RIVALS,
        target=values.get("target", ""),
        like=values.get("like", ""),
        name=values.get("name", ""),
        rival=values.get("rival", ""),
        errors=errors,
        sentences=tuple(errors[name] for name in errors if name not in _shown(game)),
        key=seats.new_key(),
    )


def _shown(game: System) -> set[str]:
    """The fields that a game's form has."""
    fewest, most = game.seat_range
    sometimes = {
        "seats": fewest < most,
        "rival": most == MOST_RIVALS,
        "points": bool(game.sizes),
        "target": "target" in game.options,
        "army": game.brings_armies,
    }
    return {
        "mode",
        "name",
        "seat",
        *_asked(game),
        *(name for name, is_shown in sometimes.items() if is_shown),
    }


def _choice(
    game: System, option: str, values: dict[str, str], errors: dict[str, str]
) -> view_models.NewChoice:
    choices = game.asks(option)
    usual_value, least, most = game.options[option]
    chosen = values.get(option) or str(usual_value)
    return view_models.NewChoice(
        option,
        _(choices.title),
        tuple(
            view_models.Option(str(value), _(title), str(value) == chosen)
            for value, title in choices.values.items()
        ),
        _(choices.help) if choices.help else "",
        errors.get(option, ""),
        chosen,
        least,
        most,
    )


def _asked(game: System) -> list[str]:
    """The options that have no field of their own on the form: each game's are asked in its own words."""
    apart = {"target", *(("points",) if game.sizes else ())}
    return [option for option in game.options if option not in apart]


def _is_set(game: System, option: str, values: dict[str, str]) -> bool:
    """Whether an option was given another value than the usual, so that it has to be seen."""
    return values.get(option, "") not in ("", str(game.options[option][0]))


AT_HAND = 2
"""How many modes of a game stand open on its form, and the chosen one with them."""

MOST_RIVALS = 2
"""With more players than these their names come as they sit down."""


def _first_mode(slug: str) -> str:
    """The mode that a game's form begins with; "" for no game of that name."""
    return next((f"{game.slug}/{game.modes[0].slug}" for game in systems() if game.slug == slug), "")


def _demo(game: System, slug: str, title: str) -> str:
    return " · ".join(part for part in (_(title), words(game.demo_summary(slug))) if part)
