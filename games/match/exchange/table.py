"""How a table is shown: not part of its history, but it goes with a match to another server."""

from __future__ import annotations

from typing import Any, Literal

from games.history.file_form import Form
from games.models import Match


class TableForm(Form):
    """How much later watchers see a match, and what kind of table it is (`games.models.Match`)."""

    watch_delay: Literal[0, 5, 15, -1]
    is_listed: bool
    is_demo: bool
    is_practice: bool
    is_guided: bool


def shown(match: Match) -> dict[str, Any]:
    """How a match's table is shown."""
    return {name: getattr(match, name) for name in TableForm.model_fields}


def show(match: Match, shown: object) -> None:
    """Show an imported match as it was shown on its old server; ValueError for anything impossible.

    While it goes on it is not listed among the live tables: its free seats are for those who get their links.
    """
    found = TableForm.model_validate(shown).model_dump()
    found["is_listed"] = found["is_listed"] and match.result is not None
    Match.objects.filter(pk=match.pk).update(**found)
