"""The words of headings in army lists, in the languages that players write them in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from games.systems.tmg.lists.catalogue import ATTACHMENT, NCU, UNIT, plain
from games.systems.tmg.lists.roster import ENEMY

CARDS = "cards"
"""The part of a list that names tactics cards."""

_COMMANDER = (
    "commander", "heerführer", "kommandant", "kommandeur", "commandant", "comandante", "dowódca", "指挥官",
)  # fmt: skip
_STATED = {
    "faction": ("faction", "fraktion", "facción", "fazione", "frakcja", "阵营"),
    "commander": _COMMANDER,
    "points": (
        "points", "total points", "total", "punkte", "armeepunkte", "gesamt", "total de points", "puntos",
        "punti", "totale", "punkty", "分数", "总分", "点数",
    ),
    "activations": (
        "activations", "total activations", "aktivierungen", "activaciones", "attivazioni", "aktywacje",
        "激活", "激活数",
    ),
    "name": (
        "list", "list name", "name", "army", "army name", "liste", "armee", "nom", "armée", "lista",
        "nombre", "ejército", "nome", "esercito", "nazwa", "armia", "列表", "名称",
    ),
    "": (
        "player", "mode", "version", "season", "spieler", "modus", "saison", "joueur", "jugador",
        "giocatore", "gracz", "玩家", "模式",
    ),
}  # fmt: skip
_PARTS = {
    UNIT: (
        "combat units", "units", "kampfeinheiten", "einheiten", "unités de combat", "unités combattantes",
        "unités", "unidades de combate", "unidades", "unità da combattimento", "unità combattenti", "unità",
        "jednostki bojowe", "jednostki", "战斗单位", "单位",
    ),
    NCU: (
        "non-combat units", "ncu", "nichtkampfeinheiten", "nicht-kampfeinheiten", "zivile einheiten",
        "unités non combattantes", "unités non-combat", "unc", "ucn", "pnj", "unidades no combatientes",
        "unidades de no combate", "unità non combattenti", "png", "jednostki niebojowe", "非战斗单位",
    ),
    ATTACHMENT: (
        "attachments", "anhänge", "attachements", "adjuntos", "vinculados", "allegati", "dodatki", "附属",
    ),
    ENEMY: (
        "enemy attachments", "gegnerische attachments", "feindliche attachments", "attachements ennemis",
        "attachements adverses", "adjuntos enemigos", "allegati nemici", "wrogie dodatki", "敌方附属",
    ),
    CARDS: (
        "tactics cards", "tactics deck", "taktikkarten", "taktikdeck", "cartes tactiques",
        "cartes de tactique", "cartas de táctica", "carte tattiche", "carte tattica", "karty taktyki",
        "战术牌",
    ),
}  # fmt: skip


def _by_word(words: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {plain(word): meaning for meaning, each in words.items() for word in each}


STATED = _by_word(_STATED)
"""What a heading states, by its word; "" for what no army depends on."""

_SECTIONS = _by_word(_PARTS)


def section(words: str) -> str | None:
    """What stands below a heading, which may say it twice, as in “UCN/PNJ”; None for any other words."""
    found = _SECTIONS.get(plain(words))
    if found is None and any(sign in words for sign in "/("):
        twice = {_SECTIONS.get(plain(part)) for part in re.split("[/()]", words) if part.strip()}
        found = twice.pop() if len(twice) == 1 else None
    return found


LEADER = "|".join(map(re.escape, _COMMANDER))
"""The words for a Commander, as a pattern."""
