"""This machine's addresses on the local network: what a phone may type, and which hosts are ours."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

# Connecting a datagram socket sends nothing; it only shows which of our addresses that route would use.
_ROUTES = ("10.255.255.255", "172.31.255.255", "192.168.255.255", "100.64.0.1", "1.1.1.1")


def own_addresses() -> list[str]:
    """IPv4 addresses that other machines can reach, the likeliest first; empty without a network."""
    routed = {address for route in _ROUTES if (address := _leaving_towards(route))}
    found = {address: ipaddress.ip_address(address) for address in routed | _named_addresses()}

    def unlikely(address: str) -> tuple[bool, bool, bool, str]:
        # What no route uses may lead to a virtual machine; a link-local address stands for a missing network.
        number = found[address]
        return number.is_link_local, not number.is_private, address not in routed, address

    return sorted((address for address, number in found.items() if not number.is_loopback), key=unlikely)


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
