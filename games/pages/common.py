"""What every view needs first: the table, the phone, clean input, and one way to refuse."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Container
from datetime import datetime
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.translation import get_language

from games import translation, view_models
from games.core import RequestRefused, Unreadable, ViewModel, clean_int, clean_key, say
from games.core import gettext_noop as noop
from games.live.hub import Audience
from games.match import play
from games.models import Match
from games.people import seats
from games.people.seats import SESSION_SEATS, Phone
from games.translation import gettext as _
from games.translation import words
from games.web import address_for_others, clock, is_for_programs, refuse, restored, wrong_guess


class Forms(ViewModel):
    """The forms of a seat's page: where they post, the nonce of their keys, and a mark of the page's data."""

    act_url: str
    adjust_url: str
    undo_url: str
    key: str
    guests_url: str = ""
    restored: str = ""


SIGNED = re.compile(r"([a-z][a-z0-9-]*) (.+)")
"""An action on a device that holds several seats, after the seat that it is for."""
OPENED = re.compile(r"(\d{1,7})((?:\.[a-z][a-z0-9-]*)+)")
"""A question, and the seats of a device whose halves were opened for it."""
LARGEST_VERSION = 999_999
View = Callable[..., HttpResponse]
Message = Callable[[HttpRequest, RequestRefused, str], HttpResponse]


def refusals(codes_of: Callable[[HttpRequest], Container[str]], message: Message) -> Callable[[View], View]:
    """Turn a view's refusal into a page with one sentence, the right status and a way back.

    A visitor who tries too many codes that lead nowhere has to wait, unless the code is one of their own
    (`codes_of`).
    """

    def refusing(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            code = kwargs.get("code", "")
            try:
                return view(request, *args, **kwargs)
            except RequestRefused as refused:
                return answer(request, refused, code)

        return guarded

    def answer(request: HttpRequest, refused: RequestRefused, code: str) -> HttpResponse:
        is_guess = refused.status == 404 and code not in codes_of(request)
        if is_guess and (slowed := wrong_guess(request)):
            return slowed
        if is_for_programs(request):
            return refuse(request, refused.status, words(refused.line), error=refused.error)
        return message(request, refused, code)

    return refusing


def without_referrer(view: View) -> View:
    """Keep the page's address, which holds a secret, out of the next page's request."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"
        return response

    return guarded


def message(request: HttpRequest, refused: RequestRefused, code: str = "") -> HttpResponse:
    """One sentence and the way back."""
    has_table = refused.error != "unknown" and code
    back = view_models.Link(reverse("table", args=[code]), _("Back to the table")) if has_table else None
    page = view_models.MessagePage(
        _("That did not work"), words(refused.line), back or view_models.Link(reverse("home"), _("Home"))
    )
    return render(request, "message.html", {"page": page}, status=refused.status)


refusing = refusals(lambda request: request.session.get(SESSION_SEATS, {}), message)
"""How a table's views answer a refusal."""


def back_to(match: Match) -> view_models.Link:
    return view_models.Link(reverse("table", args=[match.code]), _("Back to the table"))


def match_of(code: str) -> Match:
    """The match of this code, whose game's words are used from here on; `RequestRefused` (404) if none."""
    match = play.match_of(code.upper())
    translation.activate_game(match.system)
    return match


def chosen_seat(request: HttpRequest) -> str:
    """The seat whose player says they hold the device: in the page's address, or in the board's `as`."""
    return request.GET.get("seat", "") or request.POST.get("as", "")


def opened_halves(request: HttpRequest, phone: Phone) -> str:
    """The halves of this device that show their secrets, for one question ("12.red.blue"); "" for none."""
    opened = OPENED.fullmatch(request.GET.get("open", "") or request.POST.get("open", ""))
    if opened is None or len(phone.seats) < 2:
        return ""
    named = opened[2].split(".")
    return ".".join((opened[1], *(seat for seat in phone.seats if seat in named)))


def audience(request: HttpRequest, phone: Phone, kind: str = "table") -> Audience:
    """The reader a board is rendered for: the phone's seats, its language, the seat it speaks for."""
    language = get_language() or "en"
    if len(phone.seats) < 2:
        return Audience(phone.seats, language, kind)
    wanted = chosen_seat(request)
    speaker = wanted if wanted in phone.seats else ""
    opened = "" if speaker else opened_halves(request, phone)
    return Audience(phone.seats, language, kind, speaker, opened)


def validated(validate: Callable[..., Any], *args: Any) -> Any:
    """What `validate` lets through; `RequestRefused` for what it does not."""
    try:
        return validate(*args)
    except Unreadable as unreadable:
        raise RequestRefused(unreadable.line, unreadable.status, "unreadable") from unreadable


def field(request: HttpRequest, name: str) -> str:
    """A field that was sent exactly once; `RequestRefused` (422) otherwise."""
    values = request.POST.getlist(name)
    if len(values) != 1:
        raise malformed()
    return values[0]


def malformed() -> RequestRefused:
    """The refusal (422) of a form that a page of ours did not send like that."""
    line = say(noop("Something was missing from that tap. Please try again."))
    return RequestRefused(line, 422, "malformed")


def tap_key(request: HttpRequest) -> str:
    return validated(clean_key, field(request, "key"))


def claim_key(request: HttpRequest) -> str:
    """The key of a form that claims a seat; "" for one without, which cannot be repeated."""
    return tap_key(request) if request.POST.get("key") else ""


def seen_of(request: HttpRequest) -> int:
    return validated(clean_int, field(request, "seen"), 0, LARGEST_VERSION)


def refuse_earlier_data(request: HttpRequest) -> None:
    """Refuse (409) a tap from before a backup was brought back: what its player saw no longer exists."""
    made_of = request.POST.get("restored")
    if made_of is not None and made_of != restored():
        raise play.stale()


def seat_of(request: HttpRequest, code: str) -> tuple[Phone, str]:
    """The phone, and the seat that its action speaks for: the one that signs it, or else the page's."""
    phone = seats.phone(request, code)
    signer, _action = signed(request.POST.get("action", ""))
    return phone, phone.seat(signer or request.POST.get("seat", ""))


def waiting_url(request: HttpRequest, match: Match, phone: Phone) -> str:
    """Where a phone without a seat that has asked for one gets it once it is let in; "" if it has not."""
    asked = None if phone.seats else seats.own_request(request, match)
    waits = asked is not None and (asked.granted_at is not None or seats.is_waiting(asked))
    return reverse("join", args=[match.code]) if waits else ""


def signed(sent: str) -> tuple[str, str]:
    """The seat that signs a tapped action ("" for none), and the action: "blue ready" is ready for blue."""
    parts = SIGNED.fullmatch(sent)
    return (parts[1], parts[2]) if parts else ("", sent)


def forms_of(match: Match) -> Forms:
    """Where a page sends its taps, with a fresh key and a mark of the data it was made from."""
    act_url, adjust_url, undo_url, guests_url = (
        reverse(name, args=[match.code]) for name in ("act", "adjust", "undo", "guests")
    )
    nonce = secrets.token_urlsafe(12)
    return Forms(act_url, adjust_url, undo_url, nonce, guests_url, restored())


PICTURE_SIDE = 512
"""The sides of the program's own picture, in pixels."""


def share(request: HttpRequest, path: str, title: str, text: str) -> view_models.Share:
    """What is said of a page that has no picture of its own: only facts that anybody may read there."""
    return view_models.Share(
        title,
        text,
        address_for_others(request, path),
        address_for_others(request, static(f"icon-{PICTURE_SIDE}.png")),
        "Roundtable",
        (PICTURE_SIDE, PICTURE_SIDE),
    )


def instant(moment: datetime, behind: int = 0, zone: str = "") -> view_models.Instant:
    """A moment, with its time of day in this zone ("": the server's); time is counted from so much later."""
    text = time_format(clock.at_home(moment, zone), "H:i")
    return view_models.Instant(moment.isoformat(timespec="seconds"), int(moment.timestamp()) + behind, text)
