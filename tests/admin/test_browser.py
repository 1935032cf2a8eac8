"""The desk in a real browser: its scripts run under the strict policy, its edits are live on the phones."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from games import play
from games.models import Match, Unit
from games.systems.tmg.tests import tables
from tests.admin.at_desk import put, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = ("", "games/match/", "games/army/", "games/unit/", "games/objective/", "games/entry/", "auth/user/")


@pytest.fixture
def table(server) -> Match:
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Robb", "blue": "Tywin"})
    put(match, tables.table((tables.infantry("wolves"),), (tables.infantry("lions"),)))
    return match


@pytest.fixture
def desk(server, phone):
    """The organiser's laptop, signed in; `complaints` are what its console said about the policy."""
    User.objects.create_superuser("olenna", password="thorns-and-roses")
    page = phone(viewport={"width": 1440, "height": 900})
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text))
    page.goto("/admin/")
    page.get_by_label("Username").fill("olenna")
    page.get_by_label("Password").fill("thorns-and-roses")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Organiser admin")).to_be_visible()
    return page


def test_an_edit_is_live_on_the_phones(desk, table, phone):
    watcher = phone()
    watcher.goto(f"/t/{table.code}/")
    expect(watcher.get_by_text("Lions").first).to_be_visible()
    unit = Unit.objects.get(match=table, key="lions")
    desk.goto(f"/admin/games/unit/{unit.pk}/change/")
    desk.get_by_label("Panicked").check()
    desk.get_by_label("Reason").fill("forgotten")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_text("was changed successfully")).to_be_visible()
    expect(watcher.get_by_text("Panicked").first).to_be_visible()


def test_who_watches_a_match_that_is_deleted_is_told(desk, server, phone):
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Robb", "blue": "Tywin"})
    watcher = phone()
    watcher.goto(f"/t/{match.code}/")
    expect(watcher.get_by_text("Robb").first).to_be_visible()
    desk.goto(f"/admin/games/match/{match.pk}/delete/")
    desk.get_by_role("button", name="Yes, I’m sure").click()
    expect(desk.get_by_text("was deleted successfully")).to_be_visible()
    expect(watcher.get_by_text("There is no table with this code.")).to_be_visible(timeout=10_000)


def test_a_unit_is_added_with_the_pages_own_script(desk, table):
    desk.goto(f"/admin/games/match/{table.pk}/change/")
    desk.get_by_text("Add another Unit").click()
    fresh = desk.locator("#units-2")
    fresh.get_by_text("More").click()
    fresh.get_by_label("Name").fill("Grey Wind")
    fresh.get_by_label("Wounds left").fill("3")
    desk.locator("#id_reason").fill("came late")
    desk.get_by_role("button", name="Save and continue editing").click()
    expect(desk.get_by_text("was changed successfully")).to_be_visible()
    assert state_of(table).units["grey-wind"].wounds == 3


def test_no_page_of_the_desk_breaks_the_policy(desk, table):
    unit = Unit.objects.filter(match=table).first()
    ours = [
        f"games/match/{table.pk}/change/",
        f"games/unit/{unit.pk}/change/",
        f"games/unit/{unit.pk}/delete/",
    ]
    for path in (*PAGES, *ours, f"games/match/{table.pk}/history/"):
        assert desk.goto(f"/admin/{path}").status == 200
    assert [said for said in desk.complaints if "Content Security Policy" in said or "Refused" in said] == []


def test_the_desk_fits_a_phone(desk, table):
    desk.set_viewport_size({"width": 390, "height": 844})
    unit = Unit.objects.filter(match=table).first()
    for path in ("", "games/match/", f"games/match/{table.pk}/change/", f"games/unit/{unit.pk}/change/"):
        desk.goto(f"/admin/{path}")
        desk.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
        assert desk.evaluate("document.documentElement.scrollWidth") <= 390, path
