"""Records: small values that are made by the thousand: sentences, offers and actions; regions of a page.

Nobody changes one. They are msgspec's structs, made, compared and hashed by a library in C: a frozen
dataclass takes four times as long for each, and a tap makes hundreds.
"""

from __future__ import annotations

from typing import dataclass_transform

from msgspec import Struct, field
from msgspec.structs import replace

__all__ = ["Record", "ViewModel", "field", "replace"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Struct, frozen=True):
    """A value with named fields."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class ViewModel(Struct, frozen=True, cache_hash=True):
    """A value that is known by its fields: what was drawn of one is found again by an equal one."""
