"""A program of its own: a workbook on standard input, the cells of its sheets as JSON on standard output.

`table_files` runs it with bounded memory, as a small file may stand for thousands of millions of cells.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys

import python_calamine

MOST_MEMORY = 512 * 1024 * 1024
MOST_CELLS = 200_000


def limit_memory() -> None:
    """Where the system has such a limit, a workbook is not read without it."""
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def sheets(octets: bytes) -> dict[str, list[list[str]]]:
    """The sheets with anything on them, by name, from their first row on."""
    workbook = python_calamine.load_workbook(io.BytesIO(octets))
    by_name = {}
    for name in workbook.sheet_names:
        sheet = workbook.get_sheet_by_name(name)
        if sheet.end is None:
            continue
        if (1 + sheet.end[0]) * (1 + sheet.end[1]) > MOST_CELLS:
            sys.exit(f"{name} is too big")
        rows = [[as_text(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
        if any(any(row) for row in rows):
            by_name[name] = rows
    return by_name


def as_text(cell: object) -> str:
    """A cell on one line; a whole number without a fraction."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return " ".join(str(cell).split())


if __name__ == "__main__":
    limit_memory()
    json.dump(sheets(sys.stdin.buffer.read()), sys.stdout)
