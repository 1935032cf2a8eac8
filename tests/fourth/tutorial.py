"""The tutorial's code blocks are the files of its game: read out of the page and installed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.packages import install

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
_BLOCK = re.compile(
    r"(?:^`(?P<path>\S+)`:\n\n)?^(?P<fence>`{3,4})(?P<kind>\w+)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S
)
"""A block of code, and before it the file that it belongs to."""


def files() -> dict[str, str]:
    """Every file of the tutorial by its path; blocks that go on with a file are put together."""
    found: dict[str, str] = {}
    for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if block["path"]:
            found[block["path"]] = found.get(block["path"], "") + block["text"]
    return found


def commands() -> list[list[str]]:
    """The arguments of every `manage.py` command that the tutorial tells its reader to give, in order."""
    blocks = (
        block for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8")) if block["kind"] == "console"
    )
    lines = (line for block in blocks for line in block["text"].splitlines())
    return [line.partition(" manage.py ")[2].split() for line in lines if " manage.py " in line]


def installed(site: Path) -> Path:
    """Install the tutorial's package into a folder as its pyproject.toml says; the package's folder."""
    all_files = files()
    points = tomllib.loads(all_files["pyproject.toml"])["project"]["entry-points"]["roundtable.games"]
    ((named, package),) = points.items()
    own = {
        path.removeprefix(f"{package}/"): text for path, text in all_files.items() if path != "pyproject.toml"
    }
    assert len(own) + 1 == len(all_files)
    return install(site, package, own, named)


if __name__ == "__main__":
    import sys

    installed(Path(sys.argv[1]))
