"""Pages and fragments: htmx asks for a fragment to put into a page, everybody else for a page."""

from __future__ import annotations

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Whether the request comes from htmx."""
    return request.META.get("HTTP_HX_REQUEST") == "true"
