"""The headings of a list: whose warband it is, how much rice it may cost, and what comes below each."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from games.core.validation import PIECE_GRAPHEMES
from games.systems.bushido.lists.catalogue import RONIN, faction_of, plain
from games.systems.bushido.lists.lines import WarbandLine, price_in, worth_in
from games.systems.bushido.lists.warband import MODEL, REFERENCE, THEME

NOTHING = "nothing"
"""A section that holds no cards: the builder's own switches."""

_SECTIONS = {
    "profile": MODEL,
    "model": MODEL,
    "theme": THEME,
    "reference": REFERENCE,
    "event": "event",
    "terrain": "terrain",
    "equipment": "equipment",
    "enhancement": "enhancement",
    "communal": "communal",
    "curse": "curse",
    "special": "card",
    "other": "card",
    "": "card",
    "filter": NOTHING,
    "additionalrule": NOTHING,
    "configuration": NOTHING,
    "cycle": NOTHING,
}
"""The sections by their names in the singular, without `Faction`, `Ronin` and `Cards`."""
_IN_OTHER_WORDS = {
    **dict.fromkeys(("modelle", "profilkarten", "模型", "模型卡"), MODEL),
    **dict.fromkeys(("themenkarte", "themenkarten", "主题卡"), THEME),
    **dict.fromkeys(("ereignisse", "ereigniskarten", "事件", "事件卡"), "event"),
    **dict.fromkeys(("gelande", "gelandekarten", "地形", "地形卡"), "terrain"),
    **dict.fromkeys(("ausrustung", "ausrustungskarten", "装备", "装备卡"), "equipment"),
    **dict.fromkeys(("verbesserungen", "verbesserungskarten", "强化", "强化卡"), "enhancement"),
}
"""The sections in German and in Chinese."""
_WITHOUT_PLURAL = ("equipment", "terrain")
_KEYS = {
    "faction": "faction",
    "theme": "theme",
    "themecard": "theme",
    "limit": "limit",
    "size": "limit",
    "total": "total",
    "totalrice": "total",
    "rice": "total",
    "points": "total",
    "name": "name",
    "list": "name",
    "listname": "name",
    "warband": "name",
    "game": "game",
    "gamesystem": "game",
    "player": "player",
    **dict.fromkeys(("fraktion", "阵营", "势力"), "faction"),
    **dict.fromkeys(("thema", "主题"), "theme"),
    **dict.fromkeys(("上限",), "limit"),
    **dict.fromkeys(("bande", "liste", "战团", "名称"), "name"),
    **dict.fromkeys(("person", "玩家"), "player"),
}
_TOTALS = {
    *("total", "totalrice", "ricetotal", "totalcost", "grandtotal", "sum"),
    *("gesamt", "gesamtkosten", "insgesamt", "summe"),
    *("合计", "总计", "共计", "总共"),
}
_UNSPENT = {"remaining", "left", "leftover", "unspent", "rest", "ubrig", "verbleibend", "剩余", "余"}
"""What people call the rice that a list does not spend."""
_IN_BRACKETS = re.compile(r"\(([^()]*)\)")
_TOTAL = re.compile(r"([0-9]{1,6})(?:\s*/\s*([0-9]{1,6}))?")
_OWN_FORCES = {"", "risensun", "bushido", "bushidorisensun", "warband"}


@dataclass(frozen=True, slots=True)
class Heading:
    """What one heading states; None and "" for what it does not.

    `game` is what it says the list is for, `section` is "" for an unknown one.
    """

    faction: str = ""
    theme: str = ""
    name: str = ""
    game: str = ""
    total: int | None = None
    limit: int | None = None
    section: str | None = None


def heading(line: WarbandLine) -> Heading | None:
    """What a line states as a heading, or None if it is not one."""
    if line.head:
        return _framed(line.head)
    if line.is_plain:
        return None
    return _keyed(line) or _titled(line) or summed(line) or _bare(line)


def title(line: WarbandLine) -> Heading | None:
    """What a line states that names the faction or this game in brackets, as in `Name (Ito Clan) [31 Rice]`.

    A card may look like that, so it is a title only above the cards.
    """
    found, worth = _IN_BRACKETS.findall(line.words), worth_in(line.text)
    if not found or worth is None or line.marked or line.is_plain:
        return None
    faction = faction_of(found[-1])
    if faction == RONIN or (faction is None and is_other_game(found[-1])):
        return None
    return Heading(faction or "", name=_beside_brackets(line.words), total=worth.rice, limit=worth.limit)


def _beside_brackets(words: str) -> str:
    """What stands beside a faction or a game in brackets; "" for the name of this game."""
    beside = _IN_BRACKETS.sub("", words).strip()
    return "" if plain(beside) in _OWN_FORCES else beside


def labelled(line: WarbandLine) -> tuple[str, WarbandLine] | None:
    """The section that a line names before its first card, as in `Events: Sudden Rain (1)`, and that card.

    A faction before a colon begins its models.
    """
    label, colon, card = line.words.partition(":")
    key = plain(label)
    is_section = (key.endswith(("s", *_WITHOUT_PLURAL)) or key in _IN_OTHER_WORDS) and not line.is_plain
    section = _section(label) if is_section else MODEL if colon and faction_of(label) else None
    if section is None or not any(map(str.isalpha, card)):
        return None
    return section, replace(line, words=card.strip())


def own_faction(stated: str) -> str:
    """A faction by its own name if it is one of the game's, else as written, cut to a name's length.

    What stands behind it, such as the rice that it may cost, is no part of it.
    """
    worth = worth_in(stated)
    bare = stated[: worth.start] if worth else stated
    return faction_of(bare) or stated[:PIECE_GRAPHEMES]


def is_other_game(stated: str) -> bool:
    """Whether a list says that it is for another game."""
    return plain(stated) not in _OWN_FORCES and "bushido" not in plain(stated)


def _framed(head: str) -> Heading:
    """`++ Risen Sun (Faction) [70 Rice] ++`, `+ Profile Cards +` and the same after hashes."""
    words = head.lstrip("# ")
    is_title = words.startswith("++")
    words = words.strip("+ ")
    worth = worth_in(words)
    bare = (words[: worth.start] + words[worth.end :] if worth else words).strip(" :-–")
    # Without its “Ronin”, such a heading would be one of other cards.
    section = MODEL if faction_of(bare) == RONIN else _section(bare)
    if section is not None and not is_title:
        return Heading(section=section)
    stated = Heading(total=worth.rice, limit=worth.limit) if worth else Heading()
    if is_total(bare):
        return stated
    *_others, owner = "", *_IN_BRACKETS.findall(bare)
    own = faction_of(owner or bare)
    if owner and own is None and not is_other_game(owner):
        return replace(stated, name=_beside_brackets(bare))
    stated = replace(stated, faction=own_faction(owner.strip()) if owner else own or "")
    if is_title:
        is_of_a_game = own is None and (owner or worth)
        return replace(stated, game=_beside_brackets(bare)) if is_of_a_game else stated
    is_name = head.startswith("#") and faction_of(bare) is None
    return replace(stated, name=bare if is_name else "", section="")


def _keyed(line: WarbandLine) -> Heading | None:
    """`Faction: Ito Clan`, `Limit: 100`; several may share a line, separated by bars."""
    stated: dict[str, str] = {}
    for part in line.text.split("|"):
        key, colon, value = part.partition(":")
        name = _KEYS.get(plain(key))
        if not colon or name is None:
            return None
        stated[name] = value.strip(" *_")
    numbers = _TOTAL.search(stated.get("total", ""))
    limit = _TOTAL.search(stated.get("limit", ""))
    return Heading(
        faction=own_faction(stated["faction"]) if "faction" in stated else "",
        theme=stated.get("theme", ""),
        name=stated.get("name", ""),
        game=stated.get("game", ""),
        total=int(numbers[1]) if numbers else None,
        limit=int(limit[1]) if limit else int(numbers[2]) if numbers and numbers[2] else None,
    )


def _titled(line: WarbandLine) -> Heading | None:
    """`Faction - List name - [70 Rice]`, the first line that New Recruit writes."""
    worth = worth_in(line.text)
    words = line.text[: worth.start] if worth else line.text
    faction, _dash, name = words.strip(" -–").partition(" - ")
    own = faction_of(faction)
    if worth is None or own is None or line.marked:
        return None
    return Heading(faction=own, name=name.strip(), total=worth.rice, limit=worth.limit)


def summed(line: WarbandLine) -> Heading | None:
    """`Total 33 rice` or `2 rice left`: a sum of what stands above or is not spent, and no card."""
    worth = None if line.is_plain else price_in(line.text)
    if worth is None:
        return None
    word = plain(line.text[: worth.start]) or plain(line.text[worth.end :])
    if word in _TOTALS:
        return Heading(total=worth.rice, limit=worth.limit)
    return Heading() if word in _UNSPENT else None


def label_of(kind: str) -> str:
    """The label before cards of a kind, such as `Events:`; "" for models and for kinds that no list knows."""
    if _section(kind) in (None, "", MODEL, NOTHING) or not plain(kind):
        return ""
    is_label = plain(kind).endswith(("s", *_WITHOUT_PLURAL)) or plain(kind) in _IN_OTHER_WORDS
    return f"{kind}:" if is_label else f"{kind}s:"


def is_total(words: str) -> bool:
    """Whether words announce the sum of a list."""
    return plain(words) in _TOTALS


def _bare(line: WarbandLine) -> Heading | None:
    """A line that names a faction or a section and nothing else."""
    if line.marked:
        return None
    own = faction_of(line.text)
    if own:
        return Heading(section=MODEL) if own == RONIN else Heading(faction=own)
    section = _section(line.text) if _is_section(line) else None
    return Heading(section=section) if section is not None else None


def _is_section(line: WarbandLine) -> bool:
    """Whether a bare line is written as sections are, and not as a card of the same name."""
    key = plain(line.text)
    if key.endswith(("card", "cards")):
        return True
    if line.below or line.indent or key in ("", "s", "factions", "ronins"):
        return False
    if key in _IN_OTHER_WORDS or key.endswith(("s", *_WITHOUT_PLURAL)):
        return True
    return line.text.rstrip(" *_").endswith(":")


def _section(words: str) -> str | None:
    if other := _IN_OTHER_WORDS.get(plain(words)):
        return other
    key = plain(words).removeprefix("faction").removeprefix("ronin").removesuffix("s").removesuffix("card")
    return _SECTIONS.get(key.removesuffix("s"))
