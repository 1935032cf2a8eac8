"""The real server over real sockets: pages, refusals, limits, headers, and how it ends."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import json
import re
import socket
from pathlib import Path
from types import SimpleNamespace

import brotli
import pytest
from django.db import connection as database
from django.db import connections

from config.joined_files import joined
from config.server import fair_queue, shell
from games.live.hub import Pool, hub
from games.monitoring import measures
from games.web.refusals import csrf_failure

VENDORED = {"htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"}
STATIC = Path(__file__).parents[2] / "static"


def ask(server, method="GET", path="/", body=None, **headers):
    """One request on its own connection: (status, headers, text)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def test_a_head_has_headers_and_no_body(server):
    status, headers, text = ask(server, "HEAD", "/healthz")
    assert (status, text) == (200, "")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize("path", ["/", "/nothing-here", "/admin/login/", "/%ff%00"])
def test_every_answer_carries_the_browser_rules(server, path):
    _, headers, _ = ask(server, path=path)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "nonce" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    # By this header, pages tell our answers from those of something on the way.
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Cache-Control"]


def test_a_file_carries_few_headers(server):
    """A page's own are longer than many a style sheet."""
    _, headers, _ = ask(server, path="/static/favicon.svg")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert len(str(headers)) < 450


def test_joined_files_are_each_file_in_turn_and_are_kept_for_good(server):
    address = joined("css", "site/app.css site/forced.css")
    _, headers, text = ask(server, path=address)
    assert text == "\n".join((STATIC / f"site/{name}.css").read_text() for name in ("app", "forced"))
    assert headers["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in headers["Cache-Control"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert len(str(headers)) < 450


@pytest.mark.parametrize(
    "change",
    [
        lambda address: address.replace("app", "pages"),
        lambda address: address.replace("app", "nothing"),
        lambda address: address.replace("site/app", "../config/settings"),
        lambda address: re.sub(r"[0-9a-f]{12}", "0" * 12, address),
    ],
)
def test_no_other_files_are_joined_than_a_page_asks_for(server, change):
    address = joined("css", "site/app.css site/forced.css")
    assert ask(server, path=change(address))[0] == 404


@pytest.mark.parametrize(
    ("accepts", "unpacked"), [("gzip", gzip.decompress), ("gzip, br", brotli.decompress)]
)
def test_joined_files_come_in_the_shortest_form_that_is_read(server, accepts, unpacked):
    address = joined("css", "site/app.css site/forced.css")
    door = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    door.request("GET", address, headers={"Accept-Encoding": accepts})
    answer = door.getresponse()
    assert unpacked(answer.read()).decode() == ask(server, path=address)[2]
    assert answer.headers["Vary"] == "Accept-Encoding"
    door.close()


def test_an_unknown_address_gets_a_sentence(server):
    status, _, text = ask(server, path="/nothing-here")
    assert status == 404
    assert "Nothing found" in text


def test_the_refusal_of_the_api_is_json(server):
    status, headers, text = ask(server, path="/api/nothing-here")
    assert status == 404
    assert headers["Content-Type"] == "application/json"
    assert json.loads(text)["error"] == "unknown"


def test_a_refusal_for_htmx_is_a_sentence(server):
    status, _, text = ask(server, path="/nothing-here", HX_Request="true")
    assert status == 404
    assert text.startswith("<p role=")
    assert "<html" not in text


@pytest.mark.parametrize(("kind", "is_page"), [("partial", False), ("full", True)])
def test_htmx_gets_a_page_where_it_replaces_the_whole_page(server, kind, is_page):
    """Going back in history, and at a boosted link, htmx 4 says so by the type of its request."""
    status, _, text = ask(server, path="/nothing-here", HX_Request="true", HX_Request_Type=kind)
    assert (status, "<html" in text) == (404, is_page)


def test_a_foreign_host_name_is_refused(server):
    status, _, text = ask(server, Host="evil.example")
    assert status == 400
    assert "not known by that name" in text


def test_a_form_without_its_token_is_refused_with_a_way_back(server):
    referer = f"{server.url}/somewhere?x=1"
    status, _, text = ask(server, "POST", "/i18n/setlang/", "language=zh-hans", Referer=referer)
    assert status == 403
    assert 'href="/somewhere"' in text


@pytest.mark.parametrize(
    "elsewhere",
    [
        "{}//evil.example/x",
        "{}///evil.example/x",
        "{}/\\evil.example/x",
        "{}/%09/evil.example",
        "http://evil.example/x",
        "http://[",
        "javascript:alert(1)",
    ],
)
def test_the_way_back_never_leaves_the_site(rf, elsewhere):
    referer = elsewhere.format("http://testserver").replace("%09", "\t")
    page = csrf_failure(rf.post("/x", headers={"Referer": referer})).content.decode()
    assert re.findall(r'href="([^"]*)"[^>]*>Reload', page) == ["/"]


@pytest.mark.parametrize("size", [128 * 1024 + 1, 1_000_000])
def test_a_big_body_is_refused(server, size):
    status, _, text = ask(server, "POST", "/", b"x" * size)
    assert status == 413
    assert "128 KB" in text


def test_a_big_body_of_unknown_length_is_refused(server):
    assert ask(server, "POST", "/", iter([b"x" * 65536] * 20))[0] == 413


def test_a_packed_body_is_refused(server):
    assert ask(server, "POST", "/", b"\x1f\x8b", Content_Encoding="gzip")[0] == 415


def test_an_address_that_holds_what_no_database_can_look_for_is_refused(server):
    status, _, text = ask(server, path="/admin/games/entry/?seat=%00")
    assert (status, "NUL" in text) == (400, True)


def test_an_endless_address_or_header_is_refused(server):
    assert ask(server, path="/?" + "x" * 5000)[0] == 414
    assert ask(server, Cookie="x=" + "y" * 40_000)[0] == 431


@pytest.mark.parametrize(
    "said",
    ["charset=rot13", 'Charset = "idna"', "charset*=utf-8''%00", "charset*0=ro; charset*1=t13", "a*=none''b"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_encoding_is_refused_before_anything_is_read_by_it(server, method, said):
    """Python has codecs for things that are not text; Django would read an address with any that is named."""
    status, _, text = ask(
        server, method, "/find?code=%ff", Content_Type=f"multipart/form-data; boundary=x; {said}"
    )
    assert (status, text) == (415, "Please send text in UTF-8.")


@pytest.mark.parametrize(
    ("status", "path", "headers"),
    [
        (415, "/api/matches", {"Content_Type": "application/json; charset=utf-16"}),
        (414, "/api/systems?" + "x" * 5000, {}),
        (400, "/api/systems?x=%00", {}),
        (431, "/api/systems", {"Cookie": "x=" + "y" * 33_000}),
        (503, "/api/systems", {"Accept": "text/html"}),
    ],
)
def test_a_program_reads_each_refusal_as_json(server, monkeypatch, status, path, headers):
    """Also one that Django never hears of: a robot that parses what it is told would break on plain text."""
    if status == 503:
        monkeypatch.setattr(fair_queue, "LANE_LIMIT", 0)
    told, said, text = ask(server, path=path, **headers)
    assert (told, said["Content-Type"]) == (status, "application/json")
    assert said["Content-Length"] == str(len(text.encode()))
    assert json.loads(text).keys() == {"error", "message", "rule"}


@pytest.mark.parametrize("said", ["", "; charset=utf-8", '; charset="UTF-8"; boundary=x', "; boundary=x"])
def test_utf8_may_be_named(server, said):
    assert ask(server, path="/find?code=x", Content_Type=f"text/plain{said}")[0] == 404


def test_what_the_server_itself_refuses_is_counted_too(server, monkeypatch):
    """Otherwise nobody would see that a crowd is turned away: Django never hears about it."""
    monkeypatch.setattr(fair_queue, "LANE_LIMIT", 0)
    asked = {"503": "/", "414": "/?" + "x" * 5000, "403": "/live/no-token"}

    def counted():
        return {status: measures.REFUSALS.labels(status)._value.get() for status in asked}

    before = counted()
    for status, path in asked.items():
        assert ask(server, path=path)[0] == int(status)
    assert ask(server, path="/live/no-token", Accept="text/event-stream")[0] == 200
    assert {status: counted()[status] - before[status] for status in asked} == {"503": 1, "414": 1, "403": 2}


def test_a_phone_that_stops_within_a_body_is_given_up(server, monkeypatch):
    monkeypatch.setattr(shell, "BODY_PAUSE", 0.1)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as phone:
        phone.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
        assert phone.recv(12) == b"HTTP/1.1 408"
    assert ask(server, path="/healthz")[0] == 200


@pytest.mark.parametrize("method", ["TRACE", "OPTIONS"])
def test_a_method_without_a_meaning_is_refused_with_a_sentence(server, method):
    status, headers, text = ask(server, method, "/healthz")
    assert status == 405
    assert headers["Allow"] == "GET, HEAD"
    assert "does not take that kind of request" in text


def test_a_crowd_that_cannot_be_served_is_told_so(server, monkeypatch):
    monkeypatch.setattr(fair_queue, "LANE_LIMIT", 0)
    status, headers, text = ask(server)
    assert status == 503
    assert headers["Retry-After"] == "1"
    assert "please try again" in text
    assert "Refresh" not in headers


def test_who_loads_a_page_in_a_crowd_sees_one_that_comes_again(server, monkeypatch):
    monkeypatch.setattr(fair_queue, "LANE_LIMIT", 0)
    a_page = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    status, headers, text = ask(server, path="/t/ABCDEF/", **a_page)
    assert (status, headers["Refresh"]) == (503, "5")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "retries automatically" in text
    assert '<a class="button main" href="">' in text
    assert "csrf" not in text
    assert "请稍候" in ask(server, path="/", Accept_Language="zh-Hans", **a_page)[2]
    for told in ({"HX_Request": "true"}, {"Accept": "application/json"}):
        assert "<html" not in ask(server, path="/", **{**a_page, **told})[2]
    assert "<html" not in ask(server, path="/api/matches", **a_page)[2]


@pytest.mark.parametrize(
    ("method", "path", "lane"),
    [
        ("POST", "/t/HJKM/act", "taps"),
        ("POST", "/t/HJKM/undo", "taps"),
        ("POST", "/t/HJKM/adjust", "taps"),
        ("POST", "/api/matches/HJKM/act", "taps"),
        ("POST", "/e/HJKM/organise/do", "forms"),
        ("POST", "/t/HJKM/army/red", "forms"),
        ("GET", "/t/HJKM/act", "reads"),
        ("GET", "/", "reads"),
        ("HEAD", "/", "reads"),
        ("OPTIONS", "/", "reads"),
    ],
)
def test_taps_forms_and_pages_wait_in_their_own_lanes(method, path, lane):
    own = shell.Shell(lambda *_request: None, hub)
    assert own.lane({"method": method, "path": path}) is getattr(own.turns, lane)


@pytest.mark.parametrize(("vendor", "taps"), [("sqlite", 1), ("postgresql", 2)])
def test_so_many_taps_at_once_as_the_database_has_use_for(monkeypatch, vendor, taps):
    monkeypatch.setattr(shell, "connection", SimpleNamespace(vendor=vendor))
    assert shell.Shell(lambda *_request: None, hub).turns.taps.most == taps


def test_a_phone_that_leaves_while_sending_does_no_harm(server):
    with socket.create_connection(("127.0.0.1", server.port)) as phone:
        phone.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
    assert ask(server, path="/healthz")[0] == 200


@pytest.mark.parametrize(
    "head",
    [
        "GET / HTTP/1.1\r\n",
        "GET /healthz HTTP/1.1\r\nX-Host: localhost\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n",
        "GET /live/x HTTP/1.1\r\n",
        "GET / HTTP/1.0\r\n",
    ],
    ids=["none", "a likeness", "two", "a stream", "of old"],
)
def test_a_request_names_its_host_once(server, head):
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as phone:
        phone.sendall(f"{head}Connection: close\r\n\r\n".encode())
        assert phone.recv(12) == b"HTTP/1.1 400"


def test_a_header_with_underscores_cannot_pass_for_the_proxys(server):
    with socket.create_connection(("127.0.0.1", server.port)) as phone:
        phone.sendall(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nContent_Encoding: gzip\r\nConnection: close\r\n\r\n"
        )
        assert phone.recv(12) == b"HTTP/1.1 200"


def test_the_language_follows_the_phone(server):
    _, headers, _ = ask(server, path="/nothing-here", Accept_Language="zh-CN")
    assert headers["Content-Language"] == "zh-hans"


@pytest.mark.parametrize(("name", "digest"), VENDORED.items())
def test_vendored_scripts_are_what_they_were(name, digest):
    assert hashlib.sha256((STATIC / "vendor" / name).read_bytes()).hexdigest() == digest


def test_every_vendored_script_is_pinned():
    assert {file.name for file in (STATIC / "vendor").glob("*.js")} == set(VENDORED)


@pytest.mark.browser
def test_a_browser_sees_no_violation_in_the_admin(page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto("/admin/login/")
    assert page.get_by_label("Username").is_visible()
    assert [complaint for complaint in complaints if "Content Security Policy" in complaint] == []


@pytest.mark.django_db(transaction=True)
def test_threads_that_end_let_the_database_go():
    """SQLite leaves files next to its own while anybody has it open, and PostgreSQL has few connections."""
    pool = Pool(1, "a thread")

    def used():
        database.ensure_connection()
        return connections[database.alias]

    kept = pool.submit(used).result()
    assert kept.connection is not None
    pool.close()
    assert kept.connection is None
