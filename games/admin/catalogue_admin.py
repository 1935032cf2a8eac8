"""Catalogue entries: the cards, models and scenarios that organisers keep, one typed form for each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from games.admin import admin_pages, piece_fields
from games.admin.admin_pages import BaseAdmin
from games.core import Cell, EntryKind, Unreadable, system, systems
from games.models import CatalogueEntry
from games.translation import gettext as _
from games.translation import words

LONGEST = 400
MOST = 99

Cells = Mapping[str, Cell]


def form_fields(cells: Cells) -> dict[str, forms.Field]:
    """A form field for each fact, and one for each flag that takes a number."""
    return {name: field for cell in cells for name, field in _fields(cell, cells[cell])}


def initial(cells: Cells, facts: Mapping[str, str]) -> dict[str, Any]:
    """The initial values of these fields."""
    values: dict[str, Any] = {}
    for name, cell in cells.items():
        text = facts.get(name, "")
        if cell.flags is None:
            values[name] = text == "yes" if _is_switch(cell) else text
            continue
        values[name] = [word for word in text.split() if word in cell.flags]
        for flag in _numbered(cell):
            written = (word.removeprefix(flag) for word in text.split() if word.startswith(flag))
            values[_of_flag(name, flag)] = next(written, None)
    return values


def facts_of(cells: Cells, cleaned: Mapping[str, Any]) -> dict[str, str]:
    """The facts that were chosen and typed, in the form that an imported table states them."""
    return {name: _fact(name, cell, cleaned) for name, cell in cells.items()}


def in_words(cell: Cell, text: str) -> str:
    if cell.flags is not None:
        return " · ".join(_flag_words(cell.flags, word) for word in text.split())
    if cell.parts:
        words = zip(text.split(), cell.parts, strict=False)
        return " · ".join(_words(part, word) for word, part in words)
    return _words(cell.among, text) if cell.among is not None else text


def _fields(name: str, cell: Cell) -> Iterator[tuple[str, forms.Field]]:
    label, help_text = _(cell.label), _(cell.help) if cell.help else ""
    if cell.flags is not None:
        yield name, Flags(cell, label=label, help_text=help_text)
        for flag in _numbered(cell):
            yield (
                _of_flag(name, flag),
                piece_fields.Number(0, MOST, is_optional=True, label=_(cell.flags[flag])),
            )
    elif cell.parts:
        yield name, Parts(cell.parts, label=label, help_text=help_text)
    elif _is_switch(cell):
        yield name, forms.BooleanField(required=False, label=label, help_text=help_text)
    elif cell.among is not None:
        required = "" not in cell.among
        yield (
            name,
            forms.ChoiceField(
                choices=_choices(cell.among), required=required, label=label, help_text=help_text
            ),
        )
    else:
        yield name, piece_fields.Text(LONGEST, label=label, help_text=help_text)


def _fact(name: str, cell: Cell, cleaned: Mapping[str, Any]) -> str:
    value = cleaned.get(name)
    if cell.flags is None:
        return ("yes" if value else "") if _is_switch(cell) else value or ""
    numbers = ((flag, cleaned.get(_of_flag(name, flag))) for flag in _numbered(cell))
    return " ".join([*(value or ()), *(f"{flag}{number}" for flag, number in numbers if number)])


class Flags(forms.MultipleChoiceField):
    """Boxes to tick, one for each flag."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, cell: Cell, **kwargs: Any) -> None:
        flags = {flag: words for flag, words in (cell.flags or {}).items() if flag[-1] != "-"}
        super().__init__(choices=_choices(flags), required=False, **kwargs)


class Parts(forms.MultiValueField):
    """Several choices in a row, stored with spaces between them; choices not made are left out."""

    def __init__(self, parts: tuple[Mapping[str, str], ...], label: str, **kwargs: Any) -> None:
        lists = [[("", "—"), *_choices(part)] for part in parts]
        selects = [
            forms.Select(choices=choices, attrs={"aria-label": f"{label} {number}"})
            for number, choices in enumerate(lists, 1)
        ]
        made = tuple(forms.ChoiceField(choices=choices, required=False) for choices in lists)
        super().__init__(
            made, widget=Row(selects), required=False, require_all_fields=False, label=label, **kwargs
        )

    def compress(self, data_list: Any) -> str:
        return " ".join(value for value in data_list if value)


class Row(forms.MultiWidget):
    """The choices of `Parts` side by side."""

    def decompress(self, value: Any) -> list[Any]:
        words = (value or "").split()
        return [*words, *("" for _rest in self.widgets[len(words) :])]


def _numbered(cell: Cell) -> list[str]:
    return [flag for flag in cell.flags or () if flag[-1] == "-"]


def _of_flag(name: str, flag: str) -> str:
    return f"{name}_{flag[:-1]}"


def _is_switch(cell: Cell) -> bool:
    return cell.among is not None and set(cell.among) == {"", "yes"}


def _choices(among: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(value, _words(among, value)) for value in among]


def _words(among: Mapping[str, str], value: str) -> str:
    label = among.get(value, value)
    return _(label) if label else ""


def _flag_words(flags: Mapping[str, str], word: str) -> str:
    for flag in flags:
        if flag[-1] == "-" and word.startswith(flag):
            return f"{_(flags[flag])}: {word.removeprefix(flag)}"
    return _words(flags, word)


class CatalogueEntryForm(forms.ModelForm):
    """One catalogue entry: its number, and a field for each fact that its game asks for."""

    of: tuple[str, str]
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = CatalogueEntry
        fields = ("slug",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        row = kwargs.get("instance")
        stands = initial(self.made.cells, row.facts) | {"seen": row.version} if row and row.pk else {}
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
        facts = facts_of(self.made.cells, cleaned)
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
            raise ValidationError(_("Someone else changed this. Reopen it to see the new version."))


@admin.register(CatalogueEntry)
class CatalogueAdmin(BaseAdmin):
    """Entries, each kind of each game by itself; deleting one leaves the facts that come with its game."""

    list_filter = (admin_pages.KindFilter,)
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
        rows = super().get_queryset(request)
        return rows.filter(system=slug, kind=kind) if "of" in request.GET else rows

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of the kind that is asked for, or the list of kinds if none is."""
        is_kind = _asked(request) in _known()
        if request.method != "GET" or is_kind or not self.has_add_permission(request):
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
        listed = (admin_pages.of_cell(name, cell) for name, cell in _cells(_asked(request)).items())
        return (admin_pages.KindFilter, *(cell_filter for cell_filter in listed if cell_filter is not None))

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
        cells = _cells((row.system, row.kind))
        values = ((name, str(value)) for name, value in row.facts.items() if value)
        return " · ".join(
            f"{_(cells[name].label)}: {in_words(cells[name], text)}" if name in cells else text
            for name, text in values
        )

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        of = _of(request, obj)
        if of is None or not self.has_change_permission(request, obj):
            return super().get_form(request, obj, change, **{**kwargs, "fields": ("slug",)})
        return type("CatalogueEntryForm", (CatalogueEntryForm,), {"of": of, **form_fields(_cells(of))})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        of = _of(request, obj)
        if of is None or not self.has_change_permission(request, obj):
            return [(None, {"fields": ("slug", "in_words")})]
        return [(None, {"fields": ("slug", *form_fields(_cells(of)), "seen")})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        is_form = _of(request, obj) is not None and self.has_change_permission(request, obj)
        return () if is_form else ("slug", "in_words")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and _of(request, None) is not None

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        return _to_kind(super().response_add(request, obj, post_url_continue), obj)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        return _to_kind(super().response_change(request, obj), obj)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        entry = self.get_object(request, object_id)
        return _to_kind(super().delete_view(request, object_id, extra_context), entry)

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


def _cells(of: Of) -> Cells:
    made = _made(*of)
    return made.cells if made else {}


def _of(request: HttpRequest, row: CatalogueEntry | None) -> Of | None:
    """The game and kind of a form: the row's own, or else what the address asks for, or else the first."""
    if row is not None:
        return (row.system, row.kind) if _made(row.system, row.kind) else None
    kinds, asked = _known(), _asked(request)
    return asked if asked in kinds else next(iter(kinds), None)


def _known() -> list[Of]:
    return [(game.slug, kind) for game in systems() for kind in game.entry_kinds]


def _asked(request: HttpRequest) -> Of:
    """The game and kind that an address asks for, by itself or by the list that led to it.

    The admin passes the filters of that list on in one parameter.
    """
    if "kind" in request.GET:
        return _parted(f"{request.GET.get('system', '')}:{request.GET['kind']}")
    passed_on = (QueryDict(str(value)).get("of") for value in request.GET.values())
    return _parted(request.GET.get("of") or next(filter(None, passed_on), ""))


def _parted(of: str) -> Of:
    """Game and kind of "tmg:card"; both empty if it holds characters that no database can search for."""
    slug, _colon, kind = of.partition(":")
    return (slug, kind) if of.isprintable() else ("", "")


def _to_kind(response: HttpResponse, entry: CatalogueEntry | None) -> HttpResponse:
    """The answer; if it leads on, then to the entry's kind, even if the reader did not come from its list."""
    if entry is None or not isinstance(response, HttpResponseRedirect) or "?" in response.url:
        return response
    return HttpResponseRedirect(f"{response.url}?{urlencode({'of': f'{entry.system}:{entry.kind}'})}")


def _column(name: str, cell: Cell) -> Any:
    """A column of a list: one fact of each catalogue entry, in words."""

    @admin.display(description=_(cell.label), ordering=f"facts__{name}")
    def shown(row: CatalogueEntry) -> str:
        text = row.facts.get(name, "")
        return in_words(cell, text) if text else "—"

    return shown
