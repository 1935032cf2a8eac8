"""The pages on which a device claims seats, by their keys: a cookie holds them before anything is claimed.

If the answer to a claim is lost, so is the session that came with it, and the server no longer knows the
device. The keys of its pages came with the pages. So when the same link is opened or the same code is scanned
again on that device, the new page may repeat what an earlier one did (`again`).

A planted cookie gains nothing: each page makes a key of its own, and only a page's own key claims.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.core import validation
from games.models import Match, Seat
from games.people import seats

MOST_PAGES = 5
"""How many pages the cookie remembers; the oldest is forgotten first."""
COOKIE_SECONDS = 24 * 60 * 60
"""How long a page may stay open before it claims; a claim is repeated for `seats.CLAIM_MINUTES` only."""


def pages(request: HttpRequest) -> list[str]:
    """The keys of this device's last pages, the newest first."""
    kept = request.COOKIES.get(settings.CLAIM_COOKIE_NAME, "").split(".")[:MOST_PAGES]
    return [key for key in kept if _is_key(key)]


def remember(request: HttpRequest, response: HttpResponse, key: str) -> HttpResponse:
    """The same response, which makes the device remember the key of the page that it shows."""
    response.set_cookie(
        settings.CLAIM_COOKIE_NAME,
        ".".join([key, *(one for one in pages(request) if one != key)][:MOST_PAGES]),
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def again(request: HttpRequest, match: Match, key: str = "") -> tuple[Seat, str] | None:
    """The seat that this device claimed a short while ago without hearing of it, and its page's key.

    `key` is that of the form that was sent, if one was. None for a device that has all that it claimed.
    """
    found = seats.claimed(match, *filter(None, (key, *pages(request))))
    is_lost = found is not None and found[0].key not in seats.phone(request, match.code).seats
    return found if is_lost else None


def _is_key(key: str) -> bool:
    try:
        return validation.clean_key(key) == key
    except validation.Unreadable:
        return False
