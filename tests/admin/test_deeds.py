"""Buttons of one match and actions for many."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from games.match import exchange, play, take_back
from games.models import Army, Entry, Match, Seat
from games.people import seats
from tests.admin.at_desk import change_url, state_of, taken, tapped

pytestmark = pytest.mark.django_db

LIST = "/admin/games/match/"


def does(client, match, deed, **values):
    return client.post(
        reverse("admin:games_match_do", args=[match.pk]), {"deed": deed, **values}, follow=True
    )


def acts(client, action, *matches, **values):
    chosen = [match.pk for match in matches]
    return client.post(LIST, {"action": action, "_selected_action": chosen, **values}, follow=True)


def said(answer) -> str:
    assert answer.status_code == 200
    return " ".join(str(message) for message in answer.context["messages"])


# --- one match -----------------------------------------------------------------------------------


def test_the_page_has_the_buttons_that_mean_something_now(desk, rps):
    assert "Undo:" not in desk.get(change_url(rps)).content.decode()
    tapped(rps, "red", "throw:rock")
    taken(rps, "blue")
    page = desk.get(change_url(rps)).content.decode()
    assert "Undo: Ada has chosen" in page
    assert "Free the seat Blue" in page
    assert "Free the seat Red" not in page
    assert "Agree" not in page


def test_a_seat_is_freed_and_its_streams_end(desk, rps, monkeypatch):
    dropped = []
    monkeypatch.setattr(seats, "on_revoke", [lambda *seat: dropped.append(seat)])
    seat = taken(rps, "red")
    assert said(does(desk, rps, "free", seat="red")) == "The seat Red is free."
    seat.refresh_from_db()
    assert (seat.is_taken, seat.epoch) == (False, 2)
    assert dropped == [(rps.code, "red", 1)]


def test_the_last_deed_is_taken_back_by_name(desk, rps):
    tapped(rps, "red", "throw:rock")
    version = Match.objects.get(pk=rps.pk).version
    answer = does(desk, rps, "take-back", version=version)
    assert said(answer) == "Undone: Ada has chosen"
    assert state_of(rps).armies["red"].hidden == {}
    entry = Entry.objects.filter(match=rps).latest("version")
    assert (entry.kind, entry.seat, entry.author) == ("undo", "", "olenna")


def test_a_deed_that_came_in_between_is_not_taken_back_by_mistake(desk, rps):
    tapped(rps, "red", "throw:rock")
    version = Match.objects.get(pk=rps.pk).version
    tapped(rps, "blue", "throw:rock")
    before = state_of(rps)
    assert said(does(desk, rps, "take-back", version=version)).startswith("Something changed.")
    assert state_of(rps) == before


@pytest.fixture
def asked(rps) -> Match:
    """Red asks to take back a round that was revealed."""
    tapped(rps, "red", "throw:rock")
    tapped(rps, "blue", "throw:scissors")
    rps.refresh_from_db()
    take_back.ask(rps.code, "red", rps.version, play.new_key())
    rps.refresh_from_db()
    assert rps.take_back
    return rps


def test_the_organiser_agrees_to_a_take_back(desk, asked):
    assert "Agree to the undo" in desk.get(change_url(asked)).content.decode()
    assert said(does(desk, asked, "agree")) == "Undone."
    assert state_of(asked).points("red") == 0


def test_the_organiser_declines_a_take_back(desk, asked):
    assert said(does(desk, asked, "decline")) == "Undo declined. Nothing changed."
    assert state_of(asked).points("red") == 1
    assert Match.objects.get(pk=asked.pk).take_back is None


@pytest.mark.parametrize("deed", ["agree", "decline"])
def test_an_answer_to_nothing_gets_a_sentence(desk, rps, deed):
    assert said(does(desk, rps, deed)) == "That undo request is no longer open."


def test_a_match_is_taken_off_the_list_and_put_back(desk, rps):
    does(desk, rps, "unlist")
    assert not Match.objects.get(pk=rps.pk).is_listed
    does(desk, rps, "list")
    assert Match.objects.get(pk=rps.pk).is_listed


@pytest.mark.parametrize(
    ("deed", "values", "status"),
    [
        ("free", {"seat": "green"}, 200),
        ("free", {}, 200),
        ("take-back", {}, 200),
        ("take-back", {"version": "x" * 300}, 200),
        ("nonsense", {}, 404),
        ("", {}, 404),
    ],
)
def test_malformed_deeds_get_an_answer_and_change_nothing(desk, rps, deed, values, status):
    tapped(rps, "red", "throw:rock")
    before = Match.objects.get(pk=rps.pk).version
    assert does(desk, rps, deed, **values).status_code == status
    assert Match.objects.get(pk=rps.pk).version == before


def test_a_deed_is_never_done_by_looking(desk, rps):
    taken(rps, "red")
    assert desk.get(reverse("admin:games_match_do", args=[rps.pk])).status_code == 405
    assert Seat.objects.get(match=rps, key="red").is_taken


def test_a_deed_needs_the_forms_token(organiser, rps):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(organiser)
    taken(rps, "red")
    assert (
        strict.post(
            reverse("admin:games_match_do", args=[rps.pk]), {"deed": "free", "seat": "red"}
        ).status_code
        == 403
    )
    assert Seat.objects.get(match=rps, key="red").is_taken


# --- many matches --------------------------------------------------------------------------------


def test_all_seats_of_some_matches_are_freed(desk, rps, auction):
    taken(rps, "red")
    taken(auction, "stark")
    assert said(acts(desk, "free_seats", rps, auction)) == "5 seats are free."
    assert not Seat.objects.filter(is_taken=True).exists()


def test_matches_are_listed_and_unlisted(desk, rps, auction):
    assert said(acts(desk, "take_off_list", rps, auction)) == "2 matches were changed."
    assert not Match.objects.filter(is_listed=True).exists()
    acts(desk, "show_listed", rps)
    assert list(Match.objects.filter(is_listed=True)) == [rps]


def test_adjudication_asks_who_has_won_and_why(desk, rps):
    page = acts(desk, "adjudicate", rps).content.decode()
    assert all(word in page for word in ("Ada", "Berta", "A draw", "Reason", rps.code))
    assert Match.objects.get(pk=rps.pk).result is None


def test_an_adjudicated_match_is_over_and_says_so(desk, rps):
    answer = acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    assert said(answer) == "1 match was changed."
    rps.refresh_from_db()
    assert (rps.result["winner"], rps.result["how"]) == ("blue", "adjudication")
    assert rps.finished_at is not None
    entry = rps.entries.latest("version")
    assert (entry.kind, entry.author, entry.note) == ("edit", "olenna", "the clock fell")
    take_back.ask(rps.code, "", entry.version, play.new_key(), "olenna")
    rps.refresh_from_db()
    assert (rps.result, rps.finished_at) == (None, None)


@pytest.mark.parametrize("action", ["adjudicate", "time_out"])
def test_from_one_match_the_way_leads_back_to_it(desk, rps, auction, action):
    assert acts(desk, action, rps).context["back"] == change_url(rps)
    assert acts(desk, action, rps, auction).context["back"] == LIST
    answer = acts(desk, action, rps, decided="yes", winner="red", reason="rain")
    assert answer.redirect_chain[-1][0] == change_url(rps)


def test_a_draw_has_no_winner(desk, rps):
    acts(desk, "adjudicate", rps, decided="yes", winner="=", reason="both left")
    assert Match.objects.get(pk=rps.pk).result["winner"] is None


def test_a_match_is_ended_from_its_own_page(desk, rps):
    page = desk.get(change_url(rps)).content.decode()
    assert "Adjudicate …" in page
    assert "Time is up: the points decide …" in page
    assert "Reopen the match" not in page


def test_a_match_that_has_ended_is_reopened_with_what_rests_on_it(desk, rps):
    acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    end = rps.entries.latest("version")
    acts(desk, "adjudicate", rps, decided="yes", winner="red", reason="no, it did not")
    assert "Reopen the match" in desk.get(change_url(rps)).content.decode()
    assert said(does(desk, rps, "reopen", version=end.version)) == "The match goes on."
    rps.refresh_from_db()
    assert (rps.result, rps.finished_at) == (None, None)
    assert rps.entries.latest("version").author == "olenna"


def test_a_match_is_not_reopened_by_an_old_page(desk, rps):
    acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    for version in ("", "1", "x", "9" * 30):
        assert "Something changed." in said(does(desk, rps, "reopen", version=version))
    assert Match.objects.get(pk=rps.pk).result is not None


@pytest.mark.parametrize(
    "values", [{"winner": "blue"}, {"reason": "why"}, {"winner": "green", "reason": "why"}]
)
def test_an_adjudication_without_winner_or_reason_is_asked_again(desk, rps, values):
    answer = acts(desk, "adjudicate", rps, decided="yes", **values)
    assert answer.context["form"].errors
    assert Match.objects.get(pk=rps.pk).result is None


def test_only_seats_that_all_chosen_matches_have_can_win(desk, rps, tmg, auction):
    seats_of = acts(desk, "adjudicate", rps, tmg).context["form"].fields["winner"].choices
    assert [key for key, _label in seats_of] == ["red", "blue", "="]
    seats_of = acts(desk, "adjudicate", rps, auction).context["form"].fields["winner"].choices
    assert [key for key, _label in seats_of] == ["="]


def test_when_time_is_up_the_points_decide(desk, rps, tmg):
    tapped(rps, "red", "throw:rock")
    tapped(rps, "blue", "throw:scissors")
    answer = acts(desk, "time_out", rps, tmg, decided="yes", reason="last call")
    assert said(answer) == "2 matches were changed."
    rps.refresh_from_db()
    assert (rps.result["winner"], rps.result["how"]) == ("red", "time-out")
    assert Match.objects.get(pk=tmg.pk).result["how"] == "time-out"


def test_a_finished_match_does_not_run_out_of_time(desk, rps):
    acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="why")
    version = Match.objects.get(pk=rps.pk).version
    acts(desk, "time_out", rps, decided="yes", reason="again")
    assert Match.objects.get(pk=rps.pk).version == version


def test_one_match_that_cannot_be_ended_does_not_stop_the_others(desk, rps, auction, monkeypatch):
    edit = play.edit

    def breaks(code, *rest):
        if code == rps.code:
            raise play.Refused(play.say("Not this one."), 409, "impossible")
        return edit(code, *rest)

    monkeypatch.setattr(play, "edit", breaks)
    answer = acts(desk, "time_out", rps, auction, decided="yes", reason="last call")
    assert f"{rps.code}: Not this one." in said(answer)
    assert Match.objects.get(pk=auction.pk).result is not None


# --- export --------------------------------------------------------------------------------------


def test_a_finished_match_leaves_whole_and_arrives_as_the_same(desk, rps):
    acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="why")
    answer = acts(desk, "export", rps)
    assert answer["Content-Disposition"] == f'attachment; filename="roundtable-{rps.code}.json"'
    arrived, _is_replay = exchange.arrive(json.loads(answer.content), lambda state: None)
    assert state_of(arrived).result == state_of(rps).result


def test_a_match_in_play_leaves_as_a_spectator_knows_it(desk, auction):
    tapped(auction, "stark", "bid:throne:3")
    file = json.loads(acts(desk, "export", auction).content)
    assert file["format"] == "roundtable-view"
    assert "seed" not in file
    assert '"bid": 3' not in json.dumps(file)


def test_several_matches_leave_in_an_archive(desk, rps, auction):
    packed = zipfile.ZipFile(io.BytesIO(acts(desk, "export", rps, auction).content))
    assert set(packed.namelist()) == {f"roundtable-{match.code}.json" for match in (rps, auction)}


# --- deleting ------------------------------------------------------------------------------------


def test_finished_matches_are_deleted_with_all_they_hold(desk, rps, auction):
    acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="why")
    page = acts(desk, "delete_selected", rps).content.decode()
    assert "Are you sure" in page
    assert "History entries: 2" in page
    acts(desk, "delete_selected", rps, post="yes")
    assert list(Match.objects.all()) == [auction]
    assert not Entry.objects.filter(match_id=rps.pk).exists()
    assert not Army.objects.filter(match_id=rps.pk).exists()


def test_a_match_that_is_being_played_is_protected(desk, tmg):
    page = acts(desk, "delete_selected", tmg, post="yes").content.decode()
    assert f"{tmg.code} is being played; end it first." in page
    one = desk.get(f"/admin/games/match/{tmg.pk}/delete/").content.decode()
    assert f"{tmg.code} is being played; end it first." in one
    assert "related objects" not in one
    assert f'href="{change_url(tmg)}" class="button' in one
    desk.post(f"/admin/games/match/{tmg.pk}/delete/", {"post": "yes"})
    assert Match.objects.filter(pk=tmg.pk).exists()


def test_a_table_that_never_began_is_deleted_from_its_own_page(desk, rps):
    assert desk.post(f"/admin/games/match/{rps.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Match.objects.exists()


def test_many_matches_are_deleted_one_by_one(desk, db):
    found = [play.open_match("rps", "plain", {"red": "", "blue": ""}) for _count in range(20)]
    acts(desk, "delete_selected", *found, post="yes")
    assert not Match.objects.exists()


def test_the_stock_history_of_a_match_tells_the_reasons(desk, rps):
    acts(desk, "adjudicate", rps, decided="yes", winner="blue", reason="the clock fell")
    assert "the clock fell" in desk.get(f"/admin/games/match/{rps.pk}/history/").content.decode()
