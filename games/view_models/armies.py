"""The page that an army is brought on."""

from __future__ import annotations

from games.core.records import ViewModel
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

    `detail` stands beside its name, `problem` under the row it belongs to. A row that `can_lead` may
    be marked as the leader's.
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
    """An army that is there to be taken: a ready one, or one of several lists that were pasted."""

    value: str
    name: str
    detail: str = ""


class ListPage(ViewModel):
    """Bringing an army: paste, correct, or take a ready one; repeatable until ready.

    One form posts everything to `post_url`; the button pressed is `do` ("read" the pasted
    `text`, "keep" the corrected rows, "add" an empty row, "ready") or `demo` with its value.
    A row's inputs end in its index: `name-3`, `drop-3` and one for each of its cells; `leader` is
    the index of the commander's row. Where there are `names`, a line can be added by one of them
    (`new`). Where there is a `file_url`, a file that ends in one of `endings` can be sent to it.
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
