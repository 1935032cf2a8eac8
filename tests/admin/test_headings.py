"""Every page of the admin says what it shows: the side, the unit, the match, in its title and above it."""

import re

import pytest
from django.utils import translation

from games.models import Army, Objective, Unit
from tests.admin.in_admin import change_url, filled, inline, saved

pytestmark = pytest.mark.django_db

GAME = "A Song of Ice and Fire: Tabletop Miniatures Game"


def headings(client, row) -> tuple[str, str, str, str]:
    """The title of the tab, the first and the second heading, and the last step of the way here."""
    page = client.get(change_url(row)).content.decode()
    tab = re.search(r"<title>(.*?)</title>", page, re.S)[1]
    first = re.search(r"<h1>(.*?)</h1>", page)[1]
    second = re.search(r"<h2>(.*?)</h2>", page)[1]
    way = re.search(r'<div class="breadcrumbs">(.*?)</div>', page, re.S)[1]
    return tab.strip(), first, second, re.sub(r"\s+", " ", re.sub(r"<.*?>", "", way)).strip()


def test_a_side_is_headed_by_its_player_and_colour(admin_client, tmg):
    tab, first, second, way = headings(admin_client, Army.objects.get(match=tmg, key="blue"))
    assert first == "Tywin · Blue"
    assert second == f"{GAME} · Match {tmg.code}"
    assert tab.startswith(f"{second} | {first}")
    assert way == f"Home &rsaquo; Matches &rsaquo; {tmg.code} &rsaquo; Tywin · Blue"


def test_a_side_without_a_name_is_its_colour_in_the_readers_language(admin_client, tmg):
    Army.objects.filter(match=tmg).update(name="")
    blue = Army.objects.get(match=tmg, key="blue")
    assert headings(admin_client, blue)[1] == "Blue"
    with translation.override("zh-hans"):
        assert str(blue) == "蓝方"


def test_a_unit_and_an_objective_say_whose_and_where_they_are(admin_client, tmg):
    unit = Unit.objects.get(match=tmg, key="wolves")
    assert headings(admin_client, unit)[1:3] == (unit.name, f"Robb · {GAME} · Match {tmg.code}")
    place = Objective.objects.filter(match=tmg).first()
    assert headings(admin_client, place)[1:3] == (str(place), f"{GAME} · Match {tmg.code}")


def test_a_match_is_headed_by_its_code_and_game(admin_client, tmg):
    _tab, first, second, way = headings(admin_client, tmg)
    assert (first, second) == (f"Match {tmg.code}", f"{GAME} · A Game of Thrones")
    assert way == f"Home &rsaquo; Matches &rsaquo; Match {tmg.code}"


def test_what_was_saved_is_told_by_name(admin_client, tmg):
    Army.objects.filter(match=tmg, key="blue").update(name="")
    blue = Army.objects.get(match=tmg, key="blue")
    saved(admin_client, blue, faction="stark")
    assert "“<a" in (page := admin_client.get("/admin/games/army/").content.decode())
    assert ">Blue</a>” was changed successfully" in page


# --- what a piece cannot have ----------------------------------------------------------------------


def fields_of(client, row) -> set[str]:
    return set(client.get(change_url(row)).context["adminform"].form.fields)


def test_a_unit_at_the_tactics_board_has_no_wounds(admin_client, tmg):
    catelyn, wolves = (Unit.objects.get(match=tmg, key=key) for key in ("catelyn", "wolves"))
    never = {"wounds", "wounds_total", "rank_size", "conditions", "engaged_with"}
    assert fields_of(admin_client, wolves) >= never
    assert not fields_of(admin_client, catelyn) & never
    page = admin_client.get(change_url(catelyn)).content.decode()
    assert "Wounds" not in page
    assert "Engaged" not in page
    assert {"influences", "kept"} <= fields_of(admin_client, catelyn)
    assert not {"influences", "kept"} & fields_of(admin_client, wolves)


def test_nor_has_it_any_on_the_page_of_its_match(admin_client, tmg):
    sent = filled(admin_client.get(change_url(tmg)))
    names = {key: inline(admin_client, tmg, "units", key) for key in ("catelyn", "wolves")}
    assert f"{names['wolves']}-wounds" in sent
    assert f"{names['catelyn']}-wounds" not in sent
    page = admin_client.get(change_url(tmg)).content.decode()
    assert f'name="{names["wolves"]}-wounds"' in page
    assert f'name="{names["catelyn"]}-' in page
    assert f'name="{names["catelyn"]}-wounds"' not in page


def test_nor_for_those_who_only_look_or_in_the_list(onlooker, tmg):
    catelyn = Unit.objects.get(match=tmg, key="catelyn")
    assert "Wounds" not in onlooker.get(change_url(catelyn)).content.decode()
    page = onlooker.get("/admin/games/unit/?q=catelyn").content.decode()
    assert re.search(r'<td class="field-wounds_left[^"]*">—</td>', page)


def test_what_a_piece_cannot_have_is_not_saved(admin_client, tmg):
    catelyn = Unit.objects.get(match=tmg, key="catelyn")
    saved(admin_client, catelyn, wounds="9", activated="on")
    catelyn.refresh_from_db()
    assert (catelyn.wounds, catelyn.activated) == (0, True)


def test_a_new_unit_may_be_of_any_kind(admin_client, tmg):
    formsets = admin_client.get(change_url(tmg)).context["inline_admin_formsets"]
    units = next(one.formset for one in formsets if one.formset.prefix == "units")
    assert {"wounds", "influences"} <= set(units.empty_form.fields)
