"""`manage.py play`: one command from a fresh clone to a table on the local network."""

from __future__ import annotations

import io
import secrets
import socket
import webbrowser
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import segno
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import web_app
from config.data import tidying
from config.https import certificates, trust
from config.https.certificates import Encryption, is_private, prepared
from config.server import starting
from config.server.starting import FIRST_PORT, FIRST_SECURE_PORT, listening_socket, serve, serve_encrypted
from games.web import own_addresses

PLAIN = "This is plain http, for a network that you trust"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Command(BaseCommand):
    help = "Serve the tables on the local network: prepares the database, prints the address, serves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, help=f"default: the first free one from {FIRST_PORT}")
        # The entry points read this from the command line before the settings are loaded.
        parser.add_argument(
            "--https", action="store_true", help="encrypt by an authority of this computer's own"
        )
        parser.add_argument(
            "--open", action="store_true", help="show the first page in this computer's browser"
        )
        parser.add_argument("--host", default="0.0.0.0", help="default: all addresses")  # noqa: S104

    def handle(self, *args: Any, host: str, port: int | None, **options: Any) -> None:
        if not starting.claim(settings.DATA_DIR):
            self.point_to_the_other(options["open"])
            return
        listening = listening_socket(host, port)
        secure = listening_socket(host, None, FIRST_SECURE_PORT) if settings.HTTPS else None
        self.prepare()
        urls = addresses(host, listening.getsockname()[1])
        web_app.started = web_app.Started(urls, first_password() or "")
        starting.remember(settings.DATA_DIR, web_app.started.welcome_url)
        self.announce(web_app.started)
        if options["open"]:
            # The port is already open, so the browser waits until there is an answer.
            webbrowser.open(web_app.started.welcome_url)
        tidying.tidy_daily()
        if secure is None:
            serve(listening)
        else:
            serve_encrypted(secure, listening, self.encrypt(urls, listening, secure))
        self.stdout.write("Stopped.")

    def encrypt(self, urls: list[str], plain: socket.socket, secure: socket.socket) -> Encryption:
        """Make the certificate ready, and print the fingerprint that tells it from anybody else's."""
        hosts = [name for url in urls if (name := urlsplit(url).hostname or "").replace(".", "").isdigit()]
        encryption = prepared(hosts)
        port = secure.getsockname()[1]
        trust.offered = trust.Offered(encryption.signer, port)
        if encryption.signer is None:
            return encryption
        settings.PLAIN_PORT = plain.getsockname()[1]
        self.stdout.write(f"Fingerprint of the certificate authority: {encryption.signer.fingerprint}")
        for host in hosts:
            if not is_private(host):
                self.stdout.write(f"{host} is no private address: it stays without a certificate.")
        self.stdout.flush()
        return encryption

    def point_to_the_other(self, opens: bool) -> None:
        """On a second start with the same data, show the first one's page, or say where it is."""
        url = starting.where(settings.DATA_DIR)
        if opens and url and webbrowser.open(url):
            return
        raise CommandError(
            f"Roundtable is running with the data in {settings.DATA_DIR} already"
            + (f": {urljoin(url, '/')}. " if url else ". ")
            + "Stop it first, or name another folder."
        )

    def prepare(self) -> None:
        """Make everything ready to be served."""
        self.stdout.write("Preparing the tables …")
        if starting.prepare():
            self.stdout.write("Pages are ready.")

    def announce(self, started: web_app.Started) -> None:
        """Print where to go: the code to scan, the addresses to type, the organiser's first password."""
        urls = started.urls
        self.stdout.write("\n" + code_to_scan(urls[0], colours=self.stdout.isatty()))
        self.stdout.write("Scan the code, or open one of these in a browser on the same network:")
        for url in urls:
            self.stdout.write(f"    {url}")
        if len(urls) == 1 and urlsplit(urls[0]).hostname == "localhost":
            self.stdout.write(
                "This computer is in no network: join the Wi-Fi, then start again for the phones."
            )
        if started.password:
            self.stdout.write(
                f"\nThe organiser's admin: {urls[0]}admin/  name: organiser  password: {started.password}"
            )
            self.stdout.write("This password is shown only now; it can be changed there.")
        if certificates.is_wrong(now := datetime.now(UTC)):
            self.stdout.write(
                f"\nThis computer's clock says {now:%Y-%m-%d}. Stop, set it, and start again: "
                "when it is set later, every phone loses its seat."
            )
        how = "Phones are led to encryption" if settings.HTTPS else PLAIN
        self.stdout.write(f"\n{how}. Ctrl-C stops the server.")
        self.stdout.flush()


def addresses(host: str, port: int) -> list[str]:
    """The addresses to type into a phone, the likeliest first; without a network only localhost."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104
        name = f"[{host}]" if ":" in host else host
        if name not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(name)
        return [f"http://{name}:{port}/"]
    return [f"http://{name}:{port}/" for name in [*own_addresses(), "localhost"]]


def code_to_scan(url: str, colours: bool) -> str:
    """The address as a QR code of half blocks, light on dark whatever the terminal's colours."""
    out = io.StringIO()
    # In capitals the code is smaller, and a host's address does not distinguish capitals.
    segno.make(url.upper(), error="l").terminal(out, border=2, compact=True)
    lines = out.getvalue().splitlines()
    if colours:
        lines = [f"\033[97;40m{line}\033[0m" for line in lines]
    return "\n".join(lines) + "\n"


def first_password() -> str | None:
    """Create the organiser on the first run and return their password; None ever after."""
    people = get_user_model().objects
    if people.filter(is_superuser=True).exists():
        return None
    password = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
    people.create_superuser("organiser", password=password)
    return password
