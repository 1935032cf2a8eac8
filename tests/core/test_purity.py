"""The core and the systems import nothing that waits, rolls dice, reads or writes; imports go one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "games"
FORBIDDEN = {
    "django", "random", "secrets", "time", "datetime", "os", "pathlib", "io", "socket", "sqlite3",
    "threading", "asyncio", "subprocess", "urllib", "requests", "tempfile", "shutil", "logging", "uuid",
}  # fmt: skip
READERS = {"games/core/facts.py"}
"""The only module through which package data comes in."""


def modules(folder):
    found = sorted((ROOT.parent / folder).rglob("*.py"))
    return [path for path in found if "tests" not in path.parts]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", [*modules("games/core"), *modules("games/systems")], ids=lambda p: p.stem)
def test_rules_are_pure(path):
    if path.relative_to(ROOT.parent).as_posix() in READERS:
        return
    used = {name.partition(".")[0] for name in imports(path)}
    assert not used & FORBIDDEN


def test_imports_point_one_way():
    """The layers are declared in pyproject.toml: a lower one imports nothing from a higher one."""
    found = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        check=False, cwd=ROOT.parent, capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout
