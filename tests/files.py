"""Exports as an older version of the program wrote them."""

from __future__ import annotations

import copy
from typing import Any

from games.match.exchange.exporting import checksum


def of_the_first_version(file: dict[str, Any]) -> dict[str, Any]:
    """The file as it was written before there were fingerprints, with a checksum that fits it."""
    old = {**copy.deepcopy(file), "format_version": 1}
    del old["chain"]
    for entry in old["entries"]:
        for name in ("opens", "commitments", "hash"):
            del entry[name]
        for part in entry["sealed"].values():
            del part["salts"]
    return {**old, "checksum": checksum(old)}
