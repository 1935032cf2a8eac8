"""When a match is over: play again or tell of it first, check the random results last; the menu in groups."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.match import storage
from games.models import Match, Seat
from games.people import seats
from tests.browser import driving
from tests.holding import holding

pytestmark = pytest.mark.django_db

LISTS = "red demo:stark\nblue demo:lannister\n"


def sits(client: Client, match: Match, *keys: str) -> None:
    session = client.session
    session[seats.SESSION_SEATS] = holding(match.code, *keys)
    session.save()
    Seat.objects.filter(match=match, key__in=keys).update(is_taken=True)


def over(client: Client, *keys: str, points: int = 40) -> Match:
    match = driving.opened(driving.SET_UP, points=points)
    driving.do(match, "red army/red concede:red\nred end-match")
    sits(client, match, *keys)
    return match


def armies(match: Match) -> dict[str, set[tuple[str, int]]]:
    """What each seat leads: names and costs."""
    units = storage.load(match).state.units.values()
    return {key: {(unit.name, unit.cost) for unit in units if unit.player == key} for key in ("red", "blue")}


def labels(client: Client, match: Match) -> list[str]:
    return [link.label for link in client.get(f"/t/{match.code}/").context["board"].result.links]


def test_rematch_and_share_come_first_and_the_random_results_last(client: Client) -> None:
    match = over(client, "red")
    assert labels(client, match) == ["Rematch", "Share"], "all else is folded"
    more = client.get(f"/t/{match.code}/").context["board"].result.more
    assert more[-1].label == "Check random results"
    assert labels(Client(), match) == ["Share"], "who watched cannot play again, but tell of it"


def test_nobody_is_sent_to_watch_what_is_over(client: Client) -> None:
    playing = driving.opened(driving.SET_UP)
    assert [link.label for link in client.get(f"/t/{playing.code}/").context["board"].ways] == [
        "Spectator view"
    ]
    assert client.get(f"/t/{over(client).code}/").context["board"].ways == ()


def test_share_leads_to_the_recap_where_nothing_else_works(client: Client) -> None:
    match = over(client, "red")
    text = client.get(f"/t/{match.code}/").content.decode()
    address = f"/t/{match.code}/recap"
    assert f'href="{address}" data-share>' in text
    assert client.get(address).status_code == 200


def rematch(client: Client, match: Match, **changed: str) -> Match:
    """The form that *Rematch* opens, sent as it is or with something changed."""
    links = client.get(f"/t/{match.code}/").context["board"].result.links
    page = client.get(links[0].url).context["page"]
    chosen = {
        name: next(o.value for o in getattr(page, f"{name}s") if o.selected) for name in ("mode", "seat")
    }
    sizes = {"points": next(o.value for o in page.points if o.selected)}
    army = next(o.value for o in page.armies if o.selected)
    form = {**chosen, **sizes, "army": army, "name": page.name, "rival": page.rival, "like": page.like}
    assert client.post("/new", {**form, **changed}).status_code == 302
    return Match.objects.latest("pk")


def test_a_rematch_has_the_same_names_size_and_armies(client: Client) -> None:
    match = over(client, "red", points=50)
    again = rematch(client, match)
    assert armies(again) == armies(match)
    assert all(armies(again).values())
    assert again.rules["points"] == 50
    assert dict(again.armies.values_list("key", "name")) == {"red": "Ada", "blue": "Bo"}
    assert not again.armies.filter(ready=True).exists(), "everybody may still change theirs"


def test_on_the_other_seat_the_armies_change_places(client: Client) -> None:
    match = over(client, "red")
    again = rematch(client, match, seat="blue")
    assert armies(again) == {"red": armies(match)["blue"], "blue": armies(match)["red"]}
    assert dict(again.armies.values_list("key", "name")) == {"blue": "Ada", "red": "Bo"}


def test_the_armies_of_a_table_where_others_sit_do_not_come(client: Client) -> None:
    match = over(Client(), "red")
    client.post("/new", {"mode": "tmg/a-game-of-thrones", "seat": "red", "army": "again", "like": match.code})
    again = Match.objects.latest("pk")
    assert again != match
    assert armies(again) == {"red": set(), "blue": set()}


def menu(client: Client, match: Match) -> dict[str, list[str]]:
    page = client.get(f"/t/{match.code}/").context["page"]
    return {group.title: [link.label for link in group.links] for group in page.menu}


def test_the_menu_stands_in_groups(client: Client) -> None:
    match = driving.opened(LISTS)
    sits(client, match, "red")
    assert menu(client, match) == {
        "Match": ["Correct the match", "Rules"],
        "Players": ["Army", "Seats and guests"],
    }
    text = client.get(f"/t/{match.code}/").content.decode()
    assert [text.count(f"<h2>{title}</h2>") for title in (*menu(client, match), "This device")] == [1] * 3


def test_a_heading_of_people_is_no_number_of_them_in_chinese() -> None:
    reader = Client(headers={"Accept-Language": "zh-hans"})
    assert "玩家" in menu(reader, driving.opened(LISTS))
    assert '<label for="seats">玩家人数</label>' in reader.get("/new?game=agot").content.decode()


def test_the_menu_offers_what_a_phone_may_do(client: Client) -> None:
    match = driving.opened(LISTS)
    sits(client, match, "red", "blue")
    assert menu(client, match)["Players"][:3] == ["Army · Red", "Army · Blue", "Seats and guests"]
    watching = menu(Client(), match)
    assert watching["Players"] == ["Take a seat", "Seats and guests"]
    assert "Correct the match" not in watching["Match"]
    finished = over(client, "red")
    assert menu(client, finished)["Players"] == ["Seats and guests"]
    assert menu(client, finished)["Match"] == ["Score card", "Rules"]


@pytest.mark.parametrize("seated", [(), ("red",), ("red", "blue")])
def test_the_menu_has_at_most_nine_entries(client: Client, seated: tuple[str, ...]) -> None:
    """Of an event's table before its first round, where it is longest."""
    match = driving.opened(LISTS)
    sits(client, match, *seated)
    text = client.get(f"/t/{match.code}/").content.decode()
    nav = text.partition("<nav>")[2].partition('class="languages"')[0]
    assert 1 < len(re.findall(r"<a |<button", nav)) < 9, "and the way to the event"


def test_who_just_watches_comes_to_the_page_for_watchers(client: Client) -> None:
    playing = driving.opened(driving.SET_UP)
    page = client.get(f"/t/{playing.code}/join")
    assert page.context["page"].watch_url == f"/t/{playing.code}/watch"
