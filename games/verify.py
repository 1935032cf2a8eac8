"""Check an export with nothing but Python: `python verify.py roundtable-K7QWXM.json`.

It may be a match, a reader's view of one, the history of an event, or everything that a server keeps.
Recomputes every fingerprint of the history, every random result and every secret answer that was revealed,
compares what a reveal has used with what was committed to, plays the entries through from the first to the
last, and prints the score that they lead to. It shares no code with the server that wrote the file, so a bug
in one is not in the other. The exit status is 0 without faults, 1 with faults, and 2 for a file that is no
export.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

MASK, ABSENT = "\u2022", "\u2205"
"""What stands in public for a hidden value, and for the lack of one."""
FORMATS = ("roundtable-match", "roundtable-view")
EVENT, EVERYTHING = "roundtable-event-history", "roundtable-everything"
PIECES = {"army": "armies", "unit": "units", "objective": "objectives", "round": "rounds", "score": "scores"}
OF_EVENTS = {
    "player": "players",
    "round": "rounds",
    "pairing": "pairings",
    "call": "calls",
    "announcement": "announcements",
    "team": "teams",
    "team_match": "team_matches",
}
MAPPINGS = {**PIECES, **OF_EVENTS}
LATER: dict[str, Any] = {
    **{"annuls": False, "is_rated": False, "third": False, "columns": {}, "divisions": [], "zone": ""},
    **{"team_size": 0, "team_scale": "tables", "team_cap": 0, "team_margin": 0, "team_tables": "put-up"},
    **{"houses": "rotation", "least": 3, "legs": 1, "no_show": 15, "reach": 3, "tables": "near"},
}
"""Settings of events that came after the first release, as they are where no entry names them."""
BESIDE = ("sealed", "draws", "commitments", "hash", "revealed")
"""Parts of an entry that its fingerprint does not cover, or not in this form."""

Data = dict[str, Any]


def faults(file: Data) -> Iterator[str]:
    """A sentence for everything in an export that is wrong."""
    yield from _of_the_file(file)
    yield from _of_the_times(file)
    yield from _of_the_chain(file, file["system"])
    yield from _of_the_reveals(file)
    for entry in file["entries"]:
        yield from _of_the_seals(file, entry)
        yield from _of_the_draws(file, entry)
    yield from _of_the_position(file)


def faults_of_event(file: Data) -> Iterator[str]:
    """A sentence for everything in the history of an event that is wrong."""
    if (seed := file["seed"]) and file["commitment"] != sha256(seed):
        yield "The seed is not the one whose fingerprint begins the history."
    yield from _of_the_chain(file, file["code"])
    position: Data = {plural: {} for plural in OF_EVENTS.values()}
    for entry in file["entries"]:
        if seed and any(draw(seed, *drawn[:2]) != drawn[2] for drawn in entry["draws"]):
            yield f"Entry {entry['version']}: a random result does not follow from the seed."
        follows = _follows(position, entry["before"])
        for path, value in entry["after"].items():
            kind, _slash, rest = path.partition("/")
            key, _slash, field = rest.partition("/")
            if field and key not in position[OF_EVENTS[kind]]:
                follows = False
            else:
                _put(position, path, value)
        if not follows:
            yield f"Entry {entry['version']} does not follow from the entries before."
    yield from _of_the_rows(file["position"], position)


def _of_the_rows(stated: Data, position: Data) -> Iterator[str]:
    """What an event's file states, beside what its entries lead to: it names each piece that differs."""
    for plural in OF_EVENTS.values():
        pieces = stated.get(plural, {})
        for key in sorted(pieces.keys() | position[plural].keys()):
            piece, other = pieces.get(key), position[plural].get(key)
            # A table may be deleted, which no history records.
            gone = {"match": None} if plural == "pairings" and piece and piece["match"] is None else {}
            if canonical(piece) != canonical(other and {**_added(piece or {}), **other, **gone}):
                yield f"The position is not the one that the entries lead to: see {plural}, {key}."
    for name in sorted(stated.keys() - {"seed", *OF_EVENTS.values()}):
        if canonical(stated[name]) != canonical(position.get(name, LATER.get(name, ABSENT))):
            yield f"The position is not the one that the entries lead to: see {name}."


def _added(piece: Data) -> Data:
    """The empty fields of a piece: one that a later version has added is empty where no entry names it."""
    return {name: value for name, value in piece.items() if not value}


def position(file: Data) -> Data:
    """The position after the last entry, played through from the first: everything that any of them wrote."""
    state = _blank(file)
    for entry in file["entries"]:
        for path, value in _image(entry, "after").items():
            _put(state, path, value)
    return state


def score(position: Data) -> dict[str, int]:
    """The points of every seat: the sum of its score rows."""
    points = dict.fromkeys(position["armies"], 0)
    for row in position["scores"].values():
        points[row["seat"]] += row["points"]
    return points


# --- fingerprints --------------------------------------------------------------------------------


def canonical(value: Any) -> str:
    """The one text of a value: JSON with sorted names and without spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(text: str) -> str:
    """The SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def draw(seed: str, counter: int, outcomes: int) -> int:
    """Random result number `counter`: the first eight bytes of HMAC-SHA256(seed, "counter:attempt"), modulo.

    A value beyond the last whole multiple of `outcomes` is drawn again, with the next attempt.
    """
    if not 0 < outcomes <= 2**64:
        raise ValueError(f"a random result of {outcomes} outcomes")
    attempt, limit = 0, 2**64 - 2**64 % outcomes
    while True:
        digest = hmac.new(seed.encode(), f"{counter}:{attempt}".encode(), hashlib.sha256).digest()
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % outcomes
        attempt += 1


def _of_the_file(file: Data) -> Iterator[str]:
    content = {name: value for name, value in file.items() if name not in ("code", "checksum")}
    if file["format"] == FORMATS[0] and file["checksum"] != sha256(canonical(content)):
        yield "The checksum of the file does not fit."
    if (seed := _seed(file)) and file["commitment"] != sha256(seed):
        yield "The seed is not the one whose fingerprint was shown at the opening."


def _of_the_times(file: Data) -> Iterator[str]:
    """The fingerprints cover the times of the entries, and these say when the match began and ended."""
    ended = None
    for entry in file["entries"]:
        if "result" in entry["after"]:
            ended = None if entry["after"]["result"] is None else ended or entry["at"]
    if any(_time(file["opened_at"]) != _time(entry["at"]) for entry in file["entries"][:1]):
        yield "The time of the opening is not that of the first entry."
    if ended and file["finished_at"] and _time(file["finished_at"]) != _time(ended):
        yield "The time of the end is not that of the entry that ended the match."


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _seed(file: Data) -> str:
    """The seed, which a whole match has to contain; "" in one reader's view of a match in play."""
    return str(file["seed"] if file["format"] == FORMATS[0] else file["position"].get("seed", ""))


def _of_the_chain(file: Data, first: str) -> Iterator[str]:
    previous = sha256(canonical([first, file["commitment"]]))
    for number, entry in enumerate(file["entries"], 1):
        if entry["version"] != number:
            yield f"Entry {entry['version']} stands where entry {number} should."
        content = {name: value for name, value in entry.items() if name not in BESIDE}
        content["commitments"] = entry.get("commitments", {})
        content["draws"] = None if content["commitments"] else entry["draws"]
        if entry["hash"] != sha256(canonical({**content, "previous": previous})):
            yield f"Entry {number} does not match its fingerprint."
        previous = entry["hash"]
    if file["chain"] != previous or file["version"] != len(file["entries"]):
        yield f"After entry {len(file['entries'])} something is missing: the last fingerprint is another."


def _of_the_seals(file: Data, entry: Data) -> Iterator[str]:
    promised = entry["commitments"]
    if _opened_places(entry) != {place for place in promised if place != "draws" and _is_open(file, place)}:
        yield f"Entry {entry['version']}: something that was sealed is left out."
    for seat, part in entry["sealed"].items():
        salts, after = part.get("salts", {}), part.get("after", {})
        apart = {path: value for path, value in after.items() if _is_of_a_value(path)}
        rest = {name: value for name, value in part.items() if name not in ("salts", "after")}
        rest["after"] = {path: value for path, value in after.items() if path not in apart}
        for place, value in (*apart.items(), (seat, rest)):
            salt = salts.get("" if place == seat else place)
            is_right = sha256(f"{salt}{canonical([place, value])}") == promised.get(place)
            # A salt may be missing only if a value is still secret; a mask elsewhere does not excuse it.
            is_secret = _is_secret(file, part if place == seat else {"after": {place: value}})
            if not (is_secret if salt is None else is_right):
                yield f"Entry {entry['version']}: what {seat} sealed is not what was sealed."
    for place, answer in entry.get("revealed", {}).items():
        if sha256(answer["salt"] + canonical([place, answer["value"]])) != promised.get(place):
            yield f"Entry {entry['version']}: the answer at {place} is not what was sealed."


def _of_the_reveals(file: Data) -> Iterator[str]:
    """What was revealed must be in the file, and be what was sealed, whatever form this reader gets it in."""
    answers = {entry["version"]: _opened_answers(file, entry) for entry in file["entries"]}
    for entry, place, sealed in _opened(file):
        version, used = entry["version"], entry["opens"][place]
        # What was sealed and revealed at once never stood.
        has_stood = place in entry["before"]
        if sealed is None:
            if has_stood:
                yield f"Entry {version}: it reveals something at {place} that nobody had sealed."
        elif place not in answers.get(sealed, {}):
            yield f"Entry {sealed}: the answer at {place} was revealed and is left out."
        elif has_stood and canonical(answers[sealed][place]) != canonical(used):
            was = f"entry {sealed} committed to {canonical(answers[sealed][place])}"
            yield f"Entry {version}: it reveals {canonical(used)} at {place}, but {was}."


def _opened(file: Data) -> Iterator[tuple[Data, str, int | None]]:
    """What entries reveal: the entry, the place, and the entry that sealed it."""
    standing: dict[str, int] = {}
    for entry in file["entries"]:
        for place in entry["opens"]:
            # What came with a whole army has no commitment of its own.
            if place in standing or "/".join(place.split("/")[:2]) not in standing:
                yield entry, place, standing.get(place)
        standing |= dict.fromkeys(filter(_is_of_a_value, entry["commitments"]), entry["version"])
        whole = (path for path in entry["after"] if path.count("/") == 1)
        standing |= {path: entry["version"] for path in whole if path.split("/")[1] in entry["commitments"]}


def _opened_answers(file: Data, entry: Data) -> Data:
    """The hidden values that this entry discloses with their salts, by their places."""
    if file["format"] != FORMATS[0]:
        return {place: answer["value"] for place, answer in entry.get("revealed", {}).items()}
    answers: Data = {}
    for part in entry["sealed"].values():
        after = part.get("after", {})
        answers |= {place: after[place] for place in part.get("salts", {}) if place in after}
    return answers


def _opened_places(entry: Data) -> set[str]:
    """The seats of an entry's sealed parts, and the places of the hidden values in them."""
    paths = (path for part in entry["sealed"].values() for path in part.get("after", {}))
    return {*entry["sealed"], *filter(_is_of_a_value, paths)}


def _is_of_a_value(place: str) -> bool:
    """Whether a place is one hidden value's ("army/red/hidden/bid")."""
    return place.count("/") == 3


def _is_secret(file: Data, part: Data) -> bool:
    """Whether a part is masked, and only for names whose values its seat hides to the end of a match."""
    kept = _hidden_names(file["position"]) if file["format"] == FORMATS[0] else {}
    masked = list(_masked(part))
    return bool(masked) and all(name in kept.get(seat, ()) for seat, name in masked)


def _masked(part: Data) -> Iterator[tuple[str, str]]:
    """The seats and names of the hidden values that are masked in a sealed part."""
    for image in (part.get("before", {}), part.get("after", {})):
        for path, value in image.items():
            _army, seat, *rest = path.split("/")
            hidden = {rest[1]: value} if rest else (value or {}).get("hidden", {})
            yield from ((seat, name) for name, kept in hidden.items() if kept == MASK)


def _is_open(file: Data, place: str) -> bool:
    """Whether this file contains what is sealed at a place: a whole match always, a view the reader's own."""
    return file["format"] == FORMATS[0] or (place.split("/")[1:2] or [place])[0] == file["seat"]


def _of_the_draws(file: Data, entry: Data) -> Iterator[str]:
    if not (seed := _seed(file)):
        return
    if any(draw(seed, counter, outcomes) != value for counter, outcomes, value in entry["draws"]):
        yield f"Entry {entry['version']}: a random result does not follow from the seed."
    if entry["commitments"] and file["format"] == FORMATS[0]:
        text = canonical([entry["version"], entry["draws"]])
        if entry["commitments"].get("draws") != hmac.new(seed.encode(), text.encode(), "sha256").hexdigest():
            yield f"Entry {entry['version']}: its random results are not those that were sealed."


# --- playing through -----------------------------------------------------------------------------


def _of_the_position(file: Data) -> Iterator[str]:
    position = _blank(file)
    for entry in file["entries"]:
        if not _follows(position, _image(entry, "before")):
            yield f"Entry {entry['version']} does not follow from the entries before."
        for path, value in _image(entry, "after").items():
            _put(position, path, value)
    if file["mode"] != position["mode"] or (file["finished_at"] is None) != (position["result"] is None):
        yield "The mode or the end is not what the entries tell."
    if file["format"] == FORMATS[0] and _hidden_names(position) != _hidden_names(file["position"]):
        yield "The position is not the one that the entries lead to: see what is hidden in armies."
    position, stated = _as_shown(file, position), _as_shown(file, file["position"])
    for name in position:
        if not _same(position[name], stated.get(name, ABSENT)):
            yield f"The position is not the one that the entries lead to: see {name}."


def _follows(position: Data, before: Data) -> bool:
    """Whether the values before an entry are those that the earlier ones left."""
    return all(_same(_standing(position, path), value, path) for path, value in before.items())


def _hidden_names(position: Data) -> dict[str, list[str]]:
    """What every seat keeps hidden, by name: a mask stands for a value, not for the lack of one."""
    armies = position.get("armies")
    named = armies.items() if isinstance(armies, dict) else ()
    return {seat: sorted(army["hidden"]) for seat, army in named}


def _as_shown(file: Data, position: Data) -> Data:
    """A position without the hidden values of others, which a reader does not get."""
    armies = position.get("armies", ABSENT)
    if file["format"] == FORMATS[0] or not isinstance(armies, dict):
        return position
    own = file["seat"]
    shown = {key: army if key == own else {**army, "hidden": {}} for key, army in armies.items()}
    return {**position, "armies": shown}


def _blank(file: Data) -> Data:
    """The position before the first entry: nothing on the table, nothing asked, nobody has won."""
    pieces: Data = {plural: {} for plural in PIECES.values()}
    counters: Data = {"round": 0, "flow": [], "asked": 0, "drawn": 0, "result": None}
    return {**pieces, **counters, "system": file["system"], "seed": _seed(file)}


def _image(entry: Data, name: str) -> Data:
    """The values before or after an entry, with what is known of its sealed parts put back."""
    image = dict(entry[name])
    for part in entry["sealed"].values():
        image |= part.get(name, {})
    return image


def _put(position: Data, path: str, value: Any) -> None:
    kind, *rest = path.split("/")
    if not rest:
        position[kind] = value
        return
    pieces, key, *names = position[MAPPINGS[kind]], *rest
    if names:
        place = pieces[key] if len(names) == 1 else pieces[key]["hidden"]
        place[names[-1]] = value
        if value == ABSENT and len(names) == 2:
            del place[names[-1]]
    elif value is None:
        pieces.pop(key, None)
    else:
        pieces[key] = {**value, "hidden": dict(value["hidden"])} if kind == "army" else dict(value)


def _standing(position: Data, path: str) -> Any:
    kind, *rest = path.split("/")
    if not rest:
        return position.get(kind, ABSENT)
    piece = position[MAPPINGS[kind]].get(rest[0])
    for name in rest[1:]:
        piece = ABSENT if piece is None else piece.get(name, ABSENT)
    return piece


def _same(value: Any, other: Any, path: str = "") -> bool:
    """Whether two values at a path are the same, as far as this reader may see what is hidden."""
    if isinstance(value, dict) and isinstance(other, dict):
        names = value.keys() | other.keys()
        return all(
            _same(value.get(name, ABSENT), other.get(name, ABSENT), f"{path}/{name}") for name in names
        )
    if "/hidden" in path:
        return bool(value == other) or MASK in (value, other)
    # A game's own field begins as the game says: its value is unknown until it is written. One that a later
    # version has added to a piece is empty until then.
    return bool(value == other) or (value == ABSENT and ("/" not in path or not other))


# --- the command ---------------------------------------------------------------------------------


def main(arguments: list[str]) -> int:
    """Check the file that the arguments name and print the outcome; returns the exit status."""
    if len(arguments) != 1:
        _print(["Usage: python verify.py EXPORT.json"])
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as opened:
            has_faults, lines = _checked(opened.read())
    except OSError as problem:
        _print([f"{arguments[0]} cannot be read: {problem.strerror}."])
        return 2
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as problem:
        _print([f"{arguments[0]} is not an export that can be checked ({problem!r})."])
        return 2
    _print(lines)
    return 1 if has_faults else 0


def _checked(text: str) -> tuple[bool, list[str]]:
    """Whether anything in a file is wrong, and what there is to say about it."""
    heading, _end, rest = text.partition("\n")
    if f'"{EVERYTHING}"' not in heading:
        return _checked_one(json.loads(text, object_pairs_hook=_each_once))
    has_faults, lines, rows = False, [], rest.splitlines()
    for line in rows:
        named = json.loads(line, object_pairs_hook=_each_once)
        for file in (named[kind] for kind in ("match", "event") if kind in named):
            is_wrong, sentences = _checked_one(file)
            has_faults = has_faults or is_wrong
            lines += [f"{file['code']}: {sentence}" for sentence in sentences]
    if json.loads(rows[-1]) != {"end": len(rows) - 1}:
        return True, [*lines, "The file was cut off: its last line is missing."]
    return has_faults, lines


def _checked_one(file: Data) -> tuple[bool, list[str]]:
    if file["format_version"] != 1:
        raise ValueError("an export of another version")
    if file["format"] == EVENT:
        sentences, summary = list(faults_of_event(file)), _summary_of_event(file)
    elif file["format"] in FORMATS:
        sentences, summary = list(faults(file)), _summary(file)
    else:
        raise ValueError("an export of another kind")
    return bool(sentences), list(dict.fromkeys([*sentences, *summary]))


def _summary_of_event(file: Data) -> Iterator[str]:
    stated = file["position"]
    counted = f"{len(stated['players'])} players, {len(stated['rounds'])} rounds"
    yield f"{file['code']}: {len(file['entries'])} entries of the event {stated['name']}, {counted}."
    yield f"Last fingerprint: {file['chain']}"


def _each_once(pairs: list[tuple[str, Any]]) -> Data:
    """An object of JSON, in which no name appears twice: other programs would take the other value."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _value in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)} appears twice")
    return members


def _print(lines: list[str]) -> None:
    """Print lines in which nothing is a command to the terminal, which could wipe out what is said above."""
    letters = sys.stdout.encoding or "ascii"
    for line in lines:
        plain = "".join(
            sign if sign.isprintable() or sign in _JOINERS else ascii(sign)[1:-1] for sign in line
        )
        print(plain.encode(letters, "backslashreplace").decode(letters))


_JOINERS = "\u200c\u200d"
"""Signs of names in some scripts and in emoji, which only join what stands beside them."""


def _summary(file: Data) -> Iterator[str]:
    state = position(file)
    yield f"{file['code']}: {len(file['entries'])} entries of {file['system']}, {state['mode']}."
    for seat, points in score(state).items():
        yield f"{state['armies'][seat].get('name') or seat}: {points}"
    hidden = sum(MASK in _image(entry, "after").values() for entry in file["entries"])
    if hidden:
        yield f"{hidden} entries hold something that is still secret."
    yield f"Last fingerprint: {file['chain']}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
