"""The list of matches: what an organiser sees of many tables, in as many queries as of few."""

import pytest
from django.urls import reverse

from games.core import system
from games.match import play
from games.models import Army, Match, Unit
from tests.admin.in_admin import saved
from tests.playing import tap

pytestmark = pytest.mark.django_db

LIST = "/admin/games/match/"


def text(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def codes(answer) -> set[str]:
    return {match.code for match in answer.context["cl"].result_list}


def finished(match):
    result = {"winner": "red", "how": "adjudication"}
    play.edit(match.code, lambda g: setattr(g, "result", result), "olenna", "over")


def test_a_name_from_right_to_left_does_not_turn_the_score(admin_client, rps):
    """Unicode would show “محمد 1 – 0 Berta” as one to nil for the other."""
    Army.objects.filter(match=rps, key="red").update(name="محمد")
    tap(rps, "red", "throw:rock")
    tap(rps, "blue", "throw:scissors")
    assert "\u2068محمد\u2069 1 – 0 Berta" in text(admin_client.get(LIST))


def test_a_table_shows_its_score_state_and_what_it_waits_for(admin_client, rps):
    tap(rps, "red", "throw:rock")
    tap(rps, "blue", "throw:scissors")
    tap(rps, "blue", "throw:paper")
    page = text(admin_client.get(LIST))
    assert "Ada 1 – 0 Berta" in page
    assert "Round 1" in page
    assert "Ada: Choose" in page
    assert reverse("table", args=[rps.code]) in page


def test_a_chinese_organiser_reads_chinese_points(admin_client, rps):
    told = text(admin_client.get(LIST, headers={"Accept-Language": "zh-hans"}))
    assert "Ada、Berta：" in told
    form = text(admin_client.get(f"{LIST}{rps.pk}/change/", headers={"Accept-Language": "zh-hans"}))
    assert "红方：空闲" in form


def test_more_than_two_players_are_listed(admin_client, auction):
    assert "Stark 0 · Lannister 0 · Baratheon 0" in text(admin_client.get(LIST))


def test_a_finished_match_says_who_has_won(admin_client, tmg):
    finished(tmg)
    assert "Robb wins · by adjudication" in text(admin_client.get(LIST))


def test_a_player_without_a_name_is_called_by_the_seat(admin_client, db):
    play.open_match("rps", "plain", {"red": "", "blue": "Berta"})
    assert "Red 0 – 0 Berta" in text(admin_client.get(LIST))


@pytest.mark.parametrize("by", ["code", "player", "unit"])
def test_matches_are_found_by_code_player_and_unit(admin_client, tmg, rps, by):
    Army.objects.filter(match=tmg, key="red").update(name="Lyanna Mormont")
    Unit.objects.filter(match=tmg).order_by("pk").first()
    word = {"code": tmg.code, "player": "Lyanna", "unit": Unit.objects.filter(match=tmg).first().name}[by]
    assert codes(admin_client.get(LIST, {"q": word})) == {tmg.code}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"state": "lobby"}, {"rps"}),
        ({"state": "playing"}, {"tmg"}),
        ({"state": "finished"}, {"over"}),
        ({"state": "nonsense"}, {"rps", "tmg", "over"}),
        ({"game": "tmg"}, {"tmg", "over"}),
        ({"mode": "rps:plain"}, {"rps"}),
        ({"is_listed__exact": "0"}, set()),
    ],
)
def test_matches_are_filtered(admin_client, tmg, rps, query, found):
    over = play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""})
    finished(over)
    by_name = {"tmg": tmg.code, "rps": rps.code, "over": over.code}
    assert codes(admin_client.get(LIST, query)) == {by_name[name] for name in found}


@pytest.mark.usefixtures("no_table")
def test_many_matches_cost_as_many_queries_as_few(admin_client, django_assert_max_num_queries):
    for _count in range(15):
        play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Berta"})
        play.open_match("auction", "tracks", {"stark": "Ada", "tyrell": "Berta", "martell": "Cleo"})
    admin_client.get(LIST)
    with django_assert_max_num_queries(16):
        assert len(codes(admin_client.get(LIST))) == 30
    with django_assert_max_num_queries(16):
        admin_client.get(LIST, {"q": "Ada"})


@pytest.mark.parametrize("model", ["army", "unit", "objective", "entry"])
def test_the_other_lists_are_bounded_too(
    admin_client, tmg, auction, rps, model, django_assert_max_num_queries
):
    url = f"/admin/games/{model}/"
    admin_client.get(url)
    with django_assert_max_num_queries(8):
        assert admin_client.get(url).status_code == 200


def test_the_page_of_a_match_is_bounded(admin_client, whole, django_assert_max_num_queries):
    admin_client.get(f"/admin/games/match/{whole.pk}/change/")
    with django_assert_max_num_queries(28):
        assert admin_client.get(f"/admin/games/match/{whole.pk}/change/").status_code == 200


def test_a_position_that_the_rules_cannot_speak_about_does_not_hide_the_list(admin_client, rps, monkeypatch):
    def lost(self, g, seat):
        raise KeyError("lost")

    monkeypatch.setattr("games.core.steps.Step.asking", lost)
    assert "The rules cannot continue from this position." in text(admin_client.get(LIST))


@pytest.mark.parametrize("model", ["match", "army", "unit", "objective", "entry"])
def test_every_list_can_be_searched_and_sorted(admin_client, tmg, model):
    url = f"/admin/games/{model}/"
    columns = len(admin_client.get(url).context["cl"].list_display)
    assert admin_client.get(url, {"q": "wolf 狼 %"}).status_code == 200
    for column in range(1, columns):
        assert admin_client.get(url, {"o": str(column)}).status_code == 200


def test_a_unit_is_found_over_all_matches(admin_client, tmg):
    unit = Unit.objects.filter(match=tmg).first()
    page = text(admin_client.get("/admin/games/unit/", {"q": unit.name}))
    assert tmg.code in page
    assert "On the battlefield" in page


def test_a_match_is_not_opened_here_but_where_tables_are_opened(admin_client, rps):
    assert admin_client.get("/admin/games/match/add/").status_code == 403
    assert f'href="{reverse("new")}"' in text(admin_client.get(LIST))


def test_the_admin_lists_the_tables_before_the_people(admin_client):
    apps = admin_client.get("/admin/").context["app_list"]
    assert [app["app_label"] for app in apps] == ["games", "events", "webhooks", "auth"]
    names = [model["object_name"] for model in apps[0]["models"]]
    assert names == ["Match", "Army", "Unit", "Objective", "Entry", *(["CatalogueEntry"] * 4)]


def test_a_filter_without_a_choice_is_left_out(admin_client, tmg, monkeypatch):
    def titles(**query):
        return {one.title for one in admin_client.get(LIST, query).context["cl"].filter_specs}

    assert {"game", "mode", "state", "listed"} <= titles()
    monkeypatch.setattr("games.admin.admin_pages.systems", lambda: (system("tmg"),))
    assert "game" not in titles()
    assert "game" in titles(game="tmg")


def test_the_admin_speaks_the_readers_language(admin_client, rps):
    admin_client.post(reverse("set_language"), {"language": "zh-hans", "next": LIST})
    page = text(admin_client.get(LIST))
    assert 'lang="zh-hans"' in page
    assert "搜索" in page


def test_the_log_is_read_in_pages_and_sentences(admin_client, tmg):
    saved(admin_client, Unit.objects.filter(match=tmg).first(), reason="counted again", wounds="1")
    answer = admin_client.get("/admin/games/entry/", {"match__id__exact": tmg.pk})
    page = text(answer)
    assert "olenna corrected the match: counted again" in page
    assert len(answer.context["cl"].result_list) <= 100
    assert Match.objects.get(pk=tmg.pk).entries.count() == answer.context["cl"].result_count


def test_the_points_of_a_side_are_not_taken_for_the_size_of_its_army(admin_client, rps):
    page = text(admin_client.get("/admin/games/army/"))
    assert ">Score</a>" in page
    assert ">Points</a>" not in page
