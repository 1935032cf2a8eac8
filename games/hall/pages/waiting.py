"""An army list that is handed in at an event and has not come to its table yet."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import view_models
from games.hall import matches


def notice(match: str, seat: str) -> view_models.Notice | None:
    """That a seat's list is handed in and what it waits for; None if it waits for nothing."""
    if not matches.is_list_waiting(match, seat):
        return None
    sentence = _("Your army list is handed in. It comes to the table once your opponent’s is in, too.")
    return view_models.Notice(sentence, "good")
