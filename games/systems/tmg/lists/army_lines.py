"""What the lines of a pasted army list say, before anybody asks what they mean together.

A line is cut into names, prices, numbers and marks in one pass over at most 200 characters. Headings, bare
prices and sub-titles behind prices are recognised here, and where one list ends and the next begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from games.core.army_lists import DASHES, framed, levelled, narrowed, numbered_rows, unmarked
from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    ENEMY,
    NCU,
    UNIT,
    Catalogue,
    Fact,
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
    found = _SECTIONS.get(plain(words))
    if found is None and any(sign in words for sign in "/("):
        twice = {_SECTIONS.get(plain(part)) for part in re.split("[/()]", words) if part.strip()}
        found = twice.pop() if len(twice) == 1 else None
    return found


LEADER = "|".join(map(re.escape, _COMMANDER))
"""The words for a Commander, as a pattern."""


_SECTIONED = r"(?:combat|non[- ]combat) units?|ncus?|(?:enemy )?attachments|tactics cards"
_PHRASES = sorted((word for words in _STATED.values() for word in words), key=len, reverse=True)
_HEADS = re.compile(
    rf"(?<!\S)(?:{'|'.join(map(re.escape, _PHRASES))}|{_SECTIONED})\s?:"
    rf"|(?<!\S)(?P<alone>{_SECTIONED})(?!\S)|(?<!\S)(?=(?:made|built|created) with\s)",
    re.IGNORECASE,
)
"""Where headings begin in a list without lines; a heading `alone` ends before the next word."""
MAX_LINES = 200
MAX_LENGTH = 200
LEAST_SIZE = 20
"""Army points that no card costs by itself: a title states them as the size of the army."""

POINTS = r"pts?|points?|pkte?|punkt(?:e|y|ów)?|puntos?|punti|分|点"
_AND, _WITH = "and|und|et|y|e|i", "with|mit|avec|con"
_BRACKET = (
    # Nothing is tried twice: whoever pastes a thousand blanks must not keep the server busy.
    r"[(\[]\s*+(?:(?:cost|kosten|费用)s?\s*+:?\s*+)?+"
    rf"([-−]?[0-9]{{1,3}}|C)\s*+(?:{POINTS}|p)?\.?\s*+[)\]]"
)
_COST = re.compile(
    rf"(?:{_BRACKET}"
    rf"|\s([0-9]{{1,3}})\s*(?:{POINTS})\.?"
    rf"|\s[{DASHES}:=]\s*([0-9]{{1,2}})"
    rf"|[:=,|]\s*(?P<loose>[0-9]{{1,2}}))(?:\s*\((?P<behind>[^()0-9]+)\))?$",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"[(\[]([^()\[\]]*[^\W\d][^()\[\],\s]*+)[,\s]++([0-9]{{1,2}})\s*+(?:{POINTS})\.?\s*[)\]]"
    r"(?:\s*[(\[][^()\[\]]*[)\]])?$",
    re.IGNORECASE,
)
"""A sub-title and a cost in one bracket: the cost is this piece's own, also before that of the whole unit."""
_BEFORE_MORE = re.compile(
    rf"(?<=[^\W\d])\s?[{DASHES},:]?\s+(1?[0-9])\s?(?:{POINTS})\.?\s?[{DASHES},:&]?\s+(?=[^\W\d])(?!x\s*[0-9])",
    re.IGNORECASE,
)
"""A price without brackets, before more words of its line."""
_TIMES = r"(?:[1-9][0-9]?\s*[x×]|[x×]\s*[1-9][0-9]?)"
_COPIES = re.compile(rf"^{_TIMES}\s+|(?<!\s)\s+[(\[]?{_TIMES}[)\]]?$", re.IGNORECASE)
"""How many of a kind: before the name, or at the end. Blanks are tried once, from the first of a row."""
_NEXT = re.compile(rf"(?<=[)\]])\s*(?:[,;.&]|[{DASHES}]++>?(?=.*[)\]]$))\s*")
"""Between two pieces on one line: a cost in brackets ends the first; behind a dash stands another one."""
_COMMAS = re.compile(rf"(?<!\s)\s*[,;]\s*(?:(?:&|(?:{_AND})\s)\s*)?", re.IGNORECASE)
_ANDS = re.compile(rf"(?<!\s)(?:\s*&\s*|\s+(?:{_AND})\s+)", re.IGNORECASE)
_JOINED = re.compile(rf"(?:(?:{_WITH})\s|w/|\+|[↳└├╰]─*)\s*", re.IGNORECASE)
_JOIN = re.compile(rf"\s(?:(?:{_WITH}):?|w/|\+)\s|(?<=[)\]])\s*:\s(?!\s*[0-9]{{1,2}}$)", re.IGNORECASE)
_RIDES = re.compile(r"(.+?)\s(?:in|im|bei|dans|@)\s(.+)", re.IGNORECASE)
"""A character, and the unit in which he fights."""
_INSIDE = re.compile(r"(.*[^\s(])\s?(?:\(|(?<=\s)[\"“„«'‘])([^()]*[^\W\d][^()]*)[)\"”“»'’]")
"""A name, and words in brackets or between quotes behind it."""
_ONLY_PRICE = re.compile(rf"\s*[(\[]?\s*[0-9]{{1,2}}\s*(?:{POINTS})?\.?\s*[)\]]?\s*", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:[,&+]|\s(?:{_AND}|{_WITH}|w/))\s*$", re.IGNORECASE)
"""The end of a row that goes on in the next one."""
_NOTE = re.compile(r"(?<=[)\]])\s*+(?=//|/\*|#|<-|<!--|←)|(?<=\S)\s++(?=//|/\*|#(?!\s?[0-9])|<-|<!--|←)")
"""Before what people write for themselves, behind a sign that says so; “#2” may be a part of a name."""
_REST = re.compile(
    rf"^(?![(\[0-9]).*?[^\W_]['’”\"»]?\s*{_BRACKET}(\s*+(?:[{DASHES}]++>?\s*+)?)(?=[^\W\d])(?!x\s*[0-9])",
    re.IGNORECASE,
)
"""A name and its price in brackets, with more words behind them."""
NOTE, REST = "note", "rest"
_FOOTERS = ("built on", "built with", "made with", "created with", "find list at", "http://", "https://")
_TITLES = re.compile(rf"\s[{DASHES}]\s|\s?[–—―]\s?")
_MINUS, _FREE = ("-", "−"), ("C", "c")
"""What stands before a cost below zero, and in place of a Commander's."""
_EDGES = " :,;|" + DASHES
_FRILLS = " `_*|>"
_LEADERS = rf"{LEADER}|general|warlord"
_LEADER = re.compile(
    rf"^(?:[(\[](?:{_LEADERS}|c)\.?[)\]]|👑|(?:{LEADER})(?=\s[^\W\d]))\s*"
    rf"|(?<!\s)\s*(?:[(\[](?:{_LEADERS})\.?[)\]]|[{DASHES},]\s*(?:{_LEADERS})|[*★☆⭐👑])$",
    re.IGNORECASE,
)
"""What people write before or behind the name of an army's Commander."""


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line, or the part of one after a `with`.

    `text` is what to quote; `words` is the name as written, without bullet and cost ("" if the line is too
    long to be one); `behind` are the words in brackets behind its cost. It is `marked` by a bullet, `joined`
    to the unit above by its own words, and `leads` if it marks a Commander. A cost below zero counts as none;
    a loose one stands right behind a colon or a comma, where the number of anything may stand. `is_title`:
    framed as a heading; `is_named`: its place on its line says that it names a piece. `aside` says how it
    stands behind a piece on its line: after the sign of a `NOTE`, or as the `REST`.
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

    @property
    def is_priced(self) -> bool:
        """Whether it states a cost in the way of pieces."""
        return self.cost is not None and not self.is_loose

    @property
    def is_sized(self) -> bool:
        """Whether it states the size of an army: more than any card costs, and no bullet before it."""
        return self.is_priced and not self.marked and (self.cost or 0) >= LEAST_SIZE

    @property
    def is_piece(self) -> bool:
        """Whether its form says that it names a piece: by a bullet or a cost, if it is no heading."""
        has_form = self.marked or (self.is_priced and not self.is_sized)
        return has_form and section(self.words) is None


def rows_of(text: str, catalogue: Catalogue | None = None) -> tuple[list[tuple[int, str]], bool]:
    """The rows of a list by their numbers, and whether it went on beyond the 200 that are read.

    With a catalogue, rows that an app has wrapped are joined where both are parts of a card's name.
    """
    belongs = None if catalogue is None else partial(_belongs, catalogue)
    return numbered_rows(text, MAX_LINES, _HEADS, belongs)


def lines_of(text: str) -> tuple[tuple[ListLine, ...], bool]:
    """The lines of a list that say something, and whether it went on.

    Horizontal rules, blank lines and a builder's advertisement say nothing.
    """
    rows, is_longer = rows_of(text)
    return tuple(lines_in(rows)), is_longer


def lines_in(rows: Iterable[tuple[int, str]]) -> Iterator[ListLine]:
    """The lines in rows, one after another."""
    for number, row in rows:
        yield from _lines(number, row)


def _belongs(catalogue: Catalogue, above: str, row: str) -> bool:
    """Whether a row goes on with what the row above it has begun: a name, a list of names, or its price."""
    uppers, lowers = list(_lines(0, above)), list(_lines(0, row))
    if len(above) > MAX_LENGTH or len(row) > MAX_LENGTH or not uppers or not lowers:
        return bool(uppers) and _ONLY_PRICE.fullmatch(row) is not None and uppers[-1].cost is None
    upper, lower = uppers[-1], lowers[0]
    stated = headers(upper.text)
    if lower.marked or lower.is_title or headers(lower.text) is not None or section(lower.words) is not None:
        return False
    if stated is None and _GOES_ON.search(above):
        return not upper.is_title
    begun = (stated or {}).get("commander", "") if stated is not None else upper.words
    if not begun or upper.is_title or (upper.cost is not None and stated is None) or bare_faction(upper):
        return False
    if section(upper.words) is not None or (lower.joined and not lower.text.startswith(tuple(DASHES))):
        return False
    whole = f"{begun} {lower.words}"
    return catalogue.begins(whole) and not (catalogue.named(begun) and catalogue.named(lower.words))


def headers(text: str) -> dict[str, str] | None:
    """What a heading line states (faction, commander, points, activations), or None for any other line."""
    stated: dict[str, str] = {}
    first = True
    for part in text.split("|"):
        key, colon, value = part.partition(":")
        name = plain(key)
        if first and not (colon and name in STATED):
            return None
        first = False
        if colon and STATED.get(name) and value.strip(_FRILLS):
            stated[STATED[name]] = value.strip(_FRILLS)
    return stated


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


def names_in(words: str, is_name: Callable[[str], bool]) -> Iterator[str]:
    """The names that words list one after another; a name may contain an “and” itself."""
    for part in _COMMAS.split(words):
        yield from _joined_in(part, is_name)


def _joined_in(words: str, is_name: Callable[[str], bool]) -> Iterator[str]:
    """The names that each “and” joins; as far as two belong together, that makes them one name."""
    ends = [*(found.span() for found in _ANDS.finditer(words)), (len(words), len(words))]
    start = 0
    while ends:
        whole = next((n for n in range(len(ends) - 1, 0, -1) if is_name(words[start : ends[n][0]])), 0)
        end, following = ends[whole]
        yield words[start:end]
        start, ends = following, ends[whole + 1 :]


def unpriced(words: str) -> str:
    """A heading's words without the number of points and the notes behind them."""
    first, *_asides = _sides(_NOTE.split(words, 1)[0])
    return _part(first, ListLine(0)).words


def _lines(number: int, row: str) -> Iterator[ListLine]:
    """The pieces of a row, and behind them those of its note."""
    if len(row) > MAX_LENGTH and len(row.strip()) > MAX_LENGTH:
        yield ListLine(number, row.strip()[:MAX_LENGTH])
        return
    spread = levelled(row)
    title = framed(spread)
    text = title.strip("+= ") if title else spread.lstrip(" #>`|")
    text = f"+ {text[2:]}" if text.startswith(". ") else text
    if not _says_something(text) or text.casefold().startswith(_FOOTERS):
        return
    form = ListLine(number, indent=0 if title else len(spread) - len(text), is_title=bool(title))
    body, marked = unmarked(text)
    stated = headers(body)
    if stated is None or "commander" in stated:
        body = _BEFORE_MORE.sub(r" (\1), ", body)
    body, *notes = [body] if stated else ["", body] if body.startswith("//") else _NOTE.split(body, 1)
    yield from _pieces(body, replace(form, marked=marked))
    for note in notes:
        yield from _pieces(note.lstrip("/*#<-!←"), replace(form, aside=NOTE))


def _pieces(body: str, form: ListLine) -> Iterator[ListLine]:
    """The pieces that stand one after another, each with what is joined to it."""
    for piece in filter(_says_something, _NEXT.split(body)):
        joined = _JOINED.match(piece)
        first, *others = _JOIN.split(piece[joined.end() :] if joined else piece)
        yield from _piece(first, replace(form, joined=bool(joined), is_named=bool(others)))
        for other in others:
            yield from _piece(other, replace(form, marked=False, joined=True))


def _piece(text: str, form: ListLine) -> Iterator[ListLine]:
    """A piece, and what stands behind its price as a line of its own."""
    first, *rest = _sides(text)
    yield _part(first, form)
    for words in rest:
        yield _part(words, replace(form, marked=False, joined=False, aside=form.aside or REST))


def _sides(text: str) -> list[str]:
    """A piece, and the words behind its price; what marks a Commander is no such words."""
    rest = None if _LEADER.search(text) else _REST.match(text)
    return [text[: rest.start(2)], text[rest.end() :]] if rest else [text]


def _says_something(text: str) -> bool:
    return any(c.isalnum() for c in text)


def _part(text: str, form: ListLine) -> ListLine:
    """A line of this form, with the name, the cost and the number that a text states."""
    text = text.strip(_FRILLS)
    bare, leads = _unmarked_leader(text)
    words, count = _counted(_WITHIN.sub(r"(\1) (\2)", bare))
    cost = _COST.search(words)
    if cost is None:
        return replace(form, text=text, words=words.rstrip(_EDGES), count=count, leads=leads)
    stated = next(filter(None, cost.groups()))
    name, more = _counted(words[: cost.start()].rstrip(_EDGES))
    name, leads_too = _unmarked_leader(name)
    return replace(
        form,
        text=text,
        words=name,
        cost=_points(stated),
        is_negative=stated.startswith(_MINUS),
        count=max(count, more),
        is_loose=cost["loose"] is not None,
        leads=leads or leads_too or stated in _FREE,
        behind=(cost["behind"] or "").strip(),
    )


def _unmarked_leader(words: str) -> tuple[str, bool]:
    """Words without what marks a Commander, and whether anything did."""
    name = _LEADER.sub("", words)
    return name, name != words


def _points(stated: str) -> int | None:
    """A cost as it is stated: a Commander's C is 0, and one below zero is none."""
    if stated in _FREE:
        return 0
    return None if stated.startswith(_MINUS) else int(stated)


def _counted(words: str) -> tuple[str, int]:
    """Words without a number of copies such as `2x`, and that number."""
    copies = _COPIES.search(words)
    if copies is None:
        return words, 1
    number = "".join(filter(str.isdigit, copies[0]))
    return (words[: copies.start()] + words[copies.end() :]).strip(), int(number)


_BEHIND = re.compile(r"(.*[^ .…<«‹/@~])[ .…<«‹/@~]+([0-9]{1,2}|C)(?: ?[pP])?[>»›/]?")
_BEFORE = re.compile(
    rf"[(\[]? ?([0-9]{{1,2}}) ?(?:(?:{POINTS}|p)\.?)? ?(?:[)\]] ?[{DASHES}:=|]?|[{DASHES}:=|]| ) ?(.+)",
    re.IGNORECASE,
)


def priced(lines: Iterable[ListLine], catalogue: Catalogue) -> list[ListLine]:
    """The lines, each with the bare number beside its name as its price if the list is priced so."""
    found = list(lines)
    for cut in (_behind, _before):
        cuts = {at: one for at, line in enumerate(found) if (one := _with_bare_price(line, cut, catalogue))}
        fitting = sum(_fits(one, catalogue) for one in cuts.values())
        if 2 * fitting > len(cuts):
            found = [cuts.get(at, line) for at, line in enumerate(found)]
    return found


def _with_bare_price(
    line: ListLine, cut: Callable[[str], tuple[str, str] | None], catalogue: Catalogue
) -> ListLine | None:
    """The line with its number as its price, if it states no other and only its other words name a card."""
    found = cut(" ".join(line.words.split())) if line.cost is None else None
    if found is None or catalogue.named(line.words):
        return None
    words, worth = found
    if not _cards_named(words, catalogue):
        return None
    leads = worth == "C"
    return replace(
        line, words=words, cost=0 if leads else int(worth), is_loose=True, leads=line.leads or leads
    )


def _behind(words: str) -> tuple[str, str] | None:
    found = _BEHIND.fullmatch(words)
    return (found[1], found[2]) if found else None


def _before(words: str) -> tuple[str, str] | None:
    found = _BEFORE.fullmatch(words)
    return (found[2], found[1]) if found else None


def _fits(line: ListLine, catalogue: Catalogue) -> bool:
    """Whether the price is that of a card of this name, or of so many of them."""
    return any(
        line.cost in (card.cost, card.cost * line.count) for card in _cards_named(line.words, catalogue)
    )


def _cards_named(words: str, catalogue: Catalogue) -> list[Fact]:
    return catalogue.named(*split_title(words))


def titled(lines: Iterable[ListLine], catalogue: Catalogue) -> Iterator[ListLine]:
    """The lines, each with the sub-title behind its price in its name, and units before their riders."""
    last: ListLine | None = None
    for line in (part for row in lines for part in _opened(row, catalogue)):
        if last is None:
            last = line
        elif _stands_behind(line, last) and (whole := _with_title(last, line.words, catalogue)):
            last = whole
        elif _stands_behind(line, last) and (unit := _ridden(line.words, catalogue)):
            yield replace(line, words=unit, marked=last.marked, is_named=True, joined=False, aside="")
            last = replace(last, marked=False, joined=True)
        else:
            yield last
            last = line
    if last is not None:
        yield last


def _ridden(words: str, catalogue: Catalogue) -> str:
    """The unit that words such as “in Dothraki Veterans” name; "" if they name none."""
    found = _RIDES.fullmatch(f"x {words}")
    return found[2] if found and _is_unit(found[2], catalogue) else ""


def _opened(line: ListLine, catalogue: Catalogue) -> list[ListLine]:
    """A line, or the cards that it names in brackets, or with “in”, each as a line of its own."""
    if line.behind and (whole := _with_title(line, line.behind, catalogue)):
        return [whole]
    if line.behind and _cards_named(line.behind, catalogue):
        attached = replace(line, words=line.behind, cost=None, count=1, marked=False, joined=True, behind="")
        return [replace(line, behind=""), attached]
    if headers(line.text) is not None or _cards_named(line.words, catalogue):
        return [line]
    rides, inside = _RIDES.fullmatch(line.words), _INSIDE.fullmatch(line.words)
    if rides and _is_unit(rides[2], catalogue) and _cards_named(rides[1], catalogue):
        unit = replace(line, words=rides[2], leads=False, is_named=True)
        return [unit, replace(line, words=rides[1], cost=None, marked=False, joined=True)]
    if inside is None or not _cards_named(inside[1], catalogue):
        return [line]
    first, names = (
        replace(line, words=inside[1]),
        [*names_in(inside[2], lambda name: _is_card(name, catalogue))],
    )
    if not all(_is_card(name, catalogue) for name in names):
        return [replace(first, behind=f"{inside[2]} {line.behind}".strip())]
    bare = replace(line, cost=None, count=1, marked=False, joined=True)
    return [replace(first, is_named=True), *(replace(bare, words=name) for name in names)]


def _is_unit(words: str, catalogue: Catalogue) -> bool:
    return any(card.kind == UNIT for card in _cards_named(words, catalogue))


def _is_card(words: str, catalogue: Catalogue) -> bool:
    return bool(_cards_named(words, catalogue))


def _stands_behind(line: ListLine, last: ListLine) -> bool:
    return line.number == last.number and last.cost is not None and line.cost is None


def _with_title(line: ListLine, title: str, catalogue: Catalogue) -> ListLine | None:
    """The line with this sub-title, also that of a heading which names the Commander."""
    name = unpriced((headers(line.text) or {}).get("commander", line.words))
    if not title or not catalogue.has(f"{name} {title}"):
        return None
    words = f"{line.words} - {title}"
    return replace(line, text=words, words=words)


MAX_LISTS = 20
"""The most lists that one text is cut into; the last keeps the rest."""
MAX_ROWS = 4000


def parts_of(text: str) -> tuple[str, ...]:
    """The lists of a text, each as its own text; text with one list or none is one part."""
    text = narrowed(text)
    parts = [part for part in _cut_apart(text.split("\n", MAX_ROWS)) if _names_units(part)]
    if len(parts) < 2:
        return (text,) if not parts or code_in(parts[0]) is None else (parts[0],)
    if len(parts) > MAX_LISTS:
        parts[MAX_LISTS - 1 :] = ["\n".join(parts[MAX_LISTS - 1 :])]
    return tuple(parts)


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
        found = _code_of(row)
        is_part = found is not None or looks_shared(row)
        if run and row.strip() and (not is_part or (found is not None and _is_start(found))):
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
    found = code_in(whole)
    if found is not None and (found.is_whole or first is None or not first.is_whole):
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
    return any(_is_piece(line) for line in lines_of(row)[0])


def _is_piece(line: ListLine) -> bool:
    if headers(line.text) is not None or bare_faction(line):
        return False
    return line.is_piece


def _names_units(part: str) -> bool:
    return code_in(part) is not None or any(_is_body(row) for row in part.split("\n"))
