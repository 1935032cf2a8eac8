"""Facts that ship inside a package: catalogues, rulesets, and the sample armies among its seeds.

The one place below the views that opens a file, so that everything else there stays pure: rules and readers
take text, this module fetches it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

SEEDS = "seeds"
TOP = Path(__file__).parents[2]
"""The folder of the whole program, in a checkout and in the installed package."""
OURS = "games.systems."


def place(package: str, name: str) -> Traversable:
    """A file or folder of a package; the `seeds` of the games that come with the program lie at its top."""
    if package.startswith(OURS) and name.partition("/")[0] == SEEDS:
        return TOP.joinpath(SEEDS, package.removeprefix(OURS), *name.split("/")[1:])
    return files(package).joinpath(name)


@cache
def read_text(package: str, name: str) -> str:
    """The UTF-8 text of a file of a package, such as `read_text("games.systems.tmg", "data/units.csv")`."""
    return place(package, name).read_text(encoding="utf-8")


@cache
def read_toml(package: str, name: str) -> dict[str, Any]:
    """The table in a TOML file of a package. Every caller gets the same dictionary: read only."""
    return tomllib.loads(read_text(package, name))


@cache
def file_names(package: str, folder: str, suffix: str) -> tuple[str, ...]:
    """The stems of a folder's files that end in `suffix`, sorted; empty if there is no such folder."""
    there = place(package, folder)
    if not there.is_dir():
        return ()
    files_there = (entry.name for entry in there.iterdir())
    return tuple(sorted(name.removesuffix(suffix) for name in files_there if name.endswith(suffix)))
