"""Facts that organisers keep: an update of the program removes none, and no game touches another's."""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import system, systems
from games.models import CatalogueEntry

pytestmark = pytest.mark.django_db

GAME, KIND = "tmg", "stats"


def rows(**of):
    found = CatalogueEntry.objects.filter(**of)
    return {(row.system, row.kind, row.slug): (row.facts, row.version) for row in found}


@pytest.fixture
def planted(db):
    for game in systems():
        catalogue.plant(game.slug)
    return rows()


def slugs(count):
    """The first entries that the game brings along."""
    return [slug for slug, _facts in list(system(GAME).entry_kinds[KIND].planted())[:count]]


def test_planting_again_adds_and_changes_nothing(planted):
    assert {(game, version) for (game, _kind, _slug), (_facts, version) in planted.items()} == {
        (game.slug, 0) for game in systems() if game.entry_kinds
    }
    assert [catalogue.plant(game.slug) for game in systems()] == [0] * len(systems())
    assert rows() == planted


def test_an_update_follows_the_game_where_nobody_edited_and_nowhere_else(planted):
    edited, stale, taken_away = slugs(3)
    kept = {"name": "As our club plays it"}
    of_game = CatalogueEntry.objects.filter(system=GAME, kind=KIND)
    of_game.filter(slug=edited).update(facts=kept, version=3)
    of_game.filter(slug=stale).update(facts={"name": "Of the last season"})
    of_game.filter(slug=taken_away).delete()
    CatalogueEntry.objects.create(system=GAME, kind=KIND, slug="gone", facts={"name": "No more"}, version=0)
    CatalogueEntry.objects.create(system=GAME, kind=KIND, slug="our-own", facts=kept, version=1)
    # The stale one is planted again, and so is the missing one.
    assert catalogue.plant(GAME) == 2
    after = rows()
    assert after.pop((GAME, KIND, edited)) == (kept, 3)
    assert after.pop((GAME, KIND, "our-own")) == (kept, 1)
    assert after == {key: value for key, value in planted.items() if key != (GAME, KIND, edited)}


def test_the_rules_hear_of_what_was_edited_at_once_and_of_nothing_else(planted):
    assert catalogue.current("rps") is catalogue.NONE
    before = catalogue.current(GAME)
    assert before.kinds == {}
    one, other = (CatalogueEntry.objects.get(system=GAME, kind=KIND, slug=slug) for slug in slugs(2))
    for number, row in enumerate((one, other, one), 1):
        row.facts = {**row.facts, "morale": f"{number}+"}
        row.version += 1
        row.save()
        now = catalogue.current(GAME)
        assert now.of(KIND)[row.slug]["morale"] == f"{number}+"
        assert catalogue.current(GAME) is now, "read again although nothing was edited"
    assert set(now.of(KIND)) == {one.slug, other.slug}
    CatalogueEntry.objects.filter(system="bushido").update(version=1)
    assert set(catalogue.current(GAME).kinds) == {KIND}
    other.delete()
    assert set(catalogue.current(GAME).of(KIND)) == {one.slug}


def test_a_table_changes_the_entries_of_its_kind_that_it_says_something_new_of(planted):
    one, same, _third = slugs(3)
    facts = planted[GAME, KIND, same][0]
    text = f"id,speed,morale\n{one},6,5+\n{same},{facts['speed']},{facts['morale']}\n"
    before = rows()
    imported = catalogue.import_table(GAME, KIND, "\ufeff" + text)
    assert (imported.new, imported.changed, imported.same) == (0, 1, 1)
    after = rows()
    was, version = before.pop((GAME, KIND, one))
    assert after.pop((GAME, KIND, one)) == ({**was, "speed": "6", "morale": "5+"}, version + 1)
    assert after == before
    again = catalogue.import_table(GAME, KIND, text)
    assert (again.new, again.changed, again.same) == (0, 0, 2)


def test_entries_of_two_kinds_with_one_number_are_two(planted):
    """A unit's card and its printed numbers: a table of one is not a table of the other."""
    number = next(slug for slug in slugs(148) if (GAME, "card", slug) in planted)
    cost = planted[GAME, "card", number][0]["cost"]
    imported = catalogue.import_table(GAME, "card", f"id,cost\n{number},{cost}\n")
    assert (imported.new, imported.changed, imported.same) == (0, 0, 1)
    assert rows() == planted


def test_a_table_with_one_bad_line_changes_nothing_and_names_every_one(planted):
    one, other, third = slugs(3)
    with pytest.raises(catalogue.BadTable) as refused:
        catalogue.import_table(GAME, KIND, f"id,speed\n{one},6\n{other},nine\n{one},5\n{third},5\n")
    assert [line for line, _why in refused.value.faults] == [3, 4]
    assert rows() == planted
