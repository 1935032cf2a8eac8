"""What is left of a unit, in numbers and in words."""

from __future__ import annotations

from functools import lru_cache

from games import view_models
from games.core.words import gettext_noop as _
from games.core.words import say, say_count
from games.view_models.game_page import Words


@lru_cache(maxsize=4096)
def gauge(words: Words, left: int, of: int, standing: int, ranks: int) -> view_models.Gauge:
    """Wounds and ranks in words, shared by all units with the same numbers at any table."""
    numbers = {"left": left, "of": of}
    if not ranks:
        return view_models.Gauge(left, of, words(say(_("%(left)s of %(of)s wounds left"), **numbers)))
    line = say_count(
        "%(left)s of %(of)s wounds left, %(count)s rank",
        "%(left)s of %(of)s wounds left, %(count)s ranks",
        standing,
        **numbers,
    )
    return view_models.Gauge(left, of, words(line), view_models.pips(standing, ranks))
