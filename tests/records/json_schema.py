"""A small validator of JSON Schema (draft 2020-12): the words that our schemas use, each as the draft says.

It shares no code with what makes the schemas. A word that it does not know is a failure, never let pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
SAID = {"$schema", "$id", "$defs", "title", "description", "default", "examples"}
"""Words that ask nothing of a value."""


def faults(value: Any, schema: Any, whole: dict[str, Any] | None = None, at: str = "$") -> Iterator[str]:
    """Everything in which a value is not what a schema asks for."""
    whole = schema if whole is None else whole
    for word, wanted in schema.items():
        if word in SAID:
            continue
        if word not in WORDS:
            yield f"{at}: a word that this validator does not know: {word}"
        elif word == "$ref":
            yield from faults(value, _referred(wanted, whole), whole, at)
        else:
            yield from WORDS[word](value, wanted, schema, whole, at)


def _referred(reference: str, whole: dict[str, Any]) -> Any:
    found: Any = whole
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def _type(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    is_truth = isinstance(value, bool) and wanted in ("integer", "number")
    if is_truth or not isinstance(value, TYPES[wanted]):
        yield f"{at}: {value!r} is no {wanted}"


def _properties(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    for name, one in wanted.items():
        if isinstance(value, dict) and name in value:
            yield from faults(value[name], one, whole, f"{at}.{name}")


def _additional(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    others = value.keys() - schema.get("properties", {}).keys() if isinstance(value, dict) else ()
    for name in others:
        if wanted is False:
            yield f"{at}: {name} does not belong here"
        elif wanted is not True:
            yield from faults(value[name], wanted, whole, f"{at}.{name}")


def _required(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if isinstance(value, dict):
        yield from (f"{at}: {name} is missing" for name in wanted if name not in value)


def _items(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    for place, one in enumerate(value if isinstance(value, list) else ()):
        yield from faults(one, wanted, whole, f"{at}[{place}]")


def _any_of(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if all(any(True for _fault in faults(value, one, whole, at)) for one in wanted):
        yield f"{at}: {value!r} is none of what it may be"


def _const(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if value != wanted:
        yield f"{at}: {value!r} is not {wanted!r}"


def _enum(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if value not in wanted:
        yield f"{at}: {value!r} is none of {wanted!r}"


def _pattern(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if isinstance(value, str) and not re.search(wanted, value):
        yield f"{at}: {value!r} is not {wanted}"


def _minimum(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if isinstance(value, int) and value < wanted:
        yield f"{at}: {value!r} is below {wanted}"


def _longest(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if isinstance(value, str) and len(value) > wanted:
        yield f"{at}: longer than {wanted}"


def _fewest(value, wanted, schema, whole, at):  # type: ignore[no-untyped-def]
    if isinstance(value, list) and len(value) < wanted:
        yield f"{at}: fewer than {wanted}"


WORDS: dict[str, Any] = {
    "$ref": None,
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": _required,
    "items": _items,
    "anyOf": _any_of,
    "const": _const,
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _minimum,
    "maxLength": _longest,
    "minItems": _fewest,
}
