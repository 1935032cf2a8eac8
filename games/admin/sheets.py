"""Sheets: the cards, scenarios and rulesets that organisers keep, one typed form for each kind."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import fields, filters
from games.admin.base import Desk
from games.core.gates import Unreadable
from games.core.sheets import SheetKind
from games.core.system import system, systems
from games.models import Sheet
from games.views.words import words

LONGEST = 400


class SheetForm(forms.ModelForm):
    """One sheet: its number, and a field for each fact that its game asks for."""

    of: tuple[str, str]
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Sheet
        fields = ("slug",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        row = kwargs.get("instance")
        stands = row.facts | {"seen": row.version} if row and row.pk else {}
        super().__init__(*args, **{**kwargs, "initial": {**stands, **(kwargs.get("initial") or {})}})
        self.fields["slug"].disabled = bool(stands)
        self.instance.system, self.instance.kind = self.of

    @property
    def made(self) -> SheetKind:
        """What the game knows of this kind of sheet."""
        slug, kind = self.of
        return system(slug).sheets[kind]

    def clean(self) -> dict[str, Any]:
        """The game must be able to read it, and nobody else may have changed it meanwhile."""
        cleaned = super().clean() or {}
        self._refuse_stale(cleaned)
        facts = {name: cleaned.get(name) or "" for name in self.made.cells}
        try:
            self.made.check(cleaned.get("slug", ""), facts)
        except Unreadable as unreadable:
            raise ValidationError(words(unreadable.line)) from unreadable
        self.instance.facts = {**self.instance.facts, **facts}
        return cleaned

    def _refuse_stale(self, cleaned: dict[str, Any]) -> None:
        rows = Sheet.objects.select_for_update().filter(
            system=self.of[0], kind=self.of[1], slug=cleaned.get("slug", "")
        )
        version = rows.values_list("version", flat=True).first()
        if self.instance.pk is None and version is not None:
            raise ValidationError(_("There are game data with this number already."))
        if self.instance.pk is not None and version != cleaned.get("seen"):
            raise ValidationError(_("Somebody else changed this. Open it again to see the new version."))


@admin.register(Sheet)
class SheetDesk(Desk):
    """All sheets; one that is deleted leaves the facts that its game brings along, if it does."""

    list_display = ("called", "slug", "title", "version", "changed_at")
    list_filter = (filters.SheetOf,)
    search_fields = ("slug", "facts__name", "facts__title")
    list_per_page = 100

    @admin.display(description=gettext_lazy("name"), ordering="facts__name")
    def called(self, row: Sheet) -> str:
        made = _made(row)
        return (made.called(row.facts) if made else "") or row.slug

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def title(self, row: Sheet) -> str:
        made = _made(row)
        return _(made.title) if made else row.kind

    @admin.display(description=gettext_lazy("facts"))
    def told(self, row: Sheet) -> str:
        return " · ".join(str(value) for value in row.facts.values() if value)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of the kind that is asked for; where nobody asks, which kinds there are."""
        known = _known()
        if request.method != "GET" or _asked(request) in known or not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        kinds = [
            (f"?system={slug}&kind={kind}", f"{_(system(slug).title)}: {_(system(slug).sheets[kind].title)}")
            for slug, kind in known
        ]
        context = {**self.admin_site.each_context(request), "title": _("Add game data"), "kinds": kinds}
        return TemplateResponse(request, "admin/games/kinds.html", context)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        of = _of(request, obj)
        if of is None or not self.has_change_permission(request, obj):
            return super().get_form(request, obj, change, **{**kwargs, "fields": ("slug",)})
        cells = system(of[0]).sheets[of[1]].cells
        return type(
            "SheetForm", (SheetForm,), {"of": of, **{name: _field(cell) for name, cell in cells.items()}}
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        of = _of(request, obj)
        if of is None or not self.has_change_permission(request, obj):
            return [(None, {"fields": ("slug", "told")})]
        return [(None, {"fields": ("slug", *system(of[0]).sheets[of[1]].cells, "seen")})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        is_form = _of(request, obj) is not None and self.has_change_permission(request, obj)
        return () if is_form else ("slug", "told")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and _of(request, None) is not None

    def save_model(self, request: HttpRequest, obj: Sheet, form: Any, change: bool) -> None:
        obj.version += 1 if change else 0
        super().save_model(request, obj, form, change)


def _made(row: Sheet) -> SheetKind | None:
    """What its game knows of a sheet's kind; None for a game or a kind that is here no more."""
    return next((game.sheets.get(row.kind) for game in systems() if game.slug == row.system), None)


def _of(request: HttpRequest, row: Sheet | None) -> tuple[str, str] | None:
    """Which game and kind a form is for: the row's own, else what the address asks for, else the first."""
    if row is not None:
        return (row.system, row.kind) if _made(row) else None
    known, asked = _known(), _asked(request)
    return asked if asked in known else next(iter(known), None)


def _known() -> list[tuple[str, str]]:
    return [(game.slug, kind) for game in systems() for kind in game.sheets]


def _asked(request: HttpRequest) -> tuple[str, str]:
    return request.GET.get("system", ""), request.GET.get("kind", "")


def _field(cell: Any) -> forms.Field:
    label, told = _(cell.label), _(cell.help) if cell.help else ""
    if cell.among is None:
        return fields.Text(LONGEST, label=label, help_text=told)
    choices = [(value, _(title) if title else title) for value, title in cell.among.items()]
    return forms.ChoiceField(choices=choices, required="" not in cell.among, label=label, help_text=told)
