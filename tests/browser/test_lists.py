"""Bringing a list in the lobby: pasted, chosen by name, and opened as a file, with and without scripts."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from games.models import Match
from games.systems import bushido
from tests.browser.test_plain import press

pytestmark = pytest.mark.browser

LISTS = Path(bushido.__file__).parent / "tests" / "lists"


@pytest.fixture(params=[True, False], ids=["scripts", "plain"])
def lobby(phone: Any, request: pytest.FixtureRequest) -> Any:
    """A phone on its list's page, at a new table of a game that reads files."""
    page = phone(java_script_enabled=request.param)
    page.goto("/new?game=bushido")
    press(page, "button.main")
    page.goto(f"/t/{Match.objects.get().code}/army/red")
    return page


def models(page: Any) -> list[str]:
    return page.locator(".row-edit b").all_inner_texts()


def test_a_list_is_pasted_corrected_and_brought(lobby: Any) -> None:
    lobby.fill("textarea", (LISTS / "battlescribe.txt").read_text(encoding="utf-8"))
    press(lobby, "button:not(.unseen)[value=read]")
    assert models(lobby)[:3] == ["Hiromasa", "Kizoko", "Ryoka-Sha"]
    expect(lobby.locator(".warnings").first).to_contain_text("Line 15")
    lobby.locator(".row-edit summary").first.tap()
    lobby.fill("#ki-0", "X")
    lobby.fill("#cap-0", "∞")
    press(lobby, "button:not(.unseen)[value=keep]")
    expect(lobby.locator(".row-edit").first).to_contain_text(
        "Ki X · Ki cap ∞ · Wounds 6", use_inner_text=True
    )
    press(lobby, "button[value=ready]")
    lobby.wait_for_url(f"**/t/{Match.objects.get().code}/")


def test_after_a_sample_the_next_step_is_in_sight(lobby: Any) -> None:
    lobby.set_viewport_size({"width": 360, "height": 640})
    press(lobby, "button[name=demo] >> nth=0")
    use = lobby.locator("button[value=ready]").bounding_box()
    assert use["y"] + use["height"] < 640
    press(lobby, "button[value=ready]")
    lobby.wait_for_url(f"**/t/{Match.objects.get().code}/")


def test_a_line_is_added_by_a_name_that_is_offered(lobby: Any) -> None:
    offered = lobby.locator("#names option").evaluate_all("all => all.map(one => one.value)")
    assert len(offered) > 500
    assert "Akuba" in offered
    lobby.fill("input[name=new]", "Akuba")
    press(lobby, "button[value=add]")
    expect(lobby.locator(".row-edit").first).to_contain_text(
        "Ki 2 · Ki cap * · Wounds 5", use_inner_text=True
    )
    lobby.fill("input[name=new]", "Kozo")
    with lobby.expect_navigation():
        lobby.press("input[name=new]", "Enter")
    assert models(lobby) == ["Akuba", "Kozo"]


def test_a_packed_roster_is_opened(lobby: Any, tmp_path: Path) -> None:
    packed = tmp_path / "band.rosz"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(LISTS / "roster.ros", "band.ros")
    lobby.set_input_files("input[type=file]", packed)
    press(lobby, "button[form=file]")
    assert models(lobby)[:2] == ["Tanaka Kazuo", "Cub"]
    expect(lobby.locator("h2").first).to_contain_text("Shiho Clan, 65 rice, 4 models", use_inner_text=True)


def test_another_file_gets_a_sentence_and_the_page_again(lobby: Any, tmp_path: Path) -> None:
    wrong = tmp_path / "band.txt"
    wrong.write_text("Hiromasa [16 Rice]")
    lobby.set_input_files("input[type=file]", wrong)
    press(lobby, "button[form=file]")
    expect(lobby.locator(".notice").first).to_contain_text(
        "Choose one that ends in .ros, .rosz", use_inner_text=True
    )
    expect(lobby.locator("textarea")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_an_empty_field_suggests_is_as_plain_as_a_hint(phone: Any, scheme: str) -> None:
    page = phone(color_scheme=scheme)
    page.goto("/new?game=tmg")
    suggested = page.locator("#target").evaluate("one => getComputedStyle(one, '::placeholder').color")
    assert suggested == page.locator(".hint").first.evaluate("one => getComputedStyle(one).color")


def test_the_list_as_typed_stands_at_the_side_of_its_rows_where_there_is_room(phone: Any) -> None:
    page = phone()
    page.goto("/new?game=tmg")
    press(page, "button.main")
    page.goto(f"/t/{Match.objects.get().code}/army/red")
    text = "Faction: Stark\nPlayer: Bob\n • Stark Sworn Swords ( 5 )\n     Robb Stark ( 0 ) // him"
    page.fill("textarea", text)
    press(page, "button:not(.unseen)[value=read]")
    typed, rows = page.locator(".typed li"), page.locator(".rows")
    assert not typed.first.is_visible()
    page.locator(".typed > summary").tap()
    assert typed.all_inner_texts()[:2] == ["Faction: Stark", "Player: Bob"]
    page.locator(".typed > summary").tap()
    page.set_viewport_size({"width": 820, "height": 1180})
    assert typed.first.is_visible()
    assert typed.first.bounding_box()["x"] > rows.bounding_box()["x"] + rows.bounding_box()["width"]
