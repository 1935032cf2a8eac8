"""The home page: every table says its game, demo tables come last, any can be searched."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from games.core import systems
from games.management.commands.plant import planted, seeds
from games.match import play
from games.models import Match
from games.pages.opening import home
from games.people.seats import SESSION_SEATS
from tests.holding import holding

pytestmark = pytest.mark.django_db

SEED = seeds("agot")[0]
TITLES = {game.slug: game.title for game in systems()}


def opened(game: str = "tmg", red: str = "Ada", blue: str = "Bo", **more: bool) -> Match:
    of_game = next(one for one in systems() if one.slug == game)
    keys = list(of_game.seat_names)[: of_game.seat_range[0]]
    names = {**dict.fromkeys(keys, ""), **dict(zip(keys, (red, blue), strict=False))}
    return play.open_match(game, of_game.modes[0].slug, names, **more)


def listed(client: Client, query: str = "") -> dict[str, list[str]]:
    """The codes under each heading."""
    page = client.get(f"/?{query}").context["page"]
    return {title: [row.url.split("/")[2] for row in rows] for title, rows in page.sections}


def sits(client: Client, *matches: Match) -> None:
    session = client.session
    session[SESSION_SEATS] = {
        code: held for match in matches for code, held in holding(match.code, "red").items()
    }
    session.save()


def finish(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(result={"winner": None}, finished_at=match.created_at)


@pytest.mark.parametrize("query", ["", "q=ada", "game=bushido"])
def test_every_line_says_its_game(client: Client, query: str) -> None:
    own, live, over = opened("bushido"), opened("bushido"), opened("bushido")
    opened("tmg"), opened("agot")
    finish(over)
    sits(client, own)
    text = client.get(f"/?{query}").content.decode()
    lines = re.findall(r"<li><a href=.*?</li>", text)
    games = {re.search("/t/([A-Z0-9]+)/", line)[1]: line for line in lines}
    assert {own.code, live.code, over.code} <= set(games)
    for code, line in games.items():
        assert TITLES[Match.objects.get(code=code).system] in line


def test_a_game_of_one_mode_is_named_once(client: Client) -> None:
    opened("bushido")
    (row,) = client.get("/").context["page"].sections[0][1]
    assert row.game not in row.details


def test_demo_tables_go_last_and_are_marked(client: Client) -> None:
    demo, own_demo = planted(SEED), opened(is_demo=True)
    real, own, over = opened(), opened(), opened()
    finish(over)
    Match.objects.filter(pk=own.pk).update(changed_at=own.created_at.replace(year=2001))
    sits(client, own_demo, own)
    sections = client.get("/").context["page"].sections
    assert listed(client) == {
        "Your tables": [own.code, own_demo.code],
        "Being played now": [real.code],
        "Finished": [over.code],
        "Demo tables": [demo.code],
    }
    assert [title for title, _rows in sections][-1] == "Demo tables"
    marked = {row.url.split("/")[2] for _title, rows in sections for row in rows if row.demo}
    assert marked == {demo.code, own_demo.code}
    assert client.get("/").content.decode().count('<span class="badge">Demo</span>') == 2
    assert client.get("/").context["page"].again_url.endswith(own.code)


def test_players_and_codes_are_found(client: Client) -> None:
    ada, cleo = opened(red="Ada Lovelace"), opened(red="Cleo", blue="王小明")
    hidden = opened(red="Ada Hidden", is_listed=False)
    assert listed(client, "q=ada+LOVE") == {"Being played now": [ada.code]}
    assert listed(client, "q=小明") == {"Being played now": [cleo.code]}
    assert listed(client, f"q={cleo.code[:5].lower()}") == {"Being played now": [cleo.code]}
    assert listed(client, f"q={hidden.code}") == {}
    answer = client.get("/?q=nobody+here")
    assert "No tables found." in answer.content.decode()
    assert 'value="nobody here"' in answer.content.decode()


def test_one_game_can_be_chosen(client: Client) -> None:
    board, skirmish = opened("agot"), opened("bushido")
    sits(client, skirmish)
    assert listed(client, "game=agot") == {"Being played now": [board.code]}
    assert listed(client, "game=bushido&q=bo") == {"Your tables": [skirmish.code]}
    assert listed(client, "game=chess").keys() == {"Being played now", "Your tables"}
    chosen = [one.value for one in client.get("/?game=agot").context["page"].games if one.selected]
    assert chosen == ["agot"]


def test_own_tables_are_searched_even_where_they_are_not_listed(client: Client) -> None:
    own = opened(red="Dora", is_listed=False)
    sits(client, own)
    assert listed(client, "q=dora") == {"Your tables": [own.code]}
    assert listed(client, "q=zoe") == {}


@pytest.mark.parametrize("query", ["q=%00", "q=%25", "q=%ff%fe", f"q={5000 * 'x'}", "game=%00", "q=%27"])
def test_an_odd_search_finds_nothing_and_harms_nothing(client: Client, query: str) -> None:
    opened()
    answer = client.get(f"/?{query}")
    assert answer.status_code == 200
    assert "\0" not in answer.content.decode()


def test_the_page_asks_the_database_the_same_however_many_tables_there_are(
    client: Client, django_assert_max_num_queries
) -> None:
    for _count in range(15):
        opened()
    with django_assert_max_num_queries(14):
        assert len(listed(client)["Being played now"]) == 12


# --- a flood of tables ----------------------------------------------------------------------------


def opens(address: str, *, joined: bool = False) -> Match:
    """A table opened from an address, as the form does it; somebody else sits down where it is `joined`."""
    client = Client(REMOTE_ADDR=address)
    assert client.post("/new", {"mode": "rps/plain", "name": "Ada"}).status_code == 302
    match = Match.objects.latest("pk")
    if joined:
        match.seats.update(is_taken=True)
    return match


def test_a_flood_of_opened_tables_does_not_push_real_ones_off_the_page():
    real = [opens(f"10.0.0.{number}", joined=True) for number in range(4)]
    waiting = opens("10.0.1.1")
    for joined in (True, False):
        flood = [opens("10.6.6.6", joined=joined) for _number in range(15)]
        shown = listed(Client())["Being played now"]
        assert len(shown) == 12
        assert {match.code for match in (*real, waiting)} <= set(shown)
        assert flood[-1].code in shown or not joined


def test_tables_that_somebody_joined_come_before_those_that_nobody_joined():
    joined = opens("10.0.0.1", joined=True)
    alone = [opens(f"10.0.1.{number}") for number in range(13)]
    shown = listed(Client())["Being played now"]
    assert shown == [joined.code, *(match.code for match in reversed(alone[2:]))]


def test_where_there_is_room_every_table_of_an_address_is_shown():
    club = [opens("10.0.0.1", joined=True) for _number in range(10)]
    assert set(listed(Client())["Being played now"]) == {match.code for match in club}


def test_a_table_that_was_left_is_not_being_played(client: Client) -> None:
    """It is found by those who sat there and by those who search for it, and fills no list otherwise."""
    left, played = opened(), opened()
    last_touched = now() - home.STILL_PLAYED - timedelta(minutes=1)
    Match.objects.filter(pk=left.pk).update(changed_at=last_touched)
    assert listed(client) == {"Being played now": [played.code]}
    assert home.being_played() == [played]
    assert listed(client, f"q={left.code}") == {"Being played now": [left.code]}
    sits(client, left)
    assert listed(client) == {"Your tables": [left.code], "Being played now": [played.code]}
    Match.objects.filter(pk=left.pk).update(changed_at=last_touched + timedelta(minutes=2))
    assert set(listed(Client())["Being played now"]) == {left.code, played.code}


def test_where_every_table_was_left_a_screen_shows_the_demo_tables() -> None:
    left, demo = opened(), opened(is_demo=True)
    Match.objects.update(changed_at=now() - 2 * home.STILL_PLAYED)
    assert home.being_played() == [demo] != [left]


def test_an_address_is_not_kept_itself():
    match = opens("10.20.30.40")
    assert len(match.opened_from) == 64
    assert match.opened_from == opens("10.20.30.40").opened_from != opens("10.20.30.41").opened_from
    assert "10.20.30.40" not in str(match.__dict__)


def test_tables_of_which_no_address_is_known_are_not_one_address():
    older = [opened() for _number in range(7)]
    for _number in range(15):
        opens("10.6.6.6")
    assert {match.code for match in older} <= set(listed(Client())["Being played now"])


def test_a_game_is_found_by_its_name_and_a_mode_by_its_own(client: Client) -> None:
    board, skirmish, army = opened("agot"), opened("bushido", "Ada", "Cleo"), opened("tmg")
    assert listed(client, "q=bushido") == {"Being played now": [skirmish.code]}
    assert listed(client, "q=board+GAME") == {"Being played now": [board.code]}
    assert listed(client, f"q={army.code}") == {"Being played now": [army.code]}
    clash = play.open_match("tmg", "a-clash-of-kings", {"red": "Eve", "blue": ""})
    assert listed(client, "q=clash") == {"Being played now": [clash.code]}
    german = client.get("/?q=Kampf+der+K%C3%B6nige", headers={"accept-language": "de"})
    assert f"/t/{clash.code}/" in german.content.decode()


def test_two_letters_are_looked_for_in_names_of_players_only(client: Client) -> None:
    opened("agot", "Ada", "Cleo")
    bo = opened("tmg", "Ada", "Bo")
    assert listed(client, "q=bo") == {"Being played now": [bo.code]}
