"""What templates receive."""

from __future__ import annotations

from games.core.records import ViewModel
from games.view_models.controls import Option
from games.view_models.frame import Link, Notice
from games.view_models.watch import Feed


class Sender(ViewModel):
    """Where the forms of a page post, under which key, and which page they are on."""

    url: str
    key: str
    at: str


class OrganiserFrame(ViewModel):
    """What all organisers' pages share. `feed` is None if nothing updates by itself."""

    event: str
    code: str
    title: str
    sender: Sender
    back: Link | None = None
    notice: Notice | None = None
    feed: Feed | None = None


class Field(ViewModel):
    """One field of a form. `kind` is "text", "number", "select", "check" or "area"."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    options: tuple[Option, ...] = ()
    help: str = ""
    low: int = 0
    high: int = 0
    checked: bool = False
    most: int = 60


class FieldGroup(ViewModel):
    """Fields under one heading."""

    title: str
    fields: tuple[Field, ...]
