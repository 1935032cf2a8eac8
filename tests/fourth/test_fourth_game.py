"""The tutorial's game, installed as somebody else's package: played, held to the contract, in one folder.

It runs in a process of its own, where the package is found from the start, with a database of its own.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fourth import tutorial

ROOT = Path(__file__).parents[2]
PARTS = ("config", "docs", "games", "static", "templates", "tests")


def fingerprints() -> dict[str, str]:
    """Every file of the repository and what is in it; what Python compiles beside it does not count."""
    files = [path for part in PARTS for path in (ROOT / part).rglob("*")] + list(ROOT.glob("*"))
    return {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    tutorial.installed(folder)
    return folder


def run(site: Path, *arguments: str) -> str:
    """A command of the project where the package is installed; what it said."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {
        **inherited,
        "PYTHONPATH": str(site),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "ROUNDTABLE_TEST": "1",
        "ROUNDTABLE_DATA": str(site / "data"),
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=220,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_fourth_game_stands_in_one_folder_and_is_played_to_its_end(site: Path) -> None:
    before = fingerprints()
    assert tutorial.commands()
    told = [run(site, "manage.py", *arguments) for arguments in tutorial.commands()]
    assert "lanterns evening, 2 seats: 20 games" in told[0]
    assert " 0 untranslated" in told[1]
    # Its words are compiled now; a process that starts afterwards speaks them.
    own = str(site / "roundtable_lanterns" / "tests" / "test_rules.py")
    everything = ("tests/fourth/inside.py", own, "tests/contract", "tests/pages/test_rulebook.py")
    its_own = ("-k", "inside or roundtable_lanterns or lanterns or LAN")
    here = ("-c", "pyproject.toml", "--rootdir", str(ROOT), "-p", "no:cacheprovider")
    held = run(site, "-m", "pytest", *here, "-vv", *everything, *its_own)
    parts = (
        "inside.py::",
        "::test_most_points_win",
        "test_rules.py::",
        "test_rows.py::",
        "test_rulebook.py::",
    )
    assert [part for part in parts if part not in held] == []
    after = fingerprints()
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == set()


@pytest.mark.slow
def test_words_of_a_package_that_cannot_be_read_break_no_page(tmp_path: Path) -> None:
    folder = tutorial.installed(tmp_path)
    (folder / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.mo").write_bytes(b"no catalogue")
    look = (
        "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup()\n"
        "from django.test import Client; from games import translation\n"
        "print(Client(headers={'Accept-Language': 'zh-hans'}).get('/rules/tmg').status_code)\n"
        "print(translation.catalogue('zh-hans', 'lanterns').game)"
    )
    said = run(tmp_path, "-c", look)
    assert said.startswith("200\nlanterns\n")
    assert "cannot be read; they are left out." in said
