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

from games.core.words import Line, say
from games.core.words import gettext_noop as _

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_INSIDE = tuple(map(ipaddress.IPv6Network, ("fec0::/10", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96")))
"""Addresses of one site, or translated within one network, that the library takes for public."""


class Forbidden(Exception):
    """An address to which nothing may be sent; `line` says why."""

    def __init__(self, line: Line) -> None:
        super().__init__(line.message)
        self.line = line


@dataclass(frozen=True)
class Target:
    """A web address in its parts."""

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
    is_inside = any(address in network for network in _INSIDE)
    return not is_inside and all(one.is_global and not one.is_multicast for one in _meant(address))


def _meant(address: Address) -> list[Address]:
    """An address, and the IPv4 addresses that it stands for."""
    found: list[Address | None] = [address]
    if isinstance(address, ipaddress.IPv6Address):
        found += [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in _NAT64:
            found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        found.remove(address)
    return [one for one in found if one is not None]
