"""A game's own words: sentences about a match are looked up in its game's catalogue before the others.

Two games may use one English word for two things ("Influence", "End of the round"); other languages may need
two. Django merges every catalogue into one, so the last game would speak for all.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from gettext import translation as read_catalogue
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation import get_language, override, to_locale
from django.utils.translation import gettext as _gettext
from django.utils.translation import ngettext as _ngettext

from games import discovery
from games.core import Line, Sentence

log = logging.getLogger(__name__)

MOST_MESSAGES = 20_000
"""More messages than all games have, as players' own text passes through too."""

_active: ContextVar[GameTranslation | None] = ContextVar("the words of the active game", default=None)


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


class SharedWords(NullTranslations):
    """The words of all pages in a language, as Django finds them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def gettext(self, message: str) -> str:
        with override(self.language):
            return _gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        with override(self.language):
            return _ngettext(msgid1, msgid2, n)


class GameTranslation:
    """All words in a language, those of one game first; each message is looked up once."""

    def __init__(self, language: str, system: str = "") -> None:
        self.language, self.game = language, system
        self.own = _own_words(language, system)
        self.own.add_fallback(SharedWords(language))
        self.text: Callable[[str], str] = lru_cache(maxsize=MOST_MESSAGES)(self.gettext)
        self.counted: Callable[[str, str, int], str] = lru_cache(maxsize=MOST_MESSAGES)(self.ngettext)

    def words(self, line: Line) -> str:
        """A line of the rules."""
        return line.render(self.text, self.counted)

    def gettext(self, message: str) -> str:
        # The empty message is the catalogue's own heading.
        return _sentence(self.own.gettext(message), self.language) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _sentence(self.own.ngettext(msgid1, msgid2, n), self.language)


def _own_words(language: str, system: str) -> NullTranslations:
    place = discovery.place_of(system) if system else None
    if place is None or not discovery.catalogues_can_be_read(place):
        return NullTranslations()
    return read_catalogue("django", str(place.folder / "locale"), [to_locale(language)], fallback=True)


def _sentence(translated: str, language: str) -> str:
    """A translation, which in Chinese closes up around the values put into it."""
    return Sentence(translated) if "%(" in translated and language.startswith("zh") else translated


@contextmanager
def override_game(system: str, language: str | None = None) -> Iterator[None]:
    """Inside this block, sentences are in this game's words, in this language (None: the reader's)."""
    language = language or get_language() or settings.LANGUAGE_CODE
    before = _active.set(catalogue(language, system))
    try:
        with override(language) if language != get_language() else nullcontext():
            yield
    finally:
        _active.reset(before)


def activate_game(system: str) -> None:
    """From here to the end of the request, sentences are in this game's words."""
    _active.set(catalogue(get_language() or settings.LANGUAGE_CODE, system))


def leave_game() -> None:
    """From here on, sentences are in no game's words."""
    _active.set(None)


def active() -> GameTranslation | None:
    """The translation of the active game; None if no game is active."""
    return _active.get()


catalogue = cache(GameTranslation)
"""All words in a language, those of one game first. Cached: a tap reads no file."""


def gettext(message: str) -> str:
    """A message in the reader's language, remembered if a game is active."""
    translation = _active.get()
    return translation.text(message) if translation else _sentence(_gettext(message), get_language() or "")


def ngettext(singular: str, plural: str, number: int) -> str:
    """A message about a number, in the reader's language."""
    translation = _active.get()
    if translation:
        return translation.counted(singular, plural, number)
    return _sentence(_ngettext(singular, plural, number), get_language() or "")


def words(line: Line) -> str:
    """A line of the rules in the reader's language."""
    return translator()(line)


def translator() -> Callable[[Line], str]:
    """`words` for a caller with many lines to translate into the active language and game."""
    translation = active()
    # Without a game the language may change before the next call, so each caller gets a new function.
    return translation.words if translation else partial(_words)


def _words(line: Line) -> str:
    return line.render(gettext, ngettext)
