"""Pages and fragments: htmx asks for a fragment to put into a page, everybody else for a page.

What htmx says in a request's headers is read here only, through django-htmx.
"""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

WHOLE_PAGE = "full"
"""The type of request by which htmx 4 asks for a whole page: at a boosted link, or going back in history."""


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page. Our own scripts say that they are htmx, and no type."""
    # Only htmx 4 names a type. It names a source, no trigger; and its target is `tag#id`, not the id alone.
    said = _said_by_htmx(request)
    return bool(said) and said.request_type != WHOLE_PAGE


def _said_by_htmx(request: HttpRequest) -> HtmxDetails:
    """`request.htmx`; what is refused before any middleware has seen it gets its own."""
    if not hasattr(request, "htmx"):
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
    return request.htmx  # type: ignore[attr-defined]
