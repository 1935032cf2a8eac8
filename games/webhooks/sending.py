"""Sends one message once, signed as Standard Webhooks says, whether it is answered or not.

The signature is an HMAC-SHA-256 over the message's id, the time of this attempt and the body, so that a
receiver can tell that the message comes from here, is whole, and is not an old one that somebody replays.

A message goes over https to the internet, unless the server's owner allows the club's network. A name is
looked up once, and the connection goes to exactly the address that was allowed: a name that resolves
differently the second time gains nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from games.core import Line, say
from games.core import gettext_noop as _

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


# --- where a message may go --------------------------------------------------------------------------


Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_RESERVED = tuple(
    map(
        ipaddress.ip_network,
        (
            *("192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24"),
            *("2620:4f:8000::/48", "3fff::/20"),
        ),
    )
)
"""Networks in IANA's registries of special addresses that the library takes for public, in full or in part.

They are of protocols, of relays and sinks near the sender, and of examples (the last one is newer than
Python 3.11): no one's server on the internet has such an address.
"""


class Forbidden(Exception):
    """An address to which nothing may be sent; `line` says why."""

    def __init__(self, line: Line) -> None:
        super().__init__(line.message)
        self.line = line


@dataclass(frozen=True)
class Target:
    is_secure: bool
    host: str
    port: int
    path: str


def target_of(address: str) -> Target:
    """A web address in its parts; raises `Forbidden` for one to which nothing may be sent."""
    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        raise Forbidden(say(_("This is not a web address."))) from None
    if not address.isascii() or not address.isprintable() or " " in address or not url.hostname:
        raise Forbidden(say(_("This is not a web address.")))
    if url.scheme != "https" and not (url.scheme == "http" and settings.WEBHOOKS_LOCAL):
        raise Forbidden(say(_("The address must begin with https://.")))
    if url.username is not None or url.password is not None:
        raise Forbidden(say(_("The address must not contain a name or a password.")))
    is_secure = url.scheme == "https"
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    return Target(is_secure, url.hostname, port or (443 if is_secure else 80), path)


def resolve(target: Target) -> str:
    """The IP address to connect to for a host; raises `Forbidden`, or `OSError` if there is none."""
    addresses = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    numbers = [str(place[0]) for _family, _type, _protocol, _name, place in addresses]
    if not numbers:
        raise OSError("no address")
    if not settings.WEBHOOKS_LOCAL and not all(map(is_public, numbers)):
        raise Forbidden(say(_("The address leads into a private network, which this server does not allow.")))
    return numbers[0]


def is_public(number: str) -> bool:
    """Whether an address belongs to the public internet, whatever it is wrapped in."""
    try:
        address = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    return all(map(_is_anyones, _meant(address)))


def _is_anyones(address: Address) -> bool:
    """Whether anyone on the internet may have this address: no special-purpose network has it."""
    is_special = address.is_multicast or address.is_reserved or getattr(address, "is_site_local", False)
    return address.is_global and not is_special and not any(address in network for network in _RESERVED)


def _meant(address: Address) -> list[Address]:
    """The addresses that packets to this one may reach: itself, and the IPv4 addresses wrapped in it."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    wrapped = (address.sixtofour, *(address.teredo or ()))
    return [address, *(inner for inner in wrapped if inner is not None)]
