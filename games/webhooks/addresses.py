"""Where a message may go: over https to the internet, unless the server's owner allows the club's network.

A name is looked up once, and the connection goes to exactly the address that was allowed: a name that
resolves differently the second time gains nothing.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from games.core import Line, say
from games.core import gettext_noop as _

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
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    numbers = [str(place[0]) for _family, _type, _protocol, _name, place in found]
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
    return [address, *(one for one in wrapped if one is not None)]
