"""Records: small values that are made by the thousand, such as sentences, offers, actions, regions of a page.

They are immutable: msgspec structs, made, compared and hashed in C. A frozen dataclass takes four times as
long for each, and a tap makes hundreds.
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
class ViewModel(Record, frozen=True):
    """A record that a template receives: what was rendered from one serves every equal one."""
