"""From the home page to a table: a rematch, on one device alone, turned to both players."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from games.match import play, storage
from games.models import Match
from tests.browser import driving

pytestmark = pytest.mark.django_db

LIST = (
    "Faction: Stark\nCommander: Robb Stark\n\nCombat Units\n• Stark Sworn Swords (5)\n  with Robb Stark (0)\n"
)
FORM = {"mode": "tmg/a-game-of-thrones", "name": "Ada", "rival": "Bo", "seat": "blue", "points": "50"}


def opened(client: Client, **more: str) -> Match:
    """A table opened over the form."""
    answer = client.post("/new", {**FORM, "target": "7", **more})
    match = Match.objects.latest("pk")
    assert answer["Location"] == f"/t/{match.code}/"
    return match


def fields(client: Client, path: str) -> dict[str, object]:
    """What the form of a new table begins with."""
    page = client.get(path).context["page"]
    chosen = {
        name: next(o.value for o in getattr(page, name) if o.selected)
        for name in ("modes", "seats", "armies")
    }
    return {**chosen, "name": page.name, "rival": page.rival, "target": page.target, "like": page.like}


def test_home_offers_a_table_like_the_last_one(client: Client) -> None:
    assert client.get("/").context["page"].again_url == ""
    match = opened(client)
    again = client.get("/").context["page"].again_url
    assert again == f"/new?like={match.code}"
    assert "Rematch</a>" in client.get("/").content.decode()
    page = client.get(again).content.decode()
    assert "<h1>Rematch</h1>" in page
    assert "Start the rematch</button>" in page
    assert "<h1>New table</h1>" in client.get("/new").content.decode()
    assert fields(client, again) == {
        "modes": "tmg/a-game-of-thrones",
        "seats": "blue",
        "armies": "",
        "name": "Ada",
        "rival": "Bo",
        "target": "7",
        "like": match.code,
    }


def test_what_is_refused_is_said_beside_its_field(client: Client) -> None:
    odd = {"name": "x" * 41, "target": "77", "ruleset": "1999", "strict": "5", "seats": "9"}
    answer = client.post("/new", {**FORM, **odd})
    assert answer.status_code == 422
    page, text = answer.context["page"], answer.content.decode()
    for field in ("name", "target", "ruleset", "strict"):
        assert text.count(f'id="{field}-error"') == 1
        assert f'aria-describedby="{field}-error' in text
    assert page.sentences == (page.errors["seats"],)
    assert page.errors["seats"] in text
    assert 'value="77"' in text


def test_rules_are_chosen_for_a_table_and_for_the_next_one_like_it(client: Client) -> None:
    assert opened(client).rules["ruleset"] == 2020
    match = opened(client, ruleset="2024")
    assert match.rules["version"] == "S04"
    (choice, *_others) = client.get(f"/new?like={match.code}").context["page"].choices
    assert [option.value for option in choice.options if option.selected] == ["2024"]
    assert "Season 4 (2024)" in client.get(f"/t/{match.code}/").content.decode()


def test_a_rare_option_waits_folded_unless_it_was_set(client: Client) -> None:
    def asked(path: str) -> tuple[list[str], list[str]]:
        page = client.get(path).context["page"]
        return [one.name for one in page.choices], [one.name for one in page.more_choices]

    assert asked("/new?game=tmg") == (["ruleset", "decks"], ["strict"])
    match = opened(client, strict="1")
    assert asked(f"/new?like={match.code}") == (["strict", "ruleset", "decks"], [])


@pytest.mark.parametrize(("game", "shown", "folded"), [("agot", 3, 0), ("bushido", 1, 0), ("tmg", 2, 9)])
def test_a_mode_alone_is_not_folded(client: Client, game: str, shown: int, folded: int) -> None:
    answer = client.get(f"/new?game={game}")
    page = answer.context["page"]
    assert (len(page.modes), len(page.more_modes)) == (shown, folded)
    assert ("More modes" in answer.content.decode()) == bool(folded)


@pytest.mark.parametrize(
    ("game", "language", "words"),
    [
        ("tmg", "en", {"Army points", "Your army"}),
        ("bushido", "en", {"Rice", "Your warband"}),
        ("bushido", "de", {"Reis", "Deine Bande"}),
        ("agot", "en", set()),
    ],
)
def test_an_army_is_asked_for_in_the_words_of_its_game(
    client: Client, game: str, language: str, words: set[str]
) -> None:
    body = client.get(f"/new?game={game}", headers={"accept-language": language}).content.decode()
    assert set(re.findall(r'<label for="(?:points|army)">(.*?)</label>', body)) == words


@pytest.mark.parametrize("year", ["2021", "1", "soon", "-4"])
def test_rules_that_nobody_wrote_are_refused_and_what_was_typed_stays(client: Client, year: str) -> None:
    answer = client.post("/new", {**FORM, "ruleset": year})
    assert answer.status_code == 422
    assert answer.context["page"].errors["ruleset"]
    assert answer.context["page"].name == "Ada"
    assert not Match.objects.exists()


def test_the_army_of_last_time_comes_again_with_its_corrections(client: Client) -> None:
    match = opened(client)
    path = f"/t/{match.code}/army/blue"
    client.post(path, {"do": "read", "text": LIST})
    rows = {
        "name-0": "Sworn Swords of Ada",
        "kind-0": "infantry",
        "cost-0": "6",
        "wounds-0": "12",
        "leader": "0",
    }
    client.post(path, {"do": "change", **rows})
    (unit,) = storage.load(Match.objects.get(pk=match.pk)).state.units.values()
    again = opened(client, like=match.code, army="again")
    (brought,) = storage.load(again).state.units.values()
    assert (brought.name, brought.cost, brought.player) == (unit.name, 6, "blue")


def test_what_a_list_does_not_use_is_shown_and_becomes_a_row_with_one_tap(client: Client) -> None:
    match = opened(client)
    path = f"/t/{match.code}/army/blue"
    client.post(path, {"do": "read", "text": "Faction: Stark\n• Stark Sworn Swords (5) (the red ones)"})
    page = client.get(path).context["page"]
    (unused,) = page.unused
    assert (unused.text, unused.label) == ("red ones", "Line 2: “red ones” was not used.")
    row = {"name-0": "Stark Sworn Swords", "kind-0": "infantry", "cost-0": "5", "wounds-0": "12"}
    client.post(path, {"do": "read", "use": unused.text, **row})
    page = client.get(path).context["page"]
    assert [row.name for row in page.rows] == ["Stark Sworn Swords", "red ones"]
    assert page.unused == ()


def test_what_a_list_does_not_use_joins_the_unit_above_it_with_one_tap(client: Client) -> None:
    match = opened(client)
    path = f"/t/{match.code}/army/blue"
    text = "Faction: Stark\n• Stark Bowmen (6)\n• Stark Sworn Swords (5) (red ones)\n• Stark Outriders (6)"
    client.post(path, {"do": "read", "text": text})
    page = client.get(path).context["page"]
    (unused,) = page.unused
    assert "Stark Sworn Swords" in unused.home.label
    names = ("Stark Bowmen", "Stark Sworn Swords", "Stark Outriders")
    rows = {f"name-{n}": name for n, name in enumerate(names)} | {f"kind-{n}": "infantry" for n in range(3)}
    client.post(path, {"attach": unused.home.value, "drop-0": "on", **rows})
    page = client.get(path).context["page"]
    assert [(row.name, row.attached) for row in page.rows] == [
        ("Stark Sworn Swords", False),
        ("red ones", True),
        ("Stark Outriders", False),
    ]
    assert page.unused == ()


@pytest.mark.parametrize("home", ["9", "-1", "x", ""])
def test_words_that_join_no_row_join_the_first_unit(client: Client, home: str) -> None:
    match = opened(client)
    path = f"/t/{match.code}/army/blue"
    client.post(path, {"do": "read", "text": "Faction: Stark\n• Stark Bowmen (6)"})
    client.post(path, {"attach": f"{home} red ones", "name-0": "Stark Bowmen", "kind-0": "infantry"})
    rows = client.get(path).context["page"].rows
    assert [(row.name, row.attached) for row in rows] == [("Stark Bowmen", False), ("red ones", True)]


def test_an_army_made_by_hand_comes_again_too(client: Client) -> None:
    match = opened(client, mode="bushido/risen-sun", points="100")
    path, figures = f"/t/{match.code}/army/blue", {"ki-0": "2", "cap-0": "8", "track-0": "6"}
    client.post(path, {"do": "add", "new": "Kizoko"})
    row = {"name-0": "Kizoko", "kind-0": "model", "cost-0": "9", **figures}
    client.post(path, {"do": "add", "new": "Hiromasa", **row})
    again = opened(client, mode="bushido/risen-sun", like=match.code, army="again")
    brought = storage.load(again).state.units.values()
    assert [(unit.name, unit.cost, unit.player) for unit in brought] == [
        ("Kizoko", 9, "blue"),
        ("Hiromasa", 16, "blue"),
    ]


def test_the_table_of_others_cannot_be_copied(client: Client) -> None:
    match = opened(Client())
    assert fields(client, f"/new?like={match.code}")["like"] == ""
    again = opened(client, like=match.code, army="again")
    assert not storage.load(again).state.units


@pytest.mark.parametrize("like", ["", "ZZZZZZ", "\0", "../x", "x" * 5000])
def test_an_odd_code_is_no_fault(client: Client, like: str) -> None:
    assert client.get("/new", {"like": like}).status_code == 200
    assert client.post("/new", {**FORM, "like": like, "army": "again"}).status_code == 302


def test_one_device_is_enough(client: Client) -> None:
    match = opened(client)
    assert b"Play this seat on this device too" in client.get(f"/t/{match.code}/seats").content
    assert client.post(f"/t/{match.code}/seats/take", {"seat": "red"}).status_code == 302
    page = client.get(f"/t/{match.code}/").context["board"]
    assert (page.seat, page.several) == ("red", True)
    for language, here in (("en", "this device"), ("de", "dieses Gerät"), ("zh-hans", "这台设备")):
        told = client.get(f"/t/{match.code}/seats", headers={"accept-language": language}).content.decode()
        assert html.unescape(told).count(f"· {here}</small>") == 2
        assert not re.search(r"(?<!other )phone|Handy|手机", told.partition("<main")[2])
    for seat in ("red", "blue"):
        client.post(f"/t/{match.code}/army/{seat}", {"demo": "stark"})
    match.refresh_from_db()
    play.tap(match.code, "red", "ready", match.version, play.new_key())
    assert client.get(f"/t/{match.code}/").context["board"].seat == "blue"


def test_a_device_that_two_share_shows_a_hand_to_whoever_said_who_it_is(client: Client) -> None:
    match = opened(client, mode="tmg/winds-of-winter")
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    for seat in ("red", "blue"):
        client.post(f"/t/{match.code}/army/{seat}", {"demo": "stark"})
        match.refresh_from_db()
        play.tap(match.code, seat, "ready", match.version, play.new_key())
    page = client.get(f"/t/{match.code}/").context["board"]
    assert (page.question.state, page.question.groups) == ("ask", ())
    assert [link.label for link in page.hand_over] == ["Play as Bo", "Play as Ada"]
    page = client.get(f"/t/{match.code}/?seat=red").context["board"]
    assert len(page.question.groups[0].offers) == 10
    assert [link.label for link in page.hand_over] == ["Play as Ada", "Hide secrets"]


def test_a_hand_in_the_app_waits_for_the_hand_over_too(client: Client) -> None:
    match = opened(client, decks="1")
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    driving.do(match, driving.SET_UP)
    for seat, seen in (("", []), ("red", ["red"]), ("blue", ["blue"])):
        answer = client.get(f"/t/{match.code}/", {"seat": seat})
        sides = answer.context["board"].sides
        assert [side.key for side in sides if side.free_actions or side.folds] == seen
        assert (b"play:c" in answer.content) == bool(seen)
    links = client.get(f"/t/{match.code}/").context["board"].hand_over
    assert [link.label for link in links] == ["Play as Bo", "Play as Ada"]


def shared(client: Client, actions: str = driving.SET_UP, **more: str) -> Match:
    """A table whose two seats are on one device."""
    match = opened(client, **more)
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    driving.do(match, actions)
    return match


def shown(client: Client, match: Match, **query: str):  # type: ignore[no-untyped-def]
    return client.get(f"/t/{match.code}/", query).context["board"]


def tapped(client: Client, match: Match, action: str, **more: str) -> str:
    """The board that answers a tap for the seat that was shown."""
    board = shown(client, match, **({"seat": more["as"]} if "as" in more else {}))
    key = play.new_key()
    form = {"action": action, "seen": str(board.version), "seat": board.seat, "key": key, **more}
    answer = client.post(f"/t/{match.code}/act", form, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_nobody_says_who_they_are_where_nothing_is_hidden(client: Client) -> None:
    match = shared(client)
    for action in ("activate:crannogman-trackers", "activate:lannister-crossbowmen"):
        assert shown(client, match).hand_over == ()
        text = tapped(client, match, action)
        assert "Play as" not in text
        assert 'data-state="ask"' in text, "the other half is asked at once"


def test_whoever_acted_still_notes_it_while_the_other_half_is_asked(client: Client) -> None:
    match = shared(client, driving.SET_UP + "red activate:crannogman-trackers\n")
    board = shown(client, match)
    assert (board.seat, board.acting.mark) == ("blue", 1)
    changes = [offer.action for group in board.acting.groups for offer in group.offers]
    assert any(change.startswith("unit/crannogman-trackers ") for change in changes)
    path, _space, action = next(change for change in changes if "claim:" in change).partition(" ")
    form = {
        "change": f"{path} {action}",
        "seat": board.seat,
        "seen": str(board.version),
        "key": play.new_key(),
    }
    assert client.post(f"/t/{match.code}/adjust", form, headers={"HX-Request": "true"}).status_code == 200


def test_a_device_for_both_never_agrees_with_itself(client: Client) -> None:
    match = shared(client, driving.SET_UP + "red activate:crannogman-trackers\n")
    undo = shown(client, match).undo
    assert undo.asks == ""
    form = {"undo": undo.value, "seat": "blue", "key": play.new_key()}
    assert client.post(f"/t/{match.code}/undo", form).status_code == 302
    match.refresh_from_db()
    assert match.undo_request is None
    assert match.entries.filter(kind="undo").count() == 1


def test_a_second_seat_on_a_device_keeps_the_name_that_the_table_has_for_it(client: Client) -> None:
    match = driving.opened()
    for seat, name, typed in (("red", "Ada", "Anna"), ("blue", "Bo", "")):
        address = driving.link(match, seat)
        page = client.get(address).context["page"]
        assert page.name == name
        assert client.post(address, {"name": typed or page.name, "key": page.key}).status_code == 302
    assert [army.name for army in match.armies.order_by("pk")] == ["Anna", "Bo"]
    assert client.get(driving.link(driving.opened(), "red")).context["page"].name == "Anna"


def test_a_hand_that_was_shown_stays_with_its_player_until_it_is_put_away(client: Client) -> None:
    match = shared(client, decks="1")
    assert "play:c" not in tapped(client, match, "activate:crannogman-trackers")
    assert "play:c" not in client.get(f"/t/{match.code}/").content.decode()
    text = tapped(client, match, "activate:lannister-crossbowmen", **{"as": "blue"})
    assert 'name="as" value="blue"' in text
    assert "play:c" in text
    board = shown(client, match, seat="blue")
    assert [link.label for link in board.hand_over] == ["Play as Bo", "Hide secrets"]
    assert board.hand_over[-1].url == f"/t/{match.code}/"


def test_a_sheet_leads_back_to_what_both_may_see(client: Client) -> None:
    match = shared(client, decks="1")
    assert all("seat=" not in side.sheet_url for side in shown(client, match).sides)
    assert all(side.sheet_url.endswith("?seat=red") for side in shown(client, match, seat="red").sides)


def test_a_taken_seat_is_not_taken_again(client: Client) -> None:
    match = opened(client)
    other = Client()
    other.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    assert not match.seats.get(key="red").is_taken
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    assert client.post(f"/t/{match.code}/seats/take", {"seat": "red"}).status_code == 409
    assert client.post(f"/t/{match.code}/seats/take", {"seat": "green"}).status_code == 404


def test_the_halves_are_turned_and_turned_back(client: Client) -> None:
    match = opened(client)
    table = f"/t/{match.code}/"
    assert b"+table/facing" not in client.get(table).content
    assert client.post(f"{table}facing")["Location"] == table
    turned = client.get(table).content.decode()
    assert "+table/facing" in turned
    assert "Turn both halves the same way" in turned
    client.post(f"{table}facing")
    assert b"+table/facing" not in client.get(table).content
