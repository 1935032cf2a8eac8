"""What can be read in one sitting: no file of the program or its tests is long, and no function is."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("config", "games", "templates", "static", "tests")
READ = {".py", ".html", ".js", ".css"}
MOST_LINES, MOST_OF_A_FUNCTION = 800, 60


def files() -> list[Path]:
    found = (file for place in PLACES for file in (ROOT / place).rglob("*") if file.suffix in READ)
    return [file for file in found if "vendor" not in file.parts]


def test_no_file_is_longer_than_one_reads() -> None:
    found = files()
    assert {file.suffix for file in found} == READ
    assert [str(file) for file in found if len(file.read_text("utf-8").splitlines()) > MOST_LINES] == []


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{file}:{node.lineno} {node.name}"
        for file in files()
        if file.suffix == ".py"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno >= MOST_OF_A_FUNCTION
    ]
    assert long == []
