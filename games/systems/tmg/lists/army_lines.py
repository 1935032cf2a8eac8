"""What the rows of a pasted army list say: the names of cards, wherever they stand, and what is around them.

A row is cut at its signs and prices into bits. As many bits as make the name of a card are that card, the
longest first; all others are names that nobody knows, or words. Headings are recognised here, and where one
list ends and the next begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

from games.core import DASHES, framed, levelled, narrowed, numbered_rows, unmarked
from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    ENEMY,
    FACTIONS,
    NCU,
    UNIT,
    Catalogue,
    faction_key,
    plain,
)
from games.systems.tmg.lists.army_codes import Code, code_in, looks_shared

CARDS = "cards"
"""The part of a list that names tactics cards."""

_COMMANDER = (
    "commander", "heerführer", "kommandant", "kommandeur", "commandant", "comandante", "dowódca", "cmdr",
    "cdr", "指挥官",
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


_ASIDE = re.compile(r"(?<=[^\W\d])\s*\((?:s|[^()]*[0-9][^()]*)\)")
"""What stands in brackets behind a heading: a plural, or how many and how much there is below."""


def section(words: str) -> str | None:
    """What stands below a heading, which may say it twice, as in “UCN/PNJ”; None for any other words."""
    words = _ASIDE.sub("", words)
    kind = _SECTIONS.get(plain(words))
    if kind is None and any(sign in words for sign in "/("):
        twice = {_SECTIONS.get(plain(part)) for part in re.split("[/()]", words) if part.strip()}
        kind = twice.pop() if len(twice) == 1 else None
    return kind


LEADER = "|".join(map(re.escape, _COMMANDER))
"""The words for a Commander, as a pattern."""


_SECTIONED = r"(?:combat|non[- ]combat) units?|ncus?|(?:enemy )?attachments|tactics cards"
_PHRASES = sorted((word for words in _STATED.values() for word in words), key=len, reverse=True)
_HEADS = re.compile(
    rf"(?<!\S)(?P<alone>(?:{'|'.join(map(re.escape, _PHRASES))})\s?:[^,;|:]{{1,60}}[,;]|{_SECTIONED})(?!\S)"
    rf"|(?<!\S)(?:{'|'.join(map(re.escape, _PHRASES))}|{_SECTIONED})\s?:"
    rf"|(?<!\S)(?=(?:made|built|created) with\s)",
    re.IGNORECASE,
)
"""Where headings begin in a list without lines; one that stands `alone`, or with its value, ends there."""
_SIDES = rf"(?:House )?(?:{'|'.join(map(re.escape, FACTIONS.values()))})"
_SIDED = re.compile(
    rf"((?:{'|'.join(map(re.escape, _STATED['faction']))})\s?:\s?{_SIDES}(?![^\s,;])|{_SIDES}(?=\s?:))"
    r"[\s:,;]+(.+)",
    re.IGNORECASE,
)
"""A faction with its heading, or before a colon, and what stands behind it on the same row."""
MAX_LINES = 200
MAX_LENGTH = 200
LEAST_SIZE = 20
"""Army points that no card costs by itself: a title states them as the size of the army."""
_MOST_BITS = 8
"""In how many bits a name is looked for: a sub-title may hold commas, and an “and” or “in”."""

POINTS = r"(?:pts?|points?|pkte?|punkt(?:e|y|ów)?|puntos?|punti|分|点)"
_AND, _WITH, _IN = "and|und|et|y|e|i", "with|mit|avec|con", "in|im|bei|dans"
_CUT = re.compile(
    rf" ?[(\[] ?(?:(?:cost|kosten|费用)s? ?:? ?)?(?P<cost>[-−]?[0-9]{{1,3}}|C) ?(?:{POINTS}|p)?\.? ?[)\]]"
    rf"|(?<!\S)(?P<points>[0-9]{{1,3}}) ?{POINTS}(?!\w)\.?"
    rf"|(?P<sign> ?(?:(?<=[ )\]])[{DASHES}]+>?(?= )|[–—―]|[,;](?: (?:&|{_AND})(?= ))?|[:=|&()\[\]\"“”„]) ?"
    rf"|(?:(?: |^)(?:{_AND}|{_IN})|(?<= )@) )",
    re.IGNORECASE,
)
"""What parts the bits of a row: a price, or a sign between words."""
_JOIN = re.compile(rf"(?:^|(?<= ))(?:(?:{_WITH}):? |w/ ?|\+ )|^(?:\+|[↳└├╰]─*) ?", re.IGNORECASE)
_NOTE = re.compile(r"(?<=[)\]])(?=//|/\*|#|<-|<!--|←)|(?:(?<= )|^)(?=//|/\*|#(?! ?[0-9])|<-|<!--|←)")
"""Before what people write for themselves, behind a sign that says so; “#2” may be a part of a name."""
_TIMES = r"(?:[1-9][0-9]? ?[x×]|[x×] ?[1-9][0-9]?)"
_COPIES = re.compile(rf"^{_TIMES}(?: |$)|(?:^| ){_TIMES}$", re.IGNORECASE)
"""How many of a kind: before the name, or at the end."""
_LEADS = re.compile(rf"(?:{LEADER}|general|warlord|c)\.?", re.IGNORECASE)
_LED = re.compile(rf"^(?:👑|(?:{LEADER})(?= \w)) ?| ?[★☆⭐👑]$", re.IGNORECASE)
"""What people write before or behind the name of an army's Commander."""
_BEHIND = re.compile(r"(.*[^ .…<«‹/@~])[ .…<«‹/@~]+([0-9]{1,2}|C)(?: ?p)?[>»›/]?", re.IGNORECASE)
_BEFORE = re.compile(r"([0-9]{1,2})(?: ?p\.?)? (.+)", re.IGNORECASE)
_FIGURE = re.compile(r"([0-9]{1,2}) ?(?:p\.?)?", re.IGNORECASE)
_ONLY_PRICE = re.compile(
    rf" *[(\[]? *[0-9]{{1,2}} *{POINTS}?\.? *[)\]]? *(?:$|(?<=[)\]] )[(\[])", re.IGNORECASE
)
"""A row that is a price, alone or before brackets."""
_GOES_ON = re.compile(rf"(?:[,&+]| (?:{_AND}|{_WITH}|w/))\s*$", re.IGNORECASE)
"""The end of a row that goes on in the next one."""
NOTE, REST = "note", "rest"
_FOOTERS = ("built on", "built with", "made with", "created with", "find list at", "http://", "https://")
_TITLES = re.compile(rf"\s[{DASHES}]\s|\s?[–—―]\s?")
_EDGES = " :,;|." + DASHES
_FRILLS = " `_*|>"


@dataclass(frozen=True, slots=True)
class ListLine:
    """A row, or one of the names in it.

    `text` is what to quote; `words` are a name as it is written ("" if the row is too long to be one),
    and it is `known` if cards have it; `behind` are words in brackets that are no part of it. It is
    `marked` by a bullet, `joined` to the unit above by its row's own words, `listed` behind another name
    (in a `pair`: by an “and”), `is_named` if its place says that it names a piece, and `leads` if it
    marks a Commander. A cost below zero counts as none; a loose one stands right behind a colon or a
    comma, where the number of anything may stand; a `bare` one has its side, no sign at all, and the
    words with it. `heads` is what a heading says of the rows below, `is_title`: framed as one. `aside`
    says how it stands behind a piece: after the sign of a `NOTE`, or as the `REST`.
    """

    number: int
    text: str = ""
    words: str = ""
    cost: int | None = None
    indent: int = 0
    marked: bool = False
    joined: bool = False
    is_negative: bool = False
    count: int = 1
    is_loose: bool = False
    leads: bool = False
    behind: str = ""
    is_title: bool = False
    is_named: bool = False
    aside: str = ""
    known: bool = False
    listed: bool = False
    pair: bool = False
    bare: tuple[str, str, str] | None = None
    heads: str | None = None

    @property
    def is_priced(self) -> bool:
        """Whether it states a cost in the way of pieces."""
        return self.cost is not None and not self.is_loose

    @property
    def has_price(self) -> bool:
        """Whether it states any cost."""
        return self.cost is not None or self.is_negative

    @property
    def is_sized(self) -> bool:
        """Whether it states the size of an army: more than any card costs, and no bullet before it."""
        return self.is_priced and not self.marked and (self.cost or 0) >= LEAST_SIZE

    @property
    def is_piece(self) -> bool:
        """Whether its form says that it names a piece: by a bullet or a cost, if it is no heading."""
        return self.heads is None and (self.marked or (self.is_priced and not self.is_sized))


def rows_of(text: str, catalogue: Catalogue) -> tuple[list[tuple[int, str]], bool]:
    """The rows of a list by their numbers, and whether it went on beyond the 200 that are read.

    Rows that an app has wrapped are joined where both are parts of a card's name.
    """
    return numbered_rows(text, MAX_LINES, _HEADS, partial(_belongs, catalogue))


def lines_in(
    rows: Iterable[tuple[int, str]], catalogue: Catalogue, *, has_headings: bool = True
) -> Iterator[ListLine]:
    """The lines in rows, one after another. Rules, blanks and a builder's advertisement say nothing."""
    for number, row in rows:
        yield from (replace(line, number=number) for line in _lines(row, catalogue, has_headings))


def _belongs(catalogue: Catalogue, above: str, row: str) -> bool:
    """Whether a row goes on with what the row above it has begun: a name, a list of names, or its price."""
    uppers, lowers = _lines(above, catalogue), _lines(row, catalogue)
    if len(above) > MAX_LENGTH or not uppers or uppers[-1].is_title or uppers[-1].heads is not None:
        return False
    upper, lower = uppers[-1], lowers[0] if lowers else ListLine(0)
    stated = headers(upper.text)
    if _ONLY_PRICE.match(row):
        return stated is None and not upper.has_price
    if stated is None and above.count("(") > above.count(")"):
        return ")" in row
    is_heading = lower.is_title or lower.heads is not None or headers(lower.text) is not None
    if not lower.words or lower.marked or is_heading:
        return False
    if stated is None and _GOES_ON.search(above):
        return True
    first = max(at for at, line in enumerate(uppers) if not line.listed)
    begun = " ".join(line.words for line in uppers[first:]) if stated is None else stated.get("commander", "")
    is_whole = (stated is None and upper.has_price) or bare_faction(upper) or not begun
    if is_whole or (lower.joined and not lower.text.startswith(tuple(DASHES))):
        return False
    is_both = catalogue.named(begun) and lower.known
    return not is_both and catalogue.begins(f"{begun} {lower.words}")


def headers(text: str) -> dict[str, str] | None:
    """What a heading line states (faction, commander, points, activations), or None for any other line."""
    parts = [part.partition(":") for part in text.split("|")]
    if not parts[0][1] or plain(parts[0][0]) not in STATED:
        return None
    stated = ((STATED.get(plain(key)), value.strip(_FRILLS)) for key, colon, value in parts if colon)
    return {meaning: value for meaning, value in stated if meaning and value}


def bare_faction(line: ListLine) -> str | None:
    """The faction that a line names if it says nothing else but a size, as a title does."""
    return None if line.marked else faction_key(line.words)


def split_title(words: str) -> tuple[str, str]:
    """Name and sub-title, from `Robb Stark – The Wolf Lord` or with a comma."""
    dash = _TITLES.search(words)
    if dash:
        return words[: dash.start()].strip(), words[dash.end() :].strip()
    name, _comma, title = words.partition(", ")
    return (name.strip(), title.strip()) if title else (words, "")


def first_name(words: str, catalogue: Catalogue) -> str:
    """The name with which words begin, without its price and what is behind it."""
    lines = list(_pieces(" ".join(words.split()), ListLine(0), catalogue))
    return lines[0].words if lines else words


@lru_cache(maxsize=2 * MAX_LINES)
def _lines(row: str, catalogue: Catalogue, has_headings: bool = True) -> tuple[ListLine, ...]:
    """The names of a row, and behind them those of its note; or its heading, and what stands behind that."""
    if len(row) > MAX_LENGTH and len(row.strip()) > MAX_LENGTH:
        return (ListLine(0, row.strip()[:MAX_LENGTH]),)
    spread = levelled(row)
    title = framed(spread)
    text = title.strip("+= ") if title else spread.lstrip(" #>`|")
    text = f"+ {text[2:]}" if text.startswith(". ") else text
    if not any(c.isalnum() for c in text) or text.casefold().startswith(_FOOTERS):
        return ()
    body, marked = unmarked(" ".join(text.split()))
    indent = 0 if title else len(spread) - len(text)
    form = ListLine(0, body.strip(_FRILLS), indent=indent, marked=marked, is_title=bool(title))
    if has_headings and (sided := _SIDED.fullmatch(body)):
        names = list(_pieces(sided[2], replace(form, text=""), catalogue))
        if any(name.known for name in names):
            return (replace(form, text=sided[1], words=sided[1], marked=False), *names)
    if has_headings and (headers(body) is not None or STATED.get(plain(body)) == "commander"):
        return (replace(form, words=body.strip(_EDGES + _FRILLS)),)
    head, colon, rest = body.partition(":")
    heads = section(head) if has_headings and colon else None
    joins = heads == ATTACHMENT and any(c.isalpha() for c in rest)
    if heads is not None:
        body = rest.strip() if any(c.isalpha() for c in rest) else ""
    names = list(_pieces(body, replace(form, text=""), catalogue))
    if joins:
        names = [replace(name, marked=False, joined=name.known or name.is_priced) for name in names]
    elif has_headings and names:
        names[0] = replace(names[0], heads=section(names[0].words))
    if heads is not None:
        return (replace(form, text=head, heads="" if joins else heads), *names)
    return tuple(names) or (form,)


def _pieces(body: str, row: ListLine, catalogue: Catalogue) -> Iterator[ListLine]:
    """The names in words of a row, and in those of its note."""
    words, *note = _NOTE.split(body, maxsplit=1)
    aside = replace(row, aside=NOTE, marked=False)
    for part, form in ((words, row), *((rest.lstrip("/*#<-!← "), aside) for rest in note)):
        joins = [*_JOIN.finditer(part)]
        starts, ends = [0, *(join.end() for join in joins)], [*(join.start() for join in joins), len(part)]
        for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
            is_first = at == 0 or not part[: ends[0]].strip()
            own = replace(
                form, marked=form.marked and is_first, joined=at > 0, is_named=at == 0 and len(starts) > 1
            )
            yield from _names(part[start:end].strip(), own, form, catalogue)


@dataclass(slots=True)
class _Bit:
    """Words between two signs or prices: the sign before them, and what is stated behind them.

    They `stop` before their price, which is at their `end`; `is_inside` says that they stand in brackets.
    """

    words: str
    sign: str = ""
    start: int = 0
    stop: int = 0
    end: int = 0
    cost: str = ""
    is_loose: bool = False
    count: int = 1
    leads: bool = False
    is_inside: bool = False

    def price(self, stated: str) -> None:
        """Take a price, if none was stated before; a Commander's C says more than that."""
        self.leads = self.leads or stated in "Cc"
        self.cost = stated if self.cost in ("", "C", "c") else self.cost


def _bits(text: str) -> list[_Bit]:
    """The bits of a text. What is stated before the first one is of that."""
    bits = [_Bit("")]
    sign, at, depth = "", 0, 0
    for cut in (*_CUT.finditer(text), None):
        words = text[at : cut.start() if cut else len(text)]
        at, start = cut.end() if cut else len(text), at + len(words) - len(words.lstrip(_FRILLS + "."))
        words = words.strip(_FRILLS + ".")
        if words:
            stop = start + len(words)
            is_last = not any(c.isalnum() for c in text[stop:])
            _add(bits, _Bit(words, sign, start, stop, stop, is_inside=depth > 0), is_last=is_last)
            sign = ""
        if cut is None:
            break
        if stated := cut["cost"] or cut["points"]:
            bits[-1].price(stated)
            bits[-1].end = cut.end() if bits[-1].words else 0
            sign = ""
        else:
            sign += cut[0]
            depth += sum((c in "([“„") - (c in ")]”") for c in cut[0])
            depth = (not depth) if '"' in cut[0] else max(depth, 0)
    return bits[1:] if len(bits) > 1 else []


def _add(bits: list[_Bit], bit: _Bit, *, is_last: bool) -> None:
    """Add a bit to those before it, unless it says no more of the last one than a mark or a number."""
    last = bits[-1]
    number = _FIGURE.fullmatch(bit.words)
    if number and (not last.words or (is_last and bit.sign.strip(" ()[]") and not last.cost)):
        last.price(number[1])
        last.is_loose = not bit.sign.startswith(" ")
        last.end = bit.end if last.words else 0
        return
    if _LEADS.fullmatch(bit.words) and (bit.sign or bit.words[0] not in "cC"):
        last.leads = True
        return
    for cut, meaning in ((_LED, ""), (_COPIES, "count"), (_COPIES, "count")):
        if mark := cut.search(bit.words):
            bit.words = (bit.words[: mark.start()] + " " + bit.words[mark.end() :]).strip(_FRILLS)
            bit.leads = bit.leads or not meaning
            bit.count = max(bit.count, int("".join(filter(str.isdigit, mark[0])) or 1))
    if not bit.words:
        last.count, last.leads = max(last.count, bit.count), last.leads or bit.leads
        return
    if not last.words:
        bit.words = f"{last.cost.strip('Cc')} {bit.words}".strip()
        bit.leads, bit.count = bit.leads or last.leads, max(last.count, bit.count)
    bits.append(bit)


def _parted(bit: _Bit, catalogue: Catalogue) -> list[_Bit]:
    """The bit, or several: two names of cards may stand side by side without any sign."""
    words = bit.words
    if len(words) != bit.stop - bit.start or catalogue.named(words):
        return [bit]
    for space in re.finditer(" ", words):
        left, right = words[: space.start()], words[space.end() :]
        if catalogue.named(left) and catalogue.named(right):
            at = bit.start + space.start()
            first = replace(bit, words=left, stop=at, end=at, cost="", is_loose=False)
            return [first, *_parted(replace(bit, words=right, sign=" ", start=at + 1), catalogue)]
    return [bit]


def _run(bits: list[_Bit], catalogue: Catalogue) -> tuple[int, str, tuple[str, str, str] | None]:
    """How many bits are the longest name of a card, the name, and its bare price; no name of none."""
    number = _BEFORE.fullmatch(bits[0].words)
    for start, worth in ((bits[0].words, ""), (number[2], number[1])) if number else ((bits[0].words, ""),):
        most = _MOST_BITS if catalogue.begins(start) else 1
        for size in range(min(most, len(bits)), 0, -1):
            parts = (
                (" - " if last.cost or not bit.sign.strip(" ()[]") else bit.sign) + bit.words
                for last, bit in pairwise(bits[:size])
            )
            words = start + "".join(parts)
            if catalogue.named(words):
                return size, words, ("before", worth, f"{worth} {words}") if worth else None
            if not worth and (behind := _BEHIND.fullmatch(words)) and catalogue.named(behind[1]):
                return size, behind[1], ("behind", behind[2], words)
    return 1, "", None


def _names(text: str, form: ListLine, row: ListLine, catalogue: Catalogue) -> list[ListLine]:
    """The names in a text, the longest first, and what stands between them."""
    lines: list[ListLine] = []
    bits, start, stop = [part for bit in _bits(text) for part in _parted(bit, catalogue)], 0, 0
    while bits:
        size, words, bare = _run(bits, catalogue)
        run, bits = bits[:size], bits[size:]
        if lines and not (lines[-1].known or lines[-1].has_price or " " in words):
            words, bare = "", None  # A short word behind words that nobody knows is one of them.
        line = replace(_line(text, run, words, form), bare=bare)
        closing = text[run[-1].stop : run[-1].stop + 1].strip('([, ;:=|&"“”„-')
        last, sign = lines[-1] if lines else None, run[0].sign.strip(" ()[]")
        is_and = sign not in ("", ",", ";", ":", "=", "|") and sign.strip(DASHES + ">") != ""
        if last is None:
            lines, start = [line], run[0].start
        elif not line.known and run[0].is_inside and (last.known or last.has_price):
            behind = f"{last.behind} {line.words}".strip()
            lines[-1] = replace(last, behind=behind, cost=line.cost if last.cost is None else last.cost)
        elif not line.known and not last.has_price and not (last.known and is_and):
            end = max(run[-1].end, run[-1].stop + len(closing))
            kept = {name: getattr(line, name) for name in ("cost", "is_loose", "is_negative")}
            lines[-1] = replace(
                last, text=text[start:end], words=last.words + text[stop : run[-1].stop] + closing, **kept
            )
        else:
            lines[-1:] = _two(last, line, row, sign, is_inside=run[0].is_inside)
            start = run[0].start
            is_pair = is_and and len(lines) == 2 and not bits
            lines[-1] = replace(lines[-1], pair=is_pair and lines[-1].listed)
        stop = run[-1].stop + len(closing)
    return lines


def _two(last: ListLine, line: ListLine, row: ListLine, sign: str, *, is_inside: bool) -> list[ListLine]:
    """A name, and the next one of its row: what the sign between them says of both."""
    if (line.known and is_inside) or (sign == ":" and (line.known or last.has_price)):
        return [replace(last, is_named=True), replace(line, marked=False, joined=True)]
    if line.known and last.known and re.fullmatch(f"{_IN}|@", sign, re.IGNORECASE):
        unit = replace(line, marked=last.marked, joined=False, is_named=True)
        return [unit, replace(last, marked=False, joined=True)]
    if last.has_price:
        is_next = bool(sign) and (line.has_price or (line.known and bool(sign.strip(DASHES + ">"))))
        aside = row.aside or ("" if is_next else REST)
        marked = row.marked and is_next
        return [last, replace(line, marked=marked, joined=False, is_named=False, aside=aside)]
    if not last.known and not last.joined:
        return [replace(last, marked=False, aside=REST), replace(line, marked=last.marked)]
    if not line.known and not line.has_price:
        return [last, replace(line, marked=False, joined=False, aside=REST)]
    return [last, replace(line, marked=last.marked, joined=last.joined, listed=True)]


def _line(text: str, run: list[_Bit], words: str, form: ListLine) -> ListLine:
    """The line of some bits: of a name that cards have, if there are `words`."""
    stated = next((bit.cost for bit in run if bit.cost), "")
    end = run[-1].end
    is_negative = stated.startswith(("-", "−"))
    return replace(
        form,
        text=text[run[0].start : end + (text[end : end + 1] in (")", "]"))],
        words=words or run[0].words,
        cost=None if is_negative or not stated else 0 if stated in "Cc" else int(stated),
        is_negative=is_negative,
        is_loose=any(bit.is_loose for bit in run),
        count=max(bit.count for bit in run),
        leads=any(bit.leads for bit in run),
        known=bool(words),
    )


def priced(lines: Iterable[ListLine], catalogue: Catalogue) -> list[ListLine]:
    """The lines, each with the bare number beside its name as its price if the list is priced so."""
    every = list(lines)
    for side in ("behind", "before"):
        bare = {at: (line, line.bare) for at, line in enumerate(every) if line.bare and line.bare[0] == side}
        fitting = sum(
            any(
                worth in (str(card.cost), str(card.cost * line.count)) for card in catalogue.named(line.words)
            )
            for line, (_side, worth, _words) in bare.values()
        )
        for at, (line, (_side, worth, words)) in bare.items():
            leads, cost = line.leads or worth in "Cc", 0 if worth in "Cc" else int(worth)
            as_price = replace(line, cost=cost, is_loose=True, leads=leads)
            every[at] = as_price if 2 * fitting > len(bare) else replace(line, words=words, known=False)
    return every


MAX_LISTS = 20
"""The most lists that one text is cut into; the last keeps the rest."""
MAX_ROWS = 4000
_NONE = Catalogue(())


def parts_of(text: str) -> tuple[str, ...]:
    """The lists of a text, each as its own text; text with one list or none is one part."""
    text = narrowed(text)
    parts = [part for part in _cut_apart(text.split("\n", MAX_ROWS)) if _names_units(part)]
    if not parts or (len(parts) == 1 and code_in(parts[0]) is None):
        return (text,)
    rest = "\n".join(parts[MAX_LISTS - 1 :])
    return (*parts[: MAX_LISTS - 1], rest) if rest else tuple(parts)


def _cut_apart(rows: list[str]) -> Iterator[str]:
    """A code is a list of its own; a heading that names a faction or commander after units begins another."""
    kept: list[str] = []
    has_body = False
    for rows_of_code, row in _codes(rows):
        if rows_of_code:
            yield "\n".join(kept)
            yield rows_of_code
            kept, has_body = [], False
            continue
        if has_body and _begins(row, kept):
            title = _title_above(kept)
            yield "\n".join(kept[: len(kept) - len(title)])
            kept, has_body = title, False
        kept.append(row)
        has_body = has_body or _is_body(row)
    yield "\n".join(kept)


def _codes(rows: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each row by itself, or the code that it forms with the rows after it."""
    run: list[str] = []
    for row in rows:
        code = _code_of(row)
        is_part = code is not None or looks_shared(row)
        if run and row.strip() and (not is_part or (code is not None and _is_start(code))):
            yield from _joined(run)
            run = []
        if is_part or run:
            run.append(row)
        else:
            yield "", row
    yield from _joined(run)


def _joined(run: list[str]) -> Iterator[tuple[str, str]]:
    """Rows that look like a code: as one if they form one, else each by itself."""
    whole = "".join(row.strip() for row in run)
    first = code_in(run[0]) if run else None
    code = code_in(whole)
    if code is not None and (code.is_whole or first is None or not first.is_whole):
        yield whole, ""
        return
    for row in run:
        yield (row.strip(), "") if code_in(row) else ("", row)


def _code_of(row: str) -> Code | None:
    return code_in(row) if ";" in row or ":" in row or "|" in row or looks_shared(row) else None


def _is_start(code: Code) -> bool:
    """Whether a code says whose army it is; later lines of a code broken into lines do not."""
    return bool(code.faction or code.limit or code.name)


def _begins(row: str, kept: list[str]) -> bool:
    stated = headers(row) if len(row) <= MAX_LENGTH else None
    if not stated:
        return False
    if "faction" in stated:
        return True
    return "commander" in stated and any("commander" in (headers(above) or {}) for above in kept[:12])


def _title_above(kept: list[str]) -> list[str]:
    """The lines right above a heading that belong to it: all after the last blank line, if none is a unit."""
    title: list[str] = []
    for row in reversed(kept):
        if not row.strip():
            return title[::-1]
        if _is_body(row):
            return []
        title.append(row)
    return []


def _is_body(row: str) -> bool:
    lines = lines_in([(0, row)], _NONE)
    return any(line.is_piece and headers(line.text) is None and not bare_faction(line) for line in lines)


def _names_units(part: str) -> bool:
    return code_in(part) is not None or any(_is_body(row) for row in part.split("\n"))
