"""Points from the top of a match's page: one number a side, one reason, one entry, told everywhere."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils import translation

from games import core
from games.core import first_sentence
from games.history.commits import lines_for
from games.match import play, storage
from games.models import Army, Entry, Match, Score
from games.translation import words
from tests.admin.in_admin import change_url, saved
from tests.playing import state_of

pytestmark = pytest.mark.django_db

SAID = "+1 Tywin: missed a token"


def url(match) -> str:
    return reverse("admin:games_match_points", args=[match.pk])


def sent(reason="missed a token", key="a-key-of-the-page", **sides):
    """What a browser sends of the score table."""
    numbers = {f"points-side-{seat}": change for seat, change in sides.items()}
    return {"points-reason": reason, "points-key": key, **numbers}


def last(match) -> Entry:
    return match.entries.order_by("-version").first()


def test_points_are_a_further_row_and_one_entry(admin_client, tmg):
    before = tmg.entries.count()
    answer = admin_client.post(url(tmg), sent(red="-2", blue="1"))
    assert (answer.status_code, answer["Location"]) == (302, change_url(tmg))
    rows = Score.objects.filter(match=tmg).values_list("army__key", "points", "reason", "author")
    assert list(rows) == [("red", -2, "missed a token", "olenna"), ("blue", 1, "missed a token", "olenna")]
    assert tmg.entries.count() == before + 1
    assert str(first_sentence(last(tmg).lines)) == "-2 Robb, +1 Tywin: missed a token"
    assert storage.final_position(tmg) == state_of(tmg)


def test_the_points_are_told_everywhere(admin_client, tmg):
    admin_client.post(url(tmg), sent(blue="1"))
    assert [words(line) for line in lines_for(last(tmg), None)] == [SAID]
    table = admin_client.get(f"/t/{tmg.code}/").content.decode()
    history = admin_client.get(f"/t/{tmg.code}/history").content.decode()
    card = admin_client.get(f"/t/{tmg.code}/score").content.decode()
    assert table.count(SAID) >= 1
    assert history.count(SAID) == 1
    assert history.count("missed a token") == 1
    assert "Tywin +1: missed a token" in card
    assert SAID in admin_client.get(f"/api/matches/{tmg.code}").content.decode()
    assert SAID in admin_client.get(change_url(tmg)).content.decode()
    assert SAID in admin_client.get("/admin/games/entry/").content.decode()
    for page in (table, history, card):
        assert "corrected the match: missed" not in page


def test_a_side_without_a_name_is_told_by_its_colour_in_both_languages(admin_client, tmg):
    def nameless(g):
        g.armies["blue"].name = ""

    play.edit(tmg.code, nameless, "olenna", "a test")
    admin_client.post(url(tmg), sent(blue="1"))
    assert [words(line) for line in lines_for(last(tmg), None)] == ["+1 Blue: missed a token"]
    with translation.override("zh-hans"):
        assert [words(line) for line in lines_for(last(tmg), None)] == ["蓝方 +1：missed a token"]


def test_what_else_an_edit_changes_is_told_beside_its_points(tmg):

    def both(g):
        g.score("blue", 1, "a token")
        g.turn = "blue"

    play.edit(tmg.code, both, "olenna", "seen late")
    assert [str(line) for line in lines_for(last(tmg), None)] == [
        "olenna corrected the match: seen late",
        "+1 Tywin: seen late",
    ]


def test_points_that_come_to_nothing_are_told_by_their_reason(tmg):

    def nothing(g):
        g.score("blue", 1, "a token")
        g.score("blue", -1, "a token")

    play.edit(tmg.code, nothing, "olenna", "for the books")
    assert [str(line) for line in lines_for(last(tmg), None)] == ["olenna corrected the match: for the books"]


def test_a_save_that_is_sent_twice_counts_once(admin_client, tmg):
    for _again in range(2):
        assert admin_client.post(url(tmg), sent(blue="1")).status_code == 302
    assert (state_of(tmg).points("blue"), LogEntry.objects.count()) == (1, 1)
    page = admin_client.post(url(tmg), sent(blue="2"))
    assert "already used for something else" in page.content.decode()
    admin_client.post(url(tmg), sent(blue="1", key="the-next-page-s-key"))
    assert state_of(tmg).points("blue") == 2


def test_only_what_is_given_now_is_told(admin_client, tmg):
    admin_client.post(url(tmg), sent("a token", red="2", blue="3"))
    admin_client.post(url(tmg), sent(blue="1", key="the-next-page-s-key"))
    assert [words(line) for line in lines_for(last(tmg), None)] == [SAID]
    newest = admin_client.get(change_url(tmg)).context["given"][0]
    assert newest[1:4] == ("Tywin", "+1", "missed a token")


def test_every_page_has_a_key_of_its_own(admin_client, tmg):
    keys = {admin_client.get(change_url(tmg)).context["points"]["key"].value() for _page in range(2)}
    assert len(keys) == 2


def test_a_tap_in_between_does_not_stop_it(admin_client, tmg):
    page = admin_client.get(change_url(tmg)).context["points"]
    saved(admin_client, tmg, turn="blue")
    admin_client.post(url(tmg), sent(blue="1", key=page["key"].value()))
    assert state_of(tmg).points("blue") == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"points-reason": ""}, "This field is required."),
        ({"points-side-blue": ""}, "No points yet."),
        ({"points-side-blue": "0"}, "No points yet."),
        ({"points-side-blue": "many"}, "whole number from -999 to 999"),
        ({"points-side-blue": "1000"}, "whole number from -999 to 999"),
        ({"points-side-blue": "1.5"}, "whole number from -999 to 999"),
        ({"points-reason": "x" * 81}, "80"),
        ({"points-reason": "👨‍👩‍👧‍👦" * 60}, "too long"),
        ({"points-reason": "👩🏽‍🚀" * 61}, "Please shorten it."),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_asked_again_and_nothing_is_lost(admin_client, tmg, changed, told):
    before = Match.objects.get(pk=tmg.pk).version
    empty = {"points-side-red": ""} if told.startswith("No points") else {}
    answer = admin_client.post(url(tmg), sent(blue="1", red="-3") | empty | changed)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert told in page
    assert Match.objects.get(pk=tmg.pk).version == before
    assert not Score.objects.filter(match=tmg).exists()
    form = answer.context["points"]
    assert form["reason"].value() == changed.get("points-reason", "missed a token")
    assert form["side-blue"].value() == changed.get("points-side-blue", "1")


def test_a_key_that_is_none_does_no_harm(admin_client, tmg):
    assert admin_client.post(url(tmg), sent(blue="1", key="\0 no key")).status_code == 302
    assert state_of(tmg).points("blue") == 1


def test_a_position_that_cannot_go_on_is_said_in_the_table(admin_client, tmg, monkeypatch):

    monkeypatch.setattr(core, "advance", lambda state: 1 / 0)
    answer = admin_client.post(url(tmg), sent(blue="1"))
    assert answer.context["points"].non_field_errors() == [
        "The rules cannot continue from there. Nothing was changed."
    ]
    assert not Score.objects.filter(match=tmg).exists()


def test_all_houses_have_a_row(admin_client, auction):
    form = admin_client.get(change_url(auction)).context["points"]
    assert [(side["name"], side["mark"]) for side in form.sides] == [
        ("Stark", 3), ("Lannister", 4), ("Baratheon", 5),
    ]  # fmt: skip


def test_the_rows_that_were_given_are_a_table_that_nobody_edits(admin_client, tmg):
    admin_client.post(url(tmg), sent(blue="3"))
    answer = admin_client.get(change_url(tmg))
    assert answer.context["given"] == [("Round 1", "Tywin", "+3", "missed a token", "", "olenna")]
    version = Match.objects.get(pk=tmg.pk).version
    saved(admin_client, tmg, **{"scores-0-change": "9", "scores-0-points": "9", "scores-0-DELETE": "on"})
    assert state_of(tmg).points("blue") == 3
    assert Match.objects.get(pk=tmg.pk).version == version


def test_points_are_never_given_by_looking(admin_client, tmg):
    assert admin_client.get(url(tmg)).status_code == 405
    assert admin_client.post("/admin/games/match/99999999/points/", sent(blue="1")).status_code == 404


def test_who_may_only_look_sees_the_score_and_gives_none(onlooker, tmg):
    page = onlooker.get(change_url(tmg)).content.decode()
    assert 'class="admin-points"' in page
    assert "points-side-" not in page
    assert onlooker.post(url(tmg), sent(blue="1")).status_code == 403
    assert not Score.objects.filter(match=tmg).exists()


@pytest.mark.parametrize("lacks", ["change_match", "add_score"])
def test_both_permissions_are_needed(client, tmg, lacks):

    user = User.objects.create_user("varys", password="little-birds-sing", is_staff=True)
    names = {"view_match", "change_match", "add_score"} - {lacks}
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(user)
    assert "points" not in client.get(change_url(tmg)).context
    assert client.post(url(tmg), sent(blue="1")).status_code == 403
    assert state_of(tmg).points("blue") == 0


def test_an_edited_army_keeps_its_score(admin_client, tmg):
    admin_client.post(url(tmg), sent(blue="1"))
    saved(admin_client, Army.objects.get(match=tmg, key="blue"), name="Tyrion")
    assert state_of(tmg).points("blue") == 1
