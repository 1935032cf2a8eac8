"""`play --https`: the encrypted port, and the plain one that explains the certificate."""

from __future__ import annotations

import asyncio
import datetime
import http.client
import re
import ssl
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management.base import CommandError
from django.test import RequestFactory

from config.https import certificates, doors, trust
from games.web.network import address_to_scan
from tests.server.test_play_command import Laptop


@pytest.fixture(scope="module")
def laptop(tmp_path_factory):
    """A laptop that serves with encryption; `ask` asks at its plain port."""
    started = Laptop(
        tmp_path_factory.mktemp("laptop") / "data", "--https", "--host", "127.0.0.1", "--port", "0"
    )
    started.read_until("Fingerprint")
    yield started
    started.kill()


@pytest.fixture(scope="module")
def authority_file(laptop, tmp_path_factory):
    """The authority's certificate, as a phone downloads it."""
    answer = laptop.ask("/trust/certificate")
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    file = tmp_path_factory.mktemp("phone") / "roundtable.crt"
    file.write_text(ssl.DER_cert_to_PEM_cert(answer.body))
    return file


@pytest.mark.slow
def test_the_plain_port_explains_and_leads_to_https(laptop, authority_file):
    assert laptop.ask("/").headers["Location"] == "/trust"
    page = laptop.ask("/trust").body.decode()
    assert re.search(r"Fingerprint[^:]*: ([\dA-F:]+)", laptop.output)[1] in page
    secure = re.search(r'href="https://127\.0\.0\.1:(\d+)/"', page)[1]
    known = ssl.create_default_context(cafile=authority_file)
    connection = http.client.HTTPSConnection("127.0.0.1", int(secure), timeout=10, context=known)
    connection.request("GET", "/new")
    answer = connection.getresponse()
    body = answer.read().decode()
    assert answer.status == 200
    assert "Not encrypted" not in body
    assert all("Secure" in cookie for cookie in answer.headers.get_all("Set-Cookie") or ["Secure"])
    assert "Strict-Transport-Security" not in answer.headers
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["/t/ABCDEF/?x=1", "/admin/login/", "/api/systems", "/live/x", "//evil.example/"]
)
def test_nothing_of_a_table_is_answered_in_plain(laptop, path):
    answer = laptop.ask(path)
    assert answer.status == 307
    assert re.match(r"https://127\.0\.0\.1:\d+/", answer.headers["Location"])
    assert answer.body == b""


def test_a_scanned_link_keeps_its_secret_to_itself(settings):
    settings.LAN, settings.PLAIN_PORT, settings.ALLOWED_HOSTS = True, 8000, ["192.168.1.7"]
    request = RequestFactory().get("/", secure=True, HTTP_HOST="192.168.1.7:8443")
    link = address_to_scan(request, "/t/ABCDEF/claim/red/secret")
    assert link == "http://192.168.1.7:8000/trust#/t/ABCDEF/claim/red/secret"
    settings.PLAIN_PORT = 0
    assert address_to_scan(request, "/t/ABCDEF/") == "https://192.168.1.7:8443/t/ABCDEF/"


@pytest.fixture
def offered(tmp_path, monkeypatch):
    signer = certificates.authority(tmp_path, datetime.datetime.now(datetime.UTC))
    monkeypatch.setattr(trust, "offered", trust.Offered(signer, 8443))
    return trust.offered


@pytest.mark.parametrize(
    ("agent", "first"),
    [
        ("Mozilla/5.0 (iPhone; …)", "iPhone, iPad"),
        ("… Android 16; …", "Android"),
        ("… Windows NT … Firefox/153.0", "Windows"),
        ("… Macintosh; Intel Mac OS X …", "iPhone, iPad"),
    ],
)
@pytest.mark.usefixtures("offered")
def test_the_reader_s_own_device_comes_first(client, agent, first):
    page = client.get("/trust", headers={"user-agent": agent}).content.decode()
    assert re.findall(r"<details( open)?>.*?<h3>([^<]+)</h3>", page, re.S)[0] == (" open", first)


@pytest.mark.usefixtures("offered")
def test_the_page_may_ask_the_other_door_and_nobody_else(client):
    policy = client.get("/trust").headers["Content-Security-Policy"]
    assert "connect-src 'self' https://testserver:8443" in [each.strip() for each in policy.split(";")]
    assert client.get("/trust/known").headers["Access-Control-Allow-Origin"] == "*"


def test_without_encryption_of_ours_there_is_nothing_to_explain(client, monkeypatch):
    for offered in (None, trust.Offered(None, 8443)):
        monkeypatch.setattr(trust, "offered", offered)
        assert client.get("/trust").status_code == 404
        assert client.get("/trust/certificate").status_code == 404


def asked(application, path, method="GET", host=b"club.example:80"):
    """What the door answers: status and headers."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "method": method, "headers": [(b"host", host)]}
    with pytest.raises(StopIteration):
        application(scope, None, send).send(None)
    assert sent[1:] == [{"type": "http.response.body"}], "it would never end"
    return sent[0]["status"], dict(sent[0]["headers"])


def test_with_a_real_certificate_the_plain_port_redirects_at_once():
    status, headers = asked(doors.PlainApplication(None, 443, explains=False), "/")
    assert (status, headers[b"location"]) == (307, b"https://club.example:443/")


@pytest.mark.parametrize("explains", [True, False])
def test_the_plain_address_of_a_table_redirects_to_that_table(explains):
    for host in (b"club.example:80", b"club.example"):
        _status, headers = asked(
            doors.PlainApplication(None, 443, explains=explains), "/t/ABCDEF/\u00fc", host=host
        )
        assert headers[b"location"] == b"https://club.example:443/t/ABCDEF/%C3%BC"


def test_a_plain_post_goes_nowhere():
    _status, headers = asked(doors.PlainApplication(None, 443, explains=True), "/t/ABCDEF/act", "POST")
    assert headers[b"location"] == b"/trust"


@pytest.mark.parametrize("path", ["/trust", "/trust/certificate", "/static/table/table.css", "/healthz"])
def test_the_explanation_is_served_without_encryption(path):
    passed = []

    async def application(scope, _receive, _send):
        passed.append(scope["path"])

    scope = {"type": "http", "path": path, "method": "GET", "headers": [(b"host", b"club.example:80")]}
    with pytest.raises(StopIteration):
        doors.PlainApplication(application, 443, explains=True)(scope, None, None).send(None)
    assert passed == [path]


@pytest.mark.parametrize("problem", [None, OSError("the encrypted port failed")])
def test_both_ports_close_together(monkeypatch, problem):
    """A plain port that stayed open would keep the program from ending, or from being started again."""
    said = []

    async def serve(self, sockets=None):
        said.append(("open", sockets))
        if isinstance(self, doors.PlainServer):
            while not self.should_exit:
                await asyncio.sleep(0)
            for _connection in range(9):
                await asyncio.sleep(0)
        elif problem is not None:
            raise problem
        else:
            await asyncio.sleep(0)
        said.append(("closed", sockets))

    monkeypatch.setattr(doors.uvicorn.Server, "serve", serve)
    config = doors.uvicorn.Config(None)
    both = doors.EncryptedServer(config, doors.uvicorn.Config(None), "plain")
    assert both.config is config
    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(asyncio.run, both.serve(["secure"]))
        assert ended.exception(5) is problem
    assert ("closed", ["plain"]) in said
    assert ("open", ["secure"]) in said


def test_a_broken_certificate_gets_a_sentence(settings, tmp_path):
    settings.CERTIFICATE, settings.CERTIFICATE_KEY = str(tmp_path / "missing.pem"), ""
    with pytest.raises(CommandError, match="ROUNDTABLE_CERTIFICATE and ROUNDTABLE_CERTIFICATE_KEY name PEM"):
        certificates.prepared([])


def test_a_real_certificate_is_used_as_it_is(settings, tmp_path):
    now = datetime.datetime.now(datetime.UTC)
    file = certificates.certificate(certificates.authority(tmp_path, now), tmp_path, [], now)
    settings.CERTIFICATE, settings.CERTIFICATE_KEY = str(file), ""
    assert certificates.prepared(["10.0.0.1"]) == certificates.Encryption(str(file), None)


def test_a_club_s_own_is_kept_with_its_data(settings, tmp_path):
    settings.CERTIFICATE, settings.DATA_DIR = "", tmp_path
    first, second = certificates.prepared(["10.0.0.1"]), certificates.prepared(["10.0.0.2"])
    assert first.signer.fingerprint == second.signer.fingerprint
    (tmp_path / "https" / "authority.pem").write_text("nonsense")
    with pytest.raises(CommandError, match="Delete it for a new one"):
        certificates.prepared([])


@pytest.mark.usefixtures("offered")
def test_every_step_has_a_picture_of_its_own_that_points_at_something(client):
    page = client.get("/trust").content.decode()
    drawn = re.findall(r'<li>\s*<svg class="shot"[^>]* aria-hidden="true">.*?</svg>\s*<span>', page, re.S)
    named = [step.picture for _words, steps in trust.STEPS.values() for step in steps]
    assert len(drawn) == len(named) == len(set(named)) == len(set(drawn))
    assert all('class="here"' in each or 'class="full"' in each for each in drawn)
    assert "style=" not in page
