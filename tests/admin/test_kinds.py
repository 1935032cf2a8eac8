"""Game data at the admin: each kind of each game has its own list; what is chosen is chosen by its words."""

import csv
import io
import re

import pytest
from django.utils import translation

from games import catalogue
from games.admin import catalogue_admin
from games.admin.catalogue_admin import name_of
from games.core import systems
from games.models import CatalogueEntry
from games.systems.bushido.rules import scenarios
from games.systems.tmg.lists.army_cards import CARDS, CELLS, FLAGS
from tests.admin.in_admin import change_url

pytestmark = pytest.mark.django_db

LIST = "/admin/games/catalogueentry/"
KINDS = [(game.slug, kind) for game in systems() for kind in game.entry_kinds]


@pytest.fixture
def planted(db):
    for game in systems():
        catalogue.plant(game.slug)


def row(kind, slug) -> CatalogueEntry:
    return CatalogueEntry.objects.get(kind=kind, slug=slug)


def posted(entry, **changes):
    """What a browser sends of a catalogue entry's form after these changes."""
    made = next(game for game in systems() if game.slug == entry.system).entry_kinds[entry.kind]
    sent = {"slug": entry.slug, "seen": entry.version}
    for name, value in catalogue_admin.initial(made.cells, entry.facts).items():
        cell = made.cells.get(name)
        if cell is not None and cell.parts:
            words = value.split()
            sent |= {f"{name}_{at}": words[at] if at < len(words) else "" for at in range(len(cell.parts))}
        elif value is True or value is False:
            sent |= {name: "on"} if value else {}
        else:
            sent[name] = "" if value is None else value
    return {**sent, **changes}


def test_nothing_is_listed_in_one_heap(admin_client, planted):
    page = admin_client.get(LIST).content.decode()
    for slug, kind in KINDS:
        assert f'<a href="?of={slug}:{kind}">{name_of((slug, kind))}</a>' in page
    assert "result_list" not in page
    assert "A Song of Ice and Fire: cards" in page


@pytest.mark.parametrize("of", KINDS, ids=":".join)
def test_each_kind_has_its_own_list_heading_and_columns(admin_client, planted, of):
    page = admin_client.get(f"{LIST}?of={of[0]}:{of[1]}")
    assert {(entry.system, entry.kind) for entry in page.context["cl"].queryset} == {of}
    html = page.content.decode()
    assert f"<h1>{name_of(of)}</h1>" in html
    assert f'href="/admin/games/catalogueentry/add/?system={of[0]}&amp;kind={of[1]}"' in html
    made = next(game for game in systems() if game.slug == of[0]).entry_kinds[of[1]]
    listed = [cell.label for cell in made.cells.values() if cell.is_listed]
    assert listed
    heads = re.sub(
        r"\s+", " ", re.sub(r"<[^>]*>", " ", html[html.index("<thead>") :].partition("</thead>")[0])
    )
    assert [label for label in listed if label not in heads] == [], heads
    with translation.override("zh-hans"):
        assert not name_of(of).isascii()


def test_the_index_names_every_kind(admin_client, planted):
    page = admin_client.get("/admin/").content.decode()
    for slug, kind in KINDS:
        assert f'href="/admin/games/catalogueentry/?of={slug}:{kind}"' in page
        assert name_of((slug, kind)) in page
    assert ">Sheets</a>" not in page


def test_a_list_is_filtered_by_its_own_facts_in_words(admin_client, planted):
    page = admin_client.get(LIST + "?of=tmg:card&is_faction=stark&is_kind=ncu")
    found = [entry.facts for entry in page.context["cl"].queryset]
    assert found
    assert {(facts["faction"], facts["kind"]) for facts in found} == {("stark", "ncu")}
    assert "Non-Combat Unit" in page.content.decode()
    flagged = admin_client.get(LIST + "?of=tmg:card&is_flags=no-vp").context["cl"].queryset
    assert {entry.slug for entry in flagged} == {
        slug for slug, facts in CARDS.planted() if "no-vp" in facts["flags"].split()
    }
    assert admin_client.get(LIST + "?of=tmg:card&is_faction=klingons").status_code == 200
    assert "No-vp" not in (html := page.content.decode())
    assert "no-vp" not in re.sub(r'href="[^"]*"', "", html)


@pytest.mark.parametrize("of", ["", "tmg", "tmg:song", "chess:card", ":", "tmg:card:more", "\0"])
def test_a_kind_that_is_none_shows_the_kinds(admin_client, planted, of):
    page = admin_client.get(LIST, {"of": of})
    assert page.status_code == 200
    assert "result_list" not in page.content.decode()


def test_a_sheet_is_headed_by_itself_and_leads_back_to_its_kind(admin_client, planted):
    entry = row("card", "10310")
    page = admin_client.get(change_url(entry)).content.decode()
    assert f"<h1>{CARDS.called(entry.facts)}</h1>" in page
    assert "<h2>A Song of Ice and Fire: cards</h2>" in page
    assert '<a href="/admin/games/catalogueentry/?of=tmg:card">A Song of Ice and Fire: cards</a>' in page
    answer = admin_client.post(change_url(entry), posted(entry, cost="2"))
    assert answer["Location"] == "/admin/games/catalogueentry/?of=tmg%3Acard"
    answer = admin_client.post(f"/admin/games/catalogueentry/{entry.pk}/delete/", {"post": "yes"})
    assert answer["Location"] == "/admin/games/catalogueentry/?of=tmg%3Acard"


def test_what_makes_a_card_special_is_ticked_in_words(admin_client, planted):
    entry = row("card", "10310")
    assert entry.facts["flags"] == "no-control no-vp"
    page = admin_client.get(change_url(entry)).content.decode()
    for flag, words in FLAGS.items():
        assert words in page
        ticked = re.search(rf'<input type="checkbox" name="flags" value="{flag}"([^>]*)>', page)
        assert (ticked is None) == (flag[-1] == "-")
        assert ticked is None or ("checked" in ticked[1]) == (flag in ("no-control", "no-vp"))
    answer = admin_client.post(change_url(entry), posted(entry, flags=["no-vp", "unique"], flags_hand="2"))
    assert answer.status_code == 302
    assert row("card", "10310").facts["flags"] == "no-vp unique hand-2"
    assert 'name="flags_hand" value="2"' in re.sub(
        r"\s+", " ", admin_client.get(change_url(entry)).content.decode()
    )


def test_a_yes_or_no_is_a_box(admin_client, planted):
    entry = row("card", "10310")
    assert entry.facts["commander"] == ""
    page = admin_client.get(change_url(entry)).content.decode()
    assert re.search(r'<input type="checkbox" name="commander"', page)
    admin_client.post(change_url(entry), posted(entry, commander="on"))
    assert row("card", "10310").facts["commander"] == "yes"
    again = row("card", "10310")
    sent = posted(again)
    del sent["commander"]
    admin_client.post(change_url(again), sent)
    assert row("card", "10310").facts["commander"] == ""


def test_what_a_scenario_checks_is_chosen(admin_client, planted):
    entry = row("scenario", "keii")
    assert entry.facts["check1"] == "2 points"
    page = admin_client.get(change_url(entry)).content.decode()
    assert '<option value="points" selected>most Scenario Points</option>' in page
    changes = {"check1_0": "last", "check1_1": "friendly", "objectives_0": "e", "objectives_1": ""}
    assert admin_client.post(change_url(entry), posted(entry, **changes)).status_code == 302
    facts = row("scenario", "keii").facts
    assert (facts["check1"], facts["objectives"]) == ("last friendly", "e n n e e")
    answer = admin_client.post(
        change_url(row("scenario", "keii")), posted(row("scenario", "keii"), check1_1="")
    )
    assert "is not a check" in answer.content.decode()
    assert scenarios.read("keii", row("scenario", "keii").facts).checks[0].turn == "last"


@pytest.mark.parametrize("of", KINDS, ids=":".join)
def test_a_form_that_nobody_touched_stores_what_stood_there(of):
    made = next(game for game in systems() if game.slug == of[0]).entry_kinds[of[1]]
    fields = catalogue_admin.form_fields(made.cells)
    for slug, facts in made.planted():
        stands = catalogue_admin.initial(made.cells, facts)
        cleaned = {name: field.clean(_sent(field, stands[name])) for name, field in fields.items()}
        stored = catalogue_admin.facts_of(made.cells, cleaned)
        assert {name: sorted(text.split()) for name, text in stored.items()} == {
            name: sorted(text.split()) for name, text in facts.items()
        }, slug
        made.check(slug, stored)


def _sent(field, value):
    """A value as the form's field gets it from a browser."""
    return field.widget.decompress(value) if isinstance(field, catalogue_admin.Parts) else value


@pytest.mark.parametrize("of", KINDS, ids=":".join)
def test_nothing_is_chosen_by_a_code(of):
    made = next(game for game in systems() if game.slug == of[0]).entry_kinds[of[1]]
    for name, cell in made.cells.items():
        for choices in (cell.among, cell.flags, *cell.parts):
            for value, words in (choices or {}).items():
                assert not re.search(r"[a-z]-[a-z]*$", words) or words[0].isupper(), (name, value)


def test_a_table_still_brings_flags_as_they_are_stored(planted):
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["id", "flags"])
    table.writerow(["10310", "no-control vp-1"])
    assert catalogue.import_table("tmg", "card", text.getvalue()).changed == 1
    assert catalogue_admin.initial(CELLS, row("card", "10310").facts)["flags_vp"] == "1"


def test_who_may_only_look_reads_words(onlooker, planted):
    page = onlooker.get(change_url(row("card", "10310"))).content.decode()
    assert "Cannot control objectives · Gives no points when destroyed" in page
    assert "no-control" not in page
