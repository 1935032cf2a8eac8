"""The words of headings in army lists, in the languages that players write them in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from games.systems.tmg.lists.catalogue import NCU, UNIT, plain
from games.systems.tmg.lists.roster import ENEMY

CARDS = "cards"
"""The part of a list that names tactics cards."""

_COMMANDER = ("commander", "heerführer", "kommandant", "kommandeur", "指挥官")
_STATED = {
    "faction": ("faction", "fraktion", "阵营"),
    "commander": _COMMANDER,
    "points": ("points", "total points", "total", "punkte", "armeepunkte", "gesamt", "分数", "总分", "点数"),
    "activations": ("activations", "total activations", "aktivierungen", "激活", "激活数"),
    "name": ("list", "list name", "name", "army", "army name", "liste", "armee", "列表", "名称"),
    "": ("player", "mode", "version", "season", "spieler", "modus", "saison", "玩家", "模式"),
}
_PARTS = {
    UNIT: ("combat units", "units", "kampfeinheiten", "einheiten", "战斗单位", "单位"),
    NCU: (
        "non-combat units", "ncu", "nichtkampfeinheiten", "nicht-kampfeinheiten", "zivile einheiten",
        "zivile einheiten (ncu)", "非战斗单位",
    ),
    ENEMY: ("enemy attachments", "gegnerische attachments", "feindliche attachments", "敌方附属"),
    CARDS: ("tactics cards", "tactics deck", "taktikkarten", "taktikdeck", "战术牌"),
}  # fmt: skip


def _by_word(words: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {plain(word): meaning for meaning, each in words.items() for word in each}


STATED = _by_word(_STATED)
"""What a heading states, by its word; "" for what no army depends on."""

SECTIONS = _by_word(_PARTS)
"""What stands below a heading, by its words."""

LEADER = "|".join(map(re.escape, _COMMANDER))
"""The words for a Commander, as a pattern."""
