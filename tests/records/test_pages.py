"""The pages and files of statistics say what was counted, in words, and name nobody."""

from __future__ import annotations

import csv
import io
import re
from html import unescape

import pytest
from django.core.cache import cache

from games import statistics
from games.pages.records import stat_pages
from games.web import Limit
from tests.records.many import Played, write

pytestmark = pytest.mark.django_db

STARK, FOLK = "stark", "freefolk"


@pytest.fixture
def twelve():  # type: ignore[no-untyped-def]
    """Red wins 6, blue 4, 2 are drawn: 90 minutes and 100 entries each, red first in all."""
    winners = ["red"] * 6 + ["blue"] * 4 + [None] * 2
    return write(Played((STARK, FOLK), winner) for winner in winners)


def text_of(page: str) -> str:
    """A page as it is read, its table cells apart."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def shown(client, path: str, **headers: str) -> str:  # type: ignore[no-untyped-def]
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return text_of(answer.content.decode())


def test_the_page_says_the_numbers(client, twelve):
    page = shown(client, "/stats/tmg")
    assert "matches 12" in page
    assert "minutes, the median 90 half of them took 90 to 90" in page
    assert "entries in the history, the median 100 54 seconds each" in page
    assert "won by the first player 58% 32 to 81%, of 12 matches" in page
    assert "Stark 12 6–2–4 58%" in page
    assert "Free Folk 12 4–2–6 42%" in page
    assert "Free Folk – Stark 12 4–2–6 42%" in page
    assert "A Game of Thrones 12 90 2.0" in page
    assert "Played to the end 12 100%" in page
    assert "Round 1 10 0.5 0.6 0.4" in page


def test_pairings_of_more_than_two_sides(client):
    """Neither of the two won two of the twelve: those say nothing of them."""
    three = {"game": "agot", "mode": "light", "factions": ("", "", ""), "points": ((1, 1, 1),)}
    winners = ["stark"] * 8 + ["lannister"] * 2 + ["baratheon"] * 2
    write(Played(winner=winner, **three) for winner in winners)
    page = shown(client, "/stats/agot")
    assert "Lannister – Stark 12 2–2–8 20%" in page
    assert "Won–neither–lost" in page
    assert "out of matches won by either of the two" in page


def test_a_faction_against_itself_has_no_share(client):
    write(Played((STARK, STARK)) for _match in range(12))
    assert "Stark – Stark 12 CSV" in shown(client, "/stats/tmg")


def test_the_bar_of_a_row(client, twelve):
    page = client.get("/stats/tmg").content.decode()
    rows = page[page.index('id="factions"') : page.index('id="pairings"')]
    stark = rows[rows.index(">Stark") :]
    assert 'width="58.3"' in stark
    assert "M50.0 0V12" in stark
    assert "M32.0 6H80.7" in stark


def test_the_page_in_chinese(client, twelve):
    page = shown(client, "/stats/tmg", accept_language="zh-hans")
    assert "史塔克 12 6–2–4 58%" in page
    assert "先手胜率" in page
    assert "第 1 轮 10 0.5 0.6 0.4" in page


def test_of_too_few_matches_the_page_says_so(client):
    write(Played() for _match in range(3))
    page = shown(client, "/stats/tmg")
    assert "3 matches: too few to tell" in page
    assert "Stark 3 3–0–0 –" in page
    assert "Points by round" not in page
    assert "won by the first player" not in page
    assert "%" not in page


def test_matches_that_go_on_are_told_apart(client):
    write([Played(), Played(minutes=None)])
    assert "matches 1 " in shown(client, "/stats/tmg")
    assert "matches 2 1 unfinished" in shown(client, "/stats/tmg?which=any")


def test_where_no_match_fits(client, twelve):
    assert "No matches found." in shown(client, "/stats/bushido")
    assert "No matches found." in shown(client, "/stats/tmg?faction=bolton")


def test_the_overview_leads_to_each_game(client, twelve):
    page = client.get("/stats").content.decode()
    assert "A Song of Ice and Fire: Tabletop Miniatures Game 12 12" in text_of(page)
    for game in ("tmg", "bushido", "agot"):
        assert f'href="/stats/{game}"' in page
    rows = list(csv.reader(io.StringIO(client.get("/stats.csv").content.decode("utf-8-sig"))))
    assert rows[0] == ["game", "matches", "finished"]
    assert ["tmg", "12", "12"] in rows


def test_each_page_has_a_title_of_its_own(client, twelve):
    pages = [unescape(client.get(url).content.decode()) for url in ("/stats", "/stats/tmg")]
    game = "A Song of Ice and Fire: Tabletop Miniatures Game"
    assert "<title>Statistics · Roundtable</title>" in pages[0]
    assert f"<title>Statistics · {game}</title>" in pages[1]


def test_the_start_leads_to_the_statistics(client):
    assert 'href="/stats"' in client.get("/").content.decode()


# --- files -----------------------------------------------------------------------------------------


def rows_of(client, name: str, query: str = "") -> list[dict[str, str]]:  # type: ignore[no-untyped-def]
    answer = client.get(f"/stats/tmg/{name}.csv{query}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="roundtable-tmg-{name}.csv"'
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_each_table_is_a_file(client, twelve):
    stark, folk = sorted(rows_of(client, "factions"), key=lambda row: row["faction"] != STARK)
    assert stark == {
        "faction": STARK,
        **{"matches": "12", "wins": "6", "draws": "2", "losses": "4"},
        **{"win_share": "0.583", "win_share_low": "0.32", "win_share_high": "0.807"},
    }
    assert folk["wins"] == "4"
    assert rows_of(client, "pairings") == [
        {"faction": FOLK, "against": STARK, "matches": "12", "wins": "4", "losses": "6"}
    ]
    (mode,) = rows_of(client, "modes")
    assert (mode["mode"], mode["minutes_median"], mode["rounds_average"]) == (
        "a-game-of-thrones",
        "90.0",
        "2.0",
    )
    first, second = rows_of(client, "rounds")
    assert (first["points_average"], first["winners_average"], first["others_average"]) == (
        "0.5",
        "0.6",
        "0.4",
    )
    assert second["winners_average"] == "1.6"
    assert rows_of(client, "first")[0]["wins"] == "6"
    assert rows_of(client, "tempo")[0]["seconds_between_median"] == "54.0"
    assert rows_of(client, "ends") == [{"end": "played", "matches": "12"}]


def test_a_file_of_what_the_page_was_narrowed_to(client, twelve):
    write([Played(mode="fire-and-blood")])
    page = client.get("/stats/tmg?mode=fire-and-blood").content.decode()
    (url,) = set(re.findall(r'href="(/stats/tmg/ends\.csv[^"]*)"', page))
    assert url == "/stats/tmg/ends.csv?mode=fire-and-blood"
    assert rows_of(client, "ends", "?mode=fire-and-blood") == [{"end": "played", "matches": "1"}]


def test_everything_as_json(client, twelve):
    told = client.get("/stats/tmg.json?since=2026-01-01").json()
    assert (told["format"], told["format_version"]) == ("roundtable-statistics", 1)
    assert (told["game"], told["since"], told["finished_only"], told["matches"]) == (
        "tmg",
        "2026-01-01",
        True,
        12,
    )
    assert told["tables"].keys() == statistics.TABLES.keys()
    assert told["tables"]["ends"] == [{"end": "played", "matches": 12}]
    names = ("mode", "faction", "since", "until", "finished_only")
    assert [told[name] for name in names] == [None, None, "2026-01-01", None, True]
    query = "mode=a-game-of-thrones&faction=stark&until=2026-12-31&which=any"
    narrow = client.get(f"/stats/tmg.json?{query}").json()
    assert [narrow[name] for name in names] == ["a-game-of-thrones", "stark", None, "2026-12-31", False]
    few = client.get("/stats/tmg.json?since=2100-01-01").json()
    assert few["tables"]["first"][0]["win_share"] is None


def test_nobody_is_named(client, twelve):
    for path in (
        "/stats",
        "/stats/tmg",
        "/stats/tmg.json",
        *(f"/stats/tmg/{name}.csv" for name in statistics.TABLES),
    ):
        assert "Person" not in client.get(path).content.decode()


def test_what_people_typed_as_a_faction_is_not_shown(client):
    write(Played((STARK, "Anna Person's people")) for _match in range(12))
    assert "Others, or not known 12" in shown(client, "/stats/tmg")
    assert {row["faction"] for row in rows_of(client, "factions")} == {STARK, "others"}


# --- refusals --------------------------------------------------------------------------------------

BAD = [
    "since=x",
    "until=9999-99-99",
    "mode=chess",
    "faction=%00",
    "which=0",
    "since=2026-05-02&until=2026-05-01",
]


@pytest.mark.parametrize("query", BAD)
def test_what_cannot_be_asked_is_said_and_nothing_is_counted(client, twelve, query):
    answer = client.get(f"/stats/tmg?{query}")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in page
    assert "Who wins" not in page
    answer = client.get(f"/stats/tmg.json?{query}")
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    assert client.get(f"/stats/tmg/ends.csv?{query}").status_code == 422


def test_what_was_typed_is_kept(client):
    page = client.get("/stats/tmg?since=<May>&faction=stark").content.decode()
    assert 'value="&lt;May&gt;"' in page
    assert '<option value="stark" selected>' in page
    assert "Please enter a date such as 2026-05-31." in page


@pytest.mark.parametrize(
    "path", ["/stats/chess", "/stats/chess.json", "/stats/tmg/names.csv", "/stats/chess/ends.csv"]
)
def test_what_is_not_there_is_said(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    if path.endswith(".json"):
        assert answer.json() == {
            "error": "unknown",
            "message": "There is no game of this name here.",
            "rule": None,
        }


def test_who_asks_for_ever_new_numbers_waits(client, twelve, monkeypatch):
    monkeypatch.setattr(stat_pages, "STATISTICS", Limit(2, 1 / 3600))
    first, second, third = (f"/stats/tmg?until=2026-06-0{day}" for day in (1, 2, 3))
    assert [client.get(path).status_code for path in (first, second, third)] == [200, 200, 429]
    assert client.get(third)["Retry-After"]
    assert client.get(second).status_code == 200, "what was counted just now costs nothing"
    cache.clear()
    assert [client.get(f"{first}{kind}").status_code for kind in ("", "&mode=chess")] == [429, 422]
    slowed = client.get("/stats/tmg.json?until=2026-06-01")
    assert (slowed.status_code, slowed.json()["error"]) == (429, "too_fast")
    assert client.get("/stats/tmg/ends.csv?until=2026-06-01").status_code == 429
