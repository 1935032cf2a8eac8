"""What a page says about itself where its address is posted, in a chat or on another site."""

from __future__ import annotations

from django.http import HttpRequest
from django.templatetags.static import static

from games import view_models
from games.web.network import address_for_others

SIDE = 512
"""The sides of the program's own picture, in pixels."""


def share(request: HttpRequest, path: str, title: str, text: str) -> view_models.Share:
    """What is said of a page that has no picture of its own: only facts that anybody may read there."""
    return view_models.Share(
        title,
        text,
        address_for_others(request, path),
        address_for_others(request, static(f"icon-{SIDE}.png")),
        "Roundtable",
        (SIDE, SIDE),
    )
