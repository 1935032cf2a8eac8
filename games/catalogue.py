"""Catalogue entries in the database: handed to the rules, planted, imported as a whole table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from django.db import transaction
from django.db.models import Count, Max, Sum
from pydantic import AfterValidator, ConfigDict, Field

from games.core import NONE, Entries, EntryKind, Facts, Line, Unreadable, is_clean, say, system
from games.core import gettext_noop as _
from games.first_fault import FirstFault, OnlyThese
from games.models import CatalogueEntry

MOST_WRONG = 100
"""So many wrong lines of a table are named at once."""

_latest: dict[str, tuple[object, Entries]] = {}


@dataclass(frozen=True, slots=True)
class Imported:
    """How many rows of a table were new, changed, and the same as before."""

    new: int = 0
    changed: int = 0
    same: int = 0


def _clean(text: str) -> str:
    if not is_clean(text):
        raise ValueError("a character that no phone can show")
    return text


Slug = Annotated[str, Field(pattern=r"^[\w-]+$")]
Clean = Annotated[str, AfterValidator(_clean)]
"""A text that every phone can show."""


class Exported(OnlyThese):
    """An entry as another server exported it: which one it is, and its facts."""

    model_config = ConfigDict(extra="forbid", strict=True)

    system: Annotated[Slug, Field(max_length=50)]
    kind: Annotated[Slug, Field(max_length=24)]
    slug: Annotated[Slug, Field(max_length=64)]
    facts: Annotated[dict[Clean, Clean], FirstFault()]


class BadTable(Exception):
    """A table with rows that the game cannot read: line numbers and sentences, of the first `MOST_WRONG`."""

    def __init__(self, faults: list[tuple[int, Line]]) -> None:
        super().__init__(f"{len(faults)} bad lines")
        self.faults = faults


def current(slug: str) -> Entries:
    """The organisers' facts of a game; read again only when a catalogue entry has changed."""
    if not system(slug).entry_kinds:
        return NONE
    rows = CatalogueEntry.objects.filter(system=slug, version__gt=0)
    mark = rows.aggregate(Count("pk"), Max("changed_at"), Sum("version"))
    latest = _latest.get(slug)
    if latest is None or latest[0] != mark:
        kinds: dict[str, dict[str, Facts]] = {}
        for kind, name, facts in rows.values_list("kind", "slug", "facts"):
            kinds.setdefault(kind, {})[name] = facts
        latest = _latest[slug] = (mark, Entries(kinds))
    return latest[1]


@transaction.atomic
def plant(slug: str) -> int:
    """Put the entries that ship with a game where organisers can edit them; what they edited stays.

    Version 0 means that nobody has: such an entry is updated when the game ships another one.
    """
    brought = {
        (kind, name): dict(facts)
        for kind, made in system(slug).entry_kinds.items()
        for name, facts in made.planted()
    }
    untouched = CatalogueEntry.objects.filter(system=slug, version=0)
    gone = [row.pk for row in untouched if brought.get((row.kind, row.slug)) != row.facts]
    untouched.filter(pk__in=gone).delete()
    planted = [
        CatalogueEntry(system=slug, kind=kind, slug=name, facts=facts, version=0)
        for (kind, name), facts in brought.items()
    ]
    before = CatalogueEntry.objects.count()
    CatalogueEntry.objects.bulk_create(planted, ignore_conflicts=True, batch_size=200)
    return CatalogueEntry.objects.count() - before


@transaction.atomic
def import_table(slug: str, kind: str, text: str) -> Imported:
    """Import a table (CSV with a column "id"): its rows replace the entries of these ids, or are added.

    Facts whose column is missing are kept. `BadTable` names the lines that cannot be read; then nothing is
    imported.
    """
    made = system(slug).entry_kinds[kind]
    kept = {
        row.slug: row for row in CatalogueEntry.objects.select_for_update().filter(system=slug, kind=kind)
    }
    facts_by_slug = dict(made.planted()) | {name: row.facts for name, row in kept.items()}
    wanted = _checked(made, _rows(text), facts_by_slug)
    new = [
        CatalogueEntry(system=slug, kind=kind, slug=name, facts=facts)
        for name, facts in wanted
        if name not in kept
    ]
    changed = [(kept[name], facts) for name, facts in wanted if name in kept and kept[name].facts != facts]
    CatalogueEntry.objects.bulk_create(new, batch_size=200)
    for row, facts in changed:
        row.facts, row.version = facts, row.version + 1
        row.save(update_fields=["facts", "version", "changed_at"])
    return Imported(len(new), len(changed), len(wanted) - len(new) - len(changed))


@transaction.atomic
def import_entry(exported: object) -> bool:
    """Import another server's entry; returns whether it was here already. ValueError for anything else."""
    stated = Exported.model_validate(exported)
    named = {"system": stated.system, "kind": stated.kind, "slug": stated.slug}
    entry, is_new = CatalogueEntry.objects.get_or_create(**named, defaults={"facts": stated.facts})
    if is_new or entry.facts == stated.facts:
        return not is_new
    entry.facts, entry.version = stated.facts, entry.version + 1
    entry.save()
    return False


def _checked(
    made: EntryKind, rows: Iterable[tuple[int, dict[str, str]]], facts_by_slug: dict[str, Facts]
) -> list[tuple[str, dict[str, str]]]:
    faults: list[tuple[int, Line]] = []
    checked: dict[str, dict[str, str]] = {}
    for number, row in rows:
        slug = row.get("id", "")
        stated = {name: row[name] for name in made.cells if name in row}
        facts = dict.fromkeys(made.cells, "") | dict(facts_by_slug.get(slug, {})) | stated
        try:
            if slug in checked:
                raise Unreadable(say(_("%(number)s appears here twice."), number=slug))
            made.check(slug, facts)
        except Unreadable as unreadable:
            faults.append((number, unreadable.line))
            if len(faults) == MOST_WRONG:
                break
        checked[slug] = facts
    if not checked:
        faults.append((1, say(_("There is no row in this table."))))
    if faults:
        raise BadTable(faults)
    return list(checked.items())


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with the numbers of their lines; its first line names the columns."""
    reader = csv.DictReader(text.removeprefix("\ufeff").splitlines(), restkey="", restval="")
    try:
        if "id" not in (reader.fieldnames or ()):
            raise BadTable([(1, say(_("The first line must name the columns, “id” among them.")))])
        for row in reader:
            yield reader.line_num, {name: value.strip() for name, value in row.items() if name}
    except csv.Error:
        raise BadTable([(max(1, reader.line_num), say(_("This line is not a row of a table.")))]) from None
