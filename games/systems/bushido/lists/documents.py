"""Rosters as BattleScribe and New Recruit save them (`.ros`): XML turned into the plain lines people paste.

The parser is the standard library's, kept on a short leash: a document type ends the reading, so there
is no entity to expand and nothing to fetch; depth and size are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from games.core.validation import Unreadable
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.bushido.lists.warband_lines import is_other_game

_KEPT = {
    *("costLimits", "costLimit", "costs", "cost", "forces", "force", "selections", "selection"),
    *("profiles", "profile", "characteristics", "characteristic", "categories", "category"),
}
_DEEPEST = 60
_MOST_ELEMENTS = 100_000
_LONGEST_FIGURE = 40
_FIGURES = ("Ki", "Ki Cap", "Wounds")
_BLANK = "\ufeff \t\n"
"""What may come before a document without being a part of it."""


@dataclass(slots=True)
class Element:
    """An element of a document that says something about a warband."""

    tag: str
    attributes: Mapping[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def get(self, name: str) -> str:
        """An attribute on one line, "" if there is none."""
        return " ".join(self.attributes.get(name, "").split())

    def within(self, *tags: str) -> Iterator[Element]:
        """The elements at the end of this path of tags."""
        if not tags:
            yield self
            return
        for child in self.children:
            if child.tag == tags[0]:
                yield from child.within(*tags[1:])


def is_document(text: str) -> bool:
    """Whether a text is XML."""
    return text.lstrip(_BLANK).startswith(("<?xml", "<roster", "<!"))


def text_of(text: str) -> str:
    """A document as plain lines, each force a list of its own; any other text as it is."""
    if not is_document(text):
        return text
    root = _parsed(text)
    if root is None or root.tag != "roster":
        raise Unreadable(say(_("This file is no roster. Please save the warband itself as a roster.")))
    forces = list(root.within("forces", "force"))
    lists = ["\n".join(_force(root, force, is_only=len(forces) == 1)) for force in forces]
    if not lists:
        raise Unreadable(say(_("This roster holds no warband.")))
    return "\n\n".join(lists) + "\n"


# --- the parser -----------------------------------------------------------------------------------


class _Builder:
    """Builds the elements worth keeping, and skips whatever is inside others."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self.open: list[Element | None] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > _MOST_ELEMENTS or len(self.open) > _DEEPEST:
            raise Unreadable(say(_("This file is built too strangely to be a roster.")))
        parent = self.open[-1] if self.open else None
        name = tag.rpartition(":")[2]
        element = None
        if not self.open or (parent is not None and name in _KEPT):
            element = Element(name, attributes)
            if parent is None:
                self.root = element
            else:
                parent.children.append(element)
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def say(self, text: str) -> None:
        element = self.open[-1] if self.open else None
        if element is not None and element.tag == "characteristic" and len(element.text) < _LONGEST_FIGURE:
            element.text += text

    def refuse(self, *_declared: Any) -> None:
        raise Unreadable(say(_("This file declares a document type, which no roster needs.")))


def _parsed(text: str) -> Element | None:
    parser, builder = expat.ParserCreate(), _Builder()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.say
    parser.StartDoctypeDeclHandler = builder.refuse
    parser.EntityDeclHandler = builder.refuse
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(text.lstrip(_BLANK), True)
    except expat.ExpatError:
        raise Unreadable(
            say(_("This roster is damaged or cut off. Please copy or save all of it once more."))
        ) from None
    return builder.root


# --- a force as lines -----------------------------------------------------------------------------


def _force(root: Element, force: Element, *, is_only: bool) -> Iterator[str]:
    game = root.get("gameSystemName")
    if is_other_game(game):
        yield f"Game: {_value(game)}"
    yield f"Faction: {_value(force.get('catalogueName'))}"
    if root.get("name"):
        yield f"Name: {_value(root.get('name'))}"
    for limit in root.within("costLimits", "costLimit"):
        if _whole(limit.get("value")) > 0 and _is_rice(limit):
            yield f"Limit: {_whole(limit.get('value'))}"
    sections: dict[str, list[str]] = {}
    for selection in force.within("selections", "selection"):
        sections.setdefault(_section(selection), []).extend(_lines(selection))
    for section, lines in sections.items():
        yield from ("", f"+ {section} +", *lines)
    if is_only and any(map(_is_rice, root.within("costs", "cost"))):
        yield from ("", f"Total: {_rice(root)}")


def _section(selection: Element) -> str:
    """The heading that a selection goes under: its primary category, else by its figures."""
    for category in selection.within("categories", "category"):
        if category.get("primary") == "true" and category.get("name") != "Uncategorised":
            return category.get("name").strip("+ ")
    is_model = selection.get("type") in ("model", "unit") or _models(selection)
    return "Profile Cards" if is_model else "Other Cards"


def _lines(selection: Element) -> list[str]:
    """A card and what belongs to it: its models with their figures and, below the first, what it carries."""
    if _stands_below(selection):
        return [f"{_name(selection)};{_rice(selection)}"]
    first, *others = _model_lines(selection)
    below = [one for one in selection.within("selections", "selection") if not _is_recruited(one)]
    return [first, *(f"  {_name(one)};{_rice(one)}" for one in below), *others]


def _model_lines(selection: Element) -> list[str]:
    """The models of a card and those that come with it; the card's own cost goes to the first."""
    rice, number = _rice(selection), _number(selection)
    lines = [f"{name};{{}};{figures};{number}" for name, figures in _models(selection).items()]
    brought = [one for one in selection.within("selections", "selection") if _is_recruited(one)]
    if not lines and not brought:
        return [f"{_name(selection)};{rice};;;{number}"]
    own = [line.format(rice * (at == 0)) for at, line in enumerate(lines)]
    theirs = [line for one in brought for line in _lines(one)]
    return [*own, *theirs] if own else [_dearer(theirs[0], rice), *theirs[1:]]


def _dearer(line: str, rice: int) -> str:
    name, stated, figures = line.split(";", 2)
    return f"{name};{int(stated) + rice};{figures}"


def _is_recruited(selection: Element) -> bool:
    return bool(_models(selection)) and "Reference" not in _section(selection)


def _stands_below(selection: Element) -> bool:
    section = _section(selection).casefold()
    return not any(word in section for word in ("profile", "model")) and bool(section)


def _models(selection: Element) -> dict[str, str]:
    """The models of a card by name, each as `Ki/cap;wounds`."""
    found: dict[str, str] = {}
    for profile in selection.within("profiles", "profile"):
        told = profile.within("characteristics", "characteristic")
        stated = {one.get("name"): _plain(one.text) for one in told}
        if any(name in stated for name in _FIGURES):
            ki, cap, wounds = (stated.get(name, "") for name in _FIGURES)
            found.setdefault(_plain(profile.get("name")) or _name(selection), f"{ki}/{cap};{wounds}")
    return found


def _name(selection: Element) -> str:
    return _plain(selection.get("name")) or "?"


def _plain(text: str) -> str:
    """Text without the semicolons that separate the parts of a line, and without the sign of a heading."""
    return " ".join(text.replace(";", ",").split()).lstrip("#> ")


def _value(text: str) -> str:
    """Text without the bars that separate headings on one line."""
    return text.replace("|", "/")


def _is_rice(cost: Element) -> bool:
    return "rice" in cost.get("name").casefold()


def _rice(selection: Element) -> int:
    return sum(_whole(cost.get("value")) for cost in selection.within("costs", "cost") if _is_rice(cost))


def _number(selection: Element) -> int:
    return _whole(selection.get("number")) or 1


def _whole(text: str) -> int:
    """A number such as "16.0" as a whole one; 0 for anything else or an absurd size."""
    digits = text.partition(".")[0].strip()
    is_number = digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit()
    return int(digits) if is_number and len(digits) < 6 else 0
