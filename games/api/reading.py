"""Reads what robots send: strictly as JSON, before anything else looks at it.

Python's own reader takes more than JSON (NaN, the last of two equal keys, lone
surrogates) and fails with errors of its own on depth and long numbers. Here
anything but one plain object is refused with a sentence.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from games.core import TEXT_BYTES, Unreadable, say
from games.core import gettext_noop as _

DEEPEST = 8
LONGEST_NUMBER = 15
"""The most digits of a whole number that every reader of JSON keeps exactly."""


def read_object(raw: bytes, limit_bytes: int = TEXT_BYTES, deepest: int = DEEPEST) -> dict[str, Any]:
    """The object in a body of UTF-8 JSON; `Unreadable` (413 if too big, 422 otherwise) for anything else."""
    if len(raw) > limit_bytes:
        line = _("That is too big: at most %(limit)d KB can be sent.")
        raise Unreadable(say(line, limit=limit_bytes // 1024), status=413)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(say(_("This text arrived damaged: it is not valid UTF-8."))) from None
    parsed = _parsed(text)
    if not isinstance(parsed, dict):
        raise Unreadable(say(_("This must be a JSON object.")))
    _refuse_deep_or_broken(parsed, deepest)
    return parsed


class StrictParser(Parser):
    """The parser of the API's bodies."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """The body as an object; `Unreadable` for anything else."""
        refuse_other_types(request)
        return read_object(request.body)


def refuse_other_types(request: HttpRequest) -> None:
    """Raise `Unreadable` (415) for a request that does not say that it is plain JSON."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    if request.content_type != "application/json" or charset.lower() != "utf-8":
        raise Unreadable(say(_("Please send JSON in UTF-8, as application/json.")), status=415)


def _parsed(text: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_number,
            parse_int=_whole,
            parse_float=_fraction,
        )
    except json.JSONDecodeError:
        raise Unreadable(say(_("This is not JSON."))) from None
    except RecursionError:
        raise _too_deep() from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unreadable(say(_("A name appears twice in the same JSON object.")))
    return members


def _no_number(_constant: str) -> NoReturn:
    raise Unreadable(say(_("This holds a number that cannot be counted.")))


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        _no_number(digits)
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        _no_number(digits)
    return number


def _refuse_deep_or_broken(value: Any, left: int) -> None:
    """Refuse what is nested deeper than `left`, and text that UTF-8 cannot carry."""
    if isinstance(value, str):
        _refuse_broken(value)
    elif isinstance(value, dict | list):
        if not left:
            raise _too_deep()
        for key in value if isinstance(value, dict) else ():
            _refuse_broken(key)
        for item in value.values() if isinstance(value, dict) else value:
            _refuse_deep_or_broken(item, left - 1)


def _refuse_broken(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unreadable(say(_("This text arrived damaged: it is not valid UTF-8."))) from None


def _too_deep() -> Unreadable:
    return Unreadable(say(_("This is nested too deeply.")))
