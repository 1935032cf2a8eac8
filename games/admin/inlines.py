"""The pieces of a match on its page: armies, units, objectives, rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import InlineAdminFormSet
from django.http import HttpRequest

from games.admin.base import fieldsets, without
from games.admin.facts import loaded_of
from games.admin.forms import LineForm, PieceFormSet, piece_form
from games.core import pieces
from games.core.state import KINDS
from games.core.system import system
from games.match.storage import LoadedMatch
from games.models import Army, Match, Objective, Round, Unit

MOST_NEW = 20
"""How many pieces of one kind can be added in one save; any beyond that are not read."""


class Pieces(InlineAdminFormSet):
    """The forms of a kind of piece, each with the fields that its piece can have."""

    @classmethod
    def of(cls, stock: Any) -> Pieces:
        """The stock admin's forms, without the fields that a piece cannot have."""
        pieces = cls(stock.opts, stock.formset, stock.fieldsets)
        vars(pieces).update(vars(stock))
        return pieces

    def __iter__(self) -> Iterator[Any]:
        for one in super().__iter__():
            form: Any = one.form
            one.fieldsets = without(one.fieldsets, form.foreign)
            yield one


class PieceInline(admin.StackedInline):
    """Pieces of one kind, with the fields of the match's system."""

    kind = ""
    extra = 0
    formset = PieceFormSet
    show_change_link = True
    template = "admin/games/pieces.html"

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        loaded = loaded_of(obj)
        kwargs |= {"form": self.form_of(loaded), **limits(self, loaded)}
        return super().get_formset(request, obj, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return fieldsets(system(obj.system), self.kind)

    def form_of(self, loaded: LoadedMatch) -> Any:
        """The form class of this kind of piece."""
        return piece_form(loaded, self.kind, self.model, LineForm)


class ArmyInline(PieceInline):
    """The sides of a match."""

    model = Army
    kind = "army"
    template = "admin/edit_inline/stacked.html"

    def form_of(self, loaded: LoadedMatch) -> Any:
        """The form with all fields: armies are few, so each is shown whole."""
        return piece_form(loaded, self.kind, self.model)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("hidden")


class UnitInline(PieceInline):
    """The units of a match."""

    model = Unit
    kind = "unit"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("army").defer("army__hidden")


class ObjectiveInline(PieceInline):
    """The objectives of a match."""

    model = Objective
    kind = "objective"

    def get_queryset(self, request: HttpRequest) -> Any:
        found = super().get_queryset(request).select_related("claimed_by", "override")
        return found.defer("override__hidden")


class RoundInline(PieceInline):
    """The rounds of a match."""

    model = Round
    kind = "round"
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def shown(request: HttpRequest, match: Match) -> tuple[Any, ...]:
    """The kinds that a match uses, and for a submitted page those that it came with."""
    sent = request.POST if request.method == "POST" else {}
    return tuple(
        one for one in INLINES if is_used(one.kind, match) or f"{KINDS[one.kind]}-TOTAL_FORMS" in sent
    )


def is_used(kind: str, match: Match) -> bool:
    """Whether a match has such pieces or may still get them; objectives are laid before round 1."""
    loaded = loaded_of(match)
    if kind not in PLAIN or getattr(loaded.state, KINDS[kind]):
        return True
    is_laid = kind == "objective" and loaded.state.round > 0
    return loaded.state.types[kind] is not PLAIN[kind] and not is_laid


def limits(inline: Any, loaded: LoadedMatch) -> dict[str, Any]:
    """Options of a formset: how many forms it may have, and that it takes no fields from the rows."""
    most = len(getattr(loaded.state, KINDS[inline.kind])) + MOST_NEW
    # A 0 from the stock admin means that nothing may be added.
    return {"fields": (), "max_num": 0 if inline.max_num == 0 else most, "absolute_max": most}


PLAIN: dict[str, type[pieces.Piece]] = {"unit": pieces.Unit, "objective": pieces.Objective}
"""The kinds that not every game has: a game without one leaves the core's own class."""

INLINES: tuple[Any, ...] = (ArmyInline, UnitInline, ObjectiveInline, RoundInline)
