"""Which matches an organiser wants to see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib.admin import BooleanFieldListFilter, SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.system import Cell, systems

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

STATES: dict[str, tuple[_StrPromise, dict[str, Any]]] = {
    "lobby": (gettext_lazy("Lobby"), {"finished_at": None, "round": 0}),
    "playing": (gettext_lazy("Playing"), {"finished_at": None, "round__gt": 0}),
    "finished": (gettext_lazy("Finished"), {"finished_at__isnull": False}),
}


class OfMatch(SimpleListFilter):
    """A filter on the match that a row belongs to (`at` is the lookup to it)."""

    at = ""

    def has_output(self) -> bool:
        """Hide the filter where there is only one choice."""
        return len(self.lookup_choices) > 1 or bool(self.value())

    def only(self, queryset: QuerySet, **conditions: Any) -> QuerySet:
        return queryset.filter(**{f"{self.at}{name}": value for name, value in conditions.items()})


class Game(OfMatch):
    """By game."""

    title = gettext_lazy("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(game.slug, _(game.title)) for game in systems()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return self.only(queryset, system=self.value()) if self.value() else queryset


class Mode(OfMatch):
    """By mode of a game."""

    title = gettext_lazy("mode")
    parameter_name = "mode"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(f"{game.slug}:{mode.slug}", _(mode.title)) for game in systems() for mode in game.modes]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        game, _colon, mode = (self.value() or "").partition(":")
        return self.only(queryset, system=game, mode=mode)


class State(OfMatch):
    """By how far a match has come."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(state, str(words)) for state, (words, _conditions) in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return self.only(queryset, **STATES[self.value() or ""][1]) if self.value() in STATES else queryset


class KindFilter(OfMatch):
    """The game and kind of a list of entries: not a choice for its reader, as each kind has its own page."""

    title = gettext_lazy("kind")
    parameter_name = "of"

    def has_output(self) -> bool:
        return False

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(self.value() or "", "")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """All rows: the stock list skips filters without output, so the rows were chosen earlier."""
        return queryset


def of_cell(name: str, cell: Cell) -> type[SimpleListFilter] | None:
    """A filter by words on a fact of the listed entries; None for a fact without choices."""
    among = cell.flags if cell.flags is not None else cell.among
    if among is None or not cell.is_listed:
        return None
    lookup = "icontains" if cell.flags is not None else "exact"
    choices = [(value, _(words)) for value, words in among.items() if value]

    class OfCell(SimpleListFilter):
        title = _(cell.label)
        parameter_name = f"is_{name}"

        def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
            return choices

        def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
            is_known = self.value() in dict(choices)
            return queryset.filter(**{f"facts__{name}__{lookup}": self.value()}) if is_known else queryset

    return OfCell


class Listed(BooleanFieldListFilter):
    """Whether a match is shown among the live tables."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = gettext_lazy("listed")


class GameOfMatch(Game):
    """By the game of a piece's match."""

    at = "match__"


class StateOfMatch(State):
    """By how far a piece's match has come."""

    at = "match__"
