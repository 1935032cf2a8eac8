"""Rosters as builders save them, turned into plain lines: `name;rice;Ki/cap;wounds;count`."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Element, Unreadable, document_of, is_document, say, whole
from games.core import gettext_noop as _
from games.systems.bushido.lists.warband_lines import is_other_game


def text_of(text: str) -> str:
    """A saved roster as plain lines, each force a list of its own; any other text as it is."""
    root = document_of(text)
    if root is None and not is_document(text):
        return text
    if root is None or root.tag != "roster":
        raise Unreadable(say(_("This file is not a roster. Please save the warband as a roster file.")))
    forces = list(root.within("forces", "force"))
    if not forces:
        raise Unreadable(say(_("This roster holds no warband.")))
    return "\n\n".join("\n".join(_force(root, force, len(forces) == 1)) for force in forces) + "\n"


def _force(root: Element, force: Element, is_only: bool) -> Iterator[str]:
    stated = {"Game": root.get("gameSystemName"), "Faction": force.get("catalogueName")}
    stated |= {"Name": root.get("name")} if root.get("name") else {}
    if not is_other_game(stated["Game"]):
        del stated["Game"]
    # A bar separates headings on one line.
    yield from (f"{key}: {value.replace('|', '/')}" for key, value in stated.items())
    limits = (
        whole(cost_limit.get("value"))
        for cost_limit in root.within("costLimits", "costLimit")
        if _is_rice(cost_limit)
    )
    yield from (f"Limit: {limit}" for limit in limits if limit > 0)
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


def _lines(selection: Element, more: int = 0) -> list[str]:
    """A card, whose cost goes to its first model, with what that carries below; then who comes with it."""
    section, rice = _section(selection).casefold(), _rice(selection) + more
    if section and "profile" not in section and "model" not in section:
        return [f"{_name(selection)};{rice}"]
    parts = list(selection.within("selections", "selection"))
    others = [part for part in parts if _models(part) and "Reference" not in _section(part)]
    carried = [f"  {_name(part)};{_rice(part)}" for part in parts if part not in others]
    models = _models(selection) or ({} if others else {_name(selection): ";"})
    number = whole(selection.get("number")) or 1
    lines = [f"{name};{rice * (not at)};{models[name]};{number}" for at, name in enumerate(models)]
    for at, part in enumerate(others):
        lines += _lines(part, 0 if models or at else rice)
    return [lines[0], *carried, *lines[1:]]


def _models(selection: Element) -> dict[str, str]:
    """The models of a card by name, each as `Ki/cap;wounds`."""
    models: dict[str, str] = {}
    for profile in selection.within("profiles", "profile"):
        cells = profile.within("characteristics", "characteristic")
        stated = {cell.get("name"): _one_line(cell.text) for cell in cells}
        ki, cap, wounds = (stated.get(name) for name in ("Ki", "Ki Cap", "Wounds"))
        if {ki, cap, wounds} != {None}:
            name = _one_line(profile.get("name")) or _name(selection)
            models.setdefault(name, f"{ki or ''}/{cap or ''};{wounds or ''}")
    return models


def _name(selection: Element) -> str:
    return _one_line(selection.get("name")) or "?"


def _one_line(text: str) -> str:
    """Text without the semicolons that separate the parts of a line, and without the sign of a heading."""
    return " ".join(text.replace(";", ",").split()).lstrip("#> ")


def _is_rice(cost: Element) -> bool:
    return "rice" in cost.get("name").casefold()


def _rice(selection: Element) -> int:
    return sum(whole(cost.get("value")) for cost in selection.within("costs", "cost") if _is_rice(cost))
