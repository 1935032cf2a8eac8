"""Every page of a real match on every size of screen, to look at.

`python -m tests.browser.pictures FOLDER [NAME…]` takes the pictures whose names begin with these, or all.
"""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any

SIZES = {
    "phone": (390, 844),
    "small": (360, 640),
    "landscape": (844, 390),
    "tablet": (820, 1180),
    "wide": (1440, 900),
}
SCHEMES = ("light", "dark")


def configure() -> None:
    """Set up a separate database with the demo tables in it."""
    folder = tempfile.mkdtemp()
    os.environ["ROUNDTABLE_TEST"] = "1"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/pictures.sqlite3"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("plant", verbosity=0)


def shot(page: Any, folder: Path, name: str, sizes: list[str], schemes: list[str]) -> None:
    """Take one page in every size and scheme; a sheet of paper also as it is printed."""
    is_app = page.locator("body.table").count()
    zoom = 2 if name.startswith("large-") else 1
    for size in sizes:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width // zoom, "height": height // zoom})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(150)
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=not is_app)
    if page.locator("body.paper").count():
        page.pdf(path=folder / f"{name}.pdf", prefer_css_page_size=True)


def take(folder: Path, wanted: list[str]) -> None:
    """Take all pictures into `folder`."""
    from playwright.sync_api import sync_playwright

    from games.models import Match
    from tests.browser.scenes import everything
    from tests.browser.scenes_recorded import recorded
    from tests.conftest import BROWSER_ARGUMENTS, chromium
    from tests.serving import Served

    folder.mkdir(parents=True, exist_ok=True)
    sizes = os.environ.get("SIZES", ",".join(SIZES)).split(",")
    schemes = os.environ.get("SCHEMES", ",".join(SCHEMES)).split(",")
    language = os.environ.get("LANGUAGE_OF_PICTURES", "en-GB")
    served = Served().start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=BROWSER_ARGUMENTS)
            planted = list(Match.objects.filter(pairings=None).order_by("pk"))
            for name, go in chain(everything(planted), recorded(tuple(wanted) or ("",))):
                if wanted and not name.startswith(tuple(wanted)):
                    continue
                context = browser.new_context(
                    base_url=served.url,
                    locale=language,
                    reduced_motion="reduce",
                    viewport={"width": 390, "height": 844},
                )
                page = context.new_page()
                try:
                    go(page)
                except Exception as problem:
                    print(name, str(problem)[:300])
                shot(page, folder, name, sizes, schemes)
                context.close()
            browser.close()
    finally:
        served.close()


if __name__ == "__main__":
    configure()
    take(Path(sys.argv[1]), sys.argv[2:])
