"""Pasted lists of the miniatures game as tests read them."""

from pathlib import Path

from games.systems.tmg.lists.army_cards import UNIT, catalogue
from games.systems.tmg.lists.army_grammar import read_roster

CARDS = catalogue()
REAL = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("lists/*.txt")}


def read(text):
    return read_roster(text, CARDS)


def said(roster):
    return [str(line) for line in roster.warnings]


def names(roster, kind=UNIT):
    return [entry.full_name for entry in roster.of_kind(kind)]
