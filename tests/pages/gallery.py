"""Every page with sample values, to look at.

`python -m tests.pages.gallery FOLDER` writes them as plain HTML files.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import django
from django.conf import settings
from django.test import Client

from games import discovery

ROOT = Path(__file__).resolve().parents[2]


def configure() -> None:
    """The project's own settings, unless some are in force."""
    if settings.configured:
        return
    os.environ.setdefault("ROUNDTABLE_TEST", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def draw(template: str, values: dict[str, object]) -> str:
    """A part with its values."""
    from games.templating import part

    return part(template, **values)


def render(name: str) -> str:
    """The page of that name in `PAGES` or `SCREENS` of `tests.pages.samples.pages`."""
    from django.template.loader import render_to_string

    from tests.pages.samples.pages import PAGES, SCREENS

    template, context = (PAGES | SCREENS)[name]
    return render_to_string(template, {"csrf_token": "token", **context})


def write(folder: Path) -> None:
    """All pages and their static files into `folder`."""
    from tests.pages.samples.pages import PAGES, SCREENS

    sources = [ROOT / "static", *(place.folder / "static" for place in discovery.places())]
    for source in filter(Path.is_dir, sources):
        shutil.copytree(source, folder / "static", dirs_exist_ok=True)
    for name in PAGES | SCREENS:
        (folder / f"{name}.html").write_text(page := render(name), encoding="utf-8")
        for address in re.findall(r'"/(static/\+[^"]+)"', page):
            (folder / address).parent.mkdir(parents=True, exist_ok=True)
            (folder / address).write_bytes(Client().get(f"/{address}").content)


if __name__ == "__main__":
    configure()
    discovery.discover()
    write(Path(sys.argv[1]))
