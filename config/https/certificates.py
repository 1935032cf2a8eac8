"""The club's own certificate authority, for an encrypted table where no certificate can be bought.

A phone that trusts it trusts whatever it signs, so it can sign for little: addresses of private networks,
names ending in ".local", and this computer itself (name constraints, RFC 5280 4.2.1.10). Its key stays in
the data folder, readable by its owner only. The library `trustme` was tried first; its authorities vouch
for every name there is.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.conf import settings
from django.core.management.base import CommandError

YEARS, DAYS = 10, 397
"""How long the authority is good, and each certificate it signs: phones refuse more than 398 days."""
BUILT = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""No right clock shows an earlier time: the program was not written yet."""
ANEW = "Delete it for a new one, which the phones then have to trust again."
DAY = datetime.timedelta(days=1)

PRIVATE = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"),
            *("127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128"),
        ),
    )
)
NAMES = ("localhost", "local")


class Unusable(Exception):
    """There can be no encryption: a sentence that says why, and what to do."""


@dataclass(frozen=True)
class Authority:
    """The authority's key and its certificate, which phones are asked to trust."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def fingerprint(self) -> str:
        """The certificate's SHA-256 as phones show it: pairs of digits between colons."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    def file(self) -> bytes:
        """The certificate as every phone and computer can open it (DER)."""
        return self.certificate.public_bytes(serialization.Encoding.DER)


def authority(folder: Path, now: datetime.datetime) -> Authority:
    """The authority in a folder, made on the first run. Raises `Unusable`."""
    if now < BUILT:
        raise Unusable(_wrong_clock(now))
    path = folder / "authority.pem"
    if not path.exists():
        _write(path, _pem(*_made(now)))
    try:
        content = path.read_bytes()
        key = serialization.load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (ValueError, OSError, UnsupportedAlgorithm) as problem:
        raise Unusable(f"{path} cannot be read ({problem}). {ANEW}") from problem
    if now < certificate.not_valid_before_utc:
        raise Unusable(_wrong_clock(now))
    if now > certificate.not_valid_after_utc - DAYS * DAY:
        raise Unusable(f"{path} has grown old. {ANEW}")
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return Authority(key, certificate)


def certificate(signer: Authority, folder: Path, addresses: Iterable[str], now: datetime.datetime) -> Path:
    """A fresh certificate for these addresses and this computer's names, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    names = {"localhost", f"{socket.gethostname().partition('.')[0].lower()}.local"}
    hosts = {ipaddress.ip_address(address) for address in (*addresses, "127.0.0.1", "::1")}
    alternatives = [
        *map(x509.DNSName, sorted(name for name in names if name.isascii())),
        *(x509.IPAddress(host) for host in sorted(hosts, key=str) if is_private(str(host))),
    ]
    built = (
        _begun("Roundtable", signer.certificate.subject, key, signer.key, now, DAYS * DAY)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    )
    path = folder / "server.pem"
    path.unlink(missing_ok=True)
    _write(path, _pem(key, built.sign(signer.key, hashes.SHA256())))
    return path


def is_private(address: str) -> bool:
    """Whether the authority may vouch for an address."""
    host = ipaddress.ip_address(address)
    return any(host in network for network in PRIVATE)


def _made(now: datetime.datetime) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = f"Roundtable on {socket.gethostname().partition('.')[0]}"[:64]
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    permitted = [*map(x509.DNSName, NAMES), *map(x509.IPAddress, PRIVATE)]
    built = (
        _begun(name, subject, key, key, now, YEARS * 365 * DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(
            x509.KeyUsage(
                **dict.fromkeys(
                    (
                        *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
                        *("key_agreement", "encipher_only", "decipher_only"),
                    ),
                    False,
                ),
                key_cert_sign=True,
                crl_sign=True,
            ),
            critical=True,
        )
    )
    return key, built.sign(key, hashes.SHA256())


def _begun(
    name: str,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    now: datetime.datetime,
    good_for: datetime.timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A phone's clock may be a little behind this one.
        .not_valid_before(now - DAY)
        .not_valid_after(now - DAY + good_for)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
    )


def _pem(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ) + certificate.public_bytes(serialization.Encoding.PEM)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content)


def is_wrong(now: datetime.datetime) -> bool:
    """Whether a clock is years off: before the program was written, or long after."""
    return not BUILT < now < BUILT + YEARS * 365 * DAY


def _wrong_clock(now: datetime.datetime) -> str:
    return (
        f"This computer's clock says {now:%Y-%m-%d}. Set it first: "
        "a certificate with a wrong date is refused by every phone."
    )


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
