"""What a page was made from, program and data: an outdated page reloads itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.http import HttpRequest
from django.template import engines

from games.core import is_number

RESTORED = "restored"
"""The file that is touched when a backup is restored."""

_table = 0
"""PostgreSQL's id of the table of matches, when last asked."""


@cache
def program() -> str:
    """What pages are made from: changes with the version, with every static file and with every template."""
    digest = hashlib.sha256(settings.VERSION.encode())
    digest.update(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for template in _templates():
        digest.update(template.read_bytes())
    return digest.hexdigest()[:12]


def origin() -> str:
    """What a page says it was made from: the program and the data."""
    return f"{program()}.{restored()}"


def tag(version: int, history: str, *reader: str) -> str:
    """What an answer is known by: the version, the fingerprint of its history, the program and the reader.

    The version alone means another position once a backup was restored or another match has the code, and a
    later program may say more about the same one.
    """
    return "-".join((str(version), history[:16], program(), *reader))


def with_data(version: int) -> str:
    """A version in an address that may be cached: another one once the program or the data are others."""
    return f"{version}.{origin()}"


def is_outdated(request: HttpRequest) -> bool:
    """Whether the asking page was made from something else, if it says from what."""
    made_from = request.GET.get("program")
    return made_from is not None and made_from != origin()


def is_from_elsewhere(request: HttpRequest, version: int) -> bool:
    """Whether the asking page has `seen` a version that is still to come: a backup was restored since."""
    seen = request.GET.get("seen", "")
    return is_number(seen) and int(seen) > version


def restored() -> str:
    """Changes when a backup is restored: from then on, versions that pages have seen may mean others."""
    number = restored_at() if connection.vendor == "sqlite" else _table or read_table_id()
    return format(number, "x")


def is_from_before(mark: str) -> bool:
    """Whether a backup was restored since `restored` was this, as far as is known without a query."""
    is_known = connection.vendor == "sqlite" or _table
    return bool(is_known) and mark != restored()


def restored_at() -> int:
    """When a backup was last restored on this server, in nanoseconds; 0 for never."""
    with suppress(OSError):
        return (settings.DATA_DIR / RESTORED).stat().st_mtime_ns
    return 0


def read_table_id() -> int:
    """Ask PostgreSQL for the id of the table of matches: restoring a backup makes a new table."""
    global _table
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'games_match'::regclass::oid::bigint")
        _table = cursor.fetchone()[0]
    return _table


def table() -> int:
    """What `read_table_id` found last, without asking; 0 for nothing yet."""
    return _table


def _templates() -> Iterator[Path]:
    for folder in engines["jinja2"].template_dirs:
        yield from sorted(Path(folder).rglob("*.html"))
