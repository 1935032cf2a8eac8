"""`manage.py play` as its user meets it: what it prints, what it serves, how it stops."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.files.storage import FileSystemStorage
from django.core.management.base import CommandError

from config.server import starting
from config.server.starting import listening_socket
from games.management.commands import serve
from games.management.commands.play import addresses, code_to_scan
from games.web.network import own_addresses

ROOT = Path(__file__).parents[2]


class Laptop:
    """A process of `manage.py play` with its own data folder; `output` is what it has printed so far."""

    def __init__(self, data, *arguments):
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment = {**kept, "ROUNDTABLE_DATA": str(data), "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "play", *arguments],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self.output = ""

    def read_until(self, words):
        while words not in self.output:
            line = self.process.stdout.readline()
            assert line, f"it stopped, having said:\n{self.output}"
            self.output += line
        return self.output

    @property
    def port(self):
        return int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.output)[1])

    def ask(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=30)
        self.output += rest
        return self.process.returncode

    def kill(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def laptop(tmp_path):
    started = []

    def start(*arguments):
        started.append(Laptop(tmp_path / "data", *arguments))
        return started[-1]

    yield start
    for one in started:
        one.kill()


@pytest.mark.slow
def test_the_first_evening_and_the_second(laptop):
    first = laptop("--host", "127.0.0.1", "--port", "0")
    said = first.read_until("Ctrl-C")
    assert "█" in said
    assert re.search(r"name: organiser  password: (\w{4}-){3}\w{4}\n", said)
    home = first.ask("/", Accept_Encoding="gzip, br")
    assert home.status == 200
    assert home.headers["Content-Encoding"] == "gzip"
    assert "Strict-Transport-Security" not in home.headers
    assert first.ask("/admin/login/").status == 200
    assert first.ask("/healthz").status == 200
    assert first.stop() == 0
    assert first.output.endswith("Stopped.\n")
    assert "Traceback" not in first.output

    second = laptop("--host", "127.0.0.1", "--port", "0")
    assert "password" not in second.read_until("Ctrl-C").replace("organiser's", "")
    assert "Pages are ready" not in second.output
    styles = re.search(r"/static/\+site/app[^\"]+\.css", second.ask("/").body.decode())[0]
    sheet = second.ask(styles, Accept_Encoding="gzip")
    assert sheet.headers["Content-Encoding"] == "gzip"
    assert "immutable" in sheet.headers["Cache-Control"]
    assert second.stop() == 0


def test_a_port_in_use_gets_a_sentence(laptop):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        second = laptop("--host", "127.0.0.1", "--port", str(port))
        output, _ = second.process.communicate(timeout=20)
    assert second.process.returncode == 1
    assert f"Port {port} is in use. Choose another one with --port." in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("host", "port", "sentence"),
    [
        ("no-such-host.invalid", 8000, "no address of this computer"),
        ("127.0.0.1", 70000, "may not be used"),
        ("203.0.113.9", 8000, "no address of this computer"),
    ],
)
def test_an_address_that_cannot_be_used_gets_a_sentence(host, port, sentence):
    with pytest.raises(CommandError, match=sentence):
        listening_socket(host, port)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this computer has no IPv6")
@pytest.mark.parametrize(("host", "reached"), [("::", ["::1", "127.0.0.1"]), ("::1", ["::1"])])
def test_all_addresses_are_those_without_ipv6_too(host, reached):
    """`play --host ::` prints them all."""
    with listening_socket(host, 0) as door:
        port, found = door.getsockname()[1], []
        for address in ("::1", "127.0.0.1"):
            with suppress(ConnectionRefusedError), socket.create_connection((address, port), timeout=5):
                found.append(address)
    assert found == reached


def test_without_a_port_the_next_free_one_is_taken():
    with listening_socket("127.0.0.1", None) as first, listening_socket("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_no_free_port_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(starting, "PORTS", 1)
    with listening_socket("127.0.0.1", 0) as taken:
        first = taken.getsockname()[1]
        with pytest.raises(CommandError, match=rf"The ports {first} to {first} are all in use\. Choose one"):
            listening_socket("127.0.0.1", None, first)


def test_a_second_server_over_the_same_data_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(serve.starting, "claim", lambda folder: folder != tmp_path)
    with pytest.raises(CommandError, match=r"is running with the data in .*Stop it first.*ROUNDTABLE_DATA"):
        serve.claim(tmp_path)
    serve.claim(tmp_path / "another")


def test_static_files_that_cannot_be_written_get_a_sentence(settings, tmp_path):
    (tmp_path / "file").touch()
    settings.STATIC_ROOT = str(tmp_path / "file" / "static")
    with pytest.raises(CommandError, match="ROUNDTABLE_STATIC names another folder"):
        starting.build_static()


def test_static_files_that_cannot_be_read_are_not_ready(tmp_path):
    """So that `build_static` says which setting names another folder."""
    (tmp_path / starting.STAMP).mkdir()
    assert not starting.is_ready(tmp_path)


def test_static_files_are_told_apart_by_what_is_in_them(tmp_path, monkeypatch):
    """Not by when they were written: a container's layers keep only whole seconds."""
    sheet = tmp_path / "app.css"
    finder = SimpleNamespace(list=lambda _ignored: [("app.css", FileSystemStorage(tmp_path))])
    monkeypatch.setattr(starting, "get_finders", lambda: [finder])
    sheet.write_text("a { }")
    before = starting.source_digest()
    os.utime(sheet, (1, 1))
    assert starting.source_digest() == before
    sheet.write_text("b { }")
    assert starting.source_digest() != before


def test_a_dead_phone_is_noticed_in_seconds():
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        pytest.skip("this system has no TCP_USER_TIMEOUT")
    with listening_socket("127.0.0.1", 0) as door, socket.create_connection(door.getsockname()):
        accepted, _ = door.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000


def test_the_addresses_are_those_that_a_phone_may_type(settings):
    urls = addresses("0.0.0.0", 8000)
    assert urls[-1] == "http://localhost:8000/"
    assert [f"http://{address}:8000/" for address in own_addresses()] == urls[:-1]
    assert not any("127." in url for url in urls)
    settings.ALLOWED_HOSTS = []
    assert addresses("192.0.2.7", 80) == ["http://192.0.2.7:80/"]
    assert settings.ALLOWED_HOSTS == ["192.0.2.7"]


def test_the_code_is_light_on_dark_on_any_terminal():
    plain, coloured = (code_to_scan("http://192.0.2.7:8000/", colours) for colours in (False, True))
    lines = plain.splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) <= 17
    assert all(line.startswith("\033[97;40m") for line in coloured.splitlines())
