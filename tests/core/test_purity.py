"""The core and the systems import nothing that waits, rolls, reads or writes; layers point one way."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "games"
FORBIDDEN = {
    "django", "random", "secrets", "time", "datetime", "os", "pathlib", "io", "socket", "sqlite3",
    "threading", "asyncio", "subprocess", "urllib", "requests", "tempfile", "shutil", "logging", "uuid",
}  # fmt: skip
READERS = {"games/core/facts.py"}
"""Package data comes in through this one door."""

LAYERS = (
    (
        "games/core",
        ("games.systems", "games.models", "games.board", "games.play", "games.views", "games.api"),
    ),
    (
        "games/systems",
        ("games.models", "games.board", "games.play", "games.views", "games.api", "games.admin"),
    ),
    ("games/models.py", ("games.board", "games.play", "games.views", "games.api", "games.admin")),
    ("games/board.py", ("games.play", "games.views", "games.api", "games.admin")),
    ("games/play.py", ("games.views", "games.api", "games.admin")),
)


def modules(folder):
    found = [ROOT.parent / folder] if folder.endswith(".py") else sorted((ROOT.parent / folder).rglob("*.py"))
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


@pytest.mark.parametrize(
    ("layer", "above"), LAYERS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_dependencies_point_one_way(layer, above):
    for path in modules(layer):
        wrong = [
            name for name in imports(path) if any(name == up or name.startswith(f"{up}.") for up in above)
        ]
        assert not wrong, f"{path} imports {wrong}"
