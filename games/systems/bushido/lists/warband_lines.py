"""What the lines of a pasted warband say, before anybody asks what they mean together.

A line is cut into names, rice, numbers and marks in one pass. Headings, tables with a column for each
figure, and where one list ends and the next begins are recognised here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from games.core import PIECE_GRAPHEMES
from games.core.army_lists import (
    DASHES,
    levelled,
    numbered_rows,
    unmarked,
)
from games.systems.bushido.lists.warband_cards import (
    MODEL,
    REFERENCE,
    RONIN,
    THEME,
    Catalogue,
    faction_of,
    plain,
)

_HEADS = re.compile(
    r"(?<!\S)(?:faction|fraktion|theme|limit|total|name|warband)\s?:"
    r"|(?<!\S)(?P<alone>(?:profile|theme|event|terrain|equipment|enhancement|reference) cards)(?!\S)"
    r"|(?<!\S)(?=(?:created|made|built|exported) with\s)",
    re.IGNORECASE,
)
"""Where headings begin in a list without lines; a heading `alone` ends before the next word."""
MAX_LINES = 500
MAX_LENGTH = 1_000
MAX_COUNT = 20
_REACH = 200
"""How far behind the beginning of a card its rice is looked for: farther than any name is long."""

_UNITS = r"rice|reis|米|pts?|points?|pkte?|punkte?|分|点"
_RICE = re.compile(
    rf"[\[(]\s*([-−]?[0-9]{{1,6}})(?:\s*/\s*([0-9]{{1,6}}))?(?:[.,]0+)?\s*(?:{_UNITS}|r)?\.?\s*[\])]"
    rf"|[\s:=][{DASHES}:=]?\s*([-−]?[0-9]{{1,6}})\s*(?:{_UNITS})(?!\w)"
    rf"|\s[{DASHES}:=]\s*([0-9]{{1,2}})$"
    rf"|[:=,|]\s*([0-9]{{1,2}})$"
    rf"|(?<=[^\W\d_])([0-9]{{1,2}})\s*[米分点](?!\w)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<!\s[x×])\s+([0-9]{1,2})(?=\s*(?:[+&,]|with |w/|w |mit |[带配]|$))", re.IGNORECASE)
"""A number behind a name with nothing around it, at the end or before further cards."""
_FRONT = re.compile(
    rf"[\[(]\s*([0-9]{{1,2}})\s*(?:{_UNITS}|r)?\.?\s*[\])]\s*[{DASHES}:=]?\s*(?=[^\W\d])"
    rf"|([0-9]{{1,2}})\s*(?:{_UNITS}|r)(?!\w)\.?\s*[{DASHES}:=]?\s*(?=[^\W\d])"
    rf"|([1-9][0-9]|[6-9])(?:\s*[{DASHES}:=]\s*|\s+)(?=[^\W\d])",
    re.IGNORECASE,
)
"""Rice that stands before its name; a small number with nothing around it may be anything else."""
_PRICE = re.compile(rf"[\[(]?\s*([0-9]{{1,6}})(?:[.,]0+)?\s*(?:{_UNITS}|r)?\.?\s*[\])]?", re.IGNORECASE)
_BEFORE = re.compile(r"([0-9]{1,6})\s*[x×]\s+", re.IGNORECASE)
_AFTER = re.compile(r"\s+[x×]\s*([0-9]{1,6})$", re.IGNORECASE)
_NUMBER = re.compile(r"[-−]?[0-9]{1,6}")
_FOOTERS = ("created with", "made with", "built with", "exported with", "http://", "https://")
_EDGES = " :,;|" + DASHES
_WORDS = ("with ", "w/", "w ", "mit ", "带", "配")
"""What may stand between a model and what it carries."""
_JOINS = (":", "+", ",", "&", *_WORDS)
"""What may follow a card's rice, before further cards."""
_BLANKS = re.compile(r"\s{2,}")
_JOINED = re.compile(r"\s*[:+,&带配]|\s+(?:with |w/|w |mit )", re.IGNORECASE)
_CARRIED = re.compile(r" (w/|with |w |mit |\+ )| ?([带配])", re.IGNORECASE)
"""The same in the name of a card, before its rice."""
_FRILLS = " #>`*_|"


@dataclass(frozen=True, slots=True)
class WarbandLine:
    """One line: its words, without bullet, rice and count, and whatever else it says.

    `head` is a heading's text ("" for none): builders frame it with plus signs, people with hashes.
    `options` are the parts after a colon. `figures` are the plain form's Ki with cap, and wounds: they alone
    show for certain that a line is a model (`is_plain` marks any line of that form). An impossible count,
    rice or name is dropped; `odd` says which of them it was. `is_loose` rice makes no unknown name a card.
    """

    number: int
    text: str
    words: str = ""
    rice: int | None = None
    count: int = 1
    indent: int = 0
    marked: bool = False
    below: bool = False
    head: str = ""
    options: tuple[WarbandLine, ...] = ()
    figures: tuple[str, str] | None = None
    is_plain: bool = False
    odd: str = ""
    is_loose: bool = False


@dataclass(frozen=True, slots=True)
class Worth:
    """A sum of rice: where it is in the text, how much it is, and of what limit.

    It is loose right behind a colon or a comma, where numbers of other things may stand.
    """

    start: int
    end: int
    rice: int
    limit: int | None
    is_loose: bool = False


def rows_of(text: str, catalogue: Catalogue | None = None) -> tuple[list[tuple[int, str]], bool]:
    """The rows of a list by their numbers, and whether it went on beyond those that are read.

    With a catalogue, rows that an app has wrapped are joined where both are parts of a model's name.
    """
    belongs = None if catalogue is None else partial(_belongs, catalogue)
    return numbered_rows(text, MAX_LINES, _HEADS, belongs)


def lines_of(text: str) -> tuple[tuple[WarbandLine, ...], bool]:
    """The lines of a list that say something, and whether it went on beyond those that are read."""
    rows, is_longer = rows_of(text)
    return tuple(lines_in(rows)), is_longer


def lines_in(rows: Iterable[tuple[int, str]]) -> Iterator[WarbandLine]:
    """The lines in rows, one after another."""
    for number, row in rows:
        yield from _lines(number, row)


def _belongs(catalogue: Catalogue, above: str, row: str) -> bool:
    """Whether a row goes on with the name that the row above it has begun, or has its rice."""
    if max(len(above), len(row)) > _REACH:
        return False
    uppers, lowers = list(_lines(0, above)), list(_lines(0, row))
    upper = uppers[-1] if uppers else None
    if upper is None or upper.head or upper.is_plain or upper.rice is not None or not upper.words:
        return False
    if row.strip()[:1] in ("[", "(") and _PRICE.fullmatch(row.strip()):
        return True
    lower = lowers[0] if lowers else None
    if lower is None or lower.head or lower.marked or lower.is_plain or ":" in above or not lower.words:
        return False
    is_both = catalogue.knows(upper.words) and catalogue.knows(lower.words)
    return not is_both and catalogue.begins(f"{upper.words} {lower.words}")


def worth_in(text: str) -> Worth | None:
    """The first sum of rice that a text names, in brackets or by its unit."""
    found = _RICE.search(text)
    if found is None:
        return None
    number = found[1] or found[3] or found[4] or found[5] or found[6]
    limit = int(found[2]) if found[2] else None
    return Worth(found.start(), found.end(), int(number.replace("−", "-")), limit, found[5] is not None)


def price_of(cell: str) -> int | None:
    """The rice that a text states which holds nothing else, such as `16`, `(16)` or `16 Rice`."""
    found = _PRICE.fullmatch(cell)
    return int(found[1]) if found else None


def _lines(number: int, row: str) -> Iterator[WarbandLine]:
    spread = levelled(row)
    # Looking for rice takes the square of the time that a run of blanks is long.
    text = _BLANKS.sub(" ", spread.lstrip())
    if not any(c.isalnum() for c in text) or text.strip(_FRILLS).casefold().startswith(_FOOTERS):
        return
    if len(text) > MAX_LENGTH:
        yield WarbandLine(number, text[:MAX_LENGTH], text[:MAX_LENGTH], odd="long")
        return
    head = _head(text)
    if head:
        yield WarbandLine(number, text, head=head)
        return
    indent = len(spread) - len(spread.lstrip())
    body, marked = unmarked(text.strip("#>`| "))
    below = body.startswith(". ")
    yield _cut(number, body.removeprefix(". ").strip(), indent, marked, below)


def _head(text: str) -> str:
    """The words of a heading, framed by plus signs or introduced by hashes; "" for any other line."""
    bare = text.strip("#> ")
    if bare.startswith("+") and (bare.endswith("+") or bare.startswith("++")):
        return bare
    return f"# {bare}" if text.startswith("#") else ""


def _cut(number: int, text: str, indent: int, marked: bool, below: bool) -> WarbandLine:
    body, _semicolon, more = text.partition(";")
    if more.strip("; ") or (";" in text and worth_in(body) is None):
        return _plain(number, text, indent, marked)
    line, behind = _card(number, body.rstrip(), below)
    return replace(line, indent=indent, marked=marked, options=tuple(_options(number, behind)))


def _card(number: int, text: str, below: bool) -> tuple[WarbandLine, str]:
    """The first card of a line, and what joins it from behind its rice."""
    before = _BEFORE.match(text)
    rest = text[before.end() :] if before else text
    worth = price_in(rest)
    words, rice, behind = (rest[: worth.start], worth.rice, rest[worth.end :]) if worth else (rest, None, "")
    if worth and not words.strip():
        words, behind = _named_behind(behind)
    words, behind = words.rstrip(_EDGES), behind.lstrip()
    joins = behind if behind.startswith(_JOINS) or worth_in(behind) else ""
    after = _AFTER.search(words) or (None if joins else _AFTER.search(f" {behind}"))
    counted = before or after
    count = int(counted[1]) if counted else 1
    words = words if before else _AFTER.sub("", words)
    is_loose = worth is not None and worth.is_loose
    line = WarbandLine(
        number,
        text,
        words,
        _rice(rice),
        _count(count),
        below=below,
        odd=_odd(rice, count),
        is_loose=is_loose,
    )
    return line, joins


def price_in(text: str) -> Worth | None:
    """What a card costs: a sum of rice, or a number right behind the name or before it."""
    near = text[:_REACH]
    front, bare = _FRONT.match(near), _BARE.search(near)
    has_sign = front is not None and front[3] is None
    worth = None if has_sign else worth_in(near[: bare.end()] if bare else near)
    if worth is None and front:
        return Worth(0, front.end(), int(front[1] or front[2] or front[3]), None, is_loose=True)
    return worth or (Worth(bare.start(), bare.end(), int(bare[1]), None, is_loose=True) if bare else None)


def _named_behind(text: str) -> tuple[str, str]:
    """The name that follows its rice, and what joins it from behind."""
    joined = _JOINED.search(text)
    return (text[: joined.start()], text[joined.start() :]) if joined else (text, "")


def _plain(number: int, text: str, indent: int, marked: bool) -> WarbandLine:
    """A line of the plain form: name; rice; Ki/cap; wounds; count. Only the name is required."""
    name, rice, ki, wounds, count, *_rest = [part.strip() for part in text.split(";")] + [""] * 4
    figures = (ki, wounds) if text.count(";") > 1 else None
    amount = int(rice.replace("−", "-")) if _NUMBER.fullmatch(rice) else None
    models = int(count) if count.isascii() and count.isdigit() and len(count) < 7 else 1 if not count else -1
    odd = "rice" if rice and amount is None else _odd(amount, models)
    return WarbandLine(
        number,
        text,
        name,
        _rice(amount),
        _count(models),
        indent,
        marked,
        figures=figures,
        is_plain=True,
        odd=odd,
    )


def _options(number: int, text: str) -> Iterator[WarbandLine]:
    """The cards behind another's rice: after a sign that joins them, or with rice of their own."""
    for part in _parted(text):
        joins = part
        while joins:
            bare = _without_word(joins.strip(" :+,&" + DASHES))
            line, joins = _card(number, bare, below=True)
            if any(map(str.isalnum, line.words)):
                yield line


def _without_word(text: str) -> str:
    """A card without the word that joins it to its bearer."""
    return next((text[len(word) :].lstrip() for word in _WORDS if text.casefold().startswith(word)), text)


def carried(line: WarbandLine) -> tuple[WarbandLine, bool] | None:
    """A line whose name holds what its model carries, as in `Kizoko w/ Lantern (17)`, in its parts.

    Only `w/` is certain to be no part of a name.
    """
    found = _CARRIED.search(line.words)
    if found is None or not found.start():
        return None
    options = _options(line.number, line.words[found.end() :].replace(" + ", ", "))
    parted = replace(line, words=line.words[: found.start()], options=(*options, *line.options))
    return parted, found[1] is not None and found[1].casefold() == "w/"


def _parted(text: str) -> Iterator[str]:
    """The parts between commas; a comma inside brackets separates nothing."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth <= 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _rice(stated: int | None) -> int | None:
    return None if stated is None or not 0 <= stated <= 99 else stated


def _count(stated: int) -> int:
    return min(max(stated, 1), MAX_COUNT)


def _odd(rice: int | None, count: int) -> str:
    if rice is not None and _rice(rice) is None:
        return "negative" if rice < 0 else "rice"
    return "count" if _count(count) != count else ""


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
_SECTIONS_ABROAD = {
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
_SUM_OF = re.compile(r"([0-9]{1,6})(?:\s*/\s*([0-9]{1,6}))?")
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
    is_section = (key.endswith(("s", *_WITHOUT_PLURAL)) or key in _SECTIONS_ABROAD) and not line.is_plain
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
    numbers = _SUM_OF.search(stated.get("total", ""))
    limit = _SUM_OF.search(stated.get("limit", ""))
    return Heading(
        faction=own_faction(stated["faction"]) if "faction" in stated else "",
        theme=stated.get("theme", ""),
        name=stated.get("name", ""),
        game=stated.get("game", ""),
        total=int(numbers[1]) if numbers else None,
        limit=int(limit[1]) if limit else int(numbers[2]) if numbers and numbers[2] else None,
    )


def is_player(part: str) -> bool:
    """Whether a part of a line says who plays, or nothing that a warband keeps."""
    key, colon, _value = part.partition(":")
    return bool(colon) and _KEYS.get(plain(key)) == "player"


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
    is_label = plain(kind).endswith(("s", *_WITHOUT_PLURAL)) or plain(kind) in _SECTIONS_ABROAD
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
    if key in _SECTIONS_ABROAD or key.endswith(("s", *_WITHOUT_PLURAL)):
        return True
    return line.text.rstrip(" *_").endswith(":")


def _section(words: str) -> str | None:
    if other := _SECTIONS_ABROAD.get(plain(words)):
        return other
    key = plain(words).removeprefix("faction").removeprefix("ronin").removesuffix("s").removesuffix("card")
    return _SECTIONS.get(key.removesuffix("s"))
