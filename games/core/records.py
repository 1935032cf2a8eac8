"""Records: small values that are made by the thousand: sentences, offers and actions; regions of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[Made]) -> type[Made]:
    """A dataclass that nobody changes: the type checker sees to that, not every assignment.

    A frozen dataclass sets its own fields past its lock, one by one, and takes five times as long to make.
    """
    return dataclass(slots=True)(cls)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def view_model(cls: type[Made]) -> type[Made]:
    """A record that is known by its values: what was drawn of one is found again by an equal one."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
