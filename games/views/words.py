"""Lines of the rules as words in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.core.words import Line


def words(line: Line) -> str:
    """A line in the active language."""
    return line.render(gettext, ngettext)
