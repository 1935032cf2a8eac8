"""The club's own certificate authority: what it vouches for, and what is said where it cannot."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading

import pytest
from cryptography import x509

from config.https import certificates as trusted

NOW = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)


@pytest.fixture
def signer(tmp_path):
    return trusted.authority(tmp_path, datetime.datetime.now(datetime.UTC))


def greeted(certificate, signer, name, tmp_path):
    """Whether a client that trusts the authority believes that a server with this certificate is `name`."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    known = tmp_path / "known.crt"
    known.write_text(ssl.DER_cert_to_PEM_cert(signer.file()))
    client = ssl.create_default_context(cafile=known)
    near, far = socket.socketpair()

    def answer():
        try:
            server.wrap_socket(far, server_side=True).close()
        except OSError:
            far.close()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        client.wrap_socket(near, server_hostname=name).close()
    except ssl.SSLCertVerificationError:
        return False
    else:
        return True
    finally:
        near.close()
        thread.join()


def test_whoever_trusts_it_believes_this_computer_s_addresses(tmp_path, signer):
    file = trusted.certificate(signer, tmp_path, ["192.168.1.7"], datetime.datetime.now(datetime.UTC))
    for name in ("192.168.1.7", "localhost", "127.0.0.1"):
        assert greeted(file, signer, name, tmp_path)
    assert not greeted(file, signer, "192.168.1.8", tmp_path)


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8"])
def test_it_cannot_vouch_for_the_internet_even_if_its_key_is_stolen(tmp_path, signer, name, monkeypatch):
    monkeypatch.setattr(trusted, "is_private", lambda address: True)
    monkeypatch.setattr(trusted.socket, "gethostname", lambda: "bank")
    if name == "bank.example":
        real = x509.DNSName
        monkeypatch.setattr(trusted.x509, "DNSName", lambda given: real(given.replace("bank.local", name)))
    file = trusted.certificate(signer, tmp_path, ["8.8.8.8"], datetime.datetime.now(datetime.UTC))
    assert name in str(x509.load_pem_x509_certificate(file.read_bytes()).extensions)
    assert not greeted(file, signer, name, tmp_path)


def test_it_is_made_once_and_its_key_is_its_owner_s(tmp_path):
    first = trusted.authority(tmp_path, NOW)
    later = trusted.authority(tmp_path, NOW + 365 * trusted.DAY)
    assert first.fingerprint == later.fingerprint
    assert len(first.fingerprint) == 95
    assert (tmp_path / "authority.pem").stat().st_mode & 0o077 == 0
    file = trusted.certificate(first, tmp_path, [], NOW)
    again = trusted.certificate(first, tmp_path, [], NOW)
    assert file == again
    assert file.stat().st_mode & 0o077 == 0


def test_phones_take_its_certificates(tmp_path):
    made = x509.load_pem_x509_certificate(
        trusted.certificate(trusted.authority(tmp_path, NOW), tmp_path, [], NOW).read_bytes()
    )
    assert made.not_valid_after_utc - made.not_valid_before_utc < datetime.timedelta(days=398)
    assert made.not_valid_before_utc < NOW


def test_a_server_s_certificate_signs_nothing_and_the_authority_no_further_one(tmp_path):
    """Whoever takes a laptop's key could otherwise vouch for others to every phone that trusts the club."""
    own = trusted.authority(tmp_path, NOW).certificate.extensions
    limits = own.get_extension_for_class(x509.BasicConstraints)
    assert (limits.critical, limits.value.ca, limits.value.path_length) == (True, True, 0)
    names = own.get_extension_for_class(x509.NameConstraints)
    assert names.critical
    assert {str(name.value) for name in names.value.permitted_subtrees} == {
        *trusted.NAMES,
        *map(str, trusted.PRIVATE),
    }
    usage = own.get_extension_for_class(x509.KeyUsage)
    assert (usage.critical, usage.value.key_cert_sign, usage.value.digital_signature) == (True, True, False)
    file = trusted.certificate(trusted.authority(tmp_path, NOW), tmp_path, [], NOW)
    server = x509.load_pem_x509_certificate(file.read_bytes()).extensions
    limits = server.get_extension_for_class(x509.BasicConstraints)
    assert (limits.critical, limits.value.ca) == (True, False)
    purpose = server.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(purpose) == [x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]


@pytest.mark.parametrize(
    ("called", "names"),
    [
        ("Laptop.example.org", ["laptop.local", "localhost"]),
        ("Ludwigs-Büro", ["localhost"]),
        ("a" * 63, [f"{'a' * 63}.local", "localhost"]),
    ],
)
def test_a_computer_may_be_called_anything(tmp_path, monkeypatch, called, names):
    monkeypatch.setattr(trusted.socket, "gethostname", lambda: called)
    file = trusted.certificate(trusted.authority(tmp_path, NOW), tmp_path, [], NOW)
    found = x509.load_pem_x509_certificate(file.read_bytes()).extensions
    alternatives = found.get_extension_for_class(x509.SubjectAlternativeName).value
    assert alternatives.get_values_for_type(x509.DNSName) == names


def test_nothing_is_made_by_a_clock_that_is_years_off(tmp_path):
    """It would be trusted from the wrong day on, and again by nobody once the clock is set."""
    with pytest.raises(trusted.Unusable, match="Set it first"):
        trusted.authority(tmp_path, trusted.BUILT - trusted.DAY)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("years", [-20, 12])
def test_a_clock_that_is_years_off_gets_a_sentence(tmp_path, years):
    if years > 0:
        trusted.authority(tmp_path, NOW + years * 365 * trusted.DAY)
    else:
        trusted.authority(tmp_path, NOW)
    wrong = NOW if years > 0 else NOW + years * 365 * trusted.DAY
    with pytest.raises(trusted.Unusable, match=f"clock says {wrong.year}-.*Set it first"):
        trusted.authority(tmp_path, wrong)


def test_one_that_grew_old_gets_a_sentence(tmp_path):
    trusted.authority(tmp_path, NOW)
    with pytest.raises(trusted.Unusable, match=r"has grown old\. Delete it"):
        trusted.authority(tmp_path, NOW + 9 * 365 * trusted.DAY)


@pytest.mark.parametrize("content", [b"", b"-----BEGIN CERTIFICATE-----\nnothing\n"])
def test_damaged_files_get_a_sentence(tmp_path, content):
    (tmp_path / "authority.pem").write_bytes(content)
    with pytest.raises(trusted.Unusable, match=r"cannot be read .*Delete it"):
        trusted.authority(tmp_path, NOW)


def test_public_addresses_are_left_out(tmp_path, signer):
    file = trusted.certificate(signer, tmp_path, ["192.0.2.2", "10.0.0.1"], NOW)
    found = x509.load_pem_x509_certificate(file.read_bytes()).extensions
    hosts = found.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(
        x509.IPAddress
    )
    assert sorted(map(str, hosts)) == ["10.0.0.1", "127.0.0.1", "::1"]
