"""What templates receive."""

from __future__ import annotations

from games.core.records import ViewModel
from games.hall.organiser.base_vm import FieldGroup
from games.hall.pages.event_forms import Button
from games.view_models.frame import Link, Notice


class NewEventPage(ViewModel):
    """Opening an event: presets lead to the same form with their settings, which are folded."""

    post_url: str
    back: Link
    key: str
    preset: str
    presets: tuple[Link, ...]
    name: str
    organiser: str
    summary: str
    groups: tuple[FieldGroup, ...]
    flags: str
    notice: Notice | None = None


class HelperRow(ViewModel):
    """A helper: their role, their link and its QR code."""

    name: str
    role: str
    link: str
    qr: str
    button: Button | None = None
    mine: bool = False


class HelpersPage(ViewModel):
    """The helpers, and the form that invites another."""

    rows: tuple[HelperRow, ...]
    fields: FieldGroup
