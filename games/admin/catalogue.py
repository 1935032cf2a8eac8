"""Catalogue entries: the cards, models and scenarios that organisers keep, one typed form for each kind."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import cells, filters
from games.admin.base import BaseAdmin
from games.core.system import Cell, EntryKind, system, systems
from games.core.validation import Unreadable
from games.models import CatalogueEntry
from games.translation import words


class CatalogueEntryForm(forms.ModelForm):
    """One catalogue entry: its number, and a field for each fact that its game asks for."""

    of: tuple[str, str]
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = CatalogueEntry
        fields = ("slug",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        row = kwargs.get("instance")
        stands = cells.initial(self.made.cells, row.facts) | {"seen": row.version} if row and row.pk else {}
        super().__init__(*args, **{**kwargs, "initial": {**stands, **(kwargs.get("initial") or {})}})
        self.fields["slug"].disabled = bool(stands)
        self.instance.system, self.instance.kind = self.of

    @property
    def made(self) -> EntryKind:
        """What the game knows of this kind of catalogue entry."""
        slug, kind = self.of
        return system(slug).entry_kinds[kind]

    def clean(self) -> dict[str, Any]:
        """Check that the game can read the entry, and that nobody else has changed it meanwhile."""
        cleaned = super().clean() or {}
        self._refuse_stale(cleaned)
        facts = cells.facts_of(self.made.cells, cleaned)
        try:
            self.made.check(cleaned.get("slug", ""), facts)
        except Unreadable as unreadable:
            raise ValidationError(words(unreadable.line)) from unreadable
        self.instance.facts = {**self.instance.facts, **facts}
        return cleaned

    def _refuse_stale(self, cleaned: dict[str, Any]) -> None:
        rows = CatalogueEntry.objects.select_for_update().filter(
            system=self.of[0], kind=self.of[1], slug=cleaned.get("slug", "")
        )
        version = rows.values_list("version", flat=True).first()
        if self.instance.pk is None and version is not None:
            raise ValidationError(_("There is game data with this number already."))
        if self.instance.pk is not None and version != cleaned.get("seen"):
            raise ValidationError(_("Somebody else changed this. Open it again to see the new version."))


@admin.register(CatalogueEntry)
class CatalogueAdmin(BaseAdmin):
    """Entries, each kind of each game by itself; deleting one leaves the facts that come with its game."""

    list_filter = (filters.KindFilter,)
    search_fields = ("slug", "facts__name", "facts__title")
    list_per_page = 100
    change_list_template = "admin/games/catalogueentry/change_list.html"
    change_form_template = "admin/games/catalogueentry/change_form.html"

    # --- the lists -----------------------------------------------------------------------------

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The entries of one kind, or the list of kinds if none is asked for."""
        of = _asked(request)
        is_there = of in _known() or CatalogueEntry.objects.filter(system=of[0], kind=of[1]).exists()
        if is_there or not self.has_view_or_change_permission(request):
            return super().changelist_view(request, {"title": name_of(of), "of": of, **(extra_context or {})})
        return self._kinds(request, _("Game data"), "?of={}:{}")

    def get_queryset(self, request: HttpRequest) -> Any:
        slug, kind = _parted(request.GET.get("of", ""))
        found = super().get_queryset(request)
        return found.filter(system=slug, kind=kind) if "of" in request.GET else found

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of the kind that is asked for, or the list of kinds if none is."""
        known = _asked(request) in _known()
        if request.method != "GET" or known or not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        return self._kinds(request, _("Add game data"), "?system={}&kind={}")

    def _kinds(self, request: HttpRequest, title: str, address: str) -> HttpResponse:
        kept = CatalogueEntry.objects.order_by().values_list("system", "kind").distinct()
        kinds = [*_known(), *(of for of in kept if of not in _known())]
        links = [(address.format(*of), name_of(of)) for of in kinds]
        context = {**self.admin_site.each_context(request), "title": title, "kinds": links}
        return TemplateResponse(request, "admin/games/kinds.html", context)

    def get_list_display(self, request: HttpRequest) -> Any:
        listed = (_column(name, cell) for name, cell in _cells(_asked(request)).items() if cell.is_listed)
        return ("called", "slug", *listed, "changed_at")

    def get_list_filter(self, request: HttpRequest) -> Any:
        listed = (filters.of_cell(name, cell) for name, cell in _cells(_asked(request)).items())
        return (filters.KindFilter, *(one for one in listed if one is not None))

    @admin.display(description=gettext_lazy("name"), ordering="facts__name")
    def called(self, row: CatalogueEntry) -> str:
        made = _made(row.system, row.kind)
        return (made.called(row.facts) if made else "") or row.slug

    # --- one entry -----------------------------------------------------------------------------

    def heading(self, row: Any) -> tuple[str, str]:
        return self.called(row), name_of((row.system, row.kind))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = kwargs.get("obj")
        of = (row.system, row.kind) if row is not None else _of(request, None) or ("", "")
        lists = reverse("admin:games_catalogueentry_changelist")
        context["trail"] = [(lists, _("Game data")), (f"{lists}?of={of[0]}:{of[1]}", name_of(of))]
        if row is None:
            context["title"], context["subtitle"] = _("Add game data"), name_of(of)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=gettext_lazy("facts"))
    def in_words(self, row: CatalogueEntry) -> str:
        known = _cells((row.system, row.kind))
        values = ((name, str(value)) for name, value in row.facts.items() if value)
        return " · ".join(
            f"{_(known[name].label)}: {cells.in_words(known[name], text)}" if name in known else text
            for name, text in values
        )

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        of = _of(request, obj)
        if of is None or not self.has_change_permission(request, obj):
            return super().get_form(request, obj, change, **{**kwargs, "fields": ("slug",)})
        return type("CatalogueEntryForm", (CatalogueEntryForm,), {"of": of, **cells.form_fields(_cells(of))})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        of = _of(request, obj)
        if of is None or not self.has_change_permission(request, obj):
            return [(None, {"fields": ("slug", "in_words")})]
        return [(None, {"fields": ("slug", *cells.form_fields(_cells(of)), "seen")})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        is_form = _of(request, obj) is not None and self.has_change_permission(request, obj)
        return () if is_form else ("slug", "in_words")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and _of(request, None) is not None

    def get_preserved_filters(self, request: HttpRequest) -> str:
        """Lead back to the list of the entry's kind, even if the reader did not come from there."""
        kept = super().get_preserved_filters(request)
        of = getattr(request, "entry_kind", None) or _asked(request)
        return kept or urlencode({"_changelist_filters": f"of={of[0]}:{of[1]}"})

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            request.entry_kind = (row.system, row.kind)  # type: ignore[attr-defined]
        return row

    def save_model(self, request: HttpRequest, obj: CatalogueEntry, form: Any, change: bool) -> None:
        obj.version += 1 if change else 0
        super().save_model(request, obj, form, change)


Of = tuple[str, str]
"""A game and a kind of its entries."""


def name_of(of: Of) -> str:
    """What the entries of a kind are called; the short names if the game is no longer here."""
    made = _made(*of)
    return _(made.title) if made else ": ".join(of)


def _made(slug: str, kind: str) -> EntryKind | None:
    """What a game knows of a kind of catalogue entry; None for a game or kind that is no longer here."""
    return next((game.entry_kinds.get(kind) for game in systems() if game.slug == slug), None)


def _cells(of: Of) -> cells.Cells:
    made = _made(*of)
    return made.cells if made else {}


def _of(request: HttpRequest, row: CatalogueEntry | None) -> Of | None:
    """The game and kind of a form: the row's own, or else what the address asks for, or else the first."""
    if row is not None:
        return (row.system, row.kind) if _made(row.system, row.kind) else None
    known, asked = _known(), _asked(request)
    return asked if asked in known else next(iter(known), None)


def _known() -> list[Of]:
    return [(game.slug, kind) for game in systems() for kind in game.entry_kinds]


def _asked(request: HttpRequest) -> Of:
    """The game and kind that an address asks for, by itself or by the list that led to it."""
    if "kind" in request.GET:
        return _parted(f"{request.GET.get('system', '')}:{request.GET['kind']}")
    return _parted(
        request.GET.get("of") or QueryDict(request.GET.get("_changelist_filters", "")).get("of", "")
    )


def _parted(of: str) -> Of:
    """Game and kind of "tmg:card"; both empty if it holds characters that no database can search for."""
    slug, _colon, kind = of.partition(":")
    return (slug, kind) if of.isprintable() else ("", "")


def _column(name: str, cell: Cell) -> Any:
    """A column of a list: one fact of each catalogue entry, in words."""

    @admin.display(description=_(cell.label), ordering=f"facts__{name}")
    def shown(row: CatalogueEntry) -> str:
        text = row.facts.get(name, "")
        return cells.in_words(cell, text) if text else "—"

    return shown
