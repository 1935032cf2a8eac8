"""The component page: every part of the design in every state, light and dark, for the next developer."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import view_models
from games.samples import components as samples
from games.templating import part

COLOURS = ("paper", "surface", "raised", "ink", "muted", "line", "accent", "bad", "good")
SEATS = ("1", "2", "3", "4", "5", "6")


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """All tokens and components, each drawn by its own template with sample values."""
    page = view_models.ComponentsPage(COLOURS, SEATS, tuple(_kind(kind) for kind in samples.kinds()))
    return render(request, "site/components.html", {"page": page})


def _kind(kind: samples.Kind) -> view_models.ComponentKind:
    drawn = (
        view_models.Component(one.label, one.template, part(one.template, **one.context))
        for one in kind.samples
    )
    return view_models.ComponentKind(_(kind.title), tuple(drawn))
