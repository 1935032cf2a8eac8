"""A warband as a list states it: models, the cards beside them, and what to remark on."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.words import Line
from games.core.words import gettext_noop as _

MODEL, THEME, REFERENCE = "model", "theme", "reference"
CARDS = {
    "equipment": _("Equipment"),
    "enhancement": _("Enhancement"),
    "event": _("Event"),
    "terrain": _("Terrain"),
    "communal": _("Communal card"),
    "curse": _("Curse"),
    REFERENCE: _("Reference card"),
    "card": _("Other card"),
}
"""The kinds of cards other than models and the theme, by the key that rows store."""


@dataclass(frozen=True, slots=True)
class Model:
    """One profile card and how many models it stands for.

    `rice` is what the card costs with all its models; Ki, cap and wounds are as the card has them, such
    as "2", "X", "*" or "Special", and "" if nothing is known. `guessed` is the name as the list writes it,
    if the catalogue's was taken by likeness only.
    """

    name: str
    rice: int
    ki: str
    cap: str
    wounds: str
    count: int
    line: int = field(compare=False)
    guessed: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Card:
    """A card other than a model; `bearer` is the model that carries it, "" if there is none."""

    name: str
    kind: str
    rice: int
    line: int = field(compare=False)
    bearer: str = ""


@dataclass(frozen=True, slots=True)
class Warband:
    """A whole warband. Two are equal if they hold the same cards, wherever their lines stood.

    `total` is the rice that the list states, `limit` the size it was built for; None if it does not say.
    `warnings` are sentences for the player by the number of their line (0 for the whole), `name` is what the
    list calls itself.
    """

    faction: str
    theme: str
    limit: int | None
    total: int | None
    models: tuple[Model, ...]
    held: tuple[Card, ...] = ()
    warnings: tuple[tuple[int, Line], ...] = field(default=(), compare=False)
    name: str = field(default="", compare=False)

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards other than models."""
        return tuple(card.name for card in self.held)

    @property
    def rice(self) -> int:
        """The rice that all its cards add up to."""
        return sum(model.rice for model in self.models) + sum(card.rice for card in self.held)

    @property
    def size(self) -> int:
        """How many models it fields."""
        return sum(model.count for model in self.models)
