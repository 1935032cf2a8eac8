"""A warband as plain text: a document in short form, which the reader gives back unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from games.systems.bushido.lists.warband import Card, Model, Warband
from games.systems.bushido.rules import figures

_HEADINGS = {
    "equipment": "Equipment Cards",
    "enhancement": "Enhancement Cards",
    "event": "Event Cards",
    "terrain": "Terrain Cards",
    "communal": "Communal Cards",
    "curse": "Curse Cards",
    "reference": "Reference Cards",
    "card": "Other Cards",
}


def written(warband: Warband) -> str:
    """The warband in lines of `name;rice;Ki/cap;wounds;count` ; below each, what it carries."""
    parts = ["\n".join(_headers(warband)), "\n".join(["+ Models +", *_model_lines(warband)])]
    for kind, heading in _HEADINGS.items():
        cards = [card for card in warband.held if card.kind == kind and not _is_borne(warband, card)]
        if cards:
            parts.append("\n".join([f"+ {heading} +", *(card_line(card.name, card.rice) for card in cards)]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _model_lines(warband: Warband) -> Iterator[str]:
    for model in warband.models:
        yield model_line(model)
        for card in warband.held:
            if card.bearer == model.name and _is_borne(warband, card):
                yield f"  {card_line(card.name, card.rice)}"


def _is_borne(warband: Warband, card: Card) -> bool:
    return card.kind == "equipment" and any(card.bearer == model.name for model in warband.models)


def _headers(warband: Warband) -> list[str]:
    named = (("Faction", warband.faction), ("Theme", warband.theme), ("Name", warband.name))
    limit = () if warband.limit is None else (f"Limit: {warband.limit}",)
    return [*(f"{key}: {value}" for key, value in named if value), *limit]


def model_line(model: Model) -> str:
    """One model in the plain form."""
    ki = figures.written_ki(model.ki, model.cap)
    return f"{_safe(model.name)};{model.rice};{ki};{model.wounds};{model.count}"


def card_line(name: str, rice: int) -> str:
    """One other card in the plain form."""
    return f"{_safe(name)};{rice}"


def _safe(name: str) -> str:
    """A name without the character that separates a line's fields."""
    return name.replace(";", ",")
