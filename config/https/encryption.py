"""What an encrypted server shows phones: a certificate from its own authority, or one given to it."""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from django.conf import settings
from django.core.management.base import CommandError

from config.https.authority import Authority, Unusable, authority, certificate


@dataclass(frozen=True)
class Encryption:
    """The files of a certificate and its key; `signer` is the authority that phones have to trust first."""

    certificate: str
    key: str | None
    signer: Authority | None = None


def prepared(addresses: Iterable[str]) -> Encryption:
    """The encryption that the settings ask for. Raises `CommandError` with a sentence if that fails."""
    if settings.CERTIFICATE:
        return _given(settings.CERTIFICATE, settings.CERTIFICATE_KEY or None)
    folder, now = Path(settings.DATA_DIR) / "https", datetime.datetime.now(datetime.UTC)
    try:
        signer = authority(folder, now)
        file = certificate(signer, folder, addresses, now)
    except (Unusable, OSError) as problem:
        raise CommandError(str(problem)) from problem
    return Encryption(str(file), None, signer)


def _given(file: str, key: str | None) -> Encryption:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file, key)
    except (OSError, ssl.SSLError) as problem:
        raise CommandError(
            f"The certificate {file} cannot be used ({problem}). "
            "ROUNDTABLE_CERTIFICATE and ROUNDTABLE_CERTIFICATE_KEY name PEM files that belong together."
        ) from problem
    shown, now = x509.load_pem_x509_certificate(Path(file).read_bytes()), datetime.datetime.now(datetime.UTC)
    if not shown.not_valid_before_utc < now < shown.not_valid_after_utc:
        raise CommandError(
            f"The certificate {file} is good from {shown.not_valid_before_utc:%Y-%m-%d} to "
            f"{shown.not_valid_after_utc:%Y-%m-%d}, and this computer's clock says {now:%Y-%m-%d}. "
            "Renew the certificate, or set the clock."
        )
    return Encryption(file, key)
