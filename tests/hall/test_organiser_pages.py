"""Every page of the organisers: sound markup, links that lead somewhere, kinds of event, both languages."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.hall import commands
from games.hall.organiser import settings_pages
from games.hall.organiser.organising import NAMES, PAGES
from games.hall.rules.standings import standings
from tests.hall.halls import ANNA, first_table, opened, scores, state
from tests.hall.test_organiser import page, phone_of, send
from tests.pages.test_templates import Page

pytestmark = pytest.mark.django_db

OF_TEAMS = ("team", "match")
"""Pages that only a team event has: `tests/hall/test_team_pages.py` opens them."""
ABOUT = {"player": ("p1",), "table": ("1-1",)}


def begun(players: int = 9, **settings) -> str:
    code = opened(players, **settings)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def sources(code: str, **headers: str) -> dict[str, str]:
    """Every page of the organisers, and the wall."""
    phone = phone_of(code)
    addresses = {
        name: reverse(NAMES[name], args=[code, *ABOUT.get(name, ())])
        for name in PAGES
        if name not in OF_TEAMS
    }
    addresses |= {"wall": reverse("wall", args=[code]), "new": reverse("new-event")}
    answers = {name: phone.get(path, headers=headers) for name, path in addresses.items()}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {name: answer.content.decode() for name, answer in answers.items()}


def test_every_page_is_sound():
    for name, source in sources(begun()).items():
        page = Page(source)
        assert [key for key, count in page.ids.items() if count > 1] == [], name
        used = {attrs["href"] for tag, attrs in page.tags if tag == "use"}
        assert used <= {f"#{key}" for key in page.ids}, name
        labels = {attrs["for"] for tag, attrs in page.tags if tag == "label" and "for" in attrs}
        assert labels <= set(page.ids), name
        assert source.count("<h1") == 1, name
        for tag, attrs in page.tags:
            assert not [key for key in attrs if key == "style" or key.startswith("on")], (name, tag)
            if tag == "form" and attrs.get("method") == "post" and "/organise/" in str(attrs["action"]):
                assert "key" in {one.get("name") for _tag, one in page.tags}, name


def test_the_way_to_the_television_is_on_the_organisers_page():
    code = begun()
    assert f'href="/e/{code}/tv"' in sources(code)[""]


def test_every_copy_is_saved_as_a_file():
    code = begun()
    copies = re.findall(r'<a class="button" href="/api/[^"]+"( download)?>', sources(code)[""])
    assert copies == [" download"] * 4


def test_pairings_are_printed_before_their_round_opens_and_afterwards():
    code = opened(4)
    commands.pair(code, ANNA)
    address = f"/e/{code}/print/round/1"
    assert address in sources(code)["pairings"]
    commands.open_round(code, ANNA)
    assert address in sources(code)["pairings"]


def test_pairings_by_hand_that_were_refused_can_be_seen():
    code = opened(4)
    commands.pair(code, ANNA)
    phone, folded = phone_of(code), '<details class="folded" open>'
    assert folded not in phone.get(reverse("organise-pairings", args=[code])).content.decode()
    answer = send(phone, code, "by_hand", "pairings", groups="Player 1 / Nobody")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Player 1 / Nobody</textarea>" in text
    assert folded in text


def test_a_result_is_entered_or_ruled_only_at_a_table_that_is_played():
    code = opened(3)
    commands.pair(code, ANNA)
    judge, keeper = phone_of(code, "judge", "Jon"), phone_of(code, "scorekeeper", "Sam")
    bye, table = sorted(state(code).pairings, key=lambda key: not state(code).pairings[key].is_bye)

    def offered(phone: Client, key: str) -> list[str]:
        return re.findall(f'value="(enter|rule) {key}"', page(phone, code, "organise-table", key))

    assert (offered(judge, table), offered(keeper, table)) == ([], [])
    commands.open_round(code, ANNA)
    assert (offered(judge, table), offered(keeper, table)) == (["enter", "rule"], ["enter"])
    commands.enter_result(code, ANNA, table, scores(state(code).pairings[table], 7, 4))
    assert (offered(judge, table), offered(keeper, table)) == (["rule"], [])
    assert (offered(judge, bye), offered(keeper, bye)) == ([], [])


def test_who_is_not_here_yet_is_at_the_top_of_the_players():
    code = opened(3)
    commands.check_in(code, ANNA, "p3", here=False)
    commands.drop(code, ANNA, "p1")
    shown = page(phone_of(code), code, "organise-players")
    order = re.findall(r"/organise/players/(p\d)\"", shown)
    assert order == ["p3", "p2", "p1"]


def test_every_link_leads_somewhere():
    code = begun()
    phone = phone_of(code)
    links = re.compile(r'<a[^>]* href="(/[^"#]+)"')
    found = {link for source in sources(code).values() for link in links.findall(source)}
    assert len(found) > 25
    assert [link for link in sorted(found) if phone.get(link.replace("&amp;", "&")).status_code != 200] == []


def test_no_page_leaves_english_words_to_chinese_readers():
    found = sources(begun(), accept_language="zh-hans")
    # The tests' own games, which are offered there, speak English only.
    found.pop("new")
    for name, source in found.items():
        text = re.sub(r"<textarea.*?</textarea>|<[^>]+>|http[^<\s]+", " ", source, flags=re.S)
        left = set(re.findall(r"\b[A-Za-z]{4,}\b", text))
        known = {"Roundtable", "Player", "Club", "Olga", "Anna", "JSON", "Bushido", "organiser"}
        known |= set(dict(settings.LANGUAGES).values())
        assert left - known - {code for code in left if code.isupper()} == set(), name


KINDS = (
    *("tmg-40", "league", "tmg-knockout", "bushido", "bushido-league", "bushido-knockout"),
    *("board-game", "board-game-league"),
)
LADDERS = ("tmg-ladder", "bushido-ladder")


def test_every_kind_that_is_offered_is_tried():
    built_in = ("tmg", "bushido", "agot")
    offered = [one for one in settings_pages.offered() if one.game in built_in]
    assert {one.kind.slug for one in offered} == {*KINDS, *LADDERS}
    assert [one.game for one in offered[:3]] == ["tmg"] * 3


@pytest.mark.parametrize("kind", LADDERS)
def test_a_ladder_is_opened_and_played(kind: str):
    phone = phone_of(opened(2))
    form = {"preset": kind, "name": "Ladder", "key": f"the-form-of-{kind}"}
    code = phone.post(reverse("new-event"), form).url.split("/")[2]
    assert send(phone, code, "import", text="Ada\nBo\nCy").status_code == 302
    first, second = (line.player for line in standings(state(code))[:2])
    commands.challenge(code, ANNA, second, first)
    one = next(iter(state(code).pairings.values()))
    sent = {f"vp-{key}": str(7 * (key == second)) for key in one.players}
    assert send(phone, code, f"enter {one.key}", **sent).status_code == 302
    assert [line.player for line in standings(state(code))[:2]] == [second, first]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_is_opened_and_played(kind: str):
    phone = phone_of(opened(2))
    form = {"preset": kind, "name": "Evening", "key": f"the-form-of-{kind}"}
    code = phone.post(reverse("new-event"), form).url.split("/")[2]
    listed = "\n".join(f"Player {n};Club {n % 3}" for n in range(1, 13))
    for do, fields in (
        ("import", {"text": listed}),
        ("check_in_all", {}),
        ("pair", {}),
        ("open_round", {}),
    ):
        assert send(phone, code, do, **fields).status_code == 302, do
    for pairing in [one for one in state(code).at(1) if not one.is_bye]:
        sent = {f"vp-{key}": str(7 - place) for place, key in enumerate(pairing.players, 1)}
        assert send(phone, code, f"enter {pairing.key}", **sent).status_code == 302
    assert send(phone, code, "close_round 1").status_code == 302
    g = state(code)
    first = {one.players[0] for one in g.pairings.values()}
    assert {line.player for line in standings(g)[: len(first)]} == first
    if kind == "bushido":
        assert g.length == 3
    if kind == "board-game":
        assert [line.values["points"] for line in standings(g)] == [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1]


def test_while_nobody_has_registered_the_code_to_scan_comes_first():
    empty, full = opened(0), begun()
    first, later = (
        phone_of(code).get(reverse("organise", args=[code])).content.decode() for code in (empty, full)
    )
    assert first.index('alt="QR code') < first.index('id="region"')
    assert later.index('alt="QR code') > later.index('id="region"')
    assert first.count('alt="QR code') == later.count('alt="QR code') == 1


@pytest.mark.parametrize(
    ("game", "field", "words"),
    [("tmg", "Army points", "40 points a side"), ("bushido", "Rice", "100 rice a side")],
)
def test_the_size_of_an_army_is_called_as_its_game_calls_it(game: str, field: str, words: str):
    code = opened(2, system=game)
    phone = phone_of(code)
    form = phone.get(reverse(NAMES["settings"], args=[code])).content.decode()
    assert re.search(rf">\s*{field}\s*<", form)
    assert words in phone.get(reverse("event", args=[code])).content.decode()


def test_a_role_has_a_short_name_and_is_explained_beside_it():
    """A phone's closed list cuts off what has no room in it."""
    source = sources(begun())["helpers"]
    shown = re.search(r'<select[^>]* name="role".*?</select>', source, re.DOTALL)[0]
    assert re.findall(r"<option[^>]*>\s*(.*?)\s*</option>", shown) == ["Judge", "Scorekeeper", "Organiser"]
    assert "A judge corrects and rules, but deletes nothing." in source


@pytest.mark.parametrize("at", ["table", "player", "players p1", "table 1 1", "table é", "nowhere", "log x"])
def test_a_form_of_no_page_leads_to_the_first_one(at: str):
    """What it asked for was done, and answered with an error."""
    code = opened(2)
    phone = phone_of(code)
    answer = send(phone, code, "announce", at, text="The bar is open")
    assert (answer.status_code, answer.url) == (302, reverse("organise", args=[code]))
    assert send(phone, code, "announce", at).status_code == 422


@pytest.mark.parametrize("shape", [{"kind": "free", "length": 0}, {"days": 7, "length": 0}, {"length": 5}])
def test_an_event_may_end_whatever_number_of_rounds_was_planned(shape):
    """Where the number of rounds was left open, the pages only ever offered another one."""
    code = opened(2, mode="manual-scoring", **shape)
    commands.pair(code, ANNA)
    commands.by_hand(code, ANNA, [("p1", "p2")])
    commands.open_round(code, ANNA)
    phone = phone_of(code)
    assert "Finalise standings" not in page(phone, code, "organise-pairings")
    table = first_table(code)
    commands.enter_result(code, ANNA, table.key, scores(table, 5, 2))
    commands.close_round(code, ANNA)
    (ending,) = re.findall(r'value="(finish [^"]*)"', page(phone, code, "organise-pairings"))
    assert send(phone, code, ending, "pairings").status_code == 302
    assert state(code).status == "over"
    assert "Finalise standings" not in page(phone, code, "organise-pairings")


def test_players_are_listed_as_their_surnames_are_looked_up() -> None:
    code = opened(0)
    commands.import_table(code, ANNA, "Zoe Adler\nÉva Öst\nTom Young\nAnna Öst")
    for name in ("organise-players", "organise-slips", "organise-removing"):
        shown = page(phone_of(code), code, name)
        places = [shown.index(one) for one in ("Zoe Adler", "Anna Öst", "Éva Öst", "Tom Young")]
        assert places == sorted(places), name


def test_organisers_read_of_a_table_what_the_public_does() -> None:
    code = begun(4)
    one = first_table(code)
    commands.no_show(code, ANNA, one.key, one.players[0])
    for shown in (page(phone_of(code), code), page(phone_of(code), code, "event")):
        assert "he opponent is not there" in shown
