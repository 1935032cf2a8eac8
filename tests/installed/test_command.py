"""The command `roundtable`: its arguments, its place for data, its sentences."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from config.installed import command_line, launcher

ROOT = Path(__file__).parents[2]


@pytest.fixture
def started(monkeypatch):
    """What `run` hands on: manage.py's arguments, and the environment that counts."""
    calls = []

    def note(arguments, program):
        kept = {name: os.environ.get(name) for name in ("ROUNDTABLE_DATA", "ROUNDTABLE_LAN")}
        calls.append((arguments, program, kept))
        return 0

    for name in ("ROUNDTABLE_DATA", "ROUNDTABLE_LAN", "ROUNDTABLE_SECRET_KEY"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(command_line, "_carry_out", note)
    return calls


def test_without_a_command_it_plays_and_shows_its_page(started):
    assert command_line.run([]) == 0
    arguments, program, kept = started[0]
    assert arguments == ["play", "--open"]
    assert program == "play"
    assert kept == {
        "ROUNDTABLE_DATA": str(platformdirs.user_data_path("roundtable", False)),
        "ROUNDTABLE_LAN": "1",
    }


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        (["export", "--folder", "x"], ["export", "--folder", "x"]),
        (["import", "x"], ["import", "x"]),
        (["restore", "file.zip"], ["restore", "file.zip"]),
        (["backup"], ["backup"]),
        (["check", "--deploy"], ["check", "--deploy"]),
        (["manage", "migrate", "--plan"], ["migrate", "--plan"]),
        (["play", "--port", "80"], ["play", "--port", "80"]),
    ],
)
def test_each_command_is_one_of_manage_py(started, typed, arguments):
    command_line.run(typed)
    assert started[0][0] == arguments


@pytest.mark.parametrize(
    "typed",
    [
        ["--data", "/a/b", "play"],
        ["play", "--data", "/a/b"],
        ["--data=/a/b", "play"],
        ["play", "--data=/a/b"],
    ],
)
def test_the_data_folder_may_be_named_before_or_after_the_command(started, typed):
    command_line.run(typed)
    assert started[0][0] == ["play"]
    assert started[0][2]["ROUNDTABLE_DATA"] == str(Path("/a/b"))


def test_a_data_folder_may_be_called_like_a_command(started):
    command_line.run(["--data", "backup", "restore", "play"])
    assert started[0][0] == ["restore", "play"]
    assert started[0][2]["ROUNDTABLE_DATA"] == "backup"


@pytest.mark.parametrize("typed", [["--data", "", "play"], ["play", "--data="]])
def test_a_folder_without_a_name_is_the_usual_one(started, typed):
    """As with ROUNDTABLE_DATA: a variable that the shell does not know would mean the current folder."""
    command_line.run(typed)
    assert started[0][2]["ROUNDTABLE_DATA"] == str(platformdirs.user_data_path("roundtable", False))


def test_a_server_is_no_club_s_laptop(started, monkeypatch):
    command_line.run(["serve"])
    assert started[0][2]["ROUNDTABLE_LAN"] is None
    monkeypatch.setenv("ROUNDTABLE_SECRET_KEY", "x" * 50)
    command_line.run(["backup"])
    assert started[1][2]["ROUNDTABLE_LAN"] is None


def test_an_old_python_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(launcher.sys, "version_info", (3, 9, 18))
    with pytest.raises(SystemExit, match=r"needs Python 3.11 or newer; this is 3.9"):
        launcher.main()


def roundtable(*arguments, **environment):
    """A run of the installed command, as from the launcher's own file."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from config.installed.launcher import main; sys.exit(main())",
            *arguments,
        ],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_a_word_that_lacks_its_hyphens_gets_a_sentence(tmp_path):
    done = roundtable("check", "deploy", ROUNDTABLE_DATA=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == "CommandError: There is no application called deploy. Did you mean --deploy?\n"


def test_the_version_is_the_project_s():
    assert roundtable("--version").stdout == f"Roundtable {command_line.version()}\n"


def test_help_names_every_command_and_the_place_of_the_data(tmp_path):
    said = roundtable("--help", ROUNDTABLE_DATA=str(tmp_path)).stdout
    assert all(f"\n  {name} " in said for name in command_line.COMMANDS)
    assert str(tmp_path) in said


@pytest.mark.parametrize("name", [name for name in command_line.COMMANDS if name != "manage"])
def test_each_command_says_how_it_is_typed_without_any_setting(name, tmp_path):
    run = roundtable(name, "--help", ROUNDTABLE_DATA=str(tmp_path))
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"usage: roundtable {name} [-h]")


def test_any_other_command_says_it_too(tmp_path):
    run = roundtable("manage", "tidy", "--help", ROUNDTABLE_DATA=str(tmp_path))
    assert run.stdout.startswith("usage: roundtable manage tidy [-h]")


@pytest.mark.parametrize("asked", [["help"], ["--help"], [], ["serve", "--help"]])
def test_a_fresh_checkout_tells_what_it_can_do(asked, tmp_path):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    run = subprocess.run(
        [sys.executable, "manage.py", *asked],
        cwd=ROOT,
        env={**kept, "PYTHONUTF8": "1", "ROUNDTABLE_DATA": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert ("--processes" if asked[1:] else "\n    restore\n") in run.stdout, run.stderr


def test_an_unknown_command_gets_a_sentence_that_names_the_others():
    run = roundtable("plya")
    assert run.returncode == 2
    assert "'plya'" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_data_folder_that_cannot_be_made_gets_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    run = roundtable("--data", str(tmp_path / "file" / "data"), "play")
    assert run.returncode == 1
    assert "Roundtable cannot start: the folder" in run.stderr
    assert "Traceback" not in run.stderr


PRINTS = """
from config.installed.command_line import run
try:
    run(["--help"])
except SystemExit:
    print("█")
"""


def test_a_console_that_lacks_a_letter_is_no_reason_to_stop():
    printed = subprocess.run(
        [sys.executable, "-c", PRINTS],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert printed.returncode == 0
    assert printed.stdout.rstrip().endswith(b"?")
