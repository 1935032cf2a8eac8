"""Statistics over matches whose numbers were worked out by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import statistics
from games.core import system
from games.models import Entry, Match, Score
from games.statistics import FEWEST, OTHERS, Asked, Pairing, Quartiles, Tally, count, interval, quartiles
from tests.records.many import START, Played, write

pytestmark = pytest.mark.django_db

STARK, WATCH, FOLK = "stark", "nightswatch", "freefolk"
ALL = Asked("tmg")


def told(*played: Played, asked: Asked = ALL) -> statistics.Statistics:
    write(played)
    return count(asked)


# --- which matches ---------------------------------------------------------------------------------


def test_only_public_tables_on_which_people_played_are_counted():
    found = told(
        Played(),
        Played(minutes=None),
        Played(more={"is_listed": False}),
        Played(more={"is_demo": True}),
        Played(more={"is_practice": True}),
        Played(minutes=None, points=()),
        Played(minutes=None, more={"watch_delay": 15}),
        Played(game="bushido", mode="risen-sun"),
    )
    assert (found.matches, found.finished) == (1, 1)
    going_on = count(Asked("tmg", is_any=True))
    assert (going_on.matches, going_on.finished) == (2, 1)
    counted = {slug: (matches, over) for slug, matches, over in statistics.overview()}
    assert (counted["tmg"], counted["bushido"], counted["agot"]) == ((2, 1), (1, 1), (0, 0))


def test_a_match_that_was_conceded_before_its_first_round_counts():
    found = told(Played(points=(), how="concession", winner="blue"))
    assert (found.matches, found.ends, found.factions[FOLK].wins) == (1, {"conceded": 1}, 1)


def test_narrowed_by_mode_faction_and_days():
    write(
        [
            Played(day=0),
            Played(day=1, mode="fire-and-blood"),
            Played((STARK, WATCH), day=2),
            Played((FOLK, WATCH), day=3),
        ]
    )
    first = START.date()

    def matches(**narrowed):  # type: ignore[no-untyped-def]
        return count(Asked("tmg", **narrowed)).matches

    assert matches() == 4
    assert matches(mode="fire-and-blood") == 1
    assert (matches(faction=STARK), matches(faction=WATCH), matches(faction="bolton")) == (3, 2, 0)
    assert matches(since=first + timedelta(1)) == 3
    assert matches(until=first + timedelta(1)) == 2
    assert matches(since=first + timedelta(1), until=first + timedelta(2)) == 2
    assert matches(since=first + timedelta(1), until=first + timedelta(1), faction=WATCH) == 0


# --- who wins --------------------------------------------------------------------------------------


def test_wins_draws_and_losses_by_faction():
    found = told(
        Played((STARK, FOLK), "red"),
        Played((STARK, FOLK), "red"),
        Played((FOLK, STARK), "red"),
        Played((STARK, WATCH), None, "draw"),
        Played((STARK, "Anna's own people"), "blue"),
        Played((STARK, ""), "red"),
    )
    assert found.factions == {
        STARK: Tally(6, 3, 1),
        FOLK: Tally(3, 1, 0),
        OTHERS: Tally(2, 1, 0),
        WATCH: Tally(1, 0, 1),
    }
    assert found.factions[STARK].losses == 2
    assert list(found.factions) == [STARK, FOLK, OTHERS, WATCH]
    assert found.pairings == (
        Pairing(FOLK, STARK, 3, 1, 2),
        Pairing(OTHERS, STARK, 2, 1, 1),
        Pairing(WATCH, STARK, 1, 0, 0),
    )


def test_a_faction_against_itself_is_one_match():
    found = told(Played((STARK, STARK), "red"), Played((STARK, STARK), "blue"))
    assert found.factions == {STARK: Tally(4, 2, 0)}
    assert [(one.one, one.other, one.matches) for one in found.pairings] == [(STARK, STARK, 2)]


def test_in_the_board_game_houses_are_what_is_played():
    three = {"game": "agot", "mode": "light", "factions": ("", "", ""), "points": ((3, 2, 1),)}
    write(
        [
            Played(winner="stark", **three),
            Played(winner="lannister", **three),
            Played(winner="stark", **three),
        ]
    )
    found = count(Asked("agot"))
    seats = list(system("agot").seat_names)[:3]
    assert {key: (tally.matches, tally.wins) for key, tally in found.factions.items()} == {
        seat: (3, {"stark": 2, "lannister": 1}.get(seat, 0)) for seat in seats
    }
    pairs = {(one.one, one.other): (one.matches, one.wins, one.losses) for one in found.pairings}
    assert pairs["lannister", "stark"] == (3, 1, 2)
    assert pairs["baratheon", "stark"] == (3, 0, 2)
    assert len(pairs) == 3
    assert found.sides == 3
    assert [count(Asked("agot", faction=house)).matches for house in ("stark", "martell")] == [3, 0]


def test_the_first_player_of_the_first_round():
    found = told(
        Played(winner="red", first="red"),
        Played(winner="red", first="blue"),
        Played(winner=None, first="blue"),
        Played(winner="blue", first=None),
        Played(winner="blue", first="blue"),
    )
    assert found.first == Tally(4, 2, 1)


def test_how_matches_end():
    hows = ("points", "last-round", "concession", "time-out", "time-out", "adjudication", "elimination")
    found = told(*(Played(how=how) for how in hows))
    assert found.ends == {"played": 3, "time": 2, "conceded": 1, "adjudicated": 1}


# --- too few ---------------------------------------------------------------------------------------


def test_of_too_few_matches_no_share_is_given():
    assert (FEWEST, Tally(9, 9).rate, Tally(9, 9).span) == (10, None, None)
    assert Tally(10, 4, 2).rate == 0.5
    assert quartiles([1.0] * 9) == Quartiles(9)


def test_a_share_with_the_room_that_it_may_lie_in():
    low, high = interval(5, 10)
    assert (round(low, 3), round(high, 3)) == (0.237, 0.763)
    low, high = interval(0, 10)
    assert (round(low, 3), round(high, 3)) == (0.0, 0.278)
    assert Tally(10, 4, 2).span == interval(5, 10)


def test_quartiles_lie_between_neighbours():
    assert quartiles([float(number) for number in (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)]) == Quartiles(
        10, 3.25, 5.5, 7.75
    )


# --- points, length, tempo -------------------------------------------------------------------------


def test_points_by_round_of_winners_and_others():
    """Six matches of two rounds that red wins, five of one round that blue wins; draws tell of no winner."""
    found = told(
        *(Played(winner="red", points=((2, 1), (3, 0))) for _match in range(6)),
        *(Played(winner="blue", points=((0, 4),)) for _match in range(5)),
        *(Played(winner=None, how="draw", points=((9, 9),)) for _match in range(3)),
    )
    first, second = found.rounds
    assert (first.number, first.matches, second.number, second.matches) == (1, 11, 2, 6)
    assert first.winners == pytest.approx((6 * 2 + 5 * 4) / 11)
    assert first.others == pytest.approx((6 * 1 + 5 * 0) / 11)
    assert first.everybody == pytest.approx((6 * 3 + 5 * 4) / 22)
    assert (second.everybody, second.winners, second.others) == (None, None, None)


def test_a_winner_without_a_point_in_a_round_has_none():
    write(Played(how="adjudication", points=((0, 4),)) for _match in range(10))
    Score.objects.filter(points=0).delete()
    (line,) = count(ALL).rounds
    assert (line.everybody, line.winners, line.others) == (2.0, 0.0, 4.0)


def test_points_of_three_sides():
    three = {"game": "agot", "mode": "light", "factions": ("", "", ""), "points": ((3, 2, 1), (1, -1, 0))}
    write(Played(winner=next(iter(system("agot").seat_names)), **three) for _match in range(10))
    first, second = count(Asked("agot")).rounds
    assert (first.everybody, first.winners, first.others) == (2.0, 3.0, 1.5)
    assert (second.everybody, second.winners, second.others) == (0.0, 1.0, -0.5)


def test_points_of_one_side_alone():
    alone = {"factions": (STARK,), "points": ((2,),)}
    (line,) = told(*(Played(**alone) for _match in range(10))).rounds
    assert (line.everybody, line.winners, line.others) == (2.0, 2.0, None)


def test_length_and_tempo():
    """Eleven matches of 60, 66 … 120 minutes, each with as many entries as it took half-minutes."""
    minutes = range(60, 121, 6)
    found = told(*(Played(minutes=each, actions=2 * each) for each in minutes), Played(minutes=None))
    assert found.minutes == Quartiles(11, 75.0, 90.0, 105.0)
    assert found.actions == Quartiles(11, 150.0, 180.0, 210.0)
    assert found.seconds == Quartiles(11, 30.0, 30.0, 30.0)
    assert found.lengths == tuple(map(float, minutes))


def test_tempo_leaves_out_the_entries_of_the_set_up():
    """They were counted, and the time of the set-up was not: players seemed to be faster than they are."""
    matches = write([Played(minutes=60, actions=80)] * 10)
    rows = [(match, version, version > 20) for match in matches for version in range(1, 81)]
    Entry.objects.bulk_create(Entry(match=match, version=at, round=number) for match, at, number in rows)
    assert count(ALL).seconds == Quartiles(10, 60.0, 60.0, 60.0)


def test_a_clock_that_was_set_back_makes_no_match_shorter_than_nothing():
    assert told(Played(minutes=-5)).lengths == (0.0,)


def test_modes_with_their_length_and_rounds():
    found = told(
        *(Played(minutes=30 + each, points=((1, 0),) * (2 + each % 2)) for each in range(10)),
        Played(mode="fire-and-blood"),
    )
    often, once = found.modes
    assert (often.mode, often.matches, often.minutes.median, often.rounds) == (
        "a-game-of-thrones",
        10,
        34.5,
        2.5,
    )
    assert (once.mode, once.matches, once.minutes, once.rounds) == ("fire-and-blood", 1, Quartiles(1), None)
    write([Played(minutes=None, points=((1, 0),) * 6)])
    often, _once = count(Asked("tmg", is_any=True)).modes
    assert (often.matches, often.rounds) == (11, 2.5)


# --- the database ----------------------------------------------------------------------------------


def test_a_few_statements_however_many_matches():
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            count(Asked("tmg", faction=STARK, since=date(2026, 1, 1)))
        told = " ".join(query["sql"] for query in asked.captured_queries)
        assert not any(f'"{part}"' in told for part in ("lines", "before", "after")), "an entry was read"
        assert not any('"name"' in query["sql"] for query in asked.captured_queries), "a name was read"
        return len(asked.captured_queries)

    write([Played()])
    few = statements()
    write(Played((STARK, WATCH), mode="fire-and-blood") for _match in range(60))
    assert statements() == few <= 12


def test_what_was_counted_is_told_again_for_a_moment(django_assert_num_queries):
    write([Played()])
    assert not statistics.is_known(ALL)
    first = statistics.statistics(ALL)
    assert statistics.is_known(ALL)
    write([Played()])
    with django_assert_num_queries(0):
        assert statistics.statistics(ALL) == first
    assert statistics.statistics(Asked("tmg", is_any=True)).matches == 2


# --- what is asked for -----------------------------------------------------------------------------


def read(**sent: str) -> statistics.Reading:
    return statistics.read(system("tmg"), sent)


def test_what_a_form_asks_for():
    found = read(mode="fire-and-blood", faction=STARK, since="2026-05-01", until=" 2026-05-31 ", which="any")
    assert found.errors == {}
    assert found.asked == Asked(
        "tmg", "fire-and-blood", STARK, date(2026, 5, 1), date(2026, 5, 31), is_any=True
    )
    one_day = read(since="2026-05-31", until="2026-05-31")
    assert (one_day.errors, one_day.asked.since) == ({}, one_day.asked.until)
    assert read(mode="", faction="", since="", until="", which="").asked == ALL


@pytest.mark.parametrize("typed", ["2026-05-31", "20260531", "2026-W22-7"])
def test_a_date_that_was_understood_is_shown_as_a_date_field_takes_it(typed):
    found = read(until=typed)
    assert (found.asked.until, found.typed) == (date(2026, 5, 31), {"until": "2026-05-31"})


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"mode": "chess"}, "mode"),
        ({"faction": "Stark"}, "faction"),
        ({"faction": OTHERS}, "faction"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2026-02-30"}, "since"),
        ({"until": "0001-01-01"}, "until"),
        ({"until": "9999-12-31"}, "until"),
        ({"until": "\x00"}, "until"),
        ({"since": "2026-05-02", "until": "2026-05-01"}, "until"),
        ({"which": "1"}, "which"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(sent, field):
    found = read(**sent)
    assert list(found.errors) == [field]
    assert found.errors[field].message.endswith(".")


def test_a_table_of_a_mode_that_is_gone_is_still_counted():
    write([Played(mode="an-older-mode")])
    assert [one.mode for one in count(ALL).modes] == ["an-older-mode"]
    assert Match.objects.count() == 1
