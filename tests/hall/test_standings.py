"""Rankings worked out by hand, and the worked example of the Bushido pack."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.hall.pages import rounds_and_standings
from games.hall.rules import event_results, standings
from games.hall.rules.event_state import BYE, ENTERED, LEFT, LOSS, EventState, Pairing, Round
from tests.hall.halls import gathering


def played(g: EventState, number: int, one: str, other: str, vp: tuple[int, int], **more) -> Pairing:
    """A decided game of two, with the victory points of both."""
    g.rounds.setdefault(str(number), Round(str(number), number, g.mode, state="closed"))
    key = f"{number}-{1 + len(list(g.at(number)))}"
    destroyed = more.pop("destroyed", (0, 0))
    told = {
        player: {"vp": own, "destroyed": lost}
        for player, own, lost in zip((one, other), vp, destroyed, strict=True)
    }
    winner = more.pop("winner", one if vp[0] > vp[1] else other if vp[1] > vp[0] else "")
    g.pairings[key] = Pairing(
        key, number, 1, (one, other), state=ENTERED, results=told, winner=winner, **more
    )
    return g.pairings[key]


def order(g: EventState) -> list[str]:
    return [line.player for line in standings.standings(g)]


@pytest.mark.parametrize(
    ("vp", "points"),
    [
        ((9, 2), {"wins": (1, 0), "win-or-nothing": (1, 0), "truncated": (5, 1)}),
        ((4, 2), {"wins": (1, 0), "win-or-nothing": (1, 0), "truncated": (5, 1)}),
        ((3, 2), {"wins": (1, 0), "win-or-nothing": (1, 0), "truncated": (4, 2)}),
        ((2, 2), {"wins": (0.5, 0.5), "win-or-nothing": (0, 0), "truncated": (3, 3)}),
    ],
)
def test_what_a_game_is_worth(vp: tuple[int, int], points: dict[str, tuple[float, float]]):
    for name, worth in points.items():
        g = gathering(2, scoring=name)
        one = played(g, 1, "p1", "p2", vp)
        assert tuple(standings.points(g, one, player) for player in one.players) == worth, name


def test_a_small_event_by_hand():
    """Four players, three rounds, everybody against everybody; wins, then victory points, then difference.

    p1 beats p2 8-3, p3 5-4 and p4 6-6 is a draw: 2½ wins, 19 points, difference +6.
    p2 loses 3-8, beats p4 9-1, beats p3 7-2: 2 wins, 19 points, +8.
    p3 loses 4-5 and 2-7, beats p4 10-0: 1 win, 16 points, +4. p4: ½ win, 7 points, -18.
    """
    g = gathering(4)
    played(g, 1, "p1", "p2", (8, 3))
    played(g, 1, "p3", "p4", (10, 0))
    played(g, 2, "p1", "p3", (5, 4))
    played(g, 2, "p2", "p4", (9, 1))
    played(g, 3, "p1", "p4", (6, 6))
    played(g, 3, "p2", "p3", (7, 2))
    lines = standings.standings(g)
    told = [(one.player, one.values["wins"], one.values["vp"], one.values["difference"]) for one in lines]
    assert told == [("p1", 2.5, 19, 6), ("p2", 2, 19, 8), ("p3", 1, 16, 4), ("p4", 0.5, 7, -18)]
    assert [(one.won, one.drawn, one.lost) for one in lines] == [(2, 1, 0), (2, 0, 1), (1, 0, 2), (0, 1, 2)]
    assert [one.decided for one in lines] == ["wins", "wins", "wins", ""]
    # What each has met: p1 met 2 + 1 + ½ wins.
    assert lines[0].values["strength"] == 3.5


def test_the_order_of_the_criteria_is_the_events_own():
    g = gathering(4, criteria=("vp", "difference"))
    played(g, 1, "p1", "p2", (5, 4))
    played(g, 1, "p3", "p4", (9, 8))
    assert order(g) == ["p3", "p4", "p1", "p2"]
    g.criteria = ("wins", "vp")
    assert order(g) == ["p3", "p1", "p4", "p2"]
    g.criteria = ("wins", "difference", "destroyed")
    g.pairings["1-1"].results["p1"]["destroyed"] = 7
    assert order(g)[:2] == ["p1", "p3"]
    assert standings.standings(g)[0].decided == "destroyed"


@pytest.mark.parametrize(
    ("own", "other", "points"),
    [
        (3, 0, 9),
        (2, 0, 8),
        (2, 1, 7),
        (1, 0, 6),
        (1, 1, 5),
        (0, 0, 4),
        (0, 1, 3),
        (1, 2, 2),
        (0, 2, 1),
        (0, 3, 0),
    ],
)
def test_the_table_of_bushido(own: int, other: int, points: int):
    g = gathering(2, system="bushido", scoring="bushido")
    pairing = played(g, 1, "p1", "p2", (own, other))
    assert standings.points(g, pairing, "p1") == points


def test_strength_of_schedule_as_the_pack_works_it_out():
    """Two are level in points and wins: opponents with 7 + 12 + 23 + 23 = 65 beat 3 + 5 + 26 + 28 = 62."""
    g = gathering(10, system="bushido", scoring="bushido", criteria=standings.usual("bushido"))
    for number, (mine, theirs) in enumerate(
        zip(("p3", "p4", "p5", "p6"), ("p7", "p8", "p9", "p10"), strict=True), 1
    ):
        played(g, number, "p1", mine, (1, 0))
        played(g, number, "p2", theirs, (1, 0))
    for number, (player, wanted) in enumerate(
        {"p3": 7, "p4": 12, "p5": 23, "p6": 23, "p7": 3, "p8": 5, "p9": 26, "p10": 28}.items(), 1
    ):
        met = next(one for one in g.pairings.values() if player in one.players)
        # A judge's word stands for what the other rounds of these players have brought them.
        met.results[player]["points"] = wanted
        assert number
    lines = {line.player: line for line in standings.standings(g)}
    assert (lines["p1"].values["strength"], lines["p2"].values["strength"]) == (65, 62)
    assert lines["p1"].values["points"] == lines["p2"].values["points"] == 24
    assert [player for player in order(g) if player in ("p1", "p2")] == ["p1", "p2"]
    assert lines["p1"].decided == "strength"


def test_a_bye_is_worth_seven_at_bushido_and_meets_nobody():
    g = gathering(3, system="bushido", scoring="bushido", criteria=standings.usual("bushido"))
    played(g, 1, "p1", "p2", (1, 0))
    g.pairings["1-2"] = Pairing("1-2", 1, None, ("p3",), state=ENTERED, how=BYE, winner="p3")
    lines = {line.player: line for line in standings.standings(g)}
    assert (lines["p3"].values["points"], lines["p3"].values["strength"], lines["p3"].byes) == (7, 0, 1)
    assert lines["p3"].won == 0
    assert order(g) == ["p3", "p1", "p2"]


def test_what_a_bye_is_worth_may_be_said():
    g = gathering(3, bye={"vp": 6, "difference": 3})
    g.rounds["1"] = Round("1", 1, g.mode, state="closed")
    g.pairings["1-1"] = Pairing("1-1", 1, None, ("p3",), state=ENTERED, how=BYE, winner="p3")
    values = standings.standings(g)[0].values
    assert (values["wins"], values["points"], values["vp"], values["difference"]) == (1, 1, 6, 3)


def test_a_bye_has_the_average_of_its_round_and_so_has_whose_opponent_left():
    """Nobody ranks last for having one: the games of round 1 gave 9, 2, 6 and 5 points, 5½ on average."""
    g = gathering(7)
    played(g, 1, "p1", "p2", (9, 2), destroyed=(40, 0))
    played(g, 1, "p3", "p4", (6, 5), destroyed=(20, 5))
    played(g, 1, "p5", "p6", (0, 0), winner="p5", how=LEFT)
    g.pairings["1-9"] = Pairing("1-9", 1, None, ("p7",), state=ENTERED, how=BYE, winner="p7")
    played(g, 2, "p1", "p3", (12, 12))
    g.pairings["2-9"] = Pairing("2-9", 2, None, ("p7",), state=ENTERED, how=BYE, winner="p7")
    lines = {line.player: line.values for line in standings.standings(g)}
    names = ("wins", "vp", "difference", "destroyed")
    assert [lines["p5"][name] for name in names] == [1, 5.5, 0, 16.25]
    assert [lines["p7"][name] for name in names] == [2, 17.5, 0, 16.25]
    assert lines["p6"]["vp"] == 0
    # While no game of a round has ended, it is worth no points yet.
    assert {line.player: line.values for line in standings.standings(gathering_of_a_bye())}["p3"]["vp"] == 0


def gathering_of_a_bye() -> EventState:
    g = gathering(3)
    g.rounds["1"] = Round("1", 1, g.mode, state="open")
    g.pairings["1-1"] = Pairing("1-1", 1, 1, ("p1", "p2"))
    g.pairings["1-2"] = Pairing("1-2", 1, None, ("p3",), state=ENTERED, how=BYE, winner="p3")
    return g


def test_a_bye_that_is_only_drawn_up_counts_once_its_round_is_open():
    g = gathering_of_a_bye()
    g.rounds["1"].state = "drafted"
    assert {line.values["points"] for line in standings.standings(g)} == {0}
    assert standings.mark(g) == standings.mark(gathering(3))
    g.rounds["1"].state = "open"
    assert standings.standings(g)[0].values["points"] == 1
    assert standings.mark(g) != standings.mark(gathering(3))


def test_a_loss_for_who_was_not_there_gives_nothing():
    g = gathering(2)
    g.rounds["1"] = Round("1", 1, g.mode, state="closed")
    g.pairings["1-1"] = Pairing("1-1", 1, None, ("p1",), state=ENTERED, how=LOSS)
    line = next(line for line in standings.standings(g) if line.player == "p1")
    assert (line.lost, line.byes, line.values["wins"], line.values["points"]) == (1, 0, 0, 0)


def test_whose_rival_left_gets_what_a_bye_is_worth():
    g = gathering(2)
    played(g, 1, "p1", "p2", (0, 0), winner="p1", how=LEFT)
    lines = {line.player: line for line in standings.standings(g)}
    assert (lines["p1"].values["wins"], lines["p1"].byes) == (1, 1)
    assert (lines["p2"].values["wins"], lines["p2"].lost, lines["p2"].values["strength"]) == (0, 1, 0)


def test_head_to_head_decides_only_among_those_who_all_met():
    g = gathering(4, criteria=("wins", "head", "lot"))
    for number, (one, other) in enumerate((("p1", "p2"), ("p2", "p3"), ("p3", "p1")), 1):
        played(g, number, one, other, (1, 0))
    played(g, 4, "p1", "p4", (1, 0))
    played(g, 4, "p2", "p3", (0, 0), winner="p3")
    # p1 and p3 have two wins each and have met: p3 won.
    assert order(g)[:2] == ["p3", "p1"]
    g.pairings["3-1"].results, g.pairings["3-1"].players = {"p3": {"vp": 1}, "p4": {"vp": 0}}, ("p3", "p4")
    g.players["p1"].lot, g.players["p3"].lot = 1, 2
    # Now they have not met, and the lot decides.
    assert order(g)[:2] == ["p1", "p3"]


def test_head_to_head_decides_nothing_while_somebody_level_has_not_met_the_others():
    g = gathering(5, criteria=("wins", "head", "lot"))
    for at, (one, other) in enumerate((("p1", "p2"), ("p2", "p4"), ("p3", "p5")), 1):
        played(g, at, one, other, (1, 0))
    for key, lot in (("p1", 3), ("p2", 2), ("p3", 1)):
        g.players[key].lot = lot
    # One win each; p1 has beaten p2, but nobody has met p3.
    assert order(g)[:3] == ["p3", "p2", "p1"]


def test_head_to_head_decides_nothing_where_only_one_has_met_all_others():
    g = gathering(7, criteria=("wins", "head", "lot"))
    games = (("p1", "p2"), ("p1", "p3"), ("p2", "p4"), ("p2", "p5"), ("p3", "p6"), ("p3", "p7"))
    for at, (one, other) in enumerate(games, 1):
        played(g, at, one, other, (1, 0))
    for key, lot in (("p1", 3), ("p2", 2), ("p3", 1)):
        g.players[key].lot = lot
    # Two wins each. p1 has beaten both others, but they have not met each other: the lot decides.
    assert order(g)[:3] == ["p3", "p2", "p1"]


def test_a_criterion_that_no_version_knows_decides_nothing():
    g = gathering(2, criteria=("beards", "vp"))
    played(g, 1, "p1", "p2", (1, 4))
    assert (standings.criteria(g), order(g)) == (("vp", "lot"), ["p2", "p1"])


def test_who_has_left_is_marked_and_stays_in_the_ranking():
    g = gathering(2)
    played(g, 1, "p1", "p2", (4, 1))
    g.players["p1"].dropped = 1
    assert [(line.player, line.left) for line in standings.standings(g)] == [("p1", True), ("p2", False)]


@pytest.fixture
def six() -> EventState:
    """Six players, two rounds, and a third in which p1 sits out, p2 is absent and p3 left.

    p1 beats p2 and draws with p3; p3 beats p4; p2 beats p4; p5 beats p6 twice. Wins: p1 1½ and a bye, so 2½;
    p2 1; p3 1½; p4 0; p5 2; p6 0.
    """
    g = gathering(6, criteria=("points", "strength", "lot"))
    played(g, 1, "p1", "p2", (3, 1))
    played(g, 1, "p3", "p4", (3, 1))
    played(g, 1, "p5", "p6", (3, 1))
    played(g, 2, "p1", "p3", (2, 2))
    played(g, 2, "p2", "p4", (3, 1))
    played(g, 2, "p5", "p6", (3, 1))
    g.rounds["3"] = Round("3", 3, g.mode, state="closed")
    g.pairings["3-1"] = Pairing("3-1", 3, None, ("p1",), state=ENTERED, how=BYE, winner="p1")
    g.pairings["3-2"] = Pairing("3-2", 3, None, ("p2",), state=ENTERED, how=LOSS)
    g.players["p3"].dropped = 2
    return g


@pytest.mark.parametrize(
    ("criterion", "values"),
    {
        # The opponents of p1 are p2 and p3, those of p2 are p1 and p4, those of p3 are p4 and p1.
        "strength": (2.5, 2.5, 2.5),
        # Each of them has one round without a game.
        "strength-virtual": (5, 3.5, 4),
        "strength-cut": (4, 3.5, 4),
        # p1 has beaten p2 and drawn with p3; p2 has beaten p4; p3 has beaten p4 and drawn with p1.
        "sonneborn-berger": (1.75, 0, 1.25),
        # p2 has won 1 of 3, p3 1½ of 2, p1 2½ of 3, p4 none of 2, which counts as a third.
        "opponents-wins": (Fraction(13, 24), Fraction(7, 12), Fraction(7, 12)),
    }.items(),
)
def test_tie_breaks_by_the_names_of_the_field(six: EventState, criterion: str, values: tuple):
    six.criteria = ("points", criterion)
    lines = {line.player: line for line in standings.standings(six)}
    assert tuple(lines[key].values[criterion] for key in ("p1", "p2", "p3")) == values


def test_a_round_that_is_still_played_is_no_round_without_a_game(six: EventState):
    six.rounds["4"] = Round("4", 4, six.mode, state="open")
    six.pairings["4-1"] = Pairing("4-1", 4, 1, ("p1", "p4"))
    six.criteria = ("points", "strength-virtual")
    lines = {line.player: line for line in standings.standings(six)}
    assert lines["p1"].values["strength-virtual"] == 5


def test_at_a_table_of_several_each_opponent_is_beaten_or_not():
    g = gathering(3, system="agot", scoring="places", size=3, criteria=("points", "sonneborn-berger"))
    g.rounds["1"] = Round("1", 1, g.mode, state="closed")
    told = {key: {"vp": 1, "place": place} for key, place in (("p1", 1), ("p2", 2), ("p3", 2))}
    g.pairings["1-1"] = Pairing("1-1", 1, 1, tuple(told), state=ENTERED, results=told, winner="p1")
    lines = {line.player: line for line in standings.standings(g)}
    # The second and the third share 5 and 4 points, and have drawn with each other.
    assert [lines[key].values["sonneborn-berger"] for key in told] == [9, 2.25, 2.25]


def test_shared_places_are_added_up_exactly():
    """10, 7, 5, 3, 2, 1: three who shared a third of 22 three times had 0.000000000000004 less than 23."""
    g = gathering(
        6, system="agot", scoring="places", size=6, places=(10, 7, 5, 3, 2, 1), criteria=("points",)
    )
    tables = ((1, 5, 1, 1, 4, 6), (1, 5, 1, 1, 4, 6), (1, 5, 1, 1, 4, 6), (6, 4, 1, 2, 3, 5))
    for number, places in enumerate(tables, 1):
        g.rounds[str(number)] = Round(str(number), number, g.mode, state="closed")
        told = {f"p{at}": {"vp": 1, "place": place} for at, place in enumerate(places, 1)}
        g.pairings[f"{number}-1"] = Pairing(
            f"{number}-1", number, 1, tuple(told), state=ENTERED, results=told
        )
    points = {line.player: line.values["points"] for line in standings.standings(g)}
    assert (points["p1"], points["p3"], points["p4"]) == (23, 32, 29)
    assert not any(isinstance(value, float) for value in points.values())


def test_points_by_place_are_shared_by_those_who_share_a_place():
    g = gathering(4, system="agot", scoring="places", size=4)
    g.rounds["1"] = Round("1", 1, g.mode, state="closed")
    told = {
        "p1": {"vp": 7, "place": 1},
        "p2": {"vp": 5, "place": 2},
        "p3": {"vp": 5, "place": 2},
        "p4": {"vp": 2, "place": 4},
    }
    g.pairings["1-1"] = Pairing("1-1", 1, 1, tuple(told), state=ENTERED, results=told, winner="p1")
    points = {line.player: line.values["points"] for line in standings.standings(g)}
    assert points == {"p1": 6, "p2": 4.5, "p3": 4.5, "p4": 3}
    g.places = (10, 5, 1)
    points = {line.player: line.values["points"] for line in standings.standings(g)}
    assert points == {"p1": 10, "p2": 3, "p3": 3, "p4": 0}


@pytest.mark.parametrize(
    ("players", "points"),
    [(6, "6 5 4 3 2 1"), (5, "6 19/4 7/2 9/4 1"), (4, "6 13/3 8/3 1"), (3, "6 7/2 1")],
)
def test_a_table_of_five_is_worth_what_a_table_of_six_is(players: int, points: str):
    g = gathering(players, system="agot", scoring="places", size=6)
    scale = standings.by_place(g, players)
    assert list(scale) == [Fraction(one) for one in points.split()]
    assert sum(scale) / players == Fraction(7, 2)
    g.places = (10, 7, 5, 3, 2, 1)
    assert (standings.by_place(g, players)[0], standings.by_place(g, players)[-1]) == (10, 1)


def test_the_standings_say_what_each_place_gives():
    g = gathering(5, system="agot", scoring="places", size=6)
    g.rounds["1"] = Round("1", 1, g.mode, state="closed")
    told = {f"p{at}": {"vp": 6 - at, "place": at} for at in range(1, 6)}
    g.pairings["1-1"] = Pairing("1-1", 1, 1, tuple(told), state=ENTERED, results=told, winner="p1")
    notes = " ".join(rounds_and_standings.notes(g))
    assert "table of 6: 6, 5, 4, 3, 2, 1." in notes
    assert "table of 5: 6, 4 3⁄4, 3½, 2 1⁄4, 1." in notes
    assert "1 + (p − 1) × 5 ÷ (n − 1)" in notes


def test_only_those_who_share_the_first_place_have_drawn():
    """The third and fourth of their table got half a win each, as much as those before them."""
    g = gathering(4, system="agot", scoring="wins", size=4)
    g.rounds["1"] = Round("1", 1, g.mode, state="closed")
    told = {"p1": (7, 1), "p2": (7, 1), "p3": (5, 3), "p4": (2, 4)}
    scores = {player: {"vp": vp, "place": place} for player, (vp, place) in told.items()}
    g.pairings["1-1"] = Pairing("1-1", 1, 1, tuple(told), state=ENTERED, results=scores, how="finished")
    lines = {line.player: line for line in standings.standings(g)}
    assert [lines[player].values["wins"] for player in told] == [0.5, 0.5, 0, 0]
    assert [lines[player].values["points"] for player in told] == [0.5, 0.5, 0, 0]
    assert [(lines[player].drawn, lines[player].lost) for player in told] == [(1, 0), (1, 0), (0, 1), (0, 1)]


def test_a_contested_result_does_not_count_and_what_comes_later_neither():
    g = gathering(2)
    pairing = played(g, 1, "p1", "p2", (3, 1))
    assert standings.standings(g, 0)[0].values["vp"] == 0
    pairing.state = "contested"
    assert {line.values["vp"] for line in standings.standings(g)} == {0}


def test_the_earliest_removal_of_a_vim_stands_higher():
    g = gathering(4, system="bushido", scoring="bushido", criteria=("points", "vim", "lot"))
    played(g, 1, "p1", "p2", (2, 0)).results["p1"]["vim"] = 4
    played(g, 1, "p3", "p4", (2, 0)).results["p3"]["vim"] = 2
    assert order(g)[:2] == ["p3", "p1"]
    assert standings.standings(g)[0].decided == "vim"


def test_the_lot_decides_at_last_and_the_lower_is_better():
    g = gathering(3)
    for key, lot in (("p1", 5), ("p2", 3), ("p3", 9)):
        g.players[key].lot = lot
    assert order(g) == ["p2", "p1", "p3"]


def test_a_result_is_told_in_the_order_of_the_pairing_whatever_order_it_was_stored_in():
    g = gathering(2)
    g.pairings["1-1"] = Pairing("1-1", 1, 1, ("p2", "p1"))
    told = event_results.score(g, event_results.Result({"p1": {"vp": 1}, "p2": {"vp": 2}}, "p2", ""))
    assert [line.arguments["player"] for line in told] == ["Player 2", "Player 1"]
