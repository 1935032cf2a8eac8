"""Army lists: handed in, sealed until both are in, then open to the opponent and to nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.hall import commands
from games.hall.models import Event
from games.history import commits
from games.live import audiences
from games.live.hub import Audience
from games.match import storage
from games.match.play import new_key
from games.models import Match, Unit
from tests.hall.halls import ANNA, opened, state
from tests.hall.places import ask, card, do, page, pair_of, phone, post, row, said, table_of
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
SECRET = "Faction: House Stark\nArya Stark (secret)"
TWIN = "Faction: House Stark\nSansa Stark (sealed)"
PUBLIC = ("event", "event-board", "event-standings")


@pytest.fixture
def code() -> str:
    return opened(4, length=3)


def hand_in(code: str, key: str, *texts: str) -> None:
    form = {**dict(zip(("first", "second"), (*texts, ""), strict=False)), "key": new_key()}
    assert post(phone(code, key), code, "event-list", **form).status_code == 302


def test_a_list_is_read_by_its_owner_and_nobody_else(code: str) -> None:
    hand_in(code, "p1", SECRET)
    assert "Arya Stark (secret)" in ask(phone(code, "p1"), code, "event-list").content.decode()
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    rival = state(code).pairing_of("p1", 1).rivals("p1")[0]
    assert ask(phone(code, rival), code, "event-lists", "p1").status_code == 403
    assert ask(Phone(), code, "event-lists", "p1").status_code == 403


def test_who_hands_in_reads_what_the_game_has_read(code: str) -> None:
    whole = (ROOT / "games/systems/tmg/tests/lists/stark.txt").read_text("utf-8")
    for texts, leads_to, said_there in (
        ((whole,), "", ["Stark, 40 army points, 7 activations"]),
        (("See you on Sunday!",), "list", ["No unit was found in this text."]),
        ((whole, "Faction: Stark\n- Umber Berserkers (7)"), "list", ["7 army points", "has no Commander"]),
    ):
        form = {**dict(zip(("first", "second"), (*texts, ""), strict=False)), "key": new_key()}
        answer = post(phone(code, "p1"), code, "event-list", **form)
        assert answer["Location"] == f"/e/{code}/{leads_to}"
        shown = page(phone(code, "p1"), code, "event-list")
        assert "Handed in. You can still change it" in shown
        assert [told for told in said_there if told not in shown] == []


def test_both_lists_open_together_and_only_for_this_table(code: str) -> None:
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    one, other = pair_of(code)
    hand_in(code, one, SECRET)
    assert "stay sealed until both are in" in card(phone(code, one), code)
    assert ask(phone(code, other), code, "event-lists", one).status_code == 403
    hand_in(code, other, "Faction: Free Folk\nOurs")
    assert "Arya Stark (secret)" in page(phone(code, other), code, "event-lists", one)
    assert "Ours" in page(phone(code, one), code, "event-lists", other)
    third = next(key for key in state(code).players if key not in (one, other))
    assert ask(phone(code, third), code, "event-lists", one).status_code == 403


def test_a_list_that_waits_for_the_opponents_is_not_asked_for_at_the_table(code: str) -> None:
    hand_in(code, "p1", SECRET)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    match, seat = table_of(code, "p1")
    rival = state(code).pairing_of("p1", 1).rivals("p1")[0]
    mine, theirs = phone(code, "p1"), phone(code, rival)
    for reader in (mine, theirs):
        do(reader, code, "sit")
    waits = "Your army list is handed in. It comes to the table once your opponent’s is in, too."
    assert waits in said(mine.ask("GET", f"/t/{match}/"))
    assert waits in said(mine.ask("GET", f"/t/{match}/army/{seat}"))
    assert "Paste your list" not in said(mine.ask("GET", f"/t/{match}/"))
    table = said(theirs.ask("GET", f"/t/{match}/"))
    assert waits not in table
    assert "Paste your list" in table


@pytest.mark.parametrize("by", ["player", "organiser"])
def test_a_list_handed_in_during_the_round_comes_to_the_table(code: str, by: str) -> None:
    hand_in(code, "p1", "Faction: Stark\n- Umber Berserkers (7)")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    match, _seat = table_of(code, "p1")
    rival = state(code).pairing_of("p1", 1).rivals("p1")[0]
    assert Unit.objects.filter(match__code=match).count() == 0
    theirs = "Faction: Lannister\n- Lannister Guardsmen (5)"
    if by == "player":
        hand_in(code, rival, theirs)
    else:
        commands.hand_in(code, ANNA, rival, [theirs])
    brought = Unit.objects.filter(match__code=match).values_list("name", flat=True)
    assert {"House Umber Berserkers", "Lannister Guardsmen"} <= set(brought)


def everything(code: str, reader: Phone, match: str) -> str:
    """All that somebody can be shown of an event and a table while a list is sealed."""
    told = [ask(reader, code, name).content.decode() for name in PUBLIC]
    told += [reader.ask("GET", f"/t/{match}/{name}").content.decode() for name in ("", "history", "event")]
    told.append(audiences.snapshot(f"e-{code}", Audience((), "en", "event"))[1])
    event = Event.objects.get(code=code)
    told += [str(entry.lines) + str(entry.after) for entry in commits.entries_of(event)]
    told.append(str(storage.load(Match.objects.get(code=match)).state.to_json()))
    return " ".join(told)


@pytest.mark.parametrize("text", [SECRET, TWIN])
def test_a_sealed_list_is_nowhere(code: str, text: str) -> None:
    """Two worlds that differ by a sealed list only show the opponent, and everybody, the same."""
    hand_in(code, "p1", text)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    match, _seat = table_of(code, "p1")
    rival = state(code).pairing_of("p1", 1).rivals("p1")[0]
    for reader in (Phone(), phone(code, rival)):
        do(reader, code, "sit")
        shown = everything(code, reader, match)
        assert "Arya" not in shown
        assert "Sansa" not in shown


def test_two_lists_are_chosen_from_in_secret(code: str) -> None:
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    one, other = pair_of(code)
    hand_in(code, one, SECRET, TWIN)
    hand_in(code, other, "Faction: Free Folk\nOurs")
    told = card(phone(code, one), code)
    assert "Which list do you play?" in told
    chinese = phone(code, one)
    chinese.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert "。你使用哪份军表" in card(chinese, code)
    assert "Go to your table" not in told, "first the list, then the table"
    assert 'data-goes=""' in ask(phone(code, one), code).content.decode(), "the phone stays for the choice"
    assert do(phone(code, one), code, "choose-2").status_code == 302
    chosen = state(code).pairing_of(one, 1).chosen
    assert set(chosen) == {one, other}
    assert "Go to your table" in card(phone(code, one), code)
    assert do(phone(code, one), code, "choose-1", "another-key-0").status_code == 409


@pytest.mark.parametrize("text", ["", "   ", "https://example.org/list/7", "\u0007bell"])
def test_what_is_no_list_is_refused_and_kept_in_the_form(code: str, text: str) -> None:
    answer = post(phone(code, "p1"), code, "event-list", first=text, second="Faction: kept")
    assert answer.status_code == 422
    assert "Faction: kept" in answer.content.decode()
    assert state(code).players["p1"].lists == ()


def test_lists_are_fixed_once_the_event_has_begun(code: str) -> None:
    hand_in(code, "p1", SECRET)
    hand_in(code, "p1", TWIN)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    shown = ask(phone(code, "p1"), code, "event-list")
    assert "Sansa" in said(shown)
    assert "<textarea" not in shown.content.decode()
    assert post(phone(code, "p1"), code, "event-list", first=SECRET).status_code == 422
    assert "Sansa" in page(phone(code, "p1"), code, "event-list")


def test_a_game_without_armies_asks_for_no_list() -> None:
    code = opened(3, system="agot", size=3)
    assert ask(phone(code, "p1"), code, "event-list").status_code == 404
    assert "army list" not in card(phone(code, "p1"), code)
    assert row(code, "p1").name == "Player 1"


def test_which_of_two_lists_was_chosen_shows_nobody_else_anything(code: str) -> None:
    """Twin worlds: the same event, another choice; what the opponent and everybody see does not differ."""
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    one, other = pair_of(code)
    hand_in(code, one, SECRET, TWIN)
    shown = []
    for choice in ("choose-1", "choose-2"):
        with transaction.atomic():
            assert do(phone(code, one), code, choice, new_key()).status_code == 302
            shown.append([card(phone(code, other), code), page(Phone(), code)])
            transaction.set_rollback(True)
    assert shown[0] == shown[1]


def test_no_page_reads_all_lists_that_an_event_has_ever_kept(code: str) -> None:
    """Each choice keeps a list once more, and they may be long."""
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    one, _other = pair_of(code)
    hand_in(code, one, SECRET, TWIN)
    organiser = Phone()
    organiser.force_login(get_user_model().objects.create_superuser("organiser"))
    with CaptureQueriesContext(connection) as asked:
        assert do(phone(code, one), code, "choose-1").status_code == 302
        page(phone(code, one), code, "event-list")
        page(organiser, code, "organise-player", one)
    read = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
    read = [sql for sql in read if 'FROM "events_armylist"' in sql]
    assert len(read) >= 3
    assert all("fingerprint" in sql.partition("WHERE")[2] for sql in read)
