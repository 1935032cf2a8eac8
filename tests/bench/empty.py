"""The floor of a tap: an empty answer to the same form, through the same middleware."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from config import urls


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """Read the form and the session, as every answer to a phone does, and say nothing."""
    request.POST.get("action")
    request.session.get("seats")
    return HttpResponse(status=204)


urlpatterns = [path("empty", empty), *urls.urlpatterns]
