"""The home page: start a table, join one by its code, see what is being played."""

from __future__ import annotations

import json
from contextlib import suppress
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import view_models
from games.hall.models import Event
from games.hall.pages import event_page
from games.history.verdict import RequestRefused
from games.match import play
from games.models import Match, Seat
from games.pages import preview
from games.pages.access import claim_key, match_of, refusing
from games.pages.opening import again, first_steps, list_links, names, new_table, tables
from games.people import seats
from games.translation import words
from games.web import clients, limits
from games.web.database import in_turn


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Start, join, your tables, live tables; searched by `q` (a player or a code) and `game`."""
    return home_page(request)


def home_page(request: HttpRequest, code: str = "", error: str = "", status: int = 200) -> HttpResponse:
    """The home page, with what was typed and the sentence about it."""
    found = tables.Search.of(request.GET)
    own = tables.own(request)
    last = own.filter(is_practice=False).first()
    page = view_models.HomePage(
        share=preview.share(
            request,
            reverse("home"),
            _("Your phones around one table"),
            _(
                "Turns, tokens, score and clean-up on every phone; the dice and the miniatures stay where "
                "they belong."
            ),
        ),
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
        events=event_page.for_home(request),
        events_url=reverse("events"),
        rounds=() if last or found.is_narrow else first_steps.rounds(),
        first_steps_url=reverse("first-steps"),
        first_event_url=reverse("first-event"),
        key=seats.new_key(),
    )
    return render(request, "opening/home.html", {"page": page}, status=status)


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """To the table whose code was typed, or the one at which a seat with this moving code is taken."""
    typed = "".join(filter(str.isalnum, request.GET.get("code", ""))).upper()[:24]
    if Event.objects.filter(code=typed).exists():
        return HttpResponseRedirect(reverse("event", args=[typed]))
    if not Match.objects.filter(code=typed).exists():
        # Counted before it is looked for, as at a table: six letters are too few to be tried freely.
        if refusal := limits.too_fast(request, limits.MOVES, clients.device_at_table(request)):
            return refusal
        if refusal := limits.too_fast(request, limits.ALL_MOVES, clients.address(request)):
            return refusal
        if moved := seats.moving(typed):
            place = reverse("move-here", args=[moved.match.code])
            return HttpResponseRedirect(f"{place}?{urlencode({'code': typed})}")
        if refusal := limits.wrong_guess(request):
            return refusal
        error = _(
            "There is no table with this code. Look at the other device: codes have six letters or digits."
        )
        return home_page(request, typed, error, 404)
    return HttpResponseRedirect(reverse("join" if _is_awaited(request, typed) else "table", args=[typed]))


def _is_awaited(request: HttpRequest, code: str) -> bool:
    """Whether a table that has yet to begin waits for a player, and this phone may be theirs."""
    taken = Seat.objects.filter(match__code=code, match__round=0, match__finished_at=None)
    is_full = not taken.filter(is_taken=False).exists()
    return not is_full and taken.filter(is_taken=True).exists() and not seats.phone(request, code).seats


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.OPENINGS)
@refusing
def new(request: HttpRequest, game: str = "") -> HttpResponse:
    """Open a table: the game and its mode, the size, the names, this phone's seat and army.

    An address may say everything that the form says, and carry an army list (`list_links`).
    """
    like = again.table_of(request)
    if like and again.kept_seat(request, like):
        return HttpResponseRedirect(reverse("rematch", args=[like.code]))
    if request.method != "POST":
        return _empty_form(request, game, like)
    if refusal := limits.list_too_soon(request):
        return refusal
    values = {name: request.POST.get(name, "").strip() for name in new_table.fields()}
    errors: dict[str, str] = {}
    opening = new_table.read(values, errors)
    if opening is None:
        return render(request, "opening/new.html", {"page": new_table.page(values, errors)}, status=422)
    key = claim_key(request)
    return _open(request, opening, f"{key} {json.dumps(values)}" if key else "")


def _empty_form(request: HttpRequest, game: str, like: Match | None) -> HttpResponse:
    """The form as its address fills it; nothing is written. Errors are shown beside their fields."""
    if like:
        return render(
            request, "opening/new.html", {"page": new_table.page(again.form_values(request, like), {})}
        )
    said = {name: request.GET.get(name, "").strip() for name in new_table.fields() if name != "like"}
    values, errors = {**dict.fromkeys(new_table.fields(), ""), **said}, dict[str, str]()
    values["mode"] = new_table.full_mode(game or request.GET.get("game", ""), said["mode"])
    values["name"] = said["name"] or names.remembered(request)
    try:
        values["list"] = list_links.list_of(request)
    except RequestRefused as refused:
        errors["list"] = words(refused.line)
    is_filled = game or any(said.values()) or list_links.carries(request)
    opening = new_table.read(values, errors) if is_filled else None
    return render(request, "opening/new.html", {"page": new_table.page(values, errors, opening)})


@require_safe
@refusing
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """From a finished table to its rematch: to the seat kept for this phone, or else to the table."""
    match = match_of(code)
    if kept := again.kept_seat(request, match):
        args = [kept.match.code, kept.key, seats.link_secret(kept)]
        return HttpResponseRedirect(reverse("claim", args=args))
    opened = again.opened(match)
    return HttpResponseRedirect(reverse("table", args=[opened.match.code if opened else match.code]))


@transaction.atomic
def _open(request: HttpRequest, opening: new_table.Opening, key: str) -> HttpResponse:
    """Open the table; the same form sent again (by its `key`) leads to the table that it opened."""
    taken = seats.taken_by(key)
    for chair in taken:
        seats.sit_down(request, chair, key)
    like = None if taken else again.table_of(request)
    if like is not None:
        in_turn(f"rematch {like.code}")
        if again.kept_seat(request, like):  # Another player opened one at the same moment.
            return HttpResponseRedirect(reverse("rematch", args=[like.code]))
    match = taken[0].match if taken else _opened(request, opening, like, key)
    answer = HttpResponseRedirect(reverse("table", args=[match.code]))
    return names.remember(answer, opening.names[opening.seat])


def _opened(request: HttpRequest, opening: new_table.Opening, like: Match | None, key: str) -> Match:
    """The new table, with this phone seated and its chosen army brought."""
    match = play.open_match(
        opening.game.slug,
        opening.mode,
        opening.names,
        opening.options,
        opened_from=seats.address_hash(request),
    )
    seat = Seat.objects.select_related("match").get(match=match, key=opening.seat)
    seats.sit_down(request, seat, key)
    if like and like.result is not None and like.system == match.system:
        again.announce(request, like, seat, key)
    if opening.text:
        play.bring(match.code, seat.key, opening.text, play.new_key())
    elif opening.army == again.SAME_ARMY:
        _bring_again(request, match, seat.key)
    elif opening.army:
        play.tap(match.code, seat.key, f"demo:{opening.army}", match.version, play.new_key())
    return match


def _bring_again(request: HttpRequest, match: Match, seat: str) -> None:
    """Bring last time's armies; one that cannot come again is left for its player to paste."""
    like = again.table_of(request)
    if like is None or like.system != match.system:
        return
    for key, army in again.armies_of(request, like, seat).items():
        with suppress(RequestRefused):
            again.bring(match, key, army)
