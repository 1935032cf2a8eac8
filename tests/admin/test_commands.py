"""Buttons of one match and actions for many."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from games.admin import match_commands
from games.history.signals import seat_freed
from games.match import match_file, play, undoing
from games.models import Army, Entry, Match, Seat
from tests.admin.in_admin import change_url, taken
from tests.hearing import heard
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db

LIST = "/admin/games/match/"


def does(client, match, command, **values):
    return client.post(
        reverse("admin:games_match_do", args=[match.pk]), {"command": command, **values}, follow=True
    )


def acts(client, action, *matches, **values):
    chosen = [match.pk for match in matches]
    return client.post(LIST, {"action": action, "_selected_action": chosen, **values}, follow=True)


def said(answer) -> str:
    assert answer.status_code == 200
    return " ".join(str(message) for message in answer.context["messages"])


# --- one match -----------------------------------------------------------------------------------


def test_the_page_has_the_buttons_that_mean_something_now(admin_client, rps):
    assert "Undo:" not in admin_client.get(change_url(rps)).content.decode()
    tap(rps, "red", "throw:rock")
    taken(rps, "blue")
    taken(play.open_match("rps", "plain", {"red": "Cleo", "blue": "Dan"}), "red")
    page = admin_client.get(change_url(rps)).content.decode()
    assert "Undo: Ada has chosen" in page
    assert "Free the seat Blue" in page
    assert "Free the seat Red" not in page
    assert "Agree" not in page


def test_a_seat_is_freed_and_its_streams_end(admin_client, rps, django_capture_on_commit_callbacks):
    seat = taken(rps, "red")
    said_of = heard(seat_freed, "code", "seat", "epoch")
    with said_of as dropped, django_capture_on_commit_callbacks(execute=True):
        assert said(does(admin_client, rps, "free", seat="red")) == "The seat Red is free."
        assert dropped == [], "not before it is so"
    seat.refresh_from_db()
    assert (seat.is_taken, seat.epoch) == (False, 2)
    assert dropped == [(rps.code, "red", 1)]


def test_the_last_action_is_taken_back_by_name(admin_client, rps):
    tap(rps, "red", "throw:rock")
    version = Match.objects.get(pk=rps.pk).version
    answer = does(admin_client, rps, "undo", version=version)
    assert said(answer) == "Undone: Ada has chosen"
    assert state_of(rps).armies["red"].hidden == {}
    entry = Entry.objects.filter(match=rps).latest("version")
    assert (entry.kind, entry.seat, entry.author) == ("undo", "", "olenna")


def test_an_action_that_came_in_between_is_not_taken_back_by_mistake(admin_client, rps):
    tap(rps, "red", "throw:rock")
    version = Match.objects.get(pk=rps.pk).version
    tap(rps, "blue", "throw:rock")
    before = state_of(rps)
    assert said(does(admin_client, rps, "undo", version=version)).startswith("Something changed.")
    assert state_of(rps) == before


@pytest.fixture
def asked(rps) -> Match:
    """Red asks to take back a round that was revealed."""
    tap(rps, "red", "throw:rock")
    tap(rps, "blue", "throw:scissors")
    rps.refresh_from_db()
    undoing.ask(rps.code, "red", rps.version, play.new_key())
    rps.refresh_from_db()
    assert rps.undo_request
    return rps


def test_the_organiser_agrees_to_a_take_back(admin_client, asked):
    assert "Agree to the undo" in admin_client.get(change_url(asked)).content.decode()
    assert said(does(admin_client, asked, "agree")) == "Undone."
    assert state_of(asked).points("red") == 0


def test_the_organiser_declines_a_take_back(admin_client, asked):
    assert said(does(admin_client, asked, "decline")) == "Undo declined. Nothing changed."
    assert state_of(asked).points("red") == 1
    assert Match.objects.get(pk=asked.pk).undo_request is None


@pytest.mark.parametrize("command", ["agree", "decline"])
def test_an_answer_to_nothing_gets_a_sentence(admin_client, rps, command):
    assert said(does(admin_client, rps, command)) == "That undo request is no longer open."


def test_a_match_is_taken_off_the_list_and_put_back_and_no_other_is(admin_client, rps, auction):
    does(admin_client, rps, "unlist")
    assert list(Match.objects.filter(is_listed=True)) == [auction]
    does(admin_client, auction, "unlist")
    does(admin_client, rps, "list")
    assert list(Match.objects.filter(is_listed=True)) == [rps]


@pytest.mark.parametrize(
    ("command", "values", "status"),
    [
        ("free", {"seat": "green"}, 200),
        ("free", {}, 200),
        ("undo", {}, 200),
        ("undo", {"version": "x" * 300}, 200),
        ("nonsense", {}, 404),
        ("", {}, 404),
    ],
)
def test_malformed_actions_get_an_answer_and_change_nothing(admin_client, rps, command, values, status):
    tap(rps, "red", "throw:rock")
    before = Match.objects.get(pk=rps.pk).version
    assert does(admin_client, rps, command, **values).status_code == status
    assert Match.objects.get(pk=rps.pk).version == before


def test_an_action_is_never_done_by_looking(admin_client, rps):
    taken(rps, "red")
    assert admin_client.get(reverse("admin:games_match_do", args=[rps.pk])).status_code == 405
    assert Seat.objects.get(match=rps, key="red").is_taken


def test_an_action_needs_the_forms_token(organiser, rps):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(organiser)
    taken(rps, "red")
    assert (
        strict.post(
            reverse("admin:games_match_do", args=[rps.pk]), {"command": "free", "seat": "red"}
        ).status_code
        == 403
    )
    assert Seat.objects.get(match=rps, key="red").is_taken


# --- many matches --------------------------------------------------------------------------------


def test_all_seats_of_some_matches_are_freed(admin_client, rps, auction):
    taken(rps, "red")
    taken(auction, "stark")
    assert said(acts(admin_client, "free_seats", rps, auction)) == "5 seats are free."
    assert not Seat.objects.filter(is_taken=True).exists()


def test_matches_are_listed_and_unlisted(admin_client, rps, auction):
    assert said(acts(admin_client, "take_off_list", rps, auction)) == "2 matches were changed."
    assert not Match.objects.filter(is_listed=True).exists()
    acts(admin_client, "show_listed", rps)
    assert list(Match.objects.filter(is_listed=True)) == [rps]


def test_adjudication_asks_who_has_won_and_why(admin_client, rps):
    page = acts(admin_client, "adjudicate", rps).content.decode()
    assert all(word in page for word in ("Ada", "Berta", "A draw", "Reason", rps.code))
    assert Match.objects.get(pk=rps.pk).result is None


def test_an_adjudicated_match_is_over_and_says_so(admin_client, rps):
    answer = acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    assert said(answer) == "1 match was changed."
    rps.refresh_from_db()
    assert (rps.result["winner"], rps.result["how"]) == ("blue", "adjudication")
    assert rps.finished_at is not None
    entry = rps.entries.latest("version")
    assert (entry.kind, entry.author, entry.note) == ("edit", "olenna", "the clock fell")
    undoing.ask(rps.code, "", entry.version, play.new_key(), "olenna")
    rps.refresh_from_db()
    assert (rps.result, rps.finished_at) == (None, None)


@pytest.mark.parametrize("action", ["adjudicate", "time_out"])
def test_from_one_match_the_way_leads_back_to_it(admin_client, rps, auction, action):
    assert acts(admin_client, action, rps).context["back"] == change_url(rps)
    assert acts(admin_client, action, rps, auction).context["back"] == LIST
    answer = acts(admin_client, action, rps, decided="yes", winner="red", reason="rain")
    assert answer.redirect_chain[-1][0] == change_url(rps)


def test_a_match_that_ends_before_its_time_is_up_keeps_its_result(admin_client, rps, auction, monkeypatch):
    """Of several matches each is ended when its turn comes; at this one the players were faster."""
    carry_out = match_commands.carry_out

    def ended_meanwhile(code, *rest):
        if code == rps.code:
            carry_out(
                code, lambda g: match_commands.ends(g, {"winner": "blue", "how": "points"}), "Bo", "played"
            )
        return carry_out(code, *rest)

    monkeypatch.setattr(match_commands, "carry_out", ended_meanwhile)
    answer = acts(admin_client, "time_out", rps, auction, decided="yes", reason="closing time")
    assert f"{rps.code}: The match is over." in answer.content.decode()
    assert "1 match was changed." in answer.content.decode()
    results = [Match.objects.get(pk=match.pk).result for match in (rps, auction)]
    assert [(result["winner"], result["how"]) for result in results] == [
        ("blue", "points"),
        (None, "time-out"),
    ]


def test_a_draw_has_no_winner(admin_client, rps):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="=", reason="both left")
    assert Match.objects.get(pk=rps.pk).result["winner"] is None


def test_a_match_is_ended_from_its_own_page(admin_client, rps):
    page = admin_client.get(change_url(rps)).content.decode()
    assert "Adjudicate …" in page
    assert "Time is up: the points decide …" in page
    assert "Reopen the match" not in page


def test_a_match_that_has_ended_is_reopened_with_what_rests_on_it(admin_client, rps):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    end = rps.entries.latest("version")
    assert "Undo:" not in admin_client.get(change_url(rps)).content.decode()
    acts(admin_client, "adjudicate", rps, decided="yes", winner="red", reason="no, it did not")
    assert "Reopen the match" in admin_client.get(change_url(rps)).content.decode()
    assert said(does(admin_client, rps, "reopen", version=end.version)) == "The match continues."
    rps.refresh_from_db()
    assert (rps.result, rps.finished_at) == (None, None)
    assert rps.entries.latest("version").author == "olenna"


def test_a_match_is_not_reopened_by_an_old_page(admin_client, rps):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    for version in ("", "1", "x", "9" * 30):
        assert "Something changed." in said(does(admin_client, rps, "reopen", version=version))
    assert Match.objects.get(pk=rps.pk).result is not None


@pytest.mark.parametrize(
    "values", [{"winner": "blue"}, {"reason": "why"}, {"winner": "green", "reason": "why"}]
)
def test_an_adjudication_without_winner_or_reason_is_asked_again(admin_client, rps, values):
    answer = acts(admin_client, "adjudicate", rps, decided="yes", **values)
    assert answer.context["form"].errors
    assert Match.objects.get(pk=rps.pk).result is None


def test_only_seats_that_all_chosen_matches_have_can_win(admin_client, rps, tmg, auction):
    seats_of = acts(admin_client, "adjudicate", rps, tmg).context["form"].fields["winner"].choices
    assert [key for key, _label in seats_of] == ["red", "blue", "="]
    seats_of = acts(admin_client, "adjudicate", rps, auction).context["form"].fields["winner"].choices
    assert [key for key, _label in seats_of] == ["="]


def test_when_time_is_up_the_points_decide(admin_client, rps, tmg):
    tap(rps, "red", "throw:rock")
    tap(rps, "blue", "throw:scissors")
    answer = acts(admin_client, "time_out", rps, tmg, decided="yes", reason="last call")
    assert said(answer) == "2 matches were changed."
    rps.refresh_from_db()
    assert (rps.result["winner"], rps.result["how"]) == ("red", "time-out")
    assert Match.objects.get(pk=tmg.pk).result["how"] == "time-out"


def test_a_finished_match_does_not_run_out_of_time(admin_client, rps):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="why")
    version = Match.objects.get(pk=rps.pk).version
    acts(admin_client, "time_out", rps, decided="yes", reason="again")
    assert Match.objects.get(pk=rps.pk).version == version


def test_one_match_that_cannot_be_ended_does_not_stop_the_others(admin_client, rps, auction, monkeypatch):
    edit = play.edit

    def breaks(code, *rest):
        if code == rps.code:
            raise play.RequestRefused(play.say("Not this one."), 409, "impossible")
        return edit(code, *rest)

    monkeypatch.setattr(play, "edit", breaks)
    answer = acts(admin_client, "time_out", rps, auction, decided="yes", reason="last call")
    assert f"{rps.code}: Not this one." in said(answer)
    assert Match.objects.get(pk=auction.pk).result is not None


# --- export --------------------------------------------------------------------------------------


def test_a_finished_match_leaves_whole_and_arrives_as_the_same(admin_client, rps):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="why")
    answer = acts(admin_client, "export", rps)
    assert answer["Content-Disposition"] == f'attachment; filename="roundtable-{rps.code}.json"'
    arrived, _is_replay = match_file.import_match(json.loads(answer.content), lambda state: None)
    assert state_of(arrived).result == state_of(rps).result


def test_a_match_in_play_leaves_as_a_spectator_knows_it(admin_client, auction):
    tap(auction, "stark", "bid:throne:3")
    file = json.loads(acts(admin_client, "export", auction).content)
    assert file["format"] == "roundtable-view"
    assert "seed" not in file
    assert '"bid": 3' not in json.dumps(file)


def test_several_matches_leave_in_an_archive(admin_client, rps, auction):
    packed = zipfile.ZipFile(io.BytesIO(acts(admin_client, "export", rps, auction).content))
    assert set(packed.namelist()) == {f"roundtable-{match.code}.json" for match in (rps, auction)}


# --- deleting ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_table")
def test_finished_matches_are_deleted_with_all_they_hold(admin_client, rps, auction):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="why")
    page = acts(admin_client, "delete_selected", rps).content.decode()
    assert "Are you sure" in page
    assert "History entries: 2" in page
    acts(admin_client, "delete_selected", rps, post="yes")
    assert list(Match.objects.all()) == [auction]
    assert not Entry.objects.filter(match_id=rps.pk).exists()
    assert not Army.objects.filter(match_id=rps.pk).exists()


def test_a_match_that_is_being_played_is_protected(admin_client, tmg):
    page = acts(admin_client, "delete_selected", tmg, post="yes").content.decode()
    assert f"{tmg.code} is being played; end it first." in page
    one = admin_client.get(f"/admin/games/match/{tmg.pk}/delete/").content.decode()
    assert f"{tmg.code} is being played; end it first." in one
    assert "related objects" not in one
    assert f'href="{change_url(tmg)}" class="button' in one
    admin_client.post(f"/admin/games/match/{tmg.pk}/delete/", {"post": "yes"})
    assert Match.objects.filter(pk=tmg.pk).exists()


@pytest.mark.usefixtures("no_table")
def test_a_table_that_never_began_is_deleted_from_its_own_page(admin_client, rps):
    assert admin_client.post(f"/admin/games/match/{rps.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Match.objects.exists()


@pytest.mark.usefixtures("no_table")
def test_many_matches_are_deleted_one_by_one(admin_client, db):
    found = [play.open_match("rps", "plain", {"red": "", "blue": ""}) for _count in range(20)]
    acts(admin_client, "delete_selected", *found, post="yes")
    assert not Match.objects.exists()


def test_the_stock_history_of_a_match_tells_the_reasons(admin_client, rps):
    acts(admin_client, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    assert "the clock fell" in admin_client.get(f"/admin/games/match/{rps.pk}/history/").content.decode()
