"""Where one list ends and the next begins, in text that holds several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.army_lists import narrowed
from games.systems.tmg.lists.codes import Code, code_in, looks_shared
from games.systems.tmg.lists.lines import MAX_LENGTH, ListLine, bare_faction, headers, lines_of

MAX_LISTS = 20
"""The most lists that one text is cut into; the last keeps the rest."""
MAX_ROWS = 4000


def parts_of(text: str) -> tuple[str, ...]:
    """The lists of a text, each as its own text; text with one list or none is one part."""
    text = narrowed(text)
    parts = [part for part in _cut(text.split("\n", MAX_ROWS)) if _names_units(part)]
    if len(parts) < 2:
        return (text,) if not parts or code_in(parts[0]) is None else (parts[0],)
    if len(parts) > MAX_LISTS:
        parts[MAX_LISTS - 1 :] = ["\n".join(parts[MAX_LISTS - 1 :])]
    return tuple(parts)


def _cut(rows: list[str]) -> Iterator[str]:
    """A code is a list of its own; a heading that names a faction or commander after units begins another."""
    kept: list[str] = []
    has_body = False
    for rows_of_code, row in _codes(rows):
        if rows_of_code:
            yield "\n".join(kept)
            yield rows_of_code
            kept, has_body = [], False
            continue
        if has_body and _begins(row, kept):
            title = _title(kept)
            yield "\n".join(kept[: len(kept) - len(title)])
            kept, has_body = title, False
        kept.append(row)
        has_body = has_body or _is_body(row)
    yield "\n".join(kept)


def _codes(rows: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each row by itself, or the code that it forms with the rows after it."""
    run: list[str] = []
    for row in rows:
        found = _code(row)
        is_part = found is not None or looks_shared(row)
        if run and row.strip() and (not is_part or (found is not None and _is_start(found))):
            yield from _joined(run)
            run = []
        if is_part or run:
            run.append(row)
        else:
            yield "", row
    yield from _joined(run)


def _joined(run: list[str]) -> Iterator[tuple[str, str]]:
    """Rows that look like a code: as one if they form one, else each by itself."""
    whole = "".join(row.strip() for row in run)
    first = code_in(run[0]) if run else None
    found = code_in(whole)
    if found is not None and (found.is_whole or first is None or not first.is_whole):
        yield whole, ""
        return
    for row in run:
        yield (row.strip(), "") if code_in(row) else ("", row)


def _code(row: str) -> Code | None:
    return code_in(row) if ";" in row or ":" in row or "|" in row or looks_shared(row) else None


def _is_start(code: Code) -> bool:
    """Whether a code says whose army it is; later lines of a code broken into lines do not."""
    return bool(code.faction or code.limit or code.name)


def _begins(row: str, kept: list[str]) -> bool:
    stated = headers(row) if len(row) <= MAX_LENGTH else None
    if not stated:
        return False
    if "faction" in stated:
        return True
    return "commander" in stated and any("commander" in (headers(above) or {}) for above in kept[:12])


def _title(kept: list[str]) -> list[str]:
    """The lines right above a heading that belong to it: all after the last blank line, if none is a unit."""
    title: list[str] = []
    for row in reversed(kept):
        if not row.strip():
            return title[::-1]
        if _is_body(row):
            return []
        title.append(row)
    return []


def _is_body(row: str) -> bool:
    return any(_is_piece(line) for line in lines_of(row)[0])


def _is_piece(line: ListLine) -> bool:
    if headers(line.text) is not None or bare_faction(line):
        return False
    return line.is_piece


def _names_units(part: str) -> bool:
    return code_in(part) is not None or any(_is_body(row) for row in part.split("\n"))
