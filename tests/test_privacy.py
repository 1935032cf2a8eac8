"""docs/privacy.md names every cookie, everything that browsers keep, and every field that holds a person."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/privacy.md").read_text(encoding="utf-8")
OF_PEOPLE = re.compile(r"_hash$|^(name|author|note|source|opened_from)$")
GAMES = {"CatalogueEntry", "Event"}
"""Models whose `name` is that of a game or an event, not of a person."""


def cookies() -> set[str]:
    names = {getattr(settings, name) for name in dir(settings) if name.endswith("_COOKIE_NAME")}
    return {name.rpartition("-")[2] for name in names if "roundtable" in name}


def kept_by_browsers() -> set[str]:
    """The names under which scripts store something; "read …" if an address follows."""
    found = set()
    for path in (*(ROOT / "static").glob("*/*.js"), *ROOT.glob("games/systems/*/static/*/*.js")):
        script = path.read_text(encoding="utf-8")
        # By its own name, or by one that begins with what it is.
        found.update(re.findall(r"\b(?:\w+Storage|memory)\.(?!getItem|setItem)(\w+)", script))
        if "Storage" in script:
            found.update(
                f"{beginning} …" for beginning in re.findall(r'const \w+ = ["`](\w+) (?:" \+|\$)', script)
            )
    return found


def fields() -> list[str]:
    return [
        f"{model.__name__}.{field.name}"
        for app in ("games", "events", "webhooks")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.Field) and OF_PEOPLE.search(field.name) and model.__name__ not in GAMES
    ]


def test_every_cookie_is_named():
    assert cookies() >= {"session", "csrf", "language", "name"}
    for cookie in cookies():
        assert f"| `{cookie}` |" in PAGE


def test_what_browsers_keep_is_named():
    assert kept_by_browsers() == {"awake", "callNotice", "callSound", "read …", "unsent …"}
    for key in kept_by_browsers():
        assert f"`{key}`" in PAGE


@pytest.mark.parametrize("field", fields())
def test_every_field_that_holds_somebody_is_named(field):
    assert f"`{field}`" in PAGE
