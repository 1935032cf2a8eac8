"""A table on paper and as a picture: all that everybody may read, and nothing else."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from django.conf import settings
from django.urls import reverse
from markupsafe import escape
from msgspec.structs import replace
from PIL import Image, ImageChops

from games import view_models
from games.live.hub import Audience
from games.match import play
from games.models import Army, Match
from games.pages.records.score_card import poster_of
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.pictures import poster
from games.translation import override_game
from games.web.program import program, with_data
from tests.pages.test_score_card import play_on, played, seated
from tests.trust.cast import Phone
from tests.trust.catalogue import LITERAL

SEATS = tuple(view_models.SeatScore(f"s{n}", n, f"Colour {n}", f"Name {n}", 3 * n, 10) for n in range(1, 7))
POSTER = poster.Poster("A mode", "A game", "Round 3 of 6", SEATS[:2])


def picture(file: bytes) -> Image.Image:
    return Image.open(io.BytesIO(file))


# --- the picture ---------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 7))
def test_a_picture_has_the_size_that_is_asked_for(count: int):
    drawn = picture(poster.png(replace(POSTER, seats=SEATS[:count])))
    assert (drawn.format, drawn.size) == ("PNG", (1200, 630))


def with_name(name: str) -> bytes:
    return poster.png(replace(POSTER, seats=(replace(SEATS[0], name=name), SEATS[1])))


@pytest.mark.parametrize("name", ["Łukasz", "Ελένη", "Ольга", "维斯特洛", "睿晗", "<b>&amp;"])
def test_a_name_is_drawn(name: str):
    assert poster.readable(name) == name
    assert with_name(name) != with_name("Colour 1")


@pytest.mark.parametrize("name", ["👨\u200d👩\u200d👧", "דני", "خالد", ""])
def test_a_name_that_cannot_be_drawn_is_shown_as_its_seat(name: str):
    assert poster.readable(name) == ""
    assert with_name(name) == with_name("Colour 1")


def test_what_cannot_be_drawn_of_a_name_is_left_out():
    assert poster.readable("Anna 😀 Ben") == "Anna Ben"


@pytest.mark.parametrize("odd", LITERAL, ids=lambda odd: odd.title)
def test_every_legal_name_gives_a_picture(odd):  # type: ignore[no-untyped-def]
    assert picture(with_name(odd.stored)).size == (1200, 630)


def test_a_long_name_is_cut_inside_its_own_half():
    drawn, plain = picture(with_name("W" * 40)), picture(with_name("W"))
    box = (600, 180, 1200, 520)
    assert drawn.crop(box).tobytes() == plain.crop(box).tobytes()


def differing(one: poster.Poster, other: poster.Poster) -> tuple[int, int, int, int] | None:
    """The box in which two pictures differ; None where they do not."""
    return ImageChops.difference(*(picture(poster.png(each)) for each in (one, other))).getbbox()


def test_long_names_of_six_stay_inside_their_own_column():
    long = tuple(replace(seat, name="W" * 40) for seat in SEATS[:3])
    box = differing(replace(POSTER, seats=SEATS), replace(POSTER, seats=(*long, *SEATS[3:])))
    assert box is not None
    assert box[2] <= 600


@pytest.mark.parametrize("count", [2, 6])
def test_a_winner_is_marked_beside_the_name(count: int):
    over = replace(POSTER, seats=SEATS[:count], winner=1)
    box = differing(over, replace(over, won="Winner"))
    assert box is not None
    assert box[0] > 200
    assert box[2] <= 600
    drawn = replace(POSTER, seats=SEATS[:count])
    assert differing(drawn, replace(drawn, won="Winner")) is None, "nobody has won yet"


@pytest.mark.parametrize("count", [2, 6])
def test_what_a_side_plays_stands_below_its_name(count: int):
    drawn = replace(POSTER, seats=SEATS[:count])
    assert differing(drawn, replace(drawn, armies=("Free Folk · 40 points", "")))


def test_a_space_is_as_wide_after_a_chinese_word_as_after_any_other():
    spaces = [poster._width(f"{one} {one}", 32) - 2 * poster._width(one, 32) for one in ("轮", "x")]
    assert spaces[0] == pytest.approx(spaces[1], abs=1)


def test_a_picture_says_who_won_and_with_what(midway: Match):
    second, mark = midway.armies.all()[1].key, 2 if midway.armies.count() == 2 else 4
    for result, winner in (
        (None, 0),
        ({"winner": None, "how": "x"}, 0),
        ({"winner": second, "how": "x"}, mark),
    ):
        Match.objects.filter(pk=midway.pk).update(result=result, version=midway.version + 1)
        midway.refresh_from_db()
        with override_game(midway.system):
            drawn = poster_of(Table(midway))
        assert (drawn.winner, drawn.won, len(drawn.armies)) == (winner, "Winner", len(drawn.seats))
        assert drawn.title != drawn.subtitle


def test_every_game_has_a_picture(midway: Match):
    match = midway
    path = reverse("picture", args=[match.code])
    answer = Phone().ask("GET", f"{path}?v={with_data(match.version)}")
    assert answer["Content-Type"] == "image/png"
    assert picture(answer.content).size == (1200, 630)
    assert "max-age=3600" in answer["Cache-Control"]
    assert "no-cache" in Phone().ask("GET", path)["Cache-Control"]
    assert "no-cache" in Phone().ask("GET", f"{path}?v={with_data(match.version - 1)}")["Cache-Control"]
    for before_a_restore in (f"{match.version}.{program()}.0123", str(match.version)):
        assert "no-cache" in Phone().ask("GET", f"{path}?v={before_a_restore}")["Cache-Control"]
    again = Phone().ask("GET", path, If_None_Match=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", ")) & set(again["Vary"].split(", "))


@pytest.mark.django_db
def test_a_picture_is_in_the_language_that_a_visitor_has_chosen():
    match, phone = played("rps", "plain", 2), Phone()
    path = f"{reverse('picture', args=[match.code])}?v={with_data(match.version)}"
    english = phone.ask("GET", path)
    phone.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert phone.ask("GET", path).content != english.content
    assert "Cookie" in english["Vary"], "or the browser shows the English one for an hour"


@pytest.mark.django_db
def test_a_picture_of_no_table_is_not_there():
    assert Phone().ask("GET", "/t/ZZZZZZ/score.png").status_code == 404


def test_a_table_says_what_it_is_where_it_is_posted(midway: Match):
    match = midway
    said = properties(match)
    for army in match.armies.all():
        assert army.name in said["og:title"]
    assert said["og:image"] == f"http://testserver/t/{match.code}/score.png?v={with_data(match.version)}"
    assert said["og:url"] == f"http://testserver/t/{match.code}/"
    assert said["og:description"]


@pytest.mark.django_db
def test_a_name_does_not_break_out_of_what_is_posted():
    match = played("rps", "plain", 2, 0)
    Army.objects.filter(match=match, key="red").update(name='"><script>alert(1)</script>')
    page = Phone().ask("GET", reverse("table", args=[match.code])).content.decode()
    assert "<script>alert" not in page
    assert "&#34;&gt;&lt;script&gt;" in properties(match)["og:title"]


@pytest.mark.django_db
def test_a_name_from_right_to_left_does_not_turn_the_score_that_is_posted():
    match = played("rps", "plain", 2, 0)
    Army.objects.filter(match=match, key="red").update(name="محمد")
    assert properties(match)["og:title"].startswith("\u2068محمد\u2069 ")


def properties(match: Match) -> dict[str, str]:
    page = Phone().ask("GET", reverse("table", args=[match.code])).content.decode()
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)"', page))


# --- the sheet of paper --------------------------------------------------------------------------


def test_every_game_has_its_sheet(midway: Match):
    match = midway
    path = reverse("print", args=[match.code])
    page = Phone().ask("GET", path).content.decode()
    for name in (*match.armies.values_list("name", flat=True), match.code, f"#{match.version}"):
        assert name in page
    for unit in match.units.all():
        assert f"<b>{escape(unit.name)}" in page
    assert page.count("<button") == len(settings.LANGUAGES), "no control but those"


def on_paper(match: Match) -> str:
    """What the sheet says, without its tags."""
    page = Phone().ask("GET", reverse("print", args=[match.code])).content.decode()
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)))


def board_of(match: Match) -> view_models.Board:
    with override_game(match.system):
        return boards.board(Table(match), Audience((), "en", "print"))


def test_places_on_a_map_are_on_paper_with_what_is_there(midway: Match):
    paper = on_paper(midway)
    regions = board_of(midway).middle.regions
    assert bool(regions) == (midway.system == "agot" and midway.objectives.exists())
    for card in (card for region in regions for card in region.cards):
        if not card.is_bare:
            assert " ".join((card.name, card.title)).strip() in paper
            assert all(badge.text in paper for badge in card.badges)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slug", "mode", "options"),
    [("tmg", "a-game-of-thrones", {"decks": 1}), ("bushido", "risen-sun", {"activation": 120, "death": 60})],
)
def test_piles_clocks_and_second_points_are_on_paper(slug: str, mode: str, options: dict[str, int]):
    match = play.open_match(slug, mode, {"red": "Ada", "blue": "Bo"}, options, seed="a seed")
    play_on(match, 150)
    match.refresh_from_db()
    board, paper = board_of(match), on_paper(match)
    told = [f"{pile.title} – {', '.join(pile.lines)}" for side in board.sides for pile in side.folds]
    told += [f"{timer.label} {timer.text[:3]}" for side in board.sides for timer in side.timers]
    told += [seat.beside for seat in board.header.seats if seat.beside]
    assert len(told) >= 2
    assert [words for words in told if words not in paper] == []


@pytest.mark.django_db
def test_a_sheet_shows_no_secret_even_to_its_owner():
    match = played("rps", "plain", 2, 0)
    red = seated(match, "red")
    Army.objects.filter(match=match, key="red").update(hidden={"throw": "canary"})
    page = red.ask("GET", reverse("print", args=[match.code])).content.decode()
    assert "canary" not in page
    assert "has answered" in page


def test_more_pieces_are_printed_smaller():
    from games.pages.records.score_card import density
    from tests.pages.samples.boards import board_ask

    board = board_ask()
    many = replace(board, sides=board.sides * 4)
    assert 1 <= density(board) < density(many) <= 5
