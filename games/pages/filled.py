"""What a form was filled with, sent back with it, so that only what somebody changed counts.

The rest may have been changed by others since an older page was opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SHOWN = "shown"
"""The hidden field that holds it."""


def as_text(values: Mapping[str, str]) -> str:
    """What a form is filled with, as the text of its hidden field."""
    return json.dumps(dict(values))


def before(sent: Mapping[str, Any]) -> dict[str, str]:
    """What a form that was sent had been filled with; {} for one that does not say."""
    try:
        read = json.loads(sent.get(SHOWN, ""))
    except (RecursionError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def unchanged(sent: Mapping[str, Any]) -> set[str]:
    """The names of the fields that are still as the form was filled."""
    return {name for name, value in before(sent).items() if sent.get(name, "") == value}
