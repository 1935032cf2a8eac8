"""A game's own words: sentences about a match are looked up in its game's catalogue before the others.

Two games may use one English word for two things ("Influence", "End of the round"); other languages may need
two. Django merges every catalogue into one, so the last game would speak for all.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from gettext import translation as read_catalogue
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.utils.translation import get_language, to_locale, trans_real
from django.utils.translation import gettext as _gettext
from django.utils.translation import ngettext as _ngettext

from games import discovery
from games.core import Line, Sentence

log = logging.getLogger(__name__)

MOST_MESSAGES = 20_000
"""More messages than all games have, as players' own text passes through too."""

_ACTIVE: Any = vars(trans_real)["_active"]
"""Where Django keeps the catalogue that a thread uses; its own `activate` knows languages only."""


def compile_catalogues(folder: Path) -> list[Path]:
    """Compile the translations below a folder that have changed since the last time; returns the new files.

    Compiled catalogues are not kept with the program: they are made at its first start.
    """
    made = []
    for source in sorted(folder.rglob("locale/*/LC_MESSAGES/django.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        try:
            # Written under a name of its own first: several processes may start at once.
            written = compiled.with_suffix(f".{os.getpid()}")
            polib.pofile(str(source)).save_as_mofile(str(written))
            written.replace(compiled)
        except OSError as problem:
            log.warning("%s cannot be compiled, so its words stay English: %s", source, problem.strerror)
        else:
            made.append(compiled)
    return made


class SpacedTranslation(trans_real.DjangoTranslation):
    """All words in a language; in Chinese a sentence closes up around Chinese values."""

    def gettext(self, message: str) -> str:
        return self.sentence(super().gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.sentence(super().ngettext(msgid1, msgid2, n))

    def sentence(self, translated: str) -> str:
        """A translation, which in Chinese closes up around the values put into it."""
        is_chinese = self.to_language().startswith("zh")
        return Sentence(translated) if is_chinese and "%(" in translated else translated


class GameTranslation(SpacedTranslation):
    """All words in a language, those of `game` first; each message is looked up once."""

    game = ""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.text: Callable[[str], str] = lru_cache(maxsize=MOST_MESSAGES)(self._text)

    def words(self, line: Line) -> str:
        """A line of the rules."""
        return line.render(self.text, self.ngettext)

    def _text(self, message: str) -> str:
        # The empty message is the catalogue's own heading.
        return self.gettext(message) if message else ""


@contextmanager
def override_game(system: str, language: str | None = None) -> Iterator[None]:
    """Inside this block, sentences are in this game's words, in this language (None: the reader's)."""
    before = getattr(_ACTIVE, "value", None) or _spaced(settings.LANGUAGE_CODE)
    activate_game(system, language)
    try:
        yield
    finally:
        _ACTIVE.value = before


def activate_game(system: str, language: str | None = None) -> None:
    """From here to the end of the request, sentences are in this game's words."""
    _ACTIVE.value = catalogue(language or get_language() or settings.LANGUAGE_CODE, system)


def activate_spaced() -> None:
    """From here to the end of the request, Chinese sentences outside any game close up too."""
    _ACTIVE.value = _spaced(get_language() or settings.LANGUAGE_CODE)


@cache
def _spaced(language: str) -> SpacedTranslation:
    return SpacedTranslation(language)


def active() -> GameTranslation | None:
    """The translation of the active game; None if no game is active."""
    translation = getattr(_ACTIVE, "value", None)
    return translation if isinstance(translation, GameTranslation) else None


@cache
def catalogue(language: str, system: str) -> GameTranslation:
    """All words in a language, those of one game first. Cached: a tap reads no file."""
    words = GameTranslation(language)
    place = discovery.place_of(system)
    if discovery.catalogues_can_be_read(place):
        folder = str(place.folder / "locale")
        words.merge(read_catalogue("django", folder, [to_locale(language)], fallback=True))
    words.game = system
    return words


def gettext(message: str) -> str:
    """A message in the reader's language, remembered if a game is active."""
    translation = active()
    return translation.text(message) if translation else _gettext(message)


def words(line: Line) -> str:
    """A line of the rules in the reader's language."""
    return translator()(line)


def translator() -> Callable[[Line], str]:
    """`words` for a caller with many lines to translate into the active language and game."""
    translation = active()
    # Without a game the language may change before the next call, so each caller gets a new function.
    return translation.words if translation else partial(_words)


def _words(line: Line) -> str:
    return line.render(_gettext, _ngettext)
