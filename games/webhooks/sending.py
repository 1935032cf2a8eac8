"""Sends one message once, signed as Standard Webhooks says, whether it is answered or not.

The signature is an HMAC-SHA-256 over the message's id, the time of this attempt and the body, so that a
receiver can tell that the message comes from here, is whole, and is not an old one that somebody replays.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings

from games.webhooks.addresses import Forbidden, Target, resolve, target_of

PAUSE_SECONDS, MOST_SECONDS, LAST_SECONDS = 5.0, 15.0, 1.0
"""How long a receiver may be silent, the whole attempt may take, and what has arrived by then is read."""
MOST_BYTES, MOST_LETTERS = 2048, 300
"""How much of an answer is read, and how much of that is kept."""


@dataclass(frozen=True)
class Receipt:
    """What came back: a status, or None with the reason why there is none."""

    status: int | None
    text: str

    @property
    def is_good(self) -> bool:
        """Whether the receiver has taken the message."""
        return self.status is not None and 200 <= self.status < 300


def signature(secret: str, key: str, at: int, body: bytes) -> str:
    """What goes into `webhook-signature`; `at` is in seconds since 1970."""
    signing = base64.b64decode(secret.removeprefix("whsec_"))
    made = hmac.new(signing, b"%s.%d.%s" % (key.encode(), at, body), hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"


def send(address: str, secret: str, key: str, at: int, body: str) -> Receipt:
    """Send one message; any failure becomes a receipt, too. Redirects are not followed."""
    content = body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Roundtable/{settings.VERSION}",
        "Connection": "close",
        "webhook-id": key,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret, key, at, content),
    }
    try:
        target = target_of(address)
        return _post(target, resolve(target), headers, content)
    except Forbidden as forbidden:
        return Receipt(None, forbidden.line.message)
    except (OSError, ValueError, http.client.HTTPException) as problem:
        # The error may quote what came back, which may be anything.
        return Receipt(None, _readable(str(problem)) or type(problem).__name__)


def _readable(text: str) -> str:
    """The part of a text that a page can show and every database can keep."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()[:MOST_LETTERS]


def _post(target: Target, number: str, headers: dict[str, str], content: bytes) -> Receipt:
    connection = Pinned(target, number)
    # A receiver that sends one letter now and then is given up, too.
    patience = threading.Timer(MOST_SECONDS, connection.give_up)
    patience.daemon = True
    patience.start()
    try:
        connection.request("POST", target.path, content, headers)
        response = connection.getresponse()
        text = response.read(MOST_BYTES).decode("utf-8", "replace")
        if 300 <= response.status < 400:
            text = f"redirects to {response.headers.get('Location', '')}: not followed"
        return Receipt(response.status, _readable(text))
    finally:
        patience.cancel()
        connection.close()


class Pinned(http.client.HTTPConnection):
    """A connection to one IP address, wherever the name points by now; the certificate must be the name's."""

    def __init__(self, target: Target, number: str) -> None:
        super().__init__(target.host, target.port, timeout=PAUSE_SECONDS)
        self.target, self.number = target, number
        self.default_port = 443 if target.is_secure else 80
        self.line: socket.socket | None = None

    def connect(self) -> None:
        """Open the connection, encrypted unless the club's own network is meant."""
        self.sock = socket.create_connection((self.number, self.target.port), PAUSE_SECONDS)
        if self.target.is_secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.target.host)
        self.line = self.sock

    def give_up(self) -> None:
        """End what it waits to read: the library lets go of `sock` before the answer is read.

        Were writing ended at once, too, the receiver's next letter would reset the connection, and what has
        arrived of the answer would be lost. It ends a moment later: what arrives without a pause is read on.
        """
        line = self.line or self.sock
        if line is None:
            return
        with suppress(OSError):
            line.shutdown(socket.SHUT_RD)
            time.sleep(LAST_SECONDS)
            line.shutdown(socket.SHUT_RDWR)
