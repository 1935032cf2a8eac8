"""The story of a finished match: who won and how, when that was decided, who still stands, and its recap."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from games.core import systems
from games.match.storage import OutlineEntry
from games.models import Match
from games.pages.records import score_card, story
from games.pages.records.story import Story
from games.web.program import with_data
from tests.browser import driving
from tests.pages.test_previews import said
from tests.pages.test_score_card import played, seated
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

GAMES = [(game.slug, mode.slug, game.seat_range[0]) for game in systems() for mode in game.modes]

SCORED = (
    driving.SET_UP
    + """
red  activate:eddards-honor-guard
red  army/red points:red:2 "one"
blue army/blue points:blue:3 "two"
red  unit/house-tully-cavaliers destroy:house-tully-cavaliers
red  army/red points:red:4 "three"
blue army/blue points:blue:1 "four"
"""
)
"""Red ahead, Blue ahead, and Red again, 6 : 5; a unit of Red's is gone."""
TIME_IS_UP = "red table time-out\nblue end-match\n"


def over(actions: str = SCORED) -> Match:
    match = driving.opened(actions + TIME_IS_UP)
    assert match.result is not None
    return match


def told(match: Match, phone: Phone | None = None) -> Story:
    return (phone or Phone()).ask("GET", f"/t/{match.code}/").context["board"].result.story


def text_of(path: str, by: Phone | None = None) -> str:
    page = (by or Phone()).ask("GET", path).content.decode()
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", page)).split())


def outline(*points: tuple[int, ...], gone: tuple[int, ...] = ()) -> list[OutlineEntry]:
    return [OutlineEntry(n, "red", 1, each, n in gone) for n, each in enumerate(points, 1)]


@pytest.mark.parametrize(
    ("points", "winner", "version"),
    [
        ([(0, 0), (2, 0), (2, 0)], 0, 2),
        ([(0, 0), (2, 0), (2, 3), (4, 3), (6, 4)], 0, 4),
        ([(0, 0), (2, 0), (2, 2), (2, 2)], None, 3),
        ([(0, 0), (0, 0)], None, None),
        ([(0, 0), (2, 0)], 1, None),
        ([(0, 0, 1), (1, 1, 1), (1, 2, 1)], 1, 3),
    ],
)
def test_the_turning_point_is_the_last_time_that_the_lead_changed(
    points: list[tuple[int, ...]], winner: int | None, version: int | None
) -> None:
    turn = story.turned(outline(*points), winner)
    assert (turn and turn.version) == version


def test_what_was_undone_decides_nothing() -> None:
    steps = outline((0, 0), (2, 0), (2, 9), (2, 0), gone=(3,))
    steps[3] = OutlineEntry(4, "red", 1, (2, 0), undoing=True)
    assert story.turned(steps, 0) == steps[1]


def test_the_end_names_the_turning_point_and_who_still_stands() -> None:
    match = over()
    found = told(match)
    assert [(one.name, one.score) for one in found.seats] == [("Ada", 6), ("Bo", 5)]
    assert found.turning is not None
    assert "three" in found.turning.text
    assert (found.turning.label, found.turning.mark) == ("Round 1 · 6 : 4", 1)
    moment = Phone().ask("GET", found.turning.url).context["page"].moment
    assert any("three" in line for line in moment.lines)
    red, blue = found.left
    assert "House Tully Cavaliers" not in red.units
    assert red.counted == f"{len(red.units)} of {len(red.units) + 1} left"
    assert blue.counted == f"{len(blue.units)} of {len(blue.units)} left"
    assert found.course is not None
    assert len(found.course.strokes) == 2


def test_players_and_spectators_read_the_same_story() -> None:
    match = over()
    own, others = (text_of(f"/t/{match.code}/", by) for by in (seated(match, "red"), None))
    for sentence in ("Ada wins", "Turning point", "Still standing", "Watch the recap"):
        assert sentence in own
        assert sentence in others


def test_a_draw_has_no_winner_and_no_cup() -> None:
    match = over(driving.SET_UP + 'red army/red points:red:2 "one"\nblue army/blue points:blue:2 "two"\n')
    for path in ("", "recap"):
        page = Phone().ask("GET", f"/t/{match.code}/{path}").content.decode()
        shown = page.partition("<main")[2]
        assert "A draw" in shown
        assert "#i-draw" in shown
        assert "#i-finish" not in shown
        assert "won" not in re.findall(r'<li class="s\d (\w+)"', shown)
    assert "two" in told(match).turning.text
    won = Phone().ask("GET", f"/t/{over().code}/").content.decode().partition("<main")[2]
    assert "#i-finish" in won
    assert "#i-draw" not in won


def test_a_match_without_points_has_no_curve() -> None:
    match = over(driving.SET_UP)
    assert told(match).course is None
    assert told(match).turning is None


@pytest.mark.parametrize(("slug", "mode", "count"), GAMES)
def test_every_game_tells_its_story_round_by_round(slug: str, mode: str, count: int) -> None:
    match = played(slug, mode, count, 2500)
    if match.result is None:
        pytest.skip("this one goes on for longer")
    page = Phone().ask("GET", f"/t/{match.code}/recap").context["page"]
    assert page.scenes
    assert len({scene.label for scene in page.scenes}) == len(page.scenes)
    assert [scene.at for scene in page.scenes] == sorted(scene.at for scene in page.scenes)
    last = [side.score for side in page.scenes[-1].sides]
    shown = {
        one.key: one.score for one in Phone().ask("GET", f"/t/{match.code}/").context["board"].header.seats
    }
    assert last == list(shown.values())
    assert all(0 <= side.before + side.gained <= 100.1 for scene in page.scenes for side in scene.sides)
    ending = told(match)
    assert ending.recap_url == f"/t/{match.code}/recap"
    marks = {seat.mark for seat in ending.seats}
    replay = Phone().ask("GET", f"/t/{match.code}/replay/1").context["page"]
    assert all(
        {stroke.mark for stroke in drawn.strokes} == marks
        for drawn in (ending.course, replay.course)
        if drawn
    )


def test_the_recap_says_what_each_round_brought() -> None:
    page = Phone().ask("GET", f"/t/{over().code}/recap").context["page"]
    (scene,) = page.scenes
    assert [(side.name, side.change, side.score) for side in scene.sides] == [
        ("Ada", "+6", 6),
        ("Bo", "+5", 5),
    ]
    assert scene.lines[0].startswith("Ada +"), scene.lines
    assert len(scene.lines) <= score_card.MOST_LINES
    assert page.seconds == 20


def test_a_unit_that_falls_is_told_in_its_round() -> None:
    match = driving.opened(driving.SET_UP)
    driving.play_until(match, lambda state: state.round == 2)
    driving.do(match, "red unit/house-tully-cavaliers destroy:house-tully-cavaliers\n" + TIME_IS_UP)
    first, second = Phone().ask("GET", f"/t/{match.code}/recap").context["page"].scenes
    assert not any("lost" in line for line in first.lines)
    assert "Ada lost House Tully Cavaliers." in second.lines


def test_a_match_that_goes_on_has_no_recap_yet() -> None:
    match = driving.opened(driving.SET_UP)
    answer = Client().get(f"/t/{match.code}/recap")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{match.code}/")


@pytest.mark.parametrize("path", ["", "recap"])
def test_the_address_unfolds_to_the_result_and_its_picture(path: str) -> None:
    match = over()
    found = said(f"/t/{match.code}/{path}")
    assert "Ada wins" in found["og:description"]
    assert "Ada" in found["og:title"]
    assert found["og:url"] == f"http://testserver/t/{match.code}/{path}"
    picture = f"/t/{match.code}/score.png?v={with_data(match.version)}"
    assert found["og:image"] == f"http://testserver{picture}"
    assert "Ada wins" in found["og:image:alt"]
    assert Client().get(picture).content.startswith(b"\x89PNG")


def test_the_page_for_spectators_leads_to_the_recap_and_a_television_does_not() -> None:
    match = over()
    watched = Phone().ask("GET", f"/t/{match.code}/watch").content.decode()
    assert f'href="/t/{match.code}/recap"' in watched
    assert "three" in text_of(f"/t/{match.code}/watch")
    assert "/recap" not in Phone().ask("GET", f"/t/{match.code}/tv").content.decode().partition("<body")[2]
