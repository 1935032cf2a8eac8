"""The README's picture: the three games in play, each on its own device.

`python -m tests.browser.readme` writes static/readme/table.png.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw

from tests.browser.pictures import configure

PICTURE = Path(__file__).parents[2] / "static/readme/table.png"
SIZE = (1500, 940)
GROUND, FRAME = "#e6e1d3", "#241f1a"
BORDER, CORNER, SHARPER = 9, 28, 2
COLOURS = 256
"""As many colours as the file's size budget allows."""


class Device(NamedTuple):
    """The game, how many pixels the screen has for the page, and its position and width in the picture."""

    game: str
    screen: tuple[int, int]
    left: int
    top: int
    width: int
    scheme: str = "light"


DEVICES = (
    Device("tmg", (390, 850), 44, 96, 342),
    Device("agot", (760, 1090), 432, 26, 616),
    Device("bushido", (390, 850), 1114, 96, 342, "dark"),
)


def screens() -> Iterator[tuple[Device, Image.Image]]:
    """What the first seat sees in each game's newest demo in play."""
    from playwright.sync_api import sync_playwright

    from games.models import Match
    from tests.browser.ways import seated
    from tests.conftest import BROWSER_ARGUMENTS, chromium
    from tests.serving import Served

    served = Served().start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=BROWSER_ARGUMENTS)
            for device in DEVICES:
                match = Match.objects.filter(system=device.game, finished_at=None).latest("pk")
                width, height = device.screen
                page = browser.new_page(
                    base_url=served.url,
                    locale="en-GB",
                    color_scheme=device.scheme,
                    reduced_motion="reduce",
                    device_scale_factor=SHARPER,
                    viewport={"width": width, "height": height},
                )
                seated(match, match.armies.values_list("key", flat=True)[0])(page)
                page.wait_for_timeout(500)
                yield device, Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            browser.close()
    finally:
        served.close()


def framed(picture: Image.Image, device: Device, shot: Image.Image) -> None:
    """Put a screen into the picture, with a dark frame around it."""
    width = device.width
    height = round(width * device.screen[1] / device.screen[0])
    around = rounded(width + 2 * BORDER, height + 2 * BORDER, CORNER)
    picture.paste(FRAME, (device.left - BORDER, device.top - BORDER), around)
    screen = shot.resize((width, height), Image.Resampling.LANCZOS)
    picture.paste(screen, (device.left, device.top), rounded(width, height, CORNER - BORDER))


def rounded(width: int, height: int, corner: int) -> Image.Image:
    """A mask with smooth round corners."""
    mask = Image.new("L", (width * 4, height * 4))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * 4 - 1, height * 4 - 1), corner * 4, 255)
    return mask.resize((width, height), Image.Resampling.LANCZOS)


def draw() -> None:
    """Draw the picture of all devices, in as many colours as its size budget allows."""
    picture = Image.new("RGB", SIZE, GROUND)
    for device, shot in screens():
        framed(picture, device, shot)
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    few.save(PICTURE, optimize=True)


if __name__ == "__main__":
    configure()
    draw()
