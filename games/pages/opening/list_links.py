"""Links that carry an army list: what a list builder writes into the address of a page.

The list itself is in the address, as text (`list`) or as the text's base64url (`list64`). This server never
fetches an address that a visitor names: that would let the visitor reach into its own network.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, urlsafe_b64encode
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from games import view_models
from games.core import RequestRefused, say, system
from games.core import gettext_noop as noop
from games.match import storage
from games.models import Match
from games.people import seats
from games.translation import gettext as _
from games.translation import words

NAMES = ("list", "list64")
LONGEST = 3000
"""Most characters of a list in an address, which may have 4,096 in all."""
_USUAL_ALPHABET = str.maketrans("-_ ", "+/+")


def carries(request: HttpRequest) -> bool:
    return any(request.GET.get(name) for name in NAMES)


def list_of(request: HttpRequest) -> str:
    """The list in the address as its builder wrote it; "" for none; `RequestRefused` (422) if damaged."""
    packed = request.GET.get("list64", "").strip().translate(_USUAL_ALPHABET).rstrip("=")
    if not packed:
        return request.GET.get("list", "").strip()
    try:
        return b64decode(packed + "=" * (-len(packed) % 4), validate=True).decode().strip()
    except (binascii.Error, ValueError):
        line = say(noop("The list in this link is damaged or cut off. Please paste the list itself."))
        raise RequestRefused(line, 422, "unreadable") from None


def list_query(text: str) -> dict[str, str]:
    """A list as an address carries it; empty for no list, or for one that is too long."""
    letters = urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return {"list64": letters} if 0 < len(letters) <= LONGEST else {}


def address_with_list(request: HttpRequest, name: str, *args: str) -> str:
    """The address of another page, carrying this page's list along."""
    carried = {key: request.GET[key] for key in NAMES if request.GET.get(key)}
    return reverse(name, args=args) + (f"?{urlencode(carried)}" if carried else "")


def at_table(request: HttpRequest, match: Match) -> HttpResponse:
    """Lead a list to the seat that it is for: one of this phone's, or one that it has to ask for first."""
    own = seats.phone(request, match.code).seats
    if not own:
        return HttpResponseRedirect(address_with_list(request, "join", match.code))
    game = system(match.system)
    if not game.brings_armies:
        raise RequestRefused(say(noop("This game needs no army list.")), 409, "not_offered")
    if match.round or match.result is not None:
        line = say(noop("The match has begun. The list from this link can no longer be used."))
        raise RequestRefused(line, 409, "not_offered")
    state = storage.load(match).state
    seat = next((seat for seat in own if game.roster(state, seat) is None), own[0])
    return HttpResponseRedirect(address_with_list(request, "army", match.code, seat))


def notice(request: HttpRequest) -> tuple[str, view_models.Notice | None]:
    """What a list page is filled with: the text that came with the link, and a sentence about it."""
    if not carries(request):
        return "", None
    try:
        text = list_of(request)
    except RequestRefused as refused:
        return "", view_models.Notice(words(refused.line), "bad")
    return text, view_models.Notice(_("This list came with the link. Look it over, then read it."), "good")
