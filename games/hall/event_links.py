"""Who is this phone at an event? A player, a helper with a role, the organiser in the admin, or a guest.

Links and API tokens are keyed hashes of the row, its epoch and its salt: none of them is stored, and a new
epoch makes all of them worthless at once. A phone may hold a place in several events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from django.contrib.auth import SESSION_KEY
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.core import RequestRefused, say
from games.core import gettext_noop as _
from games.hall.event_actions import GUEST, JUDGE, NO_LONGER, ORGANISER, PLAYER, SCOREKEEPER, Actor
from games.hall.models import Event, Helper, Player
from games.history.signals import link_revoked
from games.models import new_salt
from games.people.sessions import SessionStore, is_present
from games.web import LINKS, address, address_for_others, device_at_table, keys, too_fast

SESSION_EVENTS = "events"
MOST_EVENTS = 50
"""How many places one phone keeps; the oldest is forgotten first."""

Holder = Player | Helper


def secret(holder: Holder) -> str:
    """What a player's or helper's link and token hold: "p12.…" or "h3.…"."""
    return f"{name_of(holder)}.{keys.mac(*_secret_of(holder))}"


def address_of(request: HttpRequest, event: Event, holder: Holder) -> str:
    """A player's or helper's own link, as another device can open it."""
    holder.event = event
    name = "event-me" if isinstance(holder, Player) else "helper-link"
    return address_for_others(request, reverse(name, args=[event.code, secret(holder)]))


def addresses_of(
    request: HttpRequest, event: Event, players: Iterable[Player]
) -> Iterator[tuple[Player, str]]:
    """Players, each with the link of their own."""
    start = ""
    for player in players:
        start = start or address_of(request, event, player).removesuffix(secret(player))
        player.event = event
        yield player, start + secret(player)


def _secret_of(holder: Holder) -> tuple[str, str, int]:
    # The salt keeps the link of somebody whom a restored backup does not know from opening the place of
    # the next one with that number.
    return "event", f"{holder.event.code}:{name_of(holder)}:{holder.epoch}:{holder.salt}", 32


def holder_of(event: Event, token: str) -> Holder:
    """Whose link or token this is; `RequestRefused` (404) for one that opens nothing, or no longer does."""
    name, _dot, mac = token.partition(".")
    number = name[1:]
    is_number = number.isascii() and number.isdigit() and len(number) < 19
    holder = _row(event, name[:1], int(number)) if is_number else None
    if holder is None or not keys.is_mac(mac, *_secret_of(holder)):
        raise RequestRefused(say(NO_LONGER), 404, "unknown")
    return holder


def actor_of(holder: Holder) -> Actor:
    """Who acts with this link."""
    if isinstance(holder, Player):
        return Actor(holder.key, holder.name, PLAYER, holder)
    return Actor(f"helper-{holder.pk}", str(holder), holder.role, holder)


def bearer(request: HttpRequest, event: Event) -> Actor:
    """Whose token is in the Authorization header; a guest without one, whatever the session holds."""
    header = request.headers.get("Authorization", "")
    if not header:
        return Actor("guest", "", GUEST)
    _scheme, _space, token = header.partition(" ")
    try:
        return actor_of(holder_of(event, token))
    except RequestRefused:
        raise bad_token() from None


def bad_token() -> RequestRefused:
    """The refusal (403) of a token that opens nothing, or no longer does."""
    return RequestRefused(say(_("This token does not open anything at this event.")), 403, "bad_token")


def take(request: HttpRequest, holder: Holder) -> None:
    """Make this phone the player's or helper's from now on."""
    held = dict(request.session.get(SESSION_EVENTS, {}))
    held.pop(holder.event.code, None)
    held[holder.event.code] = [_letter(holder), holder.pk, holder.epoch]
    request.session[SESSION_EVENTS] = dict(list(held.items())[-MOST_EVENTS:])
    assert isinstance(request.session, SessionStore)
    request.session.start_over()


def event_and_address(request: HttpRequest) -> str:
    """Who asks, for a limit: the asking address at the event that the request is about."""
    match = request.resolver_match
    return f"{match.kwargs['code'].upper() if match else ''} {address(request)}"


def note_address(request: HttpRequest, player: Player) -> None:
    """Remember where a player registered from, as a keyed hash that tells nothing at another event."""
    address_hash = keys.mac("registered from", f"{player.event.code}:{address(request)}", 64)
    Player.objects.filter(pk=player.pk).update(registered_from=address_hash)


def holder(request: HttpRequest, event: Event) -> Holder | None:
    """The player or helper whose place at this event the phone holds, if it does."""
    letter, number, epoch = request.session.get(SESSION_EVENTS, {}).get(event.code, ("", 0, 0))
    row = _row(event, letter, number) if letter else None
    return row if row is not None and row.epoch == epoch else None


def place(request: HttpRequest) -> str:
    """Whose taps these are, for a limit: the place that the phone holds at the event, or else the phone."""
    match = request.resolver_match
    code = str(match.kwargs.get("code", "")) if match else ""
    held = request.session.get(SESSION_EVENTS, {}).get(code)
    # One place may be open on many phones, each with its own session.
    return f"{code}/place {held[0]}{held[1]}" if held else device_at_table(request)


def too_many_devices(request: HttpRequest, holder: Holder) -> HttpResponse | None:
    """Count a device that takes a place by its link; the refusal (429) if there were too many."""
    return too_fast(request, LINKS, f"{holder.event.code}/place {name_of(holder)}")


def actor(request: HttpRequest, event: Event) -> Actor:
    """Who acts with this phone: by their permissions in the admin, or else by the link that it opened."""
    if (role := _role_in_admin(request)) is not None:
        return Actor("", request.user.get_username(), role)
    person = holder(request, event)
    return Actor("guest", "", GUEST) if person is None else actor_of(person)


def revoke(holder: Holder) -> None:
    """Revoke every link, token and phone of a player or helper."""
    type(holder)._default_manager.filter(pk=holder.pk).update(epoch=F("epoch") + 1, salt=new_salt())
    facts = {"code": holder.event.code, "holder": name_of(holder), "epoch": holder.epoch}
    transaction.on_commit(partial(link_revoked.send, type(holder), **facts))


def name_of(holder: Holder) -> str:
    """The short name of a player's or helper's place: "p12" or "h3"."""
    return f"{_letter(holder)}{holder.pk}"


def _letter(holder: Holder) -> str:
    return "p" if isinstance(holder, Player) else "h"


def codes(request: HttpRequest) -> list[str]:
    """The codes of the events in which this phone has a place, the newest first."""
    return list(reversed(request.session.get(SESSION_EVENTS, {})))


def organised(request: HttpRequest) -> list[Event]:
    """The events that this phone organises, the newest first; in the admin those of everyone."""
    if _role_in_admin(request) == ORGANISER:
        return list(Event.objects.filter(is_demo=False).order_by("-created_at")[:MOST_EVENTS])
    held = Event.objects.in_bulk(codes(request), field_name="code")
    events = (held[code] for code in codes(request) if code in held)
    return [event for event in events if actor(request, event).role == ORGANISER]


def _row(event: Event, letter: str, number: int) -> Holder | None:
    row: Holder | None = None
    if letter == "p":
        row = Player.objects.filter(event=event, pk=number).first()
    elif letter == "h":
        row = Helper.objects.filter(event=event, pk=number).first()
    if row is not None:
        row.event = event
    return row


IN_ADMIN = (
    ("events.change_event", ORGANISER),
    ("events.change_pairing", JUDGE),
    ("events.view_pairing", SCOREKEEPER),
)
"""The role that a permission in the admin gives its holder at every event."""


def _role_in_admin(request: HttpRequest) -> str | None:
    """The role of somebody logged in to the admin, the first in `IN_ADMIN` that they have."""
    if SESSION_KEY not in request.session or not is_present(request) or not request.user.is_active:
        return None
    return next((role for permission, role in IN_ADMIN if request.user.has_perm(permission)), None)
