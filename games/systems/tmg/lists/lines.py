"""What one line of a pasted army list says, before anybody asks what it means.

Lists come from two builders and from people's hands: bullets of every kind,
`( 6 )`, `(6)`, `[6]` and `6 pts`, attachments indented or after `with`.
A line is cut into its parts in one pass over at most 200 characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from games.core.army_lists import DASHES, first_rows, levelled, unmarked
from games.systems.tmg.lists.catalogue import faction_key, plain
from games.systems.tmg.lists.headings import LEADER, STATED, section

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
_LEADER = re.compile(
    rf"^[(\[](?:{LEADER}|c)[)\]]\s*|(?<!\s)\s*(?:[(\[](?:{LEADER})[)\]]|[{DASHES},]\s*(?:{LEADER}))$",
    re.IGNORECASE,
)
"""What people write before or behind the name of an army's Commander."""


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line, or the part of one after a `with`."""

    number: int
    text: str = ""
    """What to quote."""
    words: str = ""
    """The name as written, without bullet and cost; "" if the line is too long to be one."""
    cost: int | None = None
    indent: int = 0
    marked: bool = False
    """Whether a bullet stands before it."""
    joined: bool = False
    """Whether its own words join it to the unit above."""
    is_negative: bool = False
    """Whether its cost is below zero, and so counts as none."""
    count: int = 1
    is_loose: bool = False
    """Whether its cost stands right behind a colon or a comma, where the number of anything may stand."""
    leads: bool = False
    """Whether it marks a Commander: by a C in place of the cost, or by that word."""
    behind: str = ""
    """The words in brackets behind its cost."""
    aside: str = ""
    """How it stands behind a piece on its line: after the sign of a `NOTE`, or as the `REST`; else ""."""

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


def lines_of(text: str) -> tuple[tuple[ListLine, ...], bool]:
    """The lines of a list that say something, and whether it went on beyond the 200 that are read.

    Horizontal rules, blank lines and a builder's advertisement say nothing.
    """
    rows, is_longer = first_rows(text, MAX_LINES)
    return tuple(line for number, row in enumerate(rows, start=1) for line in _lines(number, row)), is_longer


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
    text = spread.lstrip(" #>`|")
    if not _says_something(text) or text.casefold().startswith(_FOOTERS):
        return
    form = ListLine(number, indent=len(spread) - len(text))
    body, marked = unmarked(text)
    stated = headers(body)
    if stated is None or "commander" in stated:
        body = _BEFORE_MORE.sub(r" (\1), ", body)
    body, *notes = [body] if stated else _NOTE.split(body, 1)
    yield from _pieces(body, replace(form, marked=marked))
    for note in notes:
        yield from _pieces(note.lstrip("/*#<-!←"), replace(form, aside=NOTE))


def _pieces(body: str, form: ListLine) -> Iterator[ListLine]:
    """The pieces that stand one after another, each with what is joined to it."""
    for piece in filter(_says_something, _NEXT.split(body)):
        joined = _JOINED.match(piece)
        first, *others = _JOIN.split(piece[joined.end() :] if joined else piece)
        yield from _piece(first, replace(form, joined=bool(joined)))
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
