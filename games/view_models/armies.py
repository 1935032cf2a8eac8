"""The page on which a player brings an army."""

from __future__ import annotations

from games.core.words import ViewModel
from games.view_models.controls import Option
from games.view_models.frame import Link, Notice


class ListCell(ViewModel):
    """One input of a row: `name` with the row's index makes its name in the form.

    `form` is "text", "number" (0 to `most`) or "choice" of `options`.
    """

    name: str
    label: str
    value: str = ""
    form: str = "text"
    most: int = 99
    options: tuple[Option, ...] = ()


class ListRow(ViewModel):
    """One parsed line in its form row; `index` numbers its inputs (`name-3`, `kind-3`, …).

    `detail` stands beside its name, `problem` below the row. A row that `can_lead` may be marked as the
    leader's.
    """

    index: int
    name: str
    detail: str = ""
    cost: int = 0
    cells: tuple[ListCell, ...] = ()
    can_lead: bool = False
    leader: bool = False
    attached: bool = False
    problem: str = ""


class DemoArmy(ViewModel):
    """An army that can be chosen: a ready one, or one of several pasted lists."""

    value: str
    name: str
    detail: str = ""


class ListPage(ViewModel):
    """Bringing an army: paste, correct, or take a ready one; repeatable until ready.

    One form posts everything to `post_url`; the button pressed is `do` ("read" the pasted
    `text`, "keep" the corrected rows, "add" an empty row, "ready") or `demo` with its value.
    A row's inputs end in its index: `name-3`, `drop-3` and one for each of its cells; `leader` is
    the index of the commander's row. If there are `names`, a row can be added with one of them
    (`new`). If there is a `file_url`, a file that ends in one of `endings` can be sent to it.
    `choices` are the lists of a `text` that holds several; the one pressed is `choice`.
    """

    seat_label: str
    mark: int
    post_url: str
    back: Link
    text: str = ""
    placeholder: str = ""
    summary: str = ""
    checksum_ok: bool = True
    warnings: tuple[str, ...] = ()
    rows: tuple[ListRow, ...] = ()
    names: tuple[str, ...] = ()
    file_url: str = ""
    endings: str = ""
    demos: tuple[DemoArmy, ...] = ()
    choices: tuple[DemoArmy, ...] = ()
    notice: Notice | None = None
