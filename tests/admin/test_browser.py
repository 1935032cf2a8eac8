"""The admin in a real browser: its scripts run under the strict policy, its edits are live on the phones."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from games import catalogue
from games.hall.models import Event
from games.management.commands.plant import planted, seeds
from games.match import play
from games.models import Match, Unit
from games.systems.tmg.tests import tables
from tests.admin.in_admin import put
from tests.hall import halls
from tests.playing import state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = (
    "",
    "games/match/",
    "games/army/",
    "games/unit/",
    "games/objective/",
    "games/entry/",
    "games/catalogueentry/",
    "auth/user/",
)


@pytest.fixture
def table(server) -> Match:
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Robb", "blue": "Tywin"})
    put(match, tables.table((tables.infantry("wolves"),), (tables.infantry("lions"),)))
    return match


@pytest.fixture
def admin_client(server, phone):
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


def test_an_edit_is_live_on_the_phones(admin_client, table, phone):
    watcher = phone()
    watcher.goto(f"/t/{table.code}/")
    expect(watcher.get_by_text("Lions").first).to_be_visible()
    unit = Unit.objects.get(match=table, key="lions")
    admin_client.goto(f"/admin/games/unit/{unit.pk}/change/")
    admin_client.get_by_label("Panicked").check()
    admin_client.get_by_label("Reason").fill("forgotten")
    admin_client.get_by_role("button", name="Save", exact=True).click()
    expect(admin_client.get_by_text("was changed successfully")).to_be_visible()
    expect(watcher.get_by_text("Panicked").first).to_be_visible()


def test_who_watches_a_match_that_is_deleted_is_told(admin_client, server, phone):
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Robb", "blue": "Tywin"})
    watcher = phone()
    watcher.goto(f"/t/{match.code}/")
    expect(watcher.get_by_text("Robb").first).to_be_visible()
    admin_client.goto(f"/admin/games/match/{match.pk}/delete/")
    admin_client.get_by_role("button", name="Yes, I’m sure").click()
    expect(admin_client.get_by_text("was deleted successfully")).to_be_visible()
    expect(watcher.get_by_text("There is no table with this code.")).to_be_visible(timeout=10_000)


def test_a_unit_is_added_with_the_pages_own_script(admin_client, table):
    admin_client.goto(f"/admin/games/match/{table.pk}/change/")
    admin_client.get_by_text("Add another Unit").click()
    fresh = admin_client.locator("#units-2")
    fresh.get_by_text("More").click()
    fresh.get_by_label("Name").fill("Grey Wind")
    fresh.get_by_label("Wounds left").fill("3")
    admin_client.locator("#id_reason").fill("came late")
    admin_client.get_by_role("button", name="Save and continue editing").click()
    expect(admin_client.get_by_text("was changed successfully")).to_be_visible()
    assert state_of(table).units["grey-wind"].wounds == 3


def test_points_are_given_with_a_thumb(admin_client, table, phone):
    watcher = phone()
    watcher.goto(f"/t/{table.code}/")
    admin_client.set_viewport_size({"width": 390, "height": 844})
    admin_client.goto(f"/admin/games/match/{table.pk}/change/")
    more = admin_client.get_by_role("button", name="One point more for Tywin")
    less = admin_client.get_by_role("button", name="One point less for Robb")
    for target in (more, less, admin_client.get_by_role("button", name="Save points")):
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 48
        assert box["y"] + box["height"] <= 844
    more.click()
    more.click()
    less.click()
    admin_client.get_by_role("button", name="One point more for Robb").click()
    expect(admin_client.locator(".admin-points tr").nth(1)).to_contain_text("→ 2")
    admin_client.locator("#id_points-reason").fill("missed a token")
    admin_client.get_by_role("button", name="Save points").click()
    expect(admin_client.locator(".messagelist")).to_have_text("+2 Tywin: missed a token")
    expect(watcher.get_by_text("+2 Tywin: missed a token").first).to_be_attached()
    assert state_of(table).points("blue") == 2


def test_points_are_given_without_the_script(admin_client, table, phone):
    plain = phone(java_script_enabled=False)
    plain.context.add_cookies(admin_client.context.cookies())
    plain.goto(f"/admin/games/match/{table.pk}/change/")
    expect(plain.get_by_role("button", name="One point more for Tywin")).to_be_hidden()
    plain.get_by_label("Tywin", exact=True).fill("-1")
    plain.locator("#id_points-reason").fill("counted twice")
    plain.get_by_role("button", name="Save points").click()
    expect(plain.get_by_text("-1 Tywin: counted twice").first).to_be_visible()
    assert state_of(table).points("blue") == -1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_admin_follows_the_device_and_its_own_switch(admin_client, scheme):
    admin_client.emulate_media(color_scheme=scheme)
    admin_client.goto("/admin/")
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {"light": "rgb(251, 249, 244)", "dark": "rgb(26, 31, 36)"}
    assert admin_client.evaluate(ground) == grounds[scheme]
    other = "dark" if scheme == "light" else "light"
    for _step in range(2):
        admin_client.locator(".theme-toggle").first.click()
        if admin_client.evaluate("document.documentElement.dataset.theme") == other:
            break
    assert admin_client.evaluate(ground) == grounds[other]


def test_no_page_of_the_admin_breaks_the_policy(admin_client, table):
    unit = Unit.objects.filter(match=table).first()
    ours = [
        f"games/match/{table.pk}/change/",
        f"games/unit/{unit.pk}/change/",
        f"games/unit/{unit.pk}/delete/",
    ]
    for path in (*PAGES, *ours, f"games/match/{table.pk}/history/"):
        assert admin_client.goto(f"/admin/{path}").status == 200
    assert [
        said
        for said in admin_client.complaints
        if "Content Security Policy" in said or "RequestRefused" in said
    ] == []


def test_the_admin_fits_a_phone(admin_client, table):
    admin_client.set_viewport_size({"width": 390, "height": 844})
    unit = Unit.objects.filter(match=table).first()
    for path in (
        "",
        "running/",
        "games/match/",
        f"games/match/{table.pk}/change/",
        f"games/unit/{unit.pk}/change/",
    ):
        admin_client.goto(f"/admin/{path}")
        admin_client.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
        assert admin_client.evaluate("document.documentElement.scrollWidth") <= 390, path


LISTS = ("match", "army", "unit", "objective", "entry", "catalogueentry?system=bushido&kind=model")


@pytest.mark.parametrize("listed", LISTS)
def test_no_list_of_the_admin_lies_beside_a_phone(admin_client, table, listed):
    admin_client.set_viewport_size({"width": 390, "height": 844})
    catalogue.plant("bushido")
    kind, query, asked = listed.partition("?")
    admin_client.goto(f"/admin/games/{kind}/{query}{asked}")
    edges = admin_client.eval_on_selector_all(
        "#result_list tr > *", "all => all.map(one => Math.ceil(one.getBoundingClientRect().right))"
    )
    assert edges
    assert max(edges) <= 390


LOW = """() => [...document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")]
  .filter((one) => !one.matches(".skip-to-content-link, label > *, [id^=id_][type=checkbox]"))
  .filter((one) => one.checkVisibility())
  .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 90)])
  .filter(([box]) => box.right > 0 && box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([box, html]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""
"""What is lower or narrower than a thumb."""


def test_every_link_of_the_admin_is_as_high_as_a_thumb(admin_client, table):
    admin_client.set_viewport_size({"width": 390, "height": 844})
    unit = Unit.objects.filter(match=table).first()
    event = Event.objects.get(code=halls.opened(2))
    for path in (
        *PAGES,
        "running/",
        "events/event/",
        "events/player/",
        f"events/event/{event.pk}/change/",
        f"games/match/{table.pk}/change/",
        f"games/match/{table.pk}/history/",
        f"games/match/{table.pk}/delete/",
        f"games/unit/{unit.pk}/change/",
    ):
        admin_client.goto(f"/admin/{path}")
        assert admin_client.evaluate(LOW) == [], path


def test_a_row_is_chosen_beside_its_box_and_no_column_is_beside_a_tablet(admin_client):
    admin_client.set_viewport_size({"width": 820, "height": 1180})
    halls.play_round(halls.opened(4, mode="manual-scoring"), halls.by_chance(1))
    admin_client.goto("/admin/events/player/")
    box = admin_client.locator(".action-select").first
    box.click(position={"x": -7, "y": 30})
    assert box.is_checked()
    admin_client.goto("/admin/events/pairing/")
    assert admin_client.locator(".results").evaluate("one => one.scrollWidth <= one.clientWidth")


def test_no_column_of_the_matches_lies_beside_a_laptop(admin_client):
    for path in seeds("tmg") + seeds("agot"):
        planted(path)
    admin_client.set_viewport_size({"width": 1440, "height": 900})
    admin_client.goto("/admin/games/match/")
    for language in ("en", "de", "zh-hans"):
        admin_client.locator(f".admin-languages button[value={language}]").click()
        admin_client.wait_for_selector(f"html[lang={language}]")
        fits = admin_client.locator(".results").evaluate("one => one.scrollWidth <= one.clientWidth")
        assert fits, language


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_top_leaves_a_phone_its_room(admin_client, size):
    admin_client.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    admin_client.goto("/admin/games/match/")
    header = admin_client.locator("#header").bounding_box()
    assert header["height"] <= 0.25 * size[1]
