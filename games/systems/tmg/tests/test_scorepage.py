"""How the page explains a round's score before it is agreed to."""

from dataclasses import replace

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.pieces import Place
from games.systems.tmg.tests.tables import clean_up, infantry, ncu, play, table
from games.systems.tmg.tests.test_here_we_stand import scoring

FOUGHT = {"engaged_with": frozenset({"lions"})}


def page(g, seat="red", url=lambda path: path):
    """The page as this seat reads it, in the words of the rules."""
    return TmgPage(g, seat, engine.offers(g, seat) if seat else (), str, url)


def told(g, seat="red"):
    return [(one.title, one.points, one.detail, one.mark, one.url) for one in page(g, seat).sources()]


# --- sources -----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-62")
def test_each_source_says_what_scores_for_whom_with_which_unit_and_where_it_is_corrected():
    red = [infantry("wolves"), ncu("sansa")]
    g = clean_up(red, claims={"centre": "wolves", "token-c": "lions", "crown": "sansa"})
    assert told(g) == [
        ("Centre → Red", "+2", "Wolves · additional point", 1, "objective/centre"),
        ("Token C → Blue", "+1", "Lions", 2, "objective/token-c"),
    ]


@pytest.mark.rule("TMG-71")
def test_the_commanders_point_is_told_with_its_reason():
    red = [infantry("wolves", commander=True)]
    g = clean_up(red, mode="a-clash-of-kings", claims={"west": "wolves"})
    assert [(one.points, one.detail) for one in page(g).sources()] == [
        ("+2", "Wolves · controlled by the Commander")
    ]


@pytest.mark.rule("TMG-54")
def test_a_contested_token_says_by_whom_and_scores_nothing():
    blue = [infantry("lions"), infantry("knights")]
    g = clean_up([infantry("wolves", wounds=4, **FOUGHT)], blue, claims={"token-c": "wolves"})
    assert told(g) == [("Token C", "0", "Wolves, contested by Lions", 0, "objective/token-c")]


@pytest.mark.rule("TMG-60")
def test_what_the_players_say_is_told_as_that():
    g = clean_up(claims={"token-c": "wolves"})
    g = engine.adjust(g, "red", "objective/token-c", "controller:token-c:blue")
    assert told(g) == [("Token C → Blue", "+1", "Set by the players", 2, "objective/token-c")]


@pytest.mark.rule("TMG-97")
def test_a_sector_tells_the_army_points_in_it():
    g = scoring([infantry("wolves", sector="blue-west")], [infantry("lions", cost=3, sector="blue-west")])
    assert told(g) == [("Blue half, west → Red", "+3", "Red 5 · Blue 3", 1, "objective/blue-west")]


@pytest.mark.rule("TMG-97")
@pytest.mark.parametrize(
    ("mode", "controlled"),
    [
        ("a-game-of-thrones", {"Objectives controlled": (1, 0)}),
        ("here-we-stand", {"Sectors controlled": (1, 0)}),
        ("fire-and-blood", {}),
    ],
)
def test_the_score_card_counts_what_is_controlled_where_a_mode_has_such_places(mode, controlled):
    g = table(mode=mode)
    for token in list(g.tokens())[:1]:
        token.claimed_by = "wolves"
    if mode == "here-we-stand":
        g.objectives["red-west"] = Place("red-west", name="Red half, west", kind="sector")
        g.units["wolves"].sector = "red-west"
    rows = dict(TmgPage(g, None, (), str, lambda path: path).tallies())
    assert {name: row for name, row in rows.items() if "controlled" in name} == controlled


@pytest.mark.rule("TMG-100")
def test_points_that_are_entered_are_sources_corrected_at_their_side():
    g = table(mode="manual-scoring", round=2, step="score-points")
    g.score("red", 1, "unit destroyed", "Lions", "Red")
    g = play(g, "blue enter:missions:3")
    g.scores["9"] = replace(g.scores["2"], key="9", round=1)
    assert told(g) == [("Missions → Blue", "+3", "", 2, "army/blue")]


@pytest.mark.rule("TMG-62")
def test_whoever_has_agreed_or_only_watches_sees_the_sources_too():
    g = play(clean_up(claims={"token-c": "lions"}), "red agree")
    assert told(g) == [("Token C → Blue", "+1", "Lions", 2, "objective/token-c")]
    (seen,) = page(g, None, lambda path: "").sources()
    assert seen.url == ""


def test_there_are_no_sources_while_nothing_is_scored():
    g = table(round=2)
    g.objectives["centre"].claimed_by = "wolves"
    assert page(g).sources() == ()


# --- who contests ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-54")
def test_the_cards_of_token_and_unit_say_by_whom_it_is_contested():
    blue = [infantry("lions"), infantry("knights")]
    g = clean_up([infantry("wolves", wounds=4, **FOUGHT)], blue, claims={"token-c": "wolves"})
    card = page(g).token(g.objectives["token-c"])
    assert [(badge.text, badge.tone) for badge in card.badges] == [("Wolves, contested by Lions", "lost")]
    assert "Token C, contested by Lions" in [badge.text for badge in page(g).card(g.units["wolves"]).badges]


@pytest.mark.rule("TMG-54")
def test_an_enemy_that_is_no_larger_contests_nothing():
    g = clean_up([infantry("wolves", **FOUGHT)], claims={"token-c": "wolves"})
    card = page(g).token(g.objectives["token-c"])
    assert [(badge.text, badge.tone) for badge in card.badges] == [("Wolves", "hold")]


# --- the last activation -----------------------------------------------------------------------------


def last():
    red = [infantry("wolves", engaged_with=frozenset({"lions"}))]
    blue = [infantry("lions", engaged_with=frozenset({"wolves"}), activated=True)]
    return play(table(red, blue, round=2), "red activate:wolves")


@pytest.mark.rule("TMG-14")
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_last_unit_that_acted_stands_above_the_clean_up_for_both(seat):
    shown = page(last(), seat)
    shown.recent = lambda: [
        ("done", "Red is done."),
        ("wounds:lions:-2", "Lions suffers 2 wounds."),
        ("activate:wolves", "Wolves activates."),
        ("activate:lions", "Lions activates."),
    ]
    acting = shown.middle().acting
    assert (acting.title, acting.mark) == ("Last activation: Wolves", 1)
    assert acting.hint == "Wolves activates. Lions suffers 2 wounds."
    assert [group.title for group in acting.groups] == ["Stands on", "Engaged with"]
    assert [{target.name for target in group.targets} for group in acting.targets] == [{"Wolves", "Lions"}]
    assert shown.acting() is None


def test_chinese_sentences_about_it_have_no_space_between_them():
    shown = page(last())
    shown.recent = lambda: [("wounds:lions:-2", "狮子受到 2 点伤害。"), ("activate:wolves", "狼激活。")]
    assert shown.middle().acting.hint == "狼激活。狮子受到 2 点伤害。"


@pytest.mark.rule("TMG-14")
def test_who_watches_sees_what_it_did_and_notes_nothing():
    acting = page(last(), None).middle().acting
    assert (acting.title, acting.groups) == ("Last activation: Wolves", ())


@pytest.mark.rule("TMG-14")
def test_outside_the_score_nothing_stands_above_the_table():
    assert page(play(table(), "red activate:wolves")).middle().acting is None
    assert page(play(last(), "red agree", "blue agree")).middle().acting is None
