"""Actions in the database: one transaction, one entry, one answer per key."""

import json
import random
from typing import NamedTuple

import pytest
from django.db import OperationalError

from games.core import Line
from games.hall import commands
from games.hall import event_actions as events
from games.history import commits
from games.history.signals import event_changed, match_changed
from games.match import match_file, play, random_play, storage, undoing
from games.match.play import RequestRefused
from games.models import Entry, Match
from tests.browser import driving
from tests.hearing import heard

pytestmark = pytest.mark.django_db


def tap(match, seat, action, seen=None, key=None):
    seen = Match.objects.get(pk=match.pk).version if seen is None else seen
    return play.tap(match.code, seat, action, seen, key or play.new_key())


def refusal(action):
    with pytest.raises(RequestRefused) as refused:
        action()
    return refused.value.status, refused.value.error


def test_opening_writes_one_entry_and_a_seat_for_each_army(rps):
    assert [(entry.version, entry.kind) for entry in rps.entries.all()] == [(1, "open")]
    assert [(seat.key, seat.is_taken) for seat in rps.seats.all()] == [("red", False), ("blue", False)]
    assert (rps.version, rps.since) == (1, 1)
    assert "seed" not in rps.entries.get().after, "whoever knew it could tell every draw"


def test_a_tap_writes_one_entry_and_one_version(rps):
    verdict = tap(rps, "red", "throw:rock")
    rps.refresh_from_db()
    assert (verdict.version, rps.version) == (2, 2)
    entry = rps.entries.get(version=2)
    assert (entry.seat, entry.author, entry.step, entry.kind) == ("red", "Ada", "throw", "tap")


def test_a_simultaneous_answer_leaves_the_question_open_for_who_saw_the_version_before(rps):
    tap(rps, "red", "throw:rock", seen=1)
    rps.refresh_from_db()
    assert rps.since == 1
    assert tap(rps, "blue", "throw:paper", seen=1).version == 3


def test_a_tap_on_a_question_that_is_closed_is_stale(rps):
    tap(rps, "red", "throw:rock", seen=1)
    tap(rps, "blue", "throw:rock", seen=1)
    assert refusal(lambda: tap(rps, "red", "throw:rock", seen=2)) == (409, "stale")


def test_a_version_of_the_future_is_stale_too(rps):
    assert refusal(lambda: tap(rps, "red", "throw:rock", seen=99)) == (409, "stale")


def test_the_same_key_again_gets_the_same_answer_and_does_nothing(rps):
    first = tap(rps, "red", "throw:rock", seen=1, key="key-of-one-button")
    again = tap(rps, "red", "throw:rock", seen=1, key="key-of-one-button")
    assert (again.version, again.is_replay) == (first.version, True)
    assert rps.entries.count() == 2


KEY = "key-of-one-button"


def adjusted(code, change="-1", house="stark", note=""):
    return play.adjust(code, "stark", f"army/{house}", f"power:{house}:{change}", KEY, note=note)


class Given(NamedTuple):
    """An organiser's edit, distinguished from another by what it says about itself."""

    power: int

    def __call__(self, state):
        state.armies["stark"].power = self.power


def edited(code, reason="", power=9):
    return play.edit(code, Given(power), "Desk", reason, KEY)


@pytest.mark.parametrize(
    ("done", "other"),
    [
        (lambda code: play.tap(code, "stark", "bid:throne:1", 1, KEY), adjusted),
        (adjusted, lambda code: adjusted(code, change="-2")),
        (adjusted, lambda code: adjusted(code, house="lannister")),
        (adjusted, lambda code: adjusted(code, note="another")),
        (edited, lambda code: edited(code, reason="another")),
        (edited, lambda code: edited(code, power=8)),
        (
            lambda code: undoing.ask(code, "stark", 2, KEY),
            lambda code: undoing.ask(code, "stark", 3, KEY),
        ),
        (
            lambda code: undoing.answer(code, "stark", False, KEY),
            lambda code: undoing.answer(code, "stark", True, KEY),
        ),
    ],
)
def test_the_same_key_for_something_else_is_refused(auction, done, other):
    for house in ("stark", "lannister"):
        play.adjust(auction.code, "stark", f"army/{house}", f"power:{house}:-1", play.new_key())
    undoing.ask(auction.code, "lannister", 2, play.new_key())
    done(auction.code)
    entries = auction.entries.count()
    assert refusal(lambda: other(auction.code)) == (422, "key_reused")
    assert auction.entries.count() == entries


def test_a_key_is_known_to_its_own_table_and_seat_alone(rps):
    other = play.open_match("rps", "plain", {"red": "Cleo", "blue": "Dag"}, seed="winter")
    tap(rps, "red", "throw:rock", seen=1, key=KEY)
    for match, seat in ((other, "red"), (rps, "blue")):
        assert refusal(lambda at=match, by=seat: tap(at, by, "throw:rock", 99, KEY)) == (409, "stale")


def test_the_same_key_for_another_list_is_refused():
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    play.bring(match.code, "red", "Stark Sworn Swords", KEY)
    assert refusal(lambda: play.bring(match.code, "red", "Umber Berserkers", KEY)) == (422, "key_reused")


def test_what_is_refused_writes_nothing(rps):
    tap(rps, "red", "throw:rock")
    before = storage.load(Match.objects.get(pk=rps.pk)).state
    for action, answer in (
        (lambda: tap(rps, "red", "throw:paper"), (409, "not_offered")),
        (lambda: tap(rps, "blue", "throw:well"), (409, "not_offered")),
        (lambda: tap(rps, "blue", "__class__"), (422, "malformed")),
        (lambda: play.tap("NOSUCH", "red", "throw:rock", 1, play.new_key()), (404, "unknown")),
        (
            lambda: play.adjust(rps.code, "red", "army/red", "power:red:1", play.new_key()),
            (409, "not_offered"),
        ),
        (lambda: play.bring(rps.code, "red", "a list", play.new_key()), (409, "not_offered")),
    ):
        assert refusal(action) == answer
    assert storage.load(Match.objects.get(pk=rps.pk)).state == before
    assert rps.entries.count() == 2


def test_a_sealed_answer_stands_in_the_sealed_part_alone(auction):
    tap(auction, "stark", "bid:throne:3")
    entry = auction.entries.get(version=2)
    public = f"{entry.action} {entry.lines} {entry.before} {entry.after} {entry.note}"
    assert entry.action == "bid"
    assert "3" not in public
    assert entry.sealed["stark"]["action"] == "bid:throne:3"


def test_every_seal_writes_an_entry_of_the_same_shape(auction):
    shapes = []
    for seat, amount in (("stark", 0), ("lannister", 5)):
        tap(auction, seat, f"bid:throne:{amount}")
        entry = auction.entries.last()
        lines = [line["message"] for line in entry.lines]
        shapes.append((entry.action, lines, [path.replace(seat, "x") for path in entry.after]))
    assert shapes[0] == shapes[1]


def test_a_correction_is_logged_with_its_reason(auction):
    play.adjust(
        auction.code, "stark", "army/lannister", "power:lannister:-2", play.new_key(), note="miscounted"
    )
    entry = auction.entries.last()
    assert (entry.kind, entry.path, entry.action, entry.note) == (
        "adjust", "army/lannister", "power:lannister:-2", "miscounted",
    )  # fmt: skip
    assert (entry.before, entry.after) == ({"army/lannister/power": 5}, {"army/lannister/power": 3})


@pytest.mark.parametrize("letter", ["\u0928\u093f", "\U0001f44d\U0001f3fd"], ids=["नि", "👍🏽"])
def test_a_reason_has_room_in_every_script_and_arrives_elsewhere(letter):
    """People count 200 letters, whatever each one is made of."""
    match = driving.opened(driving.SET_UP)
    play.adjust(match.code, "red", "army/red", "points:red:2", play.new_key(), note=letter * 200)
    assert match.scores.get().source == letter * 200
    file = json.loads(json.dumps(match_file.whole(match, with_secrets=True)))
    Match.objects.all().delete()
    arrived, _is_known = match_file.import_match(file, storage.load)
    assert arrived.scores.get().source == letter * 200


def test_a_correction_leaves_the_question_open(auction):
    play.adjust(auction.code, "stark", "army/lannister", "power:lannister:-2", play.new_key())
    assert tap(auction, "baratheon", "bid:throne:1", seen=1).version == 3


def test_an_organisers_edit_is_a_action_with_its_author_and_reason(auction):
    def change(state):
        state.armies["stark"].power = 9

    play.edit(auction.code, change, "Desk", "a token was under the board")
    entry = auction.entries.last()
    assert (entry.kind, entry.seat, entry.author, entry.note) == (
        "edit", "", "Desk", "a token was under the board",
    )  # fmt: skip
    assert storage.load(Match.objects.get(pk=auction.pk)).state.armies["stark"].power == 9


def test_an_edit_that_changes_nothing_writes_nothing(auction):
    play.edit(auction.code, lambda state: None, "Desk", "nothing")
    assert auction.entries.count() == 1


def test_listeners_are_told_after_the_commit(rps, django_capture_on_commit_callbacks):
    with heard(match_changed, "version") as told, django_capture_on_commit_callbacks(execute=True):
        tap(rps, "red", "throw:rock")
        assert told == []
    assert told == [(2,)]


@pytest.mark.django_db(transaction=True)
def test_what_is_saved_is_done_although_nobody_can_be_told(monkeypatch, caplog):
    def fails(*_sender, **_told):
        raise OperationalError("nobody there")

    monkeypatch.setattr(match_changed, "send", fails)
    monkeypatch.setattr(event_changed, "send", fails)
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    assert tap(match, "red", "throw:rock").version == 2
    event = events.open_event({"system": "rps", "name": "Cup"}, events.Actor())
    assert commands.register(event.code, events.Actor(), "Ada").version == 2
    assert [str(one.exc_info[1]) for one in caplog.records] == ["nobody there"] * 2


def test_a_finished_match_is_over_for_players(rps):
    for _round in range(2):
        tap(rps, "red", "throw:rock")
        tap(rps, "blue", "throw:scissors")
    rps.refresh_from_db()
    assert rps.result == {"winner": "red", "how": "points"}
    assert rps.finished_at is not None
    assert refusal(lambda: tap(rps, "red", "throw:rock")) == (409, "not_offered")
    late = refusal(lambda: play.adjust(rps.code, "red", "army/red", "power:red:1", play.new_key()))
    assert late == (409, "finished")
    assert refusal(lambda: play.rename(rps.code, "red", "Cleo")) == (409, "finished")


def test_a_match_was_over_when_it_was_over_whatever_is_corrected_later(rps):
    for _round in range(2):
        tap(rps, "red", "throw:rock")
        tap(rps, "blue", "throw:scissors")
    rps.refresh_from_db()
    over = rps.finished_at

    def change(state):
        state.armies["red"].name = "Cleo"

    play.edit(rps.code, change, "Desk", "wrong name")
    rps.refresh_from_db()
    assert rps.finished_at == over
    undoing.ask(rps.code, "", rps.version, play.new_key(), "Desk")
    undoing.ask(rps.code, "", rps.version - 2, play.new_key(), "Desk")
    rps.refresh_from_db()
    assert (rps.finished_at, rps.result) == (None, None)


def test_after_the_end_the_organiser_corrects_by_name(auction):
    luck = random.Random(1)
    play.adjust(auction.code, "stark", "army/lannister", "power:lannister:-1", play.new_key())
    assert auction.entries.last().author == "Stark"
    while (state := storage.current(Match.objects.get(pk=auction.pk)).state).result is None:
        tap(auction, *random_play.tap(state, luck))
    power = state.armies["stark"].power
    change = ("army/stark", f"power:stark:{1 if power < 20 else -1}", play.new_key())
    assert refusal(lambda: play.adjust(auction.code, "stark", *change)) == (409, "finished")
    play.adjust(auction.code, "", *change, author="Desk")
    assert auction.entries.last().author == "Desk"


def told(match):
    """What the log's newest entry says, its kind, and whom it is from."""
    entry = match.entries.last()
    return [str(Line.from_json(line)) for line in entry.lines], entry.kind, entry.author


def test_the_log_tells_what_is_done_beside_the_rules(auction):
    def change(state):
        state.score("stark", 2, "a track", "throne")
        state.score("lannister", -1, "a track", "throne")

    def change_more(state):
        change(state)
        state.armies["stark"].power = 9

    code = auction.code
    assert told(auction)[0][0] == "The table is started."
    actions = [
        (lambda: play.sit_down(code, "stark", "Robb"), ["Robb takes a seat."], "edit", "Robb"),
        (lambda: play.sit_down(code, "lannister"), ["Lannister takes a seat."], "remark", "Lannister"),
        (lambda: play.rename(code, "stark", "Bran"), ["Robb is now called Bran."], "edit", "Bran"),
        (lambda: play.edit(code, change, "Desk", "tired"), ["+2 Bran, -1 Lannister: tired"], "edit", "Desk"),
        (
            lambda: play.edit(code, change_more, "Desk", "again"),
            ["Desk corrected the match: again", "+2 Bran, -1 Lannister: again"], "edit", "Desk",
        ),
    ]  # fmt: skip
    for number, (done, *expected) in enumerate(actions, 2):
        assert done().version == number
        assert told(auction) == tuple(expected)
    assert play.rename(code, "stark", "Bran").version == len(actions) + 1
    assert auction.entries.count() == len(actions) + 1


def test_codes_are_easy_to_read_out(rps):
    assert len(rps.code) == 6
    assert set(rps.code) <= set(commits.CODE_LETTERS)
    assert not set("IL10O") & set(commits.CODE_LETTERS)
    assert Entry.objects.count() == 1
