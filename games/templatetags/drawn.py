"""`{% drawn "parts/card.html" card=card %}`: an include that remembers what it drew.

Shapes are frozen, so their values are the key: the same card in the same language
is drawn once, however many phones, taps and tables show it. Nothing needs to be
told when a piece changes, because a changed piece is another key, and nobody can
be shown more than his own values say.
"""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games import tongues

REMEMBERED = 8192

register = template.Library()


@register.simple_tag
def drawn(template_name: str, **values: object) -> SafeString:
    """The template with these values only; they must be hashable."""
    return _draw(template_name, get_language() or "", tongues.spoken(), tuple(values.items()))


@lru_cache(maxsize=REMEMBERED)
def _draw(template_name: str, language: str, game: str, values: tuple[tuple[str, object], ...]) -> SafeString:
    return SafeString(get_template(template_name).render(dict(values)))
