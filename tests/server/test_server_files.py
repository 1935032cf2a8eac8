"""The server files in config/deploy name only what exists: settings, commands, ports, files."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, load_command_class
from packaging.requirements import Requirement

from config import healthy
from config.server import shell
from config.server.starting import FIRST_PORT
from tests.docs import names

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "config" / "deploy"
FILES = sorted(FOLDER.iterdir())
OF_OTHERS = {"ROUNDTABLE_UPSTREAM"}
"""Variables that one of these files sets for another."""


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def composed() -> dict:
    return yaml.safe_load(text("compose.yaml"))


def container_commands() -> list[list[str]]:
    """The arguments that the container and the compose file give to `roundtable`, word by word."""
    told = re.findall(r'^CMD (\["serve".*\])$', text("Containerfile"), re.M)
    in_container = [yaml.safe_load(line) for line in told]
    return [*in_container, composed()["services"]["web"]["command"]]


def shell_commands() -> list[list[str]]:
    """The same from lines of shell scripts and units."""
    lines = "\n".join(text(file.name) for file in FILES)
    found = re.findall(
        r"(?:^ExecStart=|bin/|do )(?:\S*/)?roundtable ((?:[\w-]+ ?)+(?:--[\w-]+(?: \d+)? ?)*)", lines, re.M
    )
    return [words.split() for words in found]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_setting_is_one(file):
    table = (ROOT / "config" / "settings.py").read_text(encoding="utf-8").split('"""')[1]
    told = set(re.findall(r"\b(?:ROUNDTABLE_[A-Z_]+|DATABASE_URL)", file.read_text(encoding="utf-8")))
    assert {name for name in told - OF_OTHERS if f"`{name}`" not in table} == set()


def test_every_command_and_option_can_be_given():
    told = [*container_commands(), *shell_commands()]
    assert {words[0] for words in told} == {"serve", "manage", "backup"}
    for name, *rest in told:
        command = rest.pop(0) if name == "manage" else name
        parser = load_command_class("games", command).create_parser("roundtable", command)
        parser.parse_args(["1" if word.startswith("${") else word for word in rest])


@pytest.mark.parametrize("command", ["serve --port x", "serve --prepared", "backup --kept 14"])
def test_a_command_that_cannot_be_given_would_be_told(command):
    name, *rest = command.split()
    parser = load_command_class("games", name).create_parser("roundtable", name)
    with pytest.raises(CommandError):
        parser.parse_args(rest)


def test_everybody_speaks_of_the_same_port():
    assert f"EXPOSE {FIRST_PORT}\n" in text("Containerfile")
    assert f"127.0.0.1:{FIRST_PORT}}}" in text("Caddyfile")
    assert f"proxy_pass http://127.0.0.1:{FIRST_PORT};" in text("nginx.conf")
    assert f"--port {FIRST_PORT}\n" in text("roundtable.service")
    assert composed()["services"]["proxy"]["environment"]["ROUNDTABLE_UPSTREAM"] == f"web:{FIRST_PORT}"


def test_proxies_hold_no_stream_back_and_say_who_asks():
    assert "flush_interval -1" in text("Caddyfile")
    assert {"proxy_buffering off;", "X-Forwarded-For $remote_addr;", "X-Forwarded-Proto $scheme;"} <= {
        line.strip().removeprefix("proxy_set_header ") for line in text("nginx.conf").splitlines()
    }


def test_proxies_write_down_no_address_that_opens_a_seat():
    servers = text("nginx.conf").split("\nserver {")[1:]
    assert len(servers) == 2
    for server in servers:
        assert {"access_log off;", "error_log /var/log/nginx/error.log crit;"} <= {
            line.strip() for line in server.splitlines()
        }
    assert "exclude http.log.error http.handlers.reverse_proxy\n" in text("Caddyfile")


def test_the_container_holds_what_its_package_is_built_of():
    allowed = {line[1:] for line in text("Containerfile.dockerignore").splitlines() if line.startswith("!")}
    assert all((ROOT / name).exists() for name in allowed)
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text("Containerfile"), re.M)
    assert {name for line in copied for name in line.split() if name != "."} <= allowed
    assert {"config", "games", "static", "templates", "pyproject.toml"} <= allowed
    build = composed()["services"]["web"]["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()


def test_libraries_are_taken_by_their_hash_and_from_no_address():
    steps = text("Containerfile")
    installs = re.findall(r"-m pip install .*(?:\n +.*)*", steps)
    assert len(installs) == 3
    assert [step for step in installs if "--require-hashes" not in step and "--no-index" not in step] == []
    assert not re.search(r"--(extra-)?index-url|--trusted-host|://", steps)


def test_what_builds_the_package_is_in_the_lock():
    kept = set(re.search(r"/\^\(([\w|-]+)\)==/", text("Containerfile"))[1].split("|"))
    needed, seen = ["hatchling", "polib"], set()
    while needed:
        name = needed.pop().lower()
        seen.add(name)
        wanted = [Requirement(line) for line in importlib.metadata.requires(name) or ()]
        needed += [one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]
    assert kept == seen
    locked = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    assert all(re.search(rf"^{name}==.* \\$", locked, re.M) for name in kept)


def test_the_container_runs_as_nobody_special():
    last = text("Containerfile").rpartition("\nFROM ")[2]
    assert re.search(r"^USER roundtable$", last, re.M)
    own = [one for one in composed()["services"].values() if one["image"] == "roundtable"]
    assert len(own) == 2
    for service in own:
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert "ports" not in service


def test_only_the_proxy_is_reached_from_outside():
    services = composed()["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["web"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    volumes = {one.partition(":")[0] for service in services.values() for one in service["volumes"]}
    assert {name for name in volumes if not name.startswith(".")} == set(composed()["volumes"])


def test_the_image_is_slim_and_tagged():
    bases = re.findall(r"^FROM (\S+)", text("Containerfile"), re.M)
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", bases[0])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_understands_its_units(tmp_path):
    for file in FOLDER.glob("roundtable*.*"):
        unit = re.sub(r"^ExecStart=\S+.*", "ExecStart=/bin/true", file.read_text(), flags=re.M)
        (tmp_path / file.name).write_text(unit)
    units = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "roundtable" in line] == []


def test_every_hint_of_the_files_names_files_that_are_there():
    for file in FILES:
        for name in re.findall(r"[\w.-]*roundtable-backup\.\w+|config/deploy/\w+", file.read_text()):
            assert (FOLDER / name.rpartition("/")[2]).exists(), name
    assert names.fault("config/deploy/Caddyfile") == ""


@pytest.mark.django_db
def test_the_health_check_asks_by_the_server_s_own_name(server, monkeypatch):
    # A slow machine needs longer for the first answer, which looks at all migrations.
    monkeypatch.setattr(shell, "HEALTH_SECONDS", 60)
    monkeypatch.setattr(healthy, "SECONDS", 60)
    assert healthy.fault("localhost", server.port) == ""
    assert healthy.fault("evil.example", server.port).startswith("The server is not well: 400")
    assert healthy.fault("localhost", 1).startswith("Nothing answers at port 1")


@pytest.mark.parametrize(
    ("hosts", "asked"),
    [("a.example", "a.example"), ("a.example, b.example", "a.example"), (".a.example", "a.example")],
)
def test_the_health_check_takes_the_first_name(monkeypatch, hosts, asked):
    seen = []
    monkeypatch.setenv("ROUNDTABLE_HOSTS", hosts)
    monkeypatch.setattr(healthy.sys, "argv", ["healthy", "9000"])
    monkeypatch.setattr(healthy, "fault", lambda *told: seen.append(told) or "")
    assert healthy.main() == ""
    assert seen == [(asked, 9000)]
