"""What a table shows while something secret was changed outside the game: what it is, and who may decide."""

from __future__ import annotations

from games import view_models
from games.match import log, play
from games.match.storage import Altered
from games.translation import gettext as _
from games.view_models.game_page import Page


def request(page: Page, altered: Altered, seat: str) -> view_models.UndoRequest:
    """The sentences, and the decisions that this seat ("" for a spectator) may make."""
    told = tuple(page.words(line) for line in log.altered_sentences(page.g, altered))
    marks = [page.marks.get(owner, 0) for owner in log.seats_of(altered["places"])]
    return view_models.UndoRequest(
        _("Nothing goes on for now"),
        marks[0] if len(marks) == 1 else 0,
        (*told, *_next(page, altered)),
        (_choice(altered),) if seat and seat not in altered["agreed"] else (),
    )


def _next(page: Page, altered: Altered) -> tuple[str, ...]:
    """Who decides, and what happens then."""
    if altered["restorable"]:
        return (
            _("Anybody seated can put back what was committed to: its fingerprint proves that it is right."),
            _("Only an organiser can decide otherwise."),
        )
    everybody = _(
        "If all players agree, the game goes on with what is stored. An organiser can decide alone."
    )
    if not altered["agreed"]:
        return (everybody,)
    names = _(", ").join(page.name(seat) for seat in altered["agreed"])
    return everybody, _("Agreed so far: %(names)s") % {"names": names}


def _choice(altered: Altered) -> view_models.Offer:
    if altered["restorable"]:
        return view_models.Offer(play.RESTORE, _("Put it back"), tone="main")
    return view_models.Offer(play.ACCEPT, _("Agree to go on"), tone="main")
