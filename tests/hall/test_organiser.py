"""The organisers' pages: an evening from the first form to the standings, roles, repeated and late taps."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.hall import commands, event_links
from games.hall.models import Event, Helper, Player
from games.hall.organiser.organising import ACTIONS
from games.hall.rules.standings import standings
from games.match.play import new_key
from games.models import Match
from games.web import limits
from tests.hall.halls import ANNA, begun, first_table, opened, scores, state

pytestmark = pytest.mark.django_db


def phone_of(code: str, role: str = "organiser", name: str = "Olga") -> Client:
    """A phone whose holder has this role."""
    made = commands.appoint(code, ANNA, role, name).made
    helper = Helper.objects.select_related("event").get(pk=made)
    phone = Client()
    answer = phone.post(reverse("helper-link", args=[code, event_links.secret(helper)]))
    assert answer.status_code == 302
    return phone


def send(phone: Client, code: str, do: str, at: str = "", key: str = "", **fields):
    """A form of the organisers' pages, not slowed down by the ones before it."""
    limits.TAPS.forget()
    return phone.post(
        reverse("organise-do", args=[code]), {"do": do, "at": at, "key": key or new_key(), **fields}
    )


def page(phone: Client, code: str, name: str = "organise", *args: str) -> str:
    answer = phone.get(reverse(name, args=[code, *args]))
    assert answer.status_code == 200
    return answer.content.decode()


def next_button(phone: Client, code: str) -> str:
    """What the one big action does; "" where there is nothing to do but wait."""
    found = re.search(r'<section class="next">.*?</section>', page(phone, code), re.S)
    action = re.search(r'name="do" value="(\w+)', found[0]) if found else None
    return action[1] if action else ""


def test_an_evening_is_led_by_the_big_button():
    code = opened(0, length=1)
    phone = phone_of(code)
    assert next_button(phone, code) == ""
    assert "No players yet" in page(phone, code)
    send(phone, code, "import", "import", text="Ada;North\nBo;South\nCy;North\nDi;South")
    assert "0 of 4 checked in" in page(phone, code)
    send(phone, code, "check_in_all", "players")
    for action in ("pair", "open_round", "start_clock"):
        assert next_button(phone, code) == action
        assert send(phone, code, action).status_code == 302
    assert "Waiting for tables 1, 2" in page(phone, code)
    for one in state(code).at(1):
        sent = {f"vp-{key}": str(vp) for key, vp in zip(one.players, (9, 4), strict=True)}
        send(phone, code, f"enter {one.key}", f"table {one.key}", **sent)
    assert "tables that have a result no longer change" in page(phone, code, "organise-pairings")
    assert "Paste a list" not in page(phone, code, "organise-players")
    for action in ("close_round", "finish"):
        assert next_button(phone, code) == action
        send(phone, code, action)
    assert "no longer change" not in page(phone, code, "organise-pairings")
    assert "The event is over" in page(phone, code)
    winners = {one.players[0] for one in state(code).pairings.values()}
    assert {line.player for line in standings(state(code))[:2]} == winners


def test_a_new_event_belongs_to_the_phone_that_opens_it():
    phone = Client()
    form = {"name": "Club evening", "organiser": "Olga", "preset": "bushido", "key": new_key()}
    first = phone.post(reverse("new-event"), form)
    again = Client().post(reverse("new-event"), form)
    event = Event.objects.get()
    assert first.url == again.url == reverse("organise", args=[event.code])
    assert (event.system, event.kind, event.scoring, event.length) == ("bushido", "monrad", "bushido", 0)
    assert "Helpers" in page(phone, event.code)
    assert Client().get(first.url).status_code == 403


def test_whoever_was_dismissed_comes_back_by_no_form_sent_again():
    phone, form = Client(), {"name": "Cup", "organiser": "Olga", "preset": "bushido", "key": new_key()}
    phone.post(reverse("new-event"), form)
    event, opener = Event.objects.get(), Helper.objects.get()
    commands.appoint(event.code, ANNA, "organiser", "Ben")
    commands.dismiss(event.code, ANNA, opener.pk)
    phone.post(reverse("new-event"), form)
    assert Event.objects.count() == 1
    assert phone.get(reverse("organise", args=[event.code])).status_code == 403


def test_a_wrong_setting_of_a_new_event_loses_nothing():
    form = {"name": "Cup", "preset": "tmg-40", "key": new_key(), "minutes": "many", "kind": "monrad"}
    answer = Client().post(reverse("new-event"), form)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "Minutes per round: Please enter a whole number" in text
    assert 'value="many"' in text
    assert re.search(r'<option value="monrad" selected>', text)
    assert not Event.objects.exists()


ALLOWED = {
    "scorekeeper": {"enter", "enter_table", "go_on", "check_in", "check_in_team", "check_out", "call_judge"},
    "judge": {
        *("enter", "enter_table", "check_in", "check_out", "call_judge", "amend", "rule", "answer_call"),
        *(
            "close_call",
            "note_ruling",
            "announce",
            "take_down",
            "start_clock",
            "pause_clock",
            "extend",
            "swap",
            "move",
            "fix_table",
            "penalise",
            "seat_together",
            "no_show",
            "drop",
            "come_back",
            "go_on",
            "hand_in",
        ),
        *("check_in_team", "amend_team", "propose", "rest_by_lot", "pair_anew"),
        *("set_houses", "draw_houses"),
    },
}


@pytest.mark.parametrize("role", ALLOWED)
def test_a_role_does_what_it_may_and_nothing_else(role: str):
    code = opened(4)
    phone = phone_of(code, role)
    refused = {do for do in ACTIONS if send(phone, code, f"{do} 1").status_code == 403}
    assert set(ACTIONS) - refused == ALLOWED[role]
    answer = send(phone, code, "pair")
    assert "Only the organisers of the event can do this." in answer.content.decode()
    assert state(code).rounds == {}


@pytest.mark.parametrize("role", ["judge", "scorekeeper"])
def test_personal_links_are_for_organisers(role: str):
    code = opened(4)
    phone, organiser = phone_of(code, role), phone_of(code)
    secret = event_links.secret(Player.objects.select_related("event").get(event__code=code, key="p1"))
    assert secret in page(organiser, code, "organise-player", "p1")
    assert secret not in page(phone, code, "organise-player", "p1")
    for name in ("organise-slips", "organise-helpers", "organise-import", "organise-settings"):
        assert phone.get(reverse(name, args=[code])).status_code == 403
    assert next_button(phone, code) == ""


def test_of_two_rulings_at_once_the_second_reads_the_first():
    code = begun()
    table = first_table(code)
    judges = phone_of(code, "judge", "Jo"), phone_of(code, "judge", "Ju")
    address = reverse("organise-table", args=[code, table.key])
    forms = [re.search(r'name="seen" value="(\w+)"', one.get(address).content.decode())[1] for one in judges]
    at, rule = f"table {table.key}", f"rule {table.key}"
    for judge, seen, points in zip(judges, forms, ((9, 3), (2, 8)), strict=True):
        sent = {f"vp-{key}": str(vp) for key, vp in zip(table.players, points, strict=True)}
        answer = send(judge, code, rule, at, seen=seen, reason="as shown", **sent)
    assert answer.status_code == 409
    assert "Check the current result" in answer.content.decode()
    stands = state(code).pairings[table.key].results
    assert [stands[key]["vp"] for key in table.players] == [9, 3]
    fresh = re.search(r'name="seen" value="(\w+)"', answer.content.decode())[1]
    assert send(judges[1], code, rule, at, seen=fresh, reason="as shown", **sent).status_code == 302
    stands = state(code).pairings[table.key].results
    assert [stands[key]["vp"] for key in table.players] == [2, 8]


def test_a_refused_form_shows_no_page_that_its_sender_may_not_see():
    code = opened(4)
    judge = phone_of(code, "judge")
    for name in ("helpers", "slips", "import", "settings"):
        text = send(judge, code, "announce", name, text="").content.decode()
        assert "Type your announcement." in text
        assert ("/helper/" in text, 'class="slips"' in text, "<textarea" in text) == (False, False, False)


def test_who_is_dismissed_does_nothing_any_more():
    code = opened(4)
    phone, organiser = phone_of(code, "judge", "Jo"), phone_of(code)
    helper = Helper.objects.get(event__code=code, role="judge")
    send(organiser, code, f"dismiss {helper.pk}", "helpers")
    assert phone.get(reverse("organise", args=[code])).status_code == 403
    assert send(phone, code, "announce", text="Hello").status_code == 403


def test_two_organisers_draw_at_once():
    code = opened(8)
    one, other = phone_of(code, name="Olga"), phone_of(code, name="Otto")
    send(one, code, "pair")
    drawn = [pairing.players for pairing in state(code).at(1)]
    answer = send(other, code, "pair")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Round 1 is already paired. Another organiser may have done it." in text
    assert "Open round 1" in text
    assert [pairing.players for pairing in state(code).at(1)] == drawn


def test_a_button_tapped_twice_counts_once():
    code = opened(8)
    phone, key = phone_of(code), new_key()
    assert [send(phone, code, "pair", key=key).status_code for _tap in (1, 2)] == [302, 302]
    # Another action of the same page is another tap.
    assert send(phone, code, "open_round", key=key).status_code == 302
    assert state(code).rounds["1"].state == "open"


def test_a_result_that_contradicts_is_shown_with_both_and_ruled():
    code = opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    pairing = next(state(code).at(1))
    scorekeeper, judge = phone_of(code, "scorekeeper"), phone_of(code, "judge")
    commands.enter_result(code, ANNA, pairing.key, scores(pairing, 9, 4))
    one, other = pairing.players
    sent = {f"vp-{one}": "3", f"vp-{other}": "8"}
    answer = send(scorekeeper, code, f"enter {pairing.key}", f"table {pairing.key}", **sent)
    assert answer.status_code == 409
    assert "A judge must decide." in answer.content.decode()
    assert 'value="rule ' not in page(scorekeeper, code, "organise-table", pairing.key)
    answer = send(judge, code, f"rule {pairing.key}", f"table {pairing.key}", **sent)
    assert "Please give a reason." in answer.content.decode()
    assert 'value="8"' in answer.content.decode()
    send(judge, code, f"rule {pairing.key}", f"table {pairing.key}", reason="Counted again", **sent)
    assert state(code).pairings[pairing.key].winner == other


def test_a_contested_table_comes_first_with_both_claims():
    code = opened(4)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    pairing = list(state(code).at(1))[1]
    for player, points in zip(pairing.players, ((9, 4), (4, 9)), strict=True):
        actor = commands.Actor(player, "", "player")
        commands.report(code, actor, pairing.key, player, scores(pairing, *points))
    phone = phone_of(code, "judge")
    assert "Table 2 is disputed" in page(phone, code)
    assert page(phone, code, "organise-table", pairing.key).count(" says</dt>") == 2
    wall = page(phone, code, "wall")
    assert wall.index("contested") < wall.index('<b class="no">1</b>')


def test_a_final_is_called_so_and_a_draw_in_it_asks_who_wins():
    code = opened(4, length=1, cut=2, mode="manual-scoring")
    phone = phone_of(code)
    commands.pair(code, ANNA)
    assert '<p class="hint">Round 1 of 2</p>' in page(phone, code)
    commands.open_round(code, ANNA)
    for one in state(code).at(1):
        commands.enter_result(code, ANNA, one.key, scores(one, 9, 2))
    commands.close_round(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    final = next(iter(state(code).at(2)))
    shown = page(phone, code)
    assert '<p class="hint">Final</p>' in shown
    send(
        phone,
        code,
        f"enter {final.key}",
        **dict(zip((f"vp-{key}" for key in final.players), "66", strict=True)),
    )
    assert "Table 1 was a draw. Choose who advances." in page(phone, code)
    send(phone, code, f"go_on {final.key} {final.players[1]}")
    assert state(code).pairings[final.key].winner == final.players[1]
    assert next_button(phone, code) == "close_round"


def test_an_action_is_undone_from_the_page_on_top():
    code = opened(4)
    phone = phone_of(code)
    send(phone, code, "pair")
    version = Event.objects.get(code=code).version
    assert f'value="undo {version}"' in page(phone, code)
    send(phone, code, f"undo {version}")
    assert state(code).rounds == {}
    assert "undone" in page(phone, code, "organise-log")


def test_a_player_who_vanishes_gives_the_rival_the_round():
    code = opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone, pairing = phone_of(code), next(state(code).at(1))
    send(phone, code, f"drop {pairing.players[0]}", f"player {pairing.players[0]}")
    assert state(code).pairings[pairing.key].winner == pairing.players[1]
    assert next_button(phone, code) == "close_round"


def test_times_and_announcements():
    code = opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone, key = phone_of(code), next(state(code).at(1)).key
    send(phone, code, "extend 5")
    send(phone, code, f"extend 10 {key}", f"table {key}")
    g = state(code)
    assert (g.rounds["1"].extended, g.pairings[key].extended) == (300, 600)
    assert "10 minutes added" in page(phone, code, "organise-table", key)
    assert "95:00" in page(phone, code)
    send(phone, code, "announce", text="Pizza is here")
    assert "Pizza is here" in page(phone, code, "wall")


def test_a_league_plays_two_rounds_side_by_side():
    code = opened(4, kind="round-robin", length=0, days=14)
    phone = phone_of(code)
    for action in ("pair", "open_round", "pair", "open_round"):
        assert send(phone, code, action, "pairings").status_code == 302
    text = page(phone, code)
    assert "Tables of round 1, 2" in text
    assert '<b class="no">2.1</b>' in text
    assert "0 of 4 tables done" in text
    for pairing in list(state(code).at(1)):
        commands.enter_result(code, ANNA, pairing.key, scores(pairing, 5, 2))
    assert 'value="close_round 1"' in page(phone, code)
    send(phone, code, "close_round 1")
    assert [state(code).rounds[key].state for key in ("1", "2")] == ["closed", "open"]


def test_lists_are_handed_in_for_a_player_without_a_phone_and_open_to_organisers_only():
    code = opened(2)
    organiser, judge = phone_of(code), phone_of(code, "judge")
    send(judge, code, "hand_in p1", "player p1", first="House Stark: Sworn Swords")
    assert state(code).players["p1"].lists
    assert "House Stark: Sworn Swords" in page(organiser, code, "organise-player", "p1")
    assert "House Stark: Sworn Swords" not in page(judge, code, "organise-player", "p1")


def test_a_draw_is_entered_against_the_points_and_stands_for_the_table():
    code = opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone, pairing = phone_of(code), next(state(code).at(1))
    one, other = pairing.players
    sent = {f"vp-{one}": "7", f"vp-{other}": "5", "winner": "draw", "how": "time"}
    assert send(phone, code, f"enter {pairing.key}", f"table {pairing.key}", **sent).status_code == 302
    found = state(code).pairings[pairing.key]
    assert (found.winner, found.how) == ("", "time")
    Match.objects.filter(code=found.match).update(round=1)
    assert re.findall(r'<b class="vp">(\d+)</b>', page(phone, code)) == ["7", "5"]


def test_who_helps_at_an_event_may_ask_there_for_what_is_gone() -> None:
    code = opened(2)
    organiser, elsewhere = phone_of(code), phone_of(opened(2))
    while limits.CODES.take("127.0.0.1") == 0:
        pass
    assert organiser.get(reverse("organise-player", args=[code, "nobody"])).status_code == 404
    assert elsewhere.get(reverse("organise-player", args=["NONE42", "nobody"])).status_code == 429


def test_a_number_that_is_none_is_refused_by_its_field():
    code = begun()
    table = next(iter(state(code).at(1)))
    sent = {f"vp-{table.players[0]}": "5", f"vp-{table.players[1]}": "five"}
    answer = send(phone_of(code), code, f"enter {table.key}", f"table {table.key}", **sent)
    name = state(code).players[table.players[1]].name
    assert answer.status_code == 422
    assert f"{name}, Victory points: Please enter a whole number" in answer.content.decode()
