"""The desk in a real browser: its scripts run under the strict policy, its edits are live on the phones."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from games.match import play
from games.models import Match, Unit
from games.systems.tmg.tests import tables
from tests.admin.at_desk import put, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = (
    "",
    "games/match/",
    "games/army/",
    "games/unit/",
    "games/objective/",
    "games/entry/",
    "games/sheet/",
    "auth/user/",
)


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


def test_points_are_given_with_a_thumb(desk, table, phone):
    watcher = phone()
    watcher.goto(f"/t/{table.code}/")
    desk.set_viewport_size({"width": 390, "height": 844})
    desk.goto(f"/admin/games/match/{table.pk}/change/")
    more = desk.get_by_role("button", name="One point more for Tywin")
    less = desk.get_by_role("button", name="One point less for Robb")
    for target in (more, less, desk.get_by_role("button", name="Save points")):
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 48
        assert box["y"] + box["height"] <= 844
    more.click()
    more.click()
    less.click()
    desk.get_by_role("button", name="One point more for Robb").click()
    expect(desk.locator(".desk-points tr").nth(1)).to_contain_text("→ 2")
    desk.locator("#id_points-reason").fill("missed a token")
    desk.get_by_role("button", name="Save points").click()
    expect(desk.locator(".messagelist")).to_have_text("+2 Tywin: missed a token")
    expect(watcher.get_by_text("+2 Tywin: missed a token").first).to_be_attached()
    assert state_of(table).points("blue") == 2


def test_points_are_given_without_the_script(desk, table, phone):
    plain = phone(java_script_enabled=False)
    plain.context.add_cookies(desk.context.cookies())
    plain.goto(f"/admin/games/match/{table.pk}/change/")
    expect(plain.get_by_role("button", name="One point more for Tywin")).to_be_hidden()
    plain.get_by_label("Tywin", exact=True).fill("-1")
    plain.locator("#id_points-reason").fill("counted twice")
    plain.get_by_role("button", name="Save points").click()
    expect(plain.get_by_text("-1 Tywin: counted twice").first).to_be_visible()
    assert state_of(table).points("blue") == -1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_admin_follows_the_device_and_its_own_switch(desk, scheme):
    desk.emulate_media(color_scheme=scheme)
    desk.goto("/admin/")
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {"light": "rgb(251, 249, 244)", "dark": "rgb(26, 31, 36)"}
    assert desk.evaluate(ground) == grounds[scheme]
    other = "dark" if scheme == "light" else "light"
    for _step in range(2):
        desk.locator(".theme-toggle").first.click()
        if desk.evaluate("document.documentElement.dataset.theme") == other:
            break
    assert desk.evaluate(ground) == grounds[other]


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
