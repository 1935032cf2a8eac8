"""Pages and fragments: htmx asks for what it puts into a page, everybody else for a page."""

from __future__ import annotations

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks."""
    return request.META.get("HTTP_HX_REQUEST") == "true"
