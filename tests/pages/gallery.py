"""Every page with sample values, to look at.

`python -m tests.pages.gallery FOLDER` writes them as plain HTML files.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import django
from django.conf import settings

from games import discovery

ROOT = Path(__file__).resolve().parents[2]


def configure() -> None:
    """Settings enough to render templates, unless the project's own are in force."""
    if settings.configured:
        return
    settings.configure(
        INSTALLED_APPS=["django.contrib.staticfiles"],
        STATIC_URL="/static/",
        USE_I18N=True,
        LANGUAGE_CODE="en",
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "DIRS": [ROOT / "templates", *(place.folder / "templates" for place in discovery.places())],
                "OPTIONS": {"libraries": {"drawn": "games.templatetags.drawn"}},
            }
        ],
    )
    django.setup()


def draw(template: str, context: dict[str, object]) -> str:
    """A template with its values."""
    from django.template.loader import render_to_string

    return render_to_string(template, context)


def draw_text(source: str, context: dict[str, object]) -> str:
    """A template that stands in a test, with its values."""
    from django.template import Context, Template

    return Template(source).render(Context(context))


def render(name: str) -> str:
    """The page of that name in `games.samples.pages.PAGES`."""
    from games.samples.pages import PAGES

    template, context = PAGES[name]
    return draw(template, {"csrf_token": "token", **context})


def write(folder: Path) -> None:
    """All pages and their static files into `folder`."""
    from games.samples.pages import PAGES

    sources = [ROOT / "static", *(place.folder / "static" for place in discovery.places())]
    for source in filter(Path.is_dir, sources):
        shutil.copytree(source, folder / "static", dirs_exist_ok=True)
    for name in PAGES:
        (folder / f"{name}.html").write_text(render(name), encoding="utf-8")


if __name__ == "__main__":
    configure()
    discovery.discover()
    write(Path(sys.argv[1]))
