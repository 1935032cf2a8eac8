"""What templates receive."""

from __future__ import annotations

from games.core.records import ViewModel
from games.hall.organiser.base_vm import Field, FieldGroup
from games.hall.organiser.tables_vm import HallTable
from games.hall.pages.event_forms import Button
from games.view_models.frame import Link


class ClaimRow(ViewModel):
    """What somebody says about a result: the players, or the table itself."""

    who: str
    text: str


class ResultPage(ViewModel):
    """One table of a round: what is known, and the forms to enter, correct or rule the result.

    `seen` comes back with a ruling, so that it is refused once the table has changed.
    """

    table: HallTable
    states: tuple[ClaimRow, ...]
    scores: tuple[FieldGroup, ...]
    rest: FieldGroup | None
    buttons: tuple[Button, ...]
    asks_why: bool
    must_rule: bool
    seen: str = ""
    extending: tuple[Button, ...] = ()
    judging: tuple[Button, ...] = ()
    rulings: tuple[str, ...] = ()
    ways: tuple[Link, ...] = ()


class PairingsPage(ViewModel):
    """The newest round: its pairings, and how to change, redraw or call it off; a long one `jumps`.

    `is_by_hand` unfolds the field for pairings by hand; `seen` is the mark of the rounds as they are shown.
    """

    title: str
    tables: tuple[HallTable, ...]
    byes: str
    hint: str
    mode: Field | None
    swapping: tuple[Field, ...]
    by_hand: Field | None
    buttons: tuple[Button, ...]
    ways: tuple[Link, ...] = ()
    jumps: bool = False
    is_by_hand: bool = False
    seen: str = ""
