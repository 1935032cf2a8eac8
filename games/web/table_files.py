"""Tables that come from elsewhere, and those that leave: bytes or pasted text → text → rows; rows → CSV.

A file does not say which letters its bytes are. `readings` gives every text that it may be: usually one, else
several for a person to choose from. A workbook has one for each of its sheets.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import charset_normalizer
import regex
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.formats import get_format

from games.core import Unreadable, clean_text, say
from games.core import gettext_noop as _

MOST_BYTES = 128 * 1024
"""How much text a table may have: a thousand players with their clubs, factions and addresses."""
MOST_READINGS, MOST_WORDS = 6, 8
PAGES = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1257": "Windows-1257",
    "mac_roman": "Macintosh",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp932": "Shift JIS",
    "euc_kr": "EUC-KR",
    "euc_jp": "EUC-JP",
    "koi8_r": "KOI8-R",
    "cp866": "DOS 866",
    "cp852": "DOS 852",
    "cp850": "DOS 850",
}
"""The code pages that spreadsheets save tables in."""
UNUSUAL = {PAGES[page] for page in ("cp1254", "cp1257", "cp852", "cp850")}
"""Code pages that read nearly every Western file with some other letter."""
IMPLAUSIBLE = regex.compile(
    r"""
    [\ufffd\p{Co}\p{Cn}\u0080-\u009f\u2500-\u259f\uff61-\uff9f]
    | [¡-¬®-¶¸-¿×÷‡†‰˜ˆ]\p{L} | \p{L}[¡-¬®¯±-¶¸-¿×÷‡†‰˜ˆ]       # a sign in a word, but N°
    | \p{Latin}[\p{Cyrillic}\p{Greek}\p{Hangul}] | [\p{Cyrillic}\p{Greek}\p{Hangul}]\p{Latin}
    | \p{Cyrillic}\p{Greek} | \p{Greek}\p{Cyrillic} | \p{Han}\p{Hangul} | \p{Hangul}\p{Han}
    | [a-z][\p{Han}\p{Kana}\p{Hira}] | [\p{Han}\p{Kana}\p{Hira}][a-z]
    | \p{Ll}[\p{Lu}--[A-Z]] | [\p{Ll}--[a-z]]\p{Lu}                   # a capital after a small letter
    | \p{Lu}[\p{Lu}--[A-Z]]\p{Ll}
    | (?<!\p{L})[\p{Latin}--[A-Za-z]]{5,}(?!\p{L})                    # not one plain letter
    """,
    regex.V1 | regex.X,
)
"""What no name in any language looks like, but a name read with the wrong letters does."""
FOREIGN = regex.compile(r"[\p{Cyrillic}\p{Greek}\p{Han}\p{Hangul}\p{Kana}\p{Hira}]")
"""Letters that no Western code page has."""
SEPARATORS = ";\t,|，"
STATED = re.compile(r'"?sep=([;,\t|]?)"?', re.IGNORECASE)
"""A first line for spreadsheets that names the separator."""
RULE = re.compile(r"[\s|:+=-]*--[\s|:+=-]*")
"""A line that only draws the lines of a table."""
BETWEEN_CELLS = re.compile(r"</t[dh]>\s*<t[dh]\b[^<>]*>", re.IGNORECASE)
PART_OF_A_TABLE = re.compile(r"</?(?:th|thead|tfoot|caption)\b[^<>]*>", re.IGNORECASE)
BULLET = re.compile(r"[•◦▪‣●*–-]\s+|(?P<number>\d{1,3})[.)]\s+")
MOST_LINES_OF_A_ROW = 10
FORMULA = "=+-@\t\r"
"""What makes spreadsheets take a cell for a formula."""
GUARDED = re.compile(f"^'(?='*[{re.escape(FORMULA)}])")
WORKBOOK = Path(__file__).with_name("workbook.py")
MOST_SECONDS = 10


@dataclass(frozen=True)
class Reading:
    """A text that a file may be, and the name of the code page or sheet that makes it so."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the text, each one time."""
        return list(dict.fromkeys(re.findall(r"[^\s;,|\"]+", self.text)))

    def sample(self, among: Iterable[Reading]) -> str:
        """The first words that not all readings have like this."""
        shared = set.intersection(*(set(reading.words) for reading in among))
        own = [word for word in self.words if word not in shared]
        return " · ".join(own[:MOST_WORDS])[:200]


def certain(readings: list[Reading]) -> Reading | None:
    """The reading that needs nobody to choose it."""
    usual = [reading for reading in readings if reading.name not in UNUSUAL]
    return usual[0] if len(usual) == 1 else readings[0] if len(readings) == 1 else None


@dataclass(frozen=True)
class Row:
    """The cells of a line; `is_closed` is False if a quotation mark opens on it and does not close."""

    number: int
    cells: list[str]
    is_closed: bool = True


# --- bytes → text ------------------------------------------------------------------------------------


def readings(raw: str | bytes) -> list[Reading]:
    """Every text that this may be, the likeliest first. `Unreadable` says why there is none.

    A text pasted or decoded with the wrong letters is taken back to its bytes first.
    """
    if isinstance(raw, bytes):
        if raw.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
            return _sheets(raw)
        if len(raw) > MOST_BYTES:
            clean_text(raw, MOST_BYTES)
        decoded = _unicode(raw)
        return _decodings(raw) if decoded is None else readings(decoded)
    if raw.isascii() or not IMPLAUSIBLE.search(raw):
        return [Reading("", raw)]
    for page in ("cp1252", "cp1250", "cp1251", "mac_roman"):
        try:
            return [Reading("", _bytes_of(raw, page).decode())]
        except UnicodeError:
            continue
    try:
        return [
            reading for reading in _decodings(_bytes_of(raw, "cp1252")) if FOREIGN.search(reading.text)
        ] or [Reading("", raw)]
    except (UnicodeError, Unreadable):
        return [Reading("", raw)]


def _bytes_of(text: str, page: str) -> bytes:
    """The bytes that a browser reads as this text in a code page: those without a letter stay controls."""
    return b"".join(
        character.encode("latin-1" if "\x80" <= character <= "\x9f" else page) for character in text
    )


def _unicode(octets: bytes) -> str | None:
    """The text, if the bytes say themselves that they are Unicode."""
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        return octets.decode("utf-16", errors="replace")
    if b"\0" in octets:
        is_little = octets[1::2].count(0) > octets[::2].count(0)
        return octets.decode("utf-16-le" if is_little else "utf-16-be", errors="replace")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _decodings(octets: bytes) -> list[Reading]:
    texts: dict[str, str] = {}
    for match in charset_normalizer.from_bytes(octets, cp_isolation=list(PAGES)):
        texts.setdefault(str(match), PAGES.get(match.encoding, match.encoding))
    if not any(_is_plausible(text) for text in texts):
        texts = {text: PAGES[page] for page in PAGES if (text := _in_page(octets, page))}
    plausible = [Reading(name, text) for text, name in texts.items() if _is_plausible(text)]
    if not plausible:
        line = _(
            "The letters of this file cannot be recognised. Save it as UTF-8, or copy its cells and paste"
            " them."
        )
        raise Unreadable(say(line), 415)
    return plausible[:MOST_READINGS]


def _is_plausible(text: str) -> bool:
    return not IMPLAUSIBLE.search(text)


def _in_page(octets: bytes, page: str) -> str:
    try:
        return octets.decode(page)
    except UnicodeDecodeError:
        return ""


def _sheets(octets: bytes) -> list[Reading]:
    """The sheets of a workbook, read in a process of its own: no file can take this one down."""
    try:
        run = subprocess.run(  # noqa: S603 - the program is our own
            [sys.executable, "-I", str(WORKBOOK)],
            input=octets,
            capture_output=True,
            timeout=MOST_SECONDS,
            check=True,
        )
        sheets: dict[str, list[list[str]]] = json.loads(run.stdout)
    except (subprocess.SubprocessError, ValueError):
        line = _("This file cannot be read. Save it as CSV, or copy its cells and paste them.")
        raise Unreadable(say(line), 415) from None
    return [Reading(name, _text(rows, "\t")) for name, rows in sheets.items()] or [Reading("", "")]


# --- text → rows -------------------------------------------------------------------------------------


def rows(raw: str, is_heading: Callable[[str], bool] = lambda line: False) -> list[Row]:
    """The rows that say anything. Raises `Unreadable` for anything but text.

    A first line that is one heading heads one column, whatever signs the lines below it have. A cell in
    quotation marks may have several lines if its row then has as many cells as the first one.
    """
    plain = PART_OF_A_TABLE.sub("", BETWEEN_CELLS.sub("\t", raw)).replace("；", ";")
    text = clean_text(plain, MOST_BYTES)
    lines = text.split("\n")
    stated = STATED.fullmatch(lines[0].strip())
    if stated:
        lines[0] = ""
    said = [line for line in lines if line.strip()]
    is_one_column = bool(said) and '"' not in said[0] and is_heading(said[0].strip())
    separator = (stated[1] or "\t") if stated else SEPARATORS[0] if is_one_column else _separator(said)
    filled = [row for row in _parsed(lines, separator) if any(row.cells)]
    return _without_bullets(filled)


def _separator(lines: list[str]) -> str:
    """What most lines are parted by; a first line without any of it may be a heading, or a player's name."""
    if 2 * sum(line.lstrip().startswith("|") for line in lines) > len(lines):
        return "|"
    parted = {sign: sum(sign in line for line in lines) for sign in SEPARATORS}
    return max(SEPARATORS, key=lambda sign: parted[sign])


def _parsed(lines: list[str], separator: str) -> Iterator[Row]:
    at, width = 0, 0
    while at < len(lines):
        line = lines[at].strip() if separator == "|" else lines[at]
        if RULE.fullmatch(line):
            at += 1
            continue
        if separator == "|":
            line = line.removeprefix("|").removesuffix("|")
        cells, taken = _cells([line], separator)
        is_closed = taken == 1
        if not is_closed:
            more = _over_lines(lines[at : at + MOST_LINES_OF_A_ROW], separator)
            if more and width in (0, len(more[0])):
                cells, taken, is_closed = *more, True
        yield Row(at + 1, [GUARDED.sub("", " ".join(cell.split()), 1) for cell in cells], is_closed)
        width = width or (len(cells) if any(cells) and is_closed else 0)
        at += taken if is_closed else 1


def _cells(lines: list[str], separator: str) -> tuple[list[str], int]:
    """The first row of these lines, and how many lines it takes: one more than there are if left open."""
    reader = csv.reader([*lines, ""], delimiter=separator)
    try:
        return next(reader), reader.line_num
    except csv.Error as error:
        raise Unreadable(say(_("This table cannot be read."))) from error


def _over_lines(lines: list[str], separator: str) -> tuple[list[str], int] | None:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
    try:
        return next(reader), reader.line_num
    except csv.Error:
        return None


def _without_bullets(rows: list[Row]) -> list[Row]:
    """The rows without the marks of a list, which a heading lacks; numbers of a list become a column."""
    marks = [BULLET.match(row.cells[0]) for row in rows]
    listed = [mark for mark in marks if mark]
    if len(listed) < 2 or not all(marks[1:]):
        return rows
    numbers = [mark["number"] or "" for mark in listed]
    if any(numbers) and numbers != [str(at) for at in range(1, len(listed) + 1)]:
        return rows
    return [
        replace(row, cells=[*_numbered(mark, any(numbers)), BULLET.sub("", row.cells[0], 1), *row.cells[1:]])
        for row, mark in zip(rows, marks, strict=True)
    ]


def _numbered(mark: re.Match[str] | None, is_numbered: bool) -> list[str]:
    return [mark["number"] if mark else ""] if is_numbered else []


# --- rows → CSV --------------------------------------------------------------------------------------


def as_csv(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table as a spreadsheet opens it: marked as UTF-8, with semicolons where the comma is decimal.

    No cell is taken for a formula; `rows` takes the guard off again.
    """
    return "\ufeff" + _text([head, *rows], ";" if get_format("DECIMAL_SEPARATOR") == "," else ",")


def _text(rows: Iterable[Iterable[Any]], separator: str) -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator)
    writer.writerows([_cell(value, separator) for value in row] for row in rows)
    return file.getvalue()


def _cell(value: Any, separator: str) -> Any:
    if isinstance(value, str):
        return f"'{value}" if value.lstrip("'").startswith(tuple(FORMULA)) else value
    if isinstance(value, bool):
        return int(value)
    return str(value).replace(".", ",") if isinstance(value, float) and separator == ";" else value


def csv_file(name: str, text: str) -> HttpResponse:
    """The answer that saves a table."""
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response
