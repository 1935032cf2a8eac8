"""The sheet of one piece: everything about it that can be corrected."""

from __future__ import annotations

from games.core.words import ViewModel
from games.view_models.frame import Notice


class Change(ViewModel):
    """One button of a sheet; `change` is posted under that name. `on` is a switch's state, else None.

    Without a `change` it is no button: the choice that holds now.
    """

    change: str
    label: str
    icon: str = ""
    on: bool | None = None
    tone: str = ""


class Counter(ViewModel):
    """A number with its buttons, smallest step nearest to it: lower (−3, −1), then higher (+1, +3).

    `exact` is the change for "set to", typed as a number from `low` to `high`; "" for none.
    """

    label: str
    value: str
    lower: tuple[Change, ...] = ()
    higher: tuple[Change, ...] = ()
    exact: str = ""
    low: int = 0
    high: int = 99


class SheetPart(ViewModel):
    """A section of a sheet: counters, switches, or one choice among many; `folded` if rarely wanted."""

    title: str
    counters: tuple[Counter, ...] = ()
    changes: tuple[Change, ...] = ()
    note: str = ""
    folded: bool = False


class AttackRow(ViewModel):
    """One attack: `dice` are its values from full strength down, `now` the index of the one that counts."""

    kind: str
    name: str
    hit: str
    dice: tuple[str, ...]
    now: int | None = None


class Profile(ViewModel):
    """What a player would look up on the piece's printed card.

    `numbers` are pairs (name, value); `lines` tell what belongs to it (an attachment and its cost); `note`
    says which season the numbers are from, if that is not the catalogue's.
    """

    numbers: tuple[tuple[str, str], ...] = ()
    attacks: tuple[AttackRow, ...] = ()
    abilities: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    note: str = ""


class Sheet(ViewModel):
    """Everything that may be corrected about one unit, objective or army.

    `key` ("unit/wolves") goes with every change, so that the answer can include the fresh
    sheet. `needs_reason` asks for a reason with each change (victory points).
    """

    key: str
    title: str
    back_url: str
    mark: int = 0
    subtitle: str = ""
    parts: tuple[SheetPart, ...] = ()
    reasons: tuple[str, ...] = ()
    needs_reason: bool = False
    notice: Notice | None = None
    profile: Profile | None = None
