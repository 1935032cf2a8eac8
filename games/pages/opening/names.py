"""A player's name: the device keeps it for the next table, and it can be changed at any time."""

from __future__ import annotations

from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import view_models
from games.core import validation
from games.core.system import system
from games.history.verdict import RequestRefused
from games.match import play
from games.models import Match
from games.pages.access import back_to, field, match_of, refusing, validated
from games.people import seats
from games.translation import words
from games.web import limits


def remembered(request: HttpRequest) -> str:
    """The name last entered on this device; "" for none."""
    try:
        return validation.clean_name(unquote(request.COOKIES.get(settings.NAME_COOKIE_NAME, "")))
    except validation.Unreadable:
        return ""


def remember(response: HttpResponse, name: str) -> HttpResponse:
    """The same response, which makes the device keep this name (if there is one)."""
    if name:
        response.set_cookie(
            settings.NAME_COOKIE_NAME,
            quote(name),
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def rename(request: HttpRequest, code: str) -> HttpResponse:
    """Change the player's name, on any of this phone's seats."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    phone.seat()
    if request.method != "POST":
        return render(request, "opening/name.html", {"page": _name_page(match, phone)})
    key, typed = phone.seat(request.POST.get("seat", "")), field(request, "name").strip()
    if refusal := limits.too_fast(request, limits.TAPS, f"{match.code}/{key}"):
        return refusal
    try:
        name = validated(validation.clean_name, typed)
        with phone.speaks(match.code, key):
            play.rename(match.code, key, name)
    except RequestRefused as refused:
        page = _name_page(match, phone, {key: typed}, {key: words(refused.line)})
        return render(request, "opening/name.html", {"page": page}, status=refused.status)
    return remember(HttpResponseRedirect(reverse("table", args=[match.code])), name)


def _name_page(
    match: Match,
    phone: seats.Phone,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> view_models.NamePage:
    colours = system(match.system).seat_names
    rows = tuple(
        view_models.NameRow(
            army.key,
            mark,
            _(colours.get(army.key, army.key)),
            (typed or {}).get(army.key, army.name),
            (errors or {}).get(army.key, ""),
        )
        for mark, army in enumerate(match.armies.all(), 1)
        if army.key in phone.seats
    )
    return view_models.NamePage(back_to(match), reverse("name", args=[match.code]), rows)
