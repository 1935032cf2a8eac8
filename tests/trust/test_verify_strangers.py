"""Who checks an export has it from somebody else: it can neither stop the program nor speak in its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import verify
from games.match import match_file, play
from tests.trust.test_chain import played_on
from tests.trust.twins import HOUSES

pytestmark = pytest.mark.django_db

Data = dict[str, Any]


@pytest.fixture
def file() -> Data:
    match = play.open_match("auction", "tracks", HOUSES, seed="a stranger's match")
    return match_file.whole(played_on(match, 6))


def told(content: str, place: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The status of the program over a file with this content, and what it says of it."""
    path = place / "export.json"
    path.write_text(content, encoding="utf-8")
    return verify.main([str(path)]), capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("\x1b[1A\x1b[2K\x1b]0;all is well\x07", r"\x1b[1A\x1b[2K\x1b]0;all is well\x07: "),
        ("K7QWXM\r", "K7QWXM\\r: "),
        ("K7QWXM\nBen: 40", "K7QWXM\\nBen: 40: "),
        ("\u202eMXWQ7K", "\\u202eMXWQ7K: "),
        ("\udc00", "\\udc00: "),
        ("👩‍🚀 大雪", "👩‍🚀 大雪: "),
    ],
)
def test_a_file_writes_over_nothing_that_is_said_of_it(
    file: Data, code: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No fingerprint is over the code, which is printed: a terminal would do what it says."""
    status, said = told(json.dumps({**file, "code": code}), tmp_path, capsys)
    assert (status, said.startswith(shown)) == (0, True), said


def test_what_is_wrong_is_said_in_the_same_plain_letters(
    file: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file["entries"][2]["version"] = "\x1b[2J"
    status, said = told(json.dumps(file), tmp_path, capsys)
    assert (status, "\x1b" in said, "Entry \\x1b[2J stands where entry 3 should." in said) == (1, False, True)


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"position":' * 100_000])
def test_a_file_that_is_nested_without_end_is_no_export(
    deep: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = told(deep, tmp_path, capsys)
    assert (status, "is not an export that can be checked" in said) == (2, True)


def test_a_name_that_stands_twice_is_not_read_as_the_last(
    file: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another program reads the first, so what was checked would not be what is shown."""
    twice = json.dumps(file).replace('"seed": ', '"seed": "another", "seed": ', 1)
    status, said = told(twice, tmp_path, capsys)
    assert (status, "seed appears twice" in said) == (2, True)


def test_a_file_that_cannot_be_opened_is_told_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.json"
    assert verify.main([str(missing)]) == 2
    assert capsys.readouterr().out == f"{missing} cannot be read: No such file or directory.\n"


def test_a_console_that_lacks_a_letter_shows_another(file: Data, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps({**file, "code": "大雪"}), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, verify.__file__, str(path)],
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[0].split(b":")[0]) == (0, rb"\u5927\u96ea")
