"""Taps that must not count, through the views: the right status, one sentence, and nothing changed."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse

from games.match import play
from games.models import Entry, Match
from tests.trust import cast
from tests.trust.cast import BLUE, RED, World

HEADERS: list[dict[str, str]] = [{}, {"HX_Request": "true"}]


@pytest.fixture(params=HEADERS, ids=["plain", "htmx"])
def headers(request: pytest.FixtureRequest) -> dict[str, str]:
    """As a form is sent without scripts, and with them."""
    return request.param


def send(world: World, role: str, name: str, form: dict[str, Any], **headers: str) -> HttpResponse:
    return world.phones[role].ask("POST", f"/t/{world.code}/{name}", form, **headers)


def is_refused(world: World, answer: HttpResponse, status: int, sentence: str) -> None:
    """Fail unless the answer has this status and says this once, next to the board if there is one."""
    # Sentences that scripts may show later are in attributes; they do not count as said.
    text = re.sub(r' data-(?!version)[a-z]+="[^"]*"', "", answer.content.decode())
    assert answer.status_code == status, text
    assert text.count(sentence) == 1, text
    if status != 403:
        assert 'id="board"' in text
        assert text.count(f'data-version="{world.match.version}"') == 1


MALFORMED = "This game has no such action."
MISSING = "Something was missing from that tap. Please try again."
NO_KEY = "This tap carries no valid key. Please reload the page and tap again."
NO_NUMBER = "Please enter a whole number from"
MOVED_ON = "Something changed. Check the table, then tap again."
NOT_YOURS = "This device does not have that seat."
NOT_NOW = "You cannot do that now."
OUT_OF_RANGE = "Please enter a whole number from 0 to "
NOT_TURN = "It is not your turn. Another player must answer first."

BAD_TAPS: list[tuple[str, dict[str, Any], int, str]] = [
    ("no key", {"key": None}, 422, MISSING),
    ("an empty key", {"key": ""}, 422, NO_KEY),
    ("a short key", {"key": "short"}, 422, NO_KEY),
    ("a huge key", {"key": "k" * 10_000}, 422, NO_KEY),
    ("a key with a null", {"key": "abcdefgh\0"}, 422, NO_KEY),
    ("a key in other letters", {"key": "ключключ"}, 422, NO_KEY),
    ("two keys", {"key": ["bid-key-0", "bid-key-1"]}, 422, MISSING),
    ("no version", {"seen": None}, 422, MISSING),
    ("a version in words", {"seen": "abc"}, 422, NO_NUMBER),
    ("a version of 5000 digits", {"seen": "9" * 5000}, 422, NO_NUMBER),
    ("a negative version", {"seen": "-1"}, 422, NO_NUMBER),
    ("an older version", {"seen": "0"}, 409, MOVED_ON),
    ("a version of the future", {"seen": "99"}, 409, MOVED_ON),
    ("no action", {"action": None}, 422, MISSING),
    ("two actions", {"action": ["bid:throne", "bid:court"]}, 422, MISSING),
    ("an empty action", {"action": ""}, 422, MALFORMED),
    ("an unknown action", {"action": "surrender"}, 409, NOT_NOW),
    ("an attribute", {"action": "__class__"}, 422, MALFORMED),
    ("a method of the step", {"action": "run"}, 409, NOT_NOW),
    ("another method of the step", {"action": "offers:throne"}, 409, NOT_NOW),
    ("a query", {"action": '{"_connector": "OR 1=1"}'}, 422, MALFORMED),
    ("a path", {"action": "../../undo"}, 422, MALFORMED),
    ("a null", {"action": "bid:throne\0"}, 422, MALFORMED),
    ("a line more", {"action": "bid:throne\n"}, 422, MALFORMED),
    ("capitals", {"action": "BID:THRONE"}, 422, MALFORMED),
    ("a huge action", {"action": "bid:" + "x" * 100_000}, 422, MALFORMED),
    ("too many nouns", {"action": "bid:throne:court:fiefdoms:x"}, 422, MALFORMED),
    ("another question's action", {"action": "bid:court", "number:bid:court": "1"}, 409, NOT_NOW),
    ("a number with nothing to number", {"action": "place:stark"}, 409, NOT_NOW),
    ("no number", {"number:bid:throne": None}, 409, OUT_OF_RANGE),
    ("two numbers", {"number:bid:throne": ["1", "9"]}, 422, MISSING),
    ("more than one has", {"number:bid:throne": "7"}, 409, OUT_OF_RANGE),
    ("less than nothing", {"number:bid:throne": "-1"}, 409, OUT_OF_RANGE),
    ("half a number", {"number:bid:throne": "1.5"}, 422, NO_NUMBER),
    ("no number at all", {"number:bid:throne": "NaN"}, 422, NO_NUMBER),
    ("an exponent", {"number:bid:throne": "1e3"}, 422, NO_NUMBER),
    ("5000 digits", {"number:bid:throne": "9" * 5000}, 422, NO_NUMBER),
    ("more than a column holds", {"number:bid:throne": str(2**63)}, 422, NO_NUMBER),
    ("an underscore", {"number:bid:throne": "1_0"}, 422, NO_NUMBER),
    ("wide digits", {"number:bid:throne": "１２"}, 422, NO_NUMBER),
    ("arabic digits", {"number:bid:throne": "٣"}, 422, NO_NUMBER),
    ("a plus", {"number:bid:throne": "+3"}, 422, NO_NUMBER),
    ("a leading zero", {"number:bid:throne": "03"}, 422, NO_NUMBER),
    ("somebody else's seat", {"seat": BLUE}, 403, NOT_YOURS),
    ("a seat that is not", {"seat": "tyrell"}, 403, NOT_YOURS),
    ("a seat in other letters", {"seat": "\u202estark"}, 403, NOT_YOURS),
]


def changed(form: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The form with these fields changed, and without those that are None."""
    return {name: value for name, value in {**form, **change}.items() if value is not None}


@pytest.mark.parametrize(
    ("change", "status", "sentence"), [row[1:] for row in BAD_TAPS], ids=[r[0] for r in BAD_TAPS]
)
def test_a_bad_tap_is_told_so_and_changes_nothing(
    world: World, change: dict[str, Any], status: int, sentence: str, headers: dict[str, str]
):
    before = world.fingerprint()
    answer = send(world, "red", "act", changed(cast.bid(world.match), change), **headers)
    is_refused(world, answer, status, sentence)
    assert world.fingerprint() == before
    assert send(world, "red", "act", cast.bid(world.match), **headers).status_code in (200, 302)


def test_a_number_with_spaces_around_it_is_that_number(world: World):
    answer = send(world, "red", "act", changed(cast.bid(world.match), {"number:bid:throne": " 3\r\n"}))
    assert answer.status_code == 302


NOT_SO = "You cannot make that correction right now."

BAD_CORRECTIONS: list[tuple[str, dict[str, Any], int, str]] = [
    ("no change", {"change": None}, 422, MISSING),
    ("an empty change", {"change": ""}, 422, MALFORMED),
    ("no action", {"change": f"army/{RED}"}, 422, MALFORMED),
    ("no path", {"change": f"power:{RED}:1"}, 422, MALFORMED),
    ("no such piece", {"change": f"unit/nobody power:{RED}:1"}, 409, NOT_SO),
    ("no kind of piece", {"change": f"__class__/x power:{RED}:1"}, 409, NOT_SO),
    ("a path upwards", {"change": f"../army/{RED} power:{RED}:1"}, 409, NOT_SO),
    ("another piece's change", {"change": f"army/{RED} power:{BLUE}:1"}, 409, NOT_SO),
    ("the score itself", {"change": f"army/{RED} points:99"}, 409, NOT_SO),
    ("too much", {"change": f"army/{RED} power:{RED}:999"}, 409, NOT_SO),
    ("a huge path", {"change": "x" * 100_000 + f" power:{RED}:1"}, 409, NOT_SO),
    ("a path with a null", {"change": f"army/{RED}\0 power:{RED}:1"}, 409, NOT_SO),
    ("no key", {"key": None}, 422, MISSING),
    ("a bad key", {"key": "?"}, 422, NO_KEY),
    ("somebody else's seat", {"seat": BLUE}, 403, NOT_YOURS),
]


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [row[1:] for row in BAD_CORRECTIONS],
    ids=[r[0] for r in BAD_CORRECTIONS],
)
def test_a_bad_correction_is_told_so_and_changes_nothing(
    world: World, change: dict[str, Any], status: int, sentence: str, headers: dict[str, str]
):
    before = world.fingerprint()
    answer = send(world, "red", "adjust", changed(cast.correction("correction-1"), change), **headers)
    is_refused(world, answer, status, sentence)
    assert world.fingerprint() == before


BAD_UNDOS: list[tuple[str, dict[str, Any], int, str]] = [
    ("nothing", {"undo": None}, 422, MISSING),
    ("words", {"undo": "everything"}, 422, NO_NUMBER),
    ("version zero", {"undo": "0"}, 422, NO_NUMBER),
    ("the opening", {"undo": "1"}, 409, "This can no longer be undone."),
    ("the future", {"undo": "99"}, 409, "This can no longer be undone."),
    ("2 to the 63", {"undo": str(2**63)}, 422, NO_NUMBER),
    ("a yes to nothing", {"undo": "agree"}, 409, "That undo request is no longer open."),
    ("a no to nothing", {"undo": "decline"}, 409, "That undo request is no longer open."),
    ("no key", {"key": None}, 422, MISSING),
]


@pytest.mark.parametrize(
    ("change", "status", "sentence"), [row[1:] for row in BAD_UNDOS], ids=[r[0] for r in BAD_UNDOS]
)
def test_a_bad_undo_is_told_so_and_changes_nothing(
    world: World, change: dict[str, Any], status: int, sentence: str, headers: dict[str, str]
):
    before = world.fingerprint()
    form = {"undo": str(world.newest_action()), "key": "undo-key-0"}
    is_refused(world, send(world, "red", "undo", changed(form, change), **headers), status, sentence)
    assert world.fingerprint() == before


# --- the same key again ---------------------------------------------------------------------------


def taps(match: Match) -> int:
    return Entry.objects.filter(match=match, kind=Entry.Kind.TAP).count()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("act", {"action": "bid:throne", "number:bid:throne": "2", "seen": "4"}),
        ("adjust", {"change": f"army/{RED} power:{RED}:1"}),
        ("undo", {"undo": "4"}),
    ],
)
def test_the_same_key_again_is_the_same_answer_once(world: World, name: str, form: dict[str, str]):
    form = {**form, "key": "the-same-key"}
    if "seen" in form:
        form["seen"] = str(world.match.version)
    if "undo" in form:
        form["undo"] = str(world.newest_action())
    first = send(world, "red", name, form, HX_Request="true")
    once = world.fingerprint()
    again = send(world, "red", name, form, HX_Request="true")
    assert (first.status_code, again.status_code) == (200, 200)
    assert "Idempotent-Replay" not in first
    assert again["Idempotent-Replay"] == "1"
    assert again.content == first.content
    assert send(world, "red", name, form).status_code == 302
    assert world.fingerprint() == once


def test_a_replay_answers_with_todays_board(world: World):
    send(world, "red", "act", cast.bid(world.match, key="the-same-key"))
    send(world, "blue", "act", cast.bid(world.match))
    again = send(world, "red", "act", cast.bid(world.match, key="the-same-key"), HX_Request="true")
    assert again["Idempotent-Replay"] == "1"
    assert f'data-version="{world.match.version + 2}"' in again.content.decode()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("act", {"action": "bid:throne", "number:bid:throne": "3", "seen": "0"}),
        ("act", {"action": "bid:court", "number:bid:court": "2", "seen": "0"}),
        ("adjust", {"change": f"army/{RED} power:{RED}:1"}),
        ("undo", {"undo": "4"}),
    ],
)
def test_a_key_is_good_for_one_thing(world: World, name: str, form: dict[str, str], headers: dict[str, str]):
    send(world, "red", "act", cast.bid(world.match, 2, "one-key-only"))
    before = world.fingerprint()
    world.match.refresh_from_db()
    answer = send(world, "red", name, {**form, "key": "one-key-only"}, **headers)
    is_refused(world, answer, 422, "This button was already used for something else. Please tap again.")
    assert world.fingerprint() == before


def test_another_seats_key_is_its_own_affair(world: World):
    for role in ("red", "blue"):
        answer = send(world, role, "act", cast.bid(world.match, 1, "shared-key"), HX_Request="true")
        assert answer.status_code == 200
        assert "Idempotent-Replay" not in answer
    assert taps(world.match) == 2


def test_a_refused_tap_leaves_its_key_free(world: World):
    refused = send(world, "red", "act", {**cast.bid(world.match, key="used-again"), "seen": "0"})
    assert refused.status_code == 409
    assert send(world, "red", "act", cast.bid(world.match, key="used-again")).status_code == 302


# --- out of turn, too late ------------------------------------------------------------------------


def test_a_second_answer_is_not_asked_for(world: World, headers: dict[str, str]):
    send(world, "red", "act", cast.bid(world.match, 1, "first-bid"))
    before = world.fingerprint()
    world.match.refresh_from_db()
    answer = send(world, "red", "act", cast.bid(world.match, 2, "second-bid"), **headers)
    is_refused(world, answer, 409, NOT_TURN)
    assert world.fingerprint() == before


def test_a_sealed_answer_does_not_make_the_others_stale(world: World):
    shown = world.match.version
    send(world, "red", "act", cast.bid(world.match, 1))
    assert send(world, "blue", "act", {**cast.bid(world.match, 2), "seen": str(shown)}).status_code == 302


def revealed(world: World) -> None:
    """All three have bid: blue, the highest, has the Iron Throne, and the next track is up for bids."""
    for seat, amount in ((RED, 1), (BLUE, 3), (cast.OPEN, 0)):
        play.tap(world.code, seat, f"bid:throne:{amount}", world.match.version, play.new_key())
    world.match.refresh_from_db()


def test_an_answer_after_the_reveal_is_too_late(world: World, headers: dict[str, str]):
    late = cast.bid(world.match)
    revealed(world)
    before = world.fingerprint()
    is_refused(world, send(world, "red", "act", late, **headers), 409, MOVED_ON)
    assert world.fingerprint() == before


def test_what_was_revealed_is_taken_back_by_agreement_only(world: World, headers: dict[str, str]):
    revealed(world)
    state = world.fingerprint()[0]
    final = Entry.objects.filter(match=world.match, is_final=True).latest("version")
    form = {"undo": str(final.version), "key": "take-it-back"}
    assert send(world, "red", "undo", form, **headers).status_code in (200, 302)
    world.match.refresh_from_db()
    assert world.match.undo_request["needs"] == [BLUE, cast.OPEN]
    own = send(world, "red", "undo", {"undo": "agree", "key": "yes-myself"}, **headers)
    is_refused(world, own, 409, "You are not the player who has to answer.")
    assert world.fingerprint()[0] == state


def test_nobody_but_the_organiser_corrects_a_finished_match(world: World, headers: dict[str, str]):
    match = Match.objects.get(pk=world.match.pk)
    match.result = {"winner": RED, "how": "tracks"}
    match.save()
    before = world.fingerprint()
    over = "The match is over; only the organiser can correct it now."
    is_refused(world, send(world, "red", "adjust", cast.correction("late-one"), **headers), 409, over)
    tap = send(world, "red", "act", cast.bid(world.match), **headers)
    is_refused(world, tap, 409, "The match is over.")
    assert world.fingerprint() == before


def test_the_answer_to_a_plain_form_leads_on_so_that_a_reload_repeats_nothing(world: World):
    answer = send(world, "red", "act", cast.bid(world.match))
    assert answer.status_code == 302
    assert answer["Location"] == f"/t/{world.code}/"


def test_the_code_may_be_typed_in_small_letters(world: World):
    answer = world.phones["red"].ask("POST", f"/t/{world.code.lower()}/act", cast.bid(world.match))
    assert answer.status_code == 302
    assert taps(world.match) == 1


def test_a_sheet_that_is_not_there_does_not_spoil_a_action(world: World, headers: dict[str, str]):
    for n, sheet in enumerate(("unit/nobody", "x" * 5000, "\0", "//evil.example", "javascript:alert(1)")):
        form = {**cast.correction(f"correction-{n + 1}"), "sheet": sheet}
        answer = send(world, "red", "adjust", form, **headers)
        assert answer.status_code in (200, 302)
        assert answer.get("Location", "/t/").startswith("/t/")


@pytest.mark.parametrize(
    "seat", ["\0", "é", "x" * 5000, "//evil.example", "stark&seat=lannister", "\r\nX-Evil: 1"]
)
def test_a_strange_seat_in_the_address_is_not_followed(world: World, seat: str):
    for name in ("", "board", "history", f"piece/army/{RED}", "stream"):
        answer = world.phones["red"].ask("GET", f"/t/{world.code}/{name}", {"seat": seat})
        assert answer.status_code == 200
    form = {**cast.correction("correction-1"), "sheet": f"army/{RED}"}
    answer = world.phones["red"].ask("POST", f"/t/{world.code}/adjust?{urlencode({'seat': seat})}", form)
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"/t/{world.code}/piece/army/{RED}")
