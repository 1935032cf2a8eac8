"""Team events on phones, on the organisers' pages, on paper and on a television."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.hall import commands
from games.hall.models import Event
from games.hall.organiser.organising import NAMES
from games.translation import words
from tests.hall.halls import ANNA, by_chance, refused, state
from tests.hall.halls import opened as singles
from tests.hall.halls import play_round as play_singles
from tests.hall.places import ask, card, do, page, phone, post, said
from tests.hall.team_events import begun, captain, end_round, match_of, opened, play_round, put_up_all
from tests.hall.test_organiser import phone_of
from tests.hall.test_organiser import send as sent

pytestmark = pytest.mark.django_db


def offered(page_of: str) -> list[str]:
    """The answers that a page offers a captain."""
    return re.findall(r'value="(propose [^"]+)"', page_of)


def tapped(code: str, key: str) -> None:
    """A captain taps the first answer on their phone, if they are asked."""
    one = phone(code, key)
    if answers := offered(ask(one, code).content.decode()):
        assert do(one, code, answers[0], key=f"a-page-of-{key}-{len(answers)}").status_code == 302


def test_a_captain_registers_a_team_and_has_its_place():
    code = opened(0, 3, divisions=["Open", "Beginners"])
    mine = phone(code)
    form = {"team": "Lions", "name": "Ada", "players": "Bea\nCal", "division": "Beginners"}
    assert post(mine, code, "event-register", **form).status_code == 302
    g = state(code)
    team = next(iter(g.teams.values()))
    assert (team.name, team.division) == ("Lions", "Beginners")
    assert [one.name for one in g.members(team.key)] == ["Ada", "Bea", "Cal"]
    assert "Bea" in page(mine, code, "event-team")
    assert "Ada" in card(mine, code)


def test_a_team_that_is_registered_twice_is_the_same_team():
    code = opened(0, 3)
    mine, form = phone(code), {"team": "Lions", "name": "Ada", "players": "Bea"}
    post(mine, code, "event-register", **form)
    other = phone(code)
    assert post(other, code, "event-register", **form).status_code in (302, 422)
    assert len(state(code).teams) == 1


def test_what_is_wrong_with_a_team_is_said_and_nothing_is_lost():
    code = opened(1, 3)
    answer = post(phone(code), code, "event-register", team="Lions", name="Zoe", players="Yan\nXia")
    assert answer.status_code == 422
    assert "Xia" in answer.content.decode()
    assert len(state(code).teams) == 1


def test_a_captain_adds_players_and_checks_everybody_in():
    code = opened(1, 3)
    team = next(iter(state(code).teams))
    own = phone(code, captain(code, team).key)
    assert post(own, code, "event-team", players="Zoe").status_code == 302
    assert "check-in-team" in ask(own, code).content.decode()
    assert do(own, code, "check-in-team").status_code == 302
    assert all(one.checked_in for one in state(code).members(team))


def test_others_of_a_team_do_not_see_the_captains_page():
    code = opened(1, 3)
    member = list(state(code).players)[1]
    assert ask(phone(code, member), code, "event-team").status_code == 403


@pytest.mark.parametrize("size", [3, 5])
def test_two_captains_pair_their_players_by_tapping(size):
    code = begun(2, size)
    for _time in range(20):
        for team in match_of(code).teams:
            tapped(code, captain(code, team).key)
    assert match_of(code).question == ""
    assert len(list(state(code).at(1))) == size
    assert "1" in card(phone(code, match_of(code).line_ups[match_of(code).teams[0]][0]), code)


def test_a_captain_sees_the_own_answer_and_nobody_else_does():
    code = begun(2, 5)
    one, other = match_of(code).teams
    own = phone(code, captain(code, one).key)
    answers = offered(ask(own, code).content.decode())
    do(own, code, answers[3])
    name = state(code).players[answers[3].split()[-1]].name
    assert name in card(own, code)
    assert "take-back" in ask(own, code).content.decode()
    member = match_of(code).line_ups[one][4]
    for reader in (phone(code, captain(code, other).key), phone(code, member), phone(code)):
        source = ask(reader, code).content.decode()
        rest = re.sub(r"<table.*?</table>", "", source, flags=re.S)
        assert name not in re.sub(r"<[^>]+>", " ", rest)


def test_a_player_waits_and_a_stranger_cannot_answer():
    code = begun(2, 5)
    match = match_of(code)
    member = phone(code, match.line_ups[match.teams[0]][2])
    assert offered(ask(member, code).content.decode()) == []
    answer = do(member, code, f"propose {match.key} {match.mark} {match.line_ups[match.teams[0]][2]}")
    assert answer.status_code == 403


@pytest.mark.parametrize("name", ["event", "event-standings", "event-tv", "event-print-standings"])
def test_everybody_sees_teams_and_players(name):
    code = opened(4, 3, divisions=["Open", "Beginners"])
    first = next(iter(state(code).teams))
    commands.amend_team(code, ANNA, first, division="Beginners")
    play_round(code)
    told = page(phone(code), code, name)
    assert "Lions" in told
    assert "Beginners" in told


def test_a_round_shows_its_team_matches():
    code = opened(2, 3)
    play_round(code)
    for name in ("event-round", "event-print-round"):
        assert "Wolves" in said(ask(phone(code), code, name, 1))


def test_a_put_up_is_followed_on_the_page_and_the_television():
    code = begun(2, 5)
    match = match_of(code)
    for team in match.teams:
        tapped(code, captain(code, team).key)
    name = state(code).players[match_of(code).defenders[match.teams[0]]].name
    for one in ("event", "event-tv"):
        assert name in page(phone(code), code, one)


def test_the_television_shows_the_matches_until_the_last_captains_have_paired():
    code = begun(4, 3)
    commands.rest_by_lot(code, ANNA, match_of(code).key)
    shown = page(phone(code), code, "event-tv")
    waiting = state(code).matches_at(1)[1]
    assert all(state(code).teams[team].name in shown for team in waiting.teams)
    assert "Tables 4–6" in shown
    commands.rest_by_lot(code, ANNA, waiting.key)
    assert "team-matches" not in page(phone(code), code, "event-tv")


# --- organisers --------------------------------------------------------------------------------------


def organised(code: str, name: str, *about: str) -> str:
    """One of the organisers' pages."""
    answer = phone_of(code).get(reverse(NAMES[name], args=[code, *about]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_organiser_registers_and_changes_teams():
    code = opened(0, 3)
    sent(phone_of(code), code, "register_team", name="Lions", players="Ada\nBea\nCal")
    g = state(code)
    team = next(iter(g.teams.values()))
    assert g.players[team.captain].name == "Ada"
    heir = g.members(team.key)[2].key
    sent(phone_of(code), code, f"amend_team {team.key}", name="Lionesses", captain=heir)
    assert state(code).teams[team.key].captain == heir
    assert "Lionesses" in organised(code, "teams")
    assert "Lionesses" in organised(code, "team", team.key)


def test_an_organiser_answers_for_a_captain_and_lets_the_lot_decide():
    code = begun(2, 5)
    match = match_of(code)
    answers = offered(organised(code, "match", match.key))
    assert len(answers) == 10
    sent(phone_of(code), code, answers[0])
    assert sum(map(len, match_of(code).sealed.values())) == 1
    sent(phone_of(code), code, f"rest_by_lot {match.key}")
    assert match_of(code).question == ""
    assert "pair_anew" in organised(code, "match", match.key)


def test_the_next_step_of_a_team_event_leads_to_its_end():
    code = opened(4, 3, length=1)
    told = organised(code, "")
    for verb in ("pair", "open_round"):
        button = re.search(rf'value="({verb} [^"]+)"', told)
        assert button, verb
        sent(phone_of(code), code, button[1])
        told = organised(code, "")
    assert "close_round" not in told
    put_up_all(code)
    end_round(code)
    button = re.search(r'value="(finish [^"]+)"', organised(code, ""))
    sent(phone_of(code), code, button[1])
    assert Event.objects.get(code=code).status == "over"


def test_the_draft_of_a_team_round_is_changed_by_team_names():
    code = opened(4, 3)
    commands.pair(code, ANNA)
    told = organised(code, "pairings")
    assert "Lions" in told
    seen = re.search(r'value="by_hand ([^"]+)"', told)[1]
    sent(phone_of(code), code, f"by_hand {seen}", groups="Lions / Krakens\nWolves / Stags")
    g = state(code)
    assert [[g.teams[key].name for key in one.teams] for one in g.matches_at(1)] == [
        ["Lions", "Krakens"],
        ["Wolves", "Stags"],
    ]


def test_settings_of_teams_are_on_the_form():
    code = opened(0, 3)
    sent(
        phone_of(code),
        code,
        "settings",
        team_size="5",
        team_tables="lot",
        team_scale="total",
        team_cap="70",
        team_margin="3",
        divisions="Open, Beginners",
    )
    g = state(code)
    assert (g.team_size, g.team_tables, g.team_scale, g.team_cap) == (5, "lot", "total", 70)
    assert g.divisions == ("Open", "Beginners")


def test_players_of_a_division_have_places_of_their_own():

    code = singles(4, divisions=["Open", "Beginners"])
    for at, key in enumerate(state(code).players):
        sent(phone_of(code), code, f"set_division {key}", division=("Open", "Beginners")[at % 2])
    play_singles(code, by_chance(1))
    told = page(phone(code), code, "event-standings")
    assert "Open" in told
    assert "Beginners" in told
    assert told.count(" 1 Player") == 2


DIVIDED = {"divisions": ["Open", "Beginners"]}


def test_a_player_who_registers_chooses_a_division():
    code = singles(0, **DIVIDED)
    assert "Beginners" in page(phone(code), code, "event-register")
    ada = phone(code)
    post(ada, code, "event-register", name="Ada", division="Beginners")
    assert [one.division for one in state(code).players.values()] == ["Beginners"]
    wrong = post(phone(code), code, "event-register", name="Bo", division="Masters", key="key-of-a-page-9")
    assert wrong.status_code == 422
    assert 'value="Bo"' in wrong.content.decode()


@pytest.mark.parametrize("late", [False, True])
def test_organisers_enter_a_player_in_a_division(late: bool):
    code = singles(4, **DIVIDED)
    if late:
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    how = {"how": "loss"} if late else {}
    sent(phone_of(code), code, "register", name="Ada", division="Beginners", **how)
    assert [one.division for one in state(code).players.values() if one.name == "Ada"] == ["Beginners"]


def test_a_player_list_has_a_column_for_divisions():
    code = singles(0, **DIVIDED)
    commands.import_table(code, ANNA, "Name;Club;Category\nAda;North;beginners\nBo;South;\nCy;South;Open")
    assert [one.division for one in state(code).players.values()] == ["Beginners", "", "Open"]
    olga = phone_of(code)
    form = {"text": "Name;Division\nDi;Open", "key": "key-of-a-page-0"}
    shown = olga.post(reverse("organise-preview", args=[code]), form).content.decode()
    assert "<td>Open</td>" in shown
    told = refused(commands.import_table, code, ANNA, "Name;Division\nEd;Masters").line
    assert "Line 2: This event has no such division." in words(told)


def test_a_list_of_teams_has_a_column_for_their_divisions():
    code = opened(0, 3, **DIVIDED)
    commands.import_table(code, ANNA, "Name;Team;Division\nAda;Lions;Open\nBo;Lions;\nCy;Wolves;Beginners")
    assert {one.name: one.division for one in state(code).teams.values()} == {
        "Lions": "Open",
        "Wolves": "Beginners",
    }


def test_a_column_of_divisions_is_not_used_where_the_event_has_none():
    code = singles(0)
    commands.import_table(code, ANNA, "Name;Division\nAda;Masters")
    assert [one.name for one in state(code).players.values()] == ["Ada"]


def test_teams_of_a_division_have_places_of_their_own():
    code = opened(4, 3, team_tables="order", **DIVIDED)
    for at, key in enumerate(state(code).teams):
        commands.amend_team(code, ANNA, key, division=DIVIDED["divisions"][at % 2])
    play_round(code)
    told = page(phone(code), code, "event-standings")
    assert "Teams · Open" in told
    assert "Teams · Beginners" in told
