"""Exports that somebody forged with care: whatever they say, their fingerprints and their checksum fit it."""

from __future__ import annotations

import copy
from typing import Any

from games.core.chance import beginning, draws_hash, secret_hash
from games.history import commits as chain
from games.history.commits import DRAWS, REST, SEALED, ChainLink
from games.match.match_file import checksum

Data = dict[str, Any]

APART = ("sealed", "draws", "commitments", "hash")
"""Parts of an entry that its fingerprint covers by their commitments, or not at all."""


def fitted(file: Data) -> Data:
    """The file with every commitment, fingerprint and the checksum made anew for what it says."""
    forged = copy.deepcopy(file)
    last = beginning(forged["system"], forged["commitment"])
    for entry in forged["entries"]:
        entry["commitments"] = _commitments(entry, forged["seed"])
        content = {name: value for name, value in entry.items() if name not in APART}
        link = ChainLink(content, entry["sealed"], entry["draws"], entry["commitments"], "")
        last = entry["hash"] = chain.link_hash(last, link)
    forged["chain"] = last
    return {**forged, "checksum": checksum(forged)}


def _commitments(entry: Data, seed: str) -> dict[str, str]:
    """What an entry commits to; what is masked in the file keeps its commitment."""
    made: dict[str, str] = {}
    for seat, part in entry["sealed"].items():
        salts = part.setdefault("salts", {REST: chain.new_salt()})
        hidden = chain.values(part)
        for place, value in hidden.items():
            if value != SEALED:
                salts.setdefault(place, chain.new_salt())
        rest = {name: value for name, value in part.items() if name not in ("salts", "after")}
        rest["after"] = {path: value for path, value in part.get("after", {}).items() if path not in hidden}
        for place, name, value in (*((path, path, hidden[path]) for path in hidden), (seat, REST, rest)):
            is_known = name in salts
            made[place] = secret_hash(salts[name], place, value) if is_known else entry["commitments"][place]
    return {**made, DRAWS: draws_hash(seed, entry["version"], entry["draws"])} if made else {}
