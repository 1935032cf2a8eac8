"""Addresses: of this machine, for phones to type or scan; and of those who ask, behind our proxies."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest

# Connecting a datagram socket sends nothing; it only shows which of our addresses that route would use.
_ROUTES = ("10.255.255.255", "172.31.255.255", "192.168.255.255", "100.64.0.1", "1.1.1.1")


def own_addresses() -> list[str]:
    """IPv4 addresses that other machines can reach, the likeliest first; empty without a network."""
    routed = {address for route in _ROUTES if (address := _leaving_towards(route))}
    numbers = {address: ipaddress.ip_address(address) for address in routed | _named_addresses()}

    def unlikely(address: str) -> tuple[bool, bool, bool, str]:
        # What no route uses may lead to a virtual machine; a link-local address stands for a missing network.
        number = numbers[address]
        return number.is_link_local, not number.is_private, address not in routed, address

    return sorted((address for address, number in numbers.items() if not number.is_loopback), key=unlikely)


def _leaving_towards(route: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((route, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _named_addresses() -> set[str]:
    try:
        return set(socket.gethostbyname_ex(socket.gethostname())[2])
    except OSError:
        return set()


def address_to_scan(request: HttpRequest, path: str) -> str:
    """The full address of a path for a phone to scan that may not know the certificate yet.

    It leads to the plain http port, which explains. The part after "#" is not sent: a link that opens a seat
    crosses the network only encrypted.
    """
    there = address_for_others(request, path)
    if not settings.PLAIN_PORT:
        return there
    url = urlsplit(there)
    return f"http://{url.hostname}:{settings.PLAIN_PORT}/trust#{url.path}"


def address_for_others(request: HttpRequest, path: str) -> str:
    """The full address of a path as another device can open it.

    The serving laptop often calls itself "localhost", which on the phone that scans the code would mean the
    phone.
    """
    url = urlsplit(request.build_absolute_uri(path))
    if not settings.LAN or url.hostname not in ("localhost", "127.0.0.1", "::1"):
        return url.geturl()
    host = next(iter(own_addresses()), url.hostname)
    # As text: a header may name a port that does not exist.
    port = url.netloc.rpartition("]")[2].partition(":")[2]
    return url._replace(netloc=f"{host}:{port}" if port else host).geturl()


NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Where a translator in front of an IPv6 server puts the addresses of all who have only IPv4 (RFC 6052)."""
_ENTRY = re.compile(r"(?:\[(?P<bracketed>[^]]*)\]|(?P<plain>[^:]*))(?::[0-9]*)?")


def address(request: HttpRequest) -> str:
    return client_address(
        request.META.get("REMOTE_ADDR", ""),
        request.META.get("HTTP_X_FORWARDED_FOR", ""),
        settings.TRUSTED_PROXY_HOPS,
    )


def client_address(remote: str, forwarded: str, hops: int) -> str:
    """The address behind `hops` proxies of ours, each of which appends the one it saw to `forwarded`.

    Without a proxy of ours anybody can forge the header, so it is ignored. An entry that names no address,
    such as "unknown", counts for the proxy itself.
    """
    seen = [entry.strip() for entry in forwarded.split(",") if entry.strip()]
    return household((0 < hops <= len(seen) and _without_port(seen[-hops])) or remote)


def _without_port(entry: str) -> str:
    """The address in "192.0.2.1:5678", "[2001:db8::1]:5678" or "2001:db8::1"; "" if there is none.

    Each connection has another port: with it everybody would be somebody new each time.
    """
    parts = _ENTRY.fullmatch(entry)
    address = (parts["bracketed"] or parts["plain"]) if parts else entry
    try:
        ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    return address


def household(address: str) -> str:
    """The part of an address that one subscriber has: all of IPv4, however wrapped, or 64 bits of IPv6."""
    if ":" not in address:
        return address
    try:
        number = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if number.ipv4_mapped or number in NAT64:
        return str(ipaddress.IPv4Address(int(number) & 0xFFFFFFFF))
    return str(ipaddress.IPv6Network((int(number) >> 64 << 64, 64)))


def device(request: HttpRequest) -> str:
    """The asking phone's session, or its address if it has none."""
    # Reading the session shows whether it exists: a made-up cookie is no device.
    request.session.keys()
    return request.session.session_key or address(request)


def device_at_table(request: HttpRequest) -> str:
    match = request.resolver_match
    code = str(match.kwargs.get("code", "")).upper() if match else ""
    return f"{code} {device(request)}"


MASK = 2
"""How a code's dots are varied, one of eight ways, all of which cameras read.

Choosing the best takes four fifths of the time, and this one is on average within a twentieth of it.
"""


@lru_cache(maxsize=1000)
def picture_of(address: str, ground: str | None = None) -> str:
    """The QR code of an address, as a data URL; without a `ground` colour the page shows through.

    Each takes a few thousandths of a second, and the slips of an event are hundreds.
    """
    code = segno.make(address, error="m", micro=False, mask=MASK)
    return code.svg_data_uri(scale=1, border=2, light=ground, omitsize=True)
