"""Tickets: a signed token in its address opens a stream, without a session and without the database."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.http import HttpResponse

from games.live.listeners import Audience, Epochs
from games.web import clock
from games.web.clock import AHEAD_SECONDS
from games.web.program import program, restored

TOKEN_SECONDS, WATCHER_SECONDS = 600, 12 * 3600
"""How long a seat's token opens a stream, and a spectator's, so that a crowd can return without Django."""
SALT = "roundtable.live"
"""Tickets are signed with this and the program's version: a page of another version has to ask again."""
STREAM_HEADER = b"x-roundtable-stream"
"""Names the token of a stream that the server's shell is to send instead of Django's own response."""


class Ticket(NamedTuple):
    """What a stream's token says: a match, the seats with their epochs, and how to show it.

    `restored` names the data that it was made from: in a restored backup, a seat that is at the same epoch
    may be somebody else's.
    """

    match: str
    epochs: Epochs
    language: str
    view: str
    speaker: str
    opened: str
    restored: str
    issued: int

    @property
    def audience(self) -> Audience:
        """Who listens with this token."""
        seats = tuple(seat for seat, _epoch in self.epochs)
        return Audience(seats, self.language, self.view, self.speaker, self.opened)


def stream_token(match: str, epochs: Epochs, audience: Audience) -> str:
    """A signed, URL-safe token that opens the stream of these seats for ten minutes, or a spectator's."""
    shown = (audience.language, audience.view, audience.speaker, audience.opened)
    return _signer().sign_object([match, epochs, *shown, restored(), int(clock.seconds())])


def read_stream_token(token: str) -> Ticket | None:
    """The ticket, or None if the token is forged, too old, or no token at all."""
    try:
        match, epochs, *shown = _signer().unsign_object(token)
        language, view, speaker, opened, made_of, issued = shown
    except (signing.BadSignature, ValueError):
        return None
    age = clock.seconds() - issued
    if not -AHEAD_SECONDS <= age <= (TOKEN_SECONDS if epochs else WATCHER_SECONDS):
        return None
    held = tuple((seat, epoch) for seat, epoch in epochs)
    return Ticket(match, held, language, view, speaker, opened, made_of, issued)


def _signer() -> signing.TimestampSigner:
    """The signer of tokens, which also accepts those signed with earlier keys."""
    return _signer_of(program(), settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(2)
def _signer_of(made_by: str, key: str, *earlier: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(key=key, salt=f"{SALT}.{made_by}", fallback_keys=list(earlier))


def stream_url(match: str, audience: Audience, epochs: Epochs) -> str:
    """The address of a stream; it names the table for a proxy that keeps a table's phones together."""
    return f"/live/{stream_token(match, epochs, audience)}?table={match}"


def stream_response(match: str, audience: Audience, epochs: Epochs) -> HttpResponse:
    """The stream itself as a view's response, for a caller whose right to it only Django can check.

    Without the shell in front (another server, a test client) the response is a sentence, never a wait.
    """
    response = HttpResponse("Streams need the server that `manage.py play` starts.", status=406)
    response[STREAM_HEADER.decode()] = stream_token(match, epochs, audience)
    return response
