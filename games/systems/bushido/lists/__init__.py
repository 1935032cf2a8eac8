"""Warbands: from what people paste or upload to a warband that can take the table, and back.

A list is never refused for what it says. What is unknown is kept as
written, what is odd is remarked on by line, and all of it can be edited afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from games.core.validation import Unreadable, clean_text
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.bushido.lists.cards import lay_out
from games.systems.bushido.lists.catalogue import Catalogue
from games.systems.bushido.lists.checks import MAX_MODELS, OVER, checked, over
from games.systems.bushido.lists.documents import text_of
from games.systems.bushido.lists.lines import lines_of
from games.systems.bushido.lists.parts import parts_of
from games.systems.bushido.lists.reader import Reader
from games.systems.bushido.lists.tables import flattened
from games.systems.bushido.lists.warband import CARDS, Card, Model, Warband
from games.systems.bushido.lists.writer import written

__all__ = [
    "CARDS",
    "EXAMPLE",
    "MAX_MODELS",
    "OVER",
    "Card",
    "Model",
    "Warband",
    "over",
    "read",
    "read_each",
    "text_of",
    "written",
]

EXAMPLE = """++ Risen Sun (Prefecture of Ryu) [33 Rice] ++

+ Faction Profile Cards +
Hiromasa [16 Rice]
Kizoko [17 Rice]
"""


def read(text: str, catalogue: Catalogue) -> Warband:
    """The warband in text from outside; `Unreadable` if it is not text or names no model at all."""
    first, *others = parts_of(_opened(text))
    warband = _read(first, catalogue)
    if not warband.models:
        raise Unreadable(say(_("No model was found in this text. Please paste the whole warband.")))
    if not others:
        return warband
    line = say(_("This text holds %(number)d lists; the first was read."), number=len(others) + 1)
    return replace(warband, warnings=((0, line), *warband.warnings))


def read_each(text: str, catalogue: Catalogue) -> tuple[tuple[str, Warband], ...]:
    """Every list in a text that passed validation: its own text, and its warband if that has a model."""
    found = ((part, _read(part, catalogue)) for part in parts_of(_opened(text)))
    return tuple((part, warband) for part, warband in found if warband.models)


def _opened(text: str) -> str:
    """The text, once it has passed validation; a document and tables are turned into lines."""
    return flattened(text_of(clean_text(text)))


def _read(text: str, catalogue: Catalogue) -> Warband:
    draft = Reader(catalogue).read(*lines_of(text))
    lay_out(draft)
    return checked(draft)
