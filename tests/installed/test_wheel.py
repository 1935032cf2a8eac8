"""The package as people install it: built, put somewhere else, started, played.

ROUNDTABLE_COMMAND names the command of an environment into which the package was installed; without it, the
package is unpacked and started with the libraries that are here.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.conf import settings

from config.installed import command_line

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SEEDS = [path for path in (ROOT / "seeds").rglob("*") if path.is_file()]
"""What a fresh database gets."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel, tmp_path_factory):
    """How the package is started, and the environment that it finds itself in: nothing of the checkout."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    home = tmp_path_factory.mktemp("home")
    environment = {**kept, "HOME": str(home), "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
    if installed := os.environ.get("ROUNDTABLE_COMMAND"):
        return [installed], environment
    unpacked = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(unpacked)
    return [sys.executable, "-m", "roundtable"], {**environment, "PYTHONPATH": str(unpacked)}


DEMOS = sum(path.parent.name != "armies" for path in SEEDS)
"""How many tables and events the home page shows as demos."""


class Club:
    """An installed program in a folder outside the repository, with data of its own."""

    def __init__(self, command, folder):
        self.command, self.environment = command
        self.folder = folder
        self.data = ["--data", str(folder / "data")]
        self.process = None

    def run(self, *arguments):
        return subprocess.run(
            [*self.command, *self.data, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def start(self):
        self.process = subprocess.Popen(
            [
                *self.command,
                *self.data,
                "play",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
            ],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        said = ""
        while "Ctrl-C" not in said:
            line = self.process.stdout.readline()
            assert line, said
            said += line
        self.url = re.search(r"http://127\.0\.0\.1:\d+/", said)[0]
        return said

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=20)
        assert rest.endswith("Stopped.\n")

    def get(self, path, language="en", token=""):
        headers = {"Accept-Language": language, **({"Authorization": f"Bearer {token}"} if token else {})}
        with urlopen(Request(self.url + path, headers=headers)) as answer:
            return answer.read().decode()

    def post(self, path, facts, token=""):
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        asked = Request(self.url + path, json.dumps(facts).encode(), headers)
        with urlopen(asked) as answer:
            return json.load(answer)


@pytest.fixture
def club(command, tmp_path):
    found = Club(command, tmp_path)
    yield found
    if found.process is not None:
        found.process.kill()
        found.process.communicate()


def played(club, code, tokens, taps):
    """Tap what is offered first, whoever is asked; the version that this leads to."""
    version = 0
    for _tap in range(taps):
        for token in tokens:
            board = json.loads(club.get(f"api/matches/{code}", token=token))
            if board["offers"]:
                break
        offer = next(offer for offer in board["offers"] if "min" not in offer)
        tap = {"action": offer["action"], "seen": board["version"], "key": f"tap-{board['version']:05}"}
        version = club.post(f"api/matches/{code}/act", tap, token)["version"]
    return version


def test_the_package_is_installed_under_one_name_and_without_tests(wheel):
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert {name.partition("/")[0] for name in names} == {
        "roundtable",
        f"roundtable-{command_line.version()}.dist-info",
    }
    assert not [name for name in names if "/tests/" in name or name.endswith(".po")]
    assert {f"roundtable/{path.relative_to(ROOT).as_posix()}" for path in SEEDS} <= set(names)
    translated = len(settings.LANGUAGES) - 1
    assert len([name for name in names if name.endswith(".mo")]) == (len(systems_of_ours()) + 1) * translated


def systems_of_ours():
    return [folder for folder in (ROOT / "games" / "systems").iterdir() if (folder / "locale").exists()]


def test_it_is_played_outside_the_repository_and_goes_on_after_a_restart(club):
    assert re.search(r"password: (\w{4}-){3}\w{4}\n", club.start())
    assert "data-version" not in club.get("")
    assert "开一桌" in club.get("", "zh-hans")
    assert club.get("").count('class="badge"') == DEMOS
    styles = re.search(r"static/\+site/app[^\"]+\.css", club.get(""))[0]
    assert "@layer" in club.get(styles)
    opened = club.post("api/matches", {"system": "tmg", "mode": "a-game-of-thrones", "seats": [{}, {}]})
    tokens = [seat["token"] for seat in opened["seats"]]
    version = played(club, opened["code"], tokens, 8)
    club.stop()

    saved = club.run("backup")
    assert "Everything is saved in" in saved.stdout, saved.stderr
    assert "password" not in club.start().replace("organiser's", "")
    assert json.loads(club.get(f"api/matches/{opened['code']}"))["version"] == version
    played(club, opened["code"], tokens, 2)
    club.stop()


def test_its_commands_speak_of_themselves(club):
    assert club.run("--version").stdout == f"Roundtable {command_line.version()}\n"
    said = club.run("backup", "--help").stdout
    assert said.startswith("usage: roundtable backup ")
    assert club.run("manage", "help").returncode == 0
    wrong = club.run("check", "--deplyo")
    assert wrong.returncode != 0
    assert "Traceback" not in wrong.stderr
