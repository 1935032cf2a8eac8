"""How a table is shown, which its history does not tell: what goes with a match to another server."""

from __future__ import annotations

from typing import Any, Literal

from games.match.exchange.form import Form
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
    """Show a match that has arrived as it was shown where it comes from; ValueError for what cannot be.

    While it goes on it is not among the live tables: its seats are free, for those who are given their links.
    """
    found = TableForm.model_validate(shown).model_dump()
    found["is_listed"] = found["is_listed"] and match.result is not None
    Match.objects.filter(pk=match.pk).update(**found)
