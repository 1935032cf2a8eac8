"""Who asks: the address of a phone behind our proxies, the household it stands for, the device."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Where a translator in front of an IPv6 server puts the addresses of all who have only IPv4 (RFC 6052)."""

_ENTRY = re.compile(r"(?:\[(?P<bracketed>[^]]*)\]|(?P<plain>[^:]*))(?::[0-9]*)?")


def address(request: HttpRequest) -> str:
    """The address of the asking phone."""
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
    found = _ENTRY.fullmatch(entry)
    address = (found["bracketed"] or found["plain"]) if found else entry
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
    """The asking phone, counted for each table separately."""
    match = request.resolver_match
    code = str(match.kwargs.get("code", "")).upper() if match else ""
    return f"{code} {device(request)}"
