"""What templates receive."""

from __future__ import annotations

from games.core.records import ViewModel
from games.hall.organiser.base_vm import FieldGroup
from games.hall.pages.event_forms import Button
from games.view_models.frame import Link


class ListedPlayer(ViewModel):
    """One player in a list; `state` is "here", "away" or "left"."""

    key: str
    name: str
    detail: str
    url: str
    state: str
    state_label: str
    button: Button | None = None


class PlayersPage(ViewModel):
    """The players of an event, or as many of them as were asked for."""

    rows: tuple[ListedPlayer, ...]
    counted: str
    search_url: str
    wanted: str = ""
    more: Link | None = None
    adding: FieldGroup | None = None
    adding_button: Button | None = None
    all_here: Button | None = None
    ways: tuple[Link, ...] = ()


class PickRow(ViewModel):
    """A player who can be picked to be taken off the list."""

    key: str
    name: str
    detail: str
    is_picked: bool = False


class PickGroup(ViewModel):
    """Players who registered from one address, with the link that picks them all; or the others."""

    title: str
    rows: tuple[PickRow, ...]
    all_of_them: Link | None = None


class RemovingPage(ViewModel):
    """Taking several players off the list: first picked, then named once more under `button`.

    `picked` is where the first step posts to.
    """

    hint: str
    groups: tuple[PickGroup, ...]
    picked: str = ""
    button: Button | None = None


class PlayerPage(ViewModel):
    """One player: facts, what can be done, the personal link (organisers only).

    `shown` says what the fields were filled with (`filled`).
    """

    name: str
    detail: str
    fields: FieldGroup | None
    shown: str
    saving: Button | None
    buttons: tuple[Button, ...]
    link: str = ""
    qr: str = ""
    history: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    handing_in: Button | None = None


class WrongLine(ViewModel):
    """One line of a list of players that cannot be entered, and why."""

    number: int
    text: str
    sentence: str


class ImportPage(ViewModel):
    """A list of players: pasted, checked, then entered as a whole or not at all."""

    text: str
    players: tuple[tuple[int, tuple[str, str, str]], ...]
    wrong: tuple[WrongLine, ...]
    counted: str
    button: Button | None
    url: str


class SlipRow(ViewModel):
    """A paper slip for a player: their name and the QR code of their personal link."""

    name: str
    detail: str
    qr: str
