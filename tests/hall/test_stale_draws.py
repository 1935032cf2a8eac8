"""A correction says what rests on it: a draw from results that have changed since."""

from __future__ import annotations

import html

import pytest

from games.hall import commands, event_actions, event_api, event_undo
from games.hall.models import Event
from games.hall.rules import event_rounds, standings
from games.hall.rules.event_state import RANDOM
from tests.hall.halls import ANNA, by_chance, opened, play_round, refused, scores, state
from tests.hall.places import page as words_of
from tests.hall.places import phone
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


def drawn(players: int = 16, **settings: object) -> str:
    """The code of an event whose second round is drawn up."""
    code = opened(players, mode="manual-scoring", seed="1", **settings)
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    return code


def pairs(code: str) -> set[frozenset[str]]:
    g = state(code)
    return {frozenset(one.players) for one in g.at(g.last.number)}


def turn_round(code: str, key: str = "1-1") -> int:
    """The other one wins after all; the version that says so."""
    one = state(code).pairings[key]
    vp = (0, 12) if one.winner == one.players[0] else (12, 0)
    return commands.rule(code, ANNA, key, scores(one, *vp), "the sheets were mixed up").version


def test_the_organisers_page_says_how_many_pairings_a_correction_changes() -> None:
    code = drawn()
    before = pairs(code)
    assert "have changed" not in page(phone_of(code), code)
    turn_round(code)
    now = event_rounds.changed(state(code))
    assert now is not None
    assert 0 < len(now.pairings) < now.total == 8
    sentence = f"Results under round 2 have changed: this changes {len(now.pairings)} of 8 pairings."
    shown = html.unescape(page(phone_of(code), code))
    assert sentence in shown
    assert "Pair again" in shown
    assert "Keep these pairings" in shown
    assert "Open round 2" not in shown
    seen = html.unescape(page(phone_of(code), code, "organise-pairings"))
    assert "Open round 2" not in seen
    g = state(code)
    assert all(" – ".join(g.called(key) for key in one.players) in seen for one in now.pairings)
    assert pairs(code) == before, "looking changes nothing"


def test_drawing_again_is_exact_and_changes_what_was_said_and_nothing_else() -> None:
    code = drawn(kind=RANDOM)
    before, drawn_before = pairs(code), state(code).drawn
    version = turn_round(code)
    now = event_rounds.changed(state(code))
    send(phone_of(code), code, f"repair {event_rounds.mark(state(code))}")
    assert pairs(code) - before == {frozenset(one.players) for one in now.pairings}
    assert event_rounds.changed(state(code)) is None
    assert state(code).drawn >= drawn_before
    # The other way round again: the first draw, exactly.
    commands.rule(code, ANNA, "1-1", scores_before(code, version), "they were right")
    commands.repair(code, ANNA)
    assert pairs(code) == before
    commands.open_round(code, ANNA)


def scores_before(code: str, version: int) -> dict[str, object]:
    entry = Event.objects.get(code=code).entries.get(version=version)
    results = next(value for path, value in entry.before.items() if path.endswith("/results"))
    return {"scores": results}


def test_who_draws_again_without_a_correction_gets_other_pairings() -> None:
    code = drawn(kind=RANDOM)
    seen = set()
    for _time in range(5):
        seen.add(frozenset(pairs(code)))
        commands.repair(code, ANNA)
    assert len(seen) > 1


def test_a_stale_draw_is_not_opened_until_somebody_decides() -> None:
    code = drawn()
    before = pairs(code)
    version = turn_round(code)
    assert "Results before this round have changed" in str(refused(commands.open_round, code, ANNA))
    assert send(phone_of(code), code, f"keep_draw {event_rounds.mark(state(code))}").status_code == 302
    assert "are kept" in str(Event.objects.get(code=code).entries.last().lines)
    assert refused(commands.keep_draw, code, ANNA).status == 409
    commands.open_round(code, ANNA)
    assert pairs(code) == before
    assert event_undo.undo(code, version, ANNA).entry is not None


def test_an_undo_of_the_correction_leaves_the_draw_as_good_as_it_was() -> None:
    code = drawn()
    event_undo.undo(code, turn_round(code), ANNA)
    assert event_rounds.changed(state(code)) is None
    commands.open_round(code, ANNA)


def test_a_correction_that_changes_no_pairing_asks_nothing() -> None:
    code = drawn(criteria=("wins", "lot"))
    one = state(code).pairings["1-1"]
    more = {key: {**told, "vp": told["vp"] + (key == one.winner)} for key, told in one.results.items()}
    commands.rule(code, ANNA, "1-1", {"scores": more}, "one more")
    assert event_rounds.is_stale(state(code), state(code).last)
    assert event_rounds.changed(state(code)) is None
    assert "Keep these pairings" not in page(phone_of(code), code, "organise-pairings")
    commands.open_round(code, ANNA)


def test_an_open_round_says_it_too_and_is_kept() -> None:
    code = drawn()
    commands.open_round(code, ANNA)
    commands.come_late(code, ANNA, "Late", "", "", "loss")
    assert event_rounds.changed(state(code)) is None, "nobody had drawn who came late"
    turn_round(code)
    shown = page(phone_of(code), code)
    assert "have changed: this changes" in shown
    assert "Pair again" not in shown
    commands.keep_draw(code, ANNA)
    assert "have changed" not in page(phone_of(code), code)


def test_a_latecomer_who_sits_down_has_changed_no_result() -> None:
    code = drawn(7)
    commands.open_round(code, ANNA)
    (out,) = [one.players[0] for one in state(code).at(2) if one.is_bye]
    late = commands.come_late(code, ANNA, "Late", "", "", "loss").made
    commands.seat_together(code, ANNA, late, out)
    assert "have changed" not in page(phone_of(code), code)


def test_a_round_made_by_hand_rests_on_nothing() -> None:
    code = drawn()
    players = sorted(state(code).players)
    commands.by_hand(code, ANNA, [players[at : at + 2] for at in range(0, 16, 2)])
    turn_round(code)
    assert event_rounds.changed(state(code)) is None
    commands.open_round(code, ANNA)


def test_a_cut_is_drawn_from_results_as_well() -> None:
    code = drawn(8, length=1, cut=4)
    before = pairs(code)
    g = state(code)
    last_in, first_out = (line.player for line in standings.standings(g)[3:5])
    one = g.pairing_of(first_out, 1)
    commands.rule(code, ANNA, one.key, scores(one, 99, 0, winner=first_out) if one.players[0] == first_out
                  else scores(one, 0, 99, winner=first_out), "a mistake")  # fmt: skip
    assert event_rounds.changed(state(code)).total == 2
    commands.repair(code, ANNA)
    assert pairs(code) != before
    assert last_in != first_out


def test_standings_and_paper_carry_the_fingerprint_of_their_results() -> None:
    code = drawn()
    mark = standings.mark(state(code))
    for name, *about in (("event-standings",), ("event-print-standings",), ("event-print-round", 1)):
        assert f"Results {mark}" in words_of(phone(code), code, name, *about)
    told = event_api.public(event_actions.load(code), 0)
    assert (told["results"], told["rounds"][1]["rests_on"], told["rounds"][1]["is_stale"]) == (
        mark,
        mark,
        False,
    )
    turn_round(code)
    assert standings.mark(state(code)) != mark
    assert event_api.public(event_actions.load(code), 0)["rounds"][1]["is_stale"] is True


def test_former_rounds_are_one_tap_from_the_organisers_page() -> None:
    code = drawn()
    shown = page(phone_of(code), code)
    assert "pairings?round=1" in shown
    former = phone_of(code).get(f"/e/{code}/organise/pairings?round=1").content.decode()
    assert "<h2>Round 1</h2>" in former
    assert all(f"/organise/tables/1-{table}" in former for table in range(1, 9))
    assert "repair" not in former
