"""VIMs: named in secret or openly, revealed when the rules say so."""

import pytest

from games.core import engine
from games.systems.bushido import SYSTEM
from games.systems.bushido.page import BushidoPage
from games.systems.bushido.rules import victory_and_end
from games.systems.bushido.tests.tables import chosen, model, play, table
from tests.positions import asks, offered, said


@pytest.mark.rule("BUSH-29")
def test_a_hidden_vim_is_known_to_its_player_alone_until_the_last_end_phase():
    g = chosen("muzukashi")
    g = play(g, "red vim:kizoko")
    assert (asks(g), g.armies["red"].vim, g.armies["red"].hidden) == ("name-vim blue", "?", {"vim": "kizoko"})
    assert "Kizoko" not in said(g)
    assert engine.view(g, "blue").armies["red"].hidden == {"vim": None}
    assert engine.view(g, "red").armies["red"].hidden == {"vim": "kizoko"}


def flanking(g, seat):
    return {action for action in offered(g, seat) if action.startswith("flank:")}


@pytest.mark.rule("BUSH-29")
@pytest.mark.rule("BUSH-32")
@pytest.mark.parametrize(("how", "named"), [("hidden", "red"), ("open", "red"), ("nominated", "blue")])
def test_a_vim_arrives_by_no_flank(how, named):
    g = chosen("muzukashi")
    if how != "hidden":
        g = play(g, f"red table vims:{how}")
    theirs = next(unit.key for unit in g.units_of("blue"))
    g = play(g, f"{named} vim:kizoko", f"{g.rival(named)} vim:{theirs}")
    assert {"flank:isamu"} <= flanking(g, "red")
    assert not {"flank:kizoko", f"flank:{theirs}"} & (flanking(g, "red") | flanking(g, "blue"))


@pytest.mark.rule("BUSH-29")
def test_hidden_vims_are_revealed_before_the_last_check():
    red, blue = [model("goshi", counters=1)], [model("oni", counters=0)]
    secret = table(red, blue, turn=7, scenario="seigyo")
    secret.hide("red", "vim", "goshi")
    secret.armies["red"].vim = "?"
    g = play(secret, "red simple:goshi", "red done")
    assert (g.armies["red"].vim, g.armies["red"].hidden) == ("goshi", {})
    assert "Goshi is the VIM of Red." in said(g)
    assert engine.is_final(secret, g)


@pytest.mark.rule("BUSH-29")
@pytest.mark.parametrize("turn", [1, 5, 6])
def test_hidden_vims_stay_hidden_in_every_end_phase_but_the_last(turn):
    """Turn 5 may be the last of this scenario, and has a check; this time it is not."""
    secret = table(
        [model("goshi", counters=1)], [model("oni", counters=0)], turn=turn, scenario="ichi-no-riten"
    )
    secret.hide("red", "vim", "goshi")
    secret.armies["red"].vim = "?"
    g = play(secret, "red simple:goshi", "red done", "red agree", "blue agree")
    assert g.question.step not in ("turn", "feats-after", "score-zones")
    assert (g.armies["red"].vim, g.armies["red"].hidden) == ("?", {"vim": "goshi"})
    assert not engine.is_final(secret, g)


@pytest.mark.rule("BUSH-29")
def test_a_turn_that_is_called_the_last_while_it_is_checked_reveals_them_too():
    secret = table([model("goshi", counters=1)], [model("oni", counters=0)], turn=5, scenario="ichi-no-riten")
    secret.hide("red", "vim", "goshi")
    secret.armies["red"].vim = "?"
    g = play(secret, "red simple:goshi", "red done", "red agree", "blue agree", "red table final")
    assert g.armies["red"].vim == "?"
    g = play(g, "red agree", "blue agree")
    assert "VIM nearest" in str(engine.step_of(g).asking(g, "red"))
    assert g.armies["red"].vim == "goshi"


@pytest.mark.rule("BUSH-29")
def test_only_its_player_reveals_a_vim_early():
    g = table(scenario="seigyo")
    g.hide("red", "vim", "goshi")
    g.armies["red"].vim = "?"
    with pytest.raises(engine.IllegalAction) as refused:
        play(g, "blue army/red reveal:red")
    assert str(refused.value.line) == "Only Red can reveal that."
    assert play(g, "red army/red reveal:red").armies["red"].vim == "goshi"


@pytest.mark.rule("BUSH-29")
def test_the_table_may_name_vims_openly_or_let_the_opponent_name_them():
    g = play(chosen("muzukashi"), "red table vims:open", "red vim:kizoko")
    assert (g.armies["red"].vim, g.armies["red"].hidden) == ("kizoko", {})
    g = play(chosen("muzukashi"), "red table vims:nominated")
    assert "vim:ito-kinu" in offered(g, "red")
    g = play(g, "red vim:ito-kinu")
    assert (g.armies["blue"].vim, asks(g)) == ("ito-kinu", "name-vim blue")


@pytest.mark.rule("BUSH-29")
def test_nobody_is_told_to_keep_the_opponents_vim_alive_or_to_lead_one_to_a_goal_that_it_has_not():
    def helping(g):
        return str(engine.step_of(g).helping(g, "red"))

    assert "near its goal" in helping(play(chosen("muzukashi"), "red table vims:open"))
    card = "Unique, not Insignificant, not an animal."
    assert helping(play(chosen("muzukashi"), "red table vims:nominated")) == card
    assert helping(chosen("honbasho")) == card


@pytest.mark.rule("BUSH-29")
def test_in_honbasho_a_slain_vim_decides():
    blue = [model("oni", place="removed"), model("imp", counters=0)]
    g = table([model("goshi", counters=1)], blue, scenario="honbasho")
    g.armies["red"].vim, g.armies["blue"].vim = "goshi", "oni"
    g = play(g, "red simple:goshi", "red done", "red agree", "blue agree", "red end-match")
    assert (g.result["winner"], g.points("red")) == ("red", 1)


def both_slain():
    """The last question of a turn of Honbasho in which both VIMs were slain; others still stand."""
    red = [model("goshi", place="removed"), model("ima", counters=1)]
    blue = [model("oni", place="removed"), model("imp", counters=0)]
    g = table(red, blue, turn=2, scenario="honbasho")
    g.armies["red"].vim, g.armies["blue"].vim = "goshi", "oni"
    return play(g, "red simple:ima", "red done")


@pytest.mark.rule("BUSH-29")
def test_of_two_slain_vims_the_players_say_which_fell_first():
    g = both_slain()
    assert asks(g) == "tally red blue"
    assert offered(g, "red") == ["agree", "award:blue", "award:red"]
    assert str(engine.step_of(g).helping(g, "red")) == (
        "Out of the match: Goshi, Oni. A VIM that slew the other wins, else both lose."
    )
    g = play(g, "red award:blue", "blue agree", "red end-match")
    assert (g.result["winner"], g.points("blue")) == ("blue", 1)


@pytest.mark.rule("BUSH-29")
def test_two_vims_slain_at_once_are_a_loss_for_both_and_the_end():
    g = play(both_slain(), "red agree", "blue agree")
    assert asks(g) == "closing red blue"
    g = play(g, "red end-match")
    assert (g.result["winner"], g.result["how"]) == (None, "neither")
    assert said(g) == "The match ends with a loss for both: neither VIM was slain first."


@pytest.mark.rule("BUSH-22")
def test_whoever_is_asked_to_end_a_duel_without_a_slain_vim_reads_that_both_would_lose():
    for action, told in (
        ("time-out", "Both would lose: neither VIM was slain first."),
        ("adjudicate:drawn", "It would be a draw: Red 0, Blue 0."),
    ):
        g = play(table(scenario="honbasho"), f"red table {action}")
        assert str(engine.step_of(g).helping(g, "blue")) == f"Proposed by Red: end the match here. {told}"


@pytest.mark.rule("BUSH-22")
def test_a_check_of_any_turn_gives_its_one_victory_point_once():
    """A scenario of an organiser: a slain VIM is worth a point, and the match goes on."""
    changes = {"check1": "any vim-slain", "check2": "5 points", "check3": "", "vim": "open"}
    blue = [model("oni", place="removed"), model("imp", counters=0)]
    g = table([model("goshi", counters=1)], blue, turn=2, changes=changes)
    g.armies["red"].vim, g.armies["blue"].vim = "goshi", "oni"
    g = play(g, "red simple:goshi", "red done")
    assert str(engine.step_of(g).helping(g, "red")) == "Out of the match: Oni."
    g = play(g, "red agree", "blue agree")
    assert (g.round, g.points("red")) == (3, 1)
    g = play(g, "red rolled:6", "blue rolled:2", "red first:red")
    g = play(g, *["red complex:goshi", "blue complex:imp", "blue done"])
    assert (g.round, g.points("red"), victory_and_end.next_check(g)) == (4, 1, "points")


def badged(g):
    """The models that the page marks as VIMs."""
    page = BushidoPage(engine.view(g, "red"), "red", engine.offers(g, "red"), str, lambda path: path)
    rows = (row for seat in g.seats for group in page.side(seat).groups for row in group.cards)
    return [row.key for row in rows if row.leader]


@pytest.mark.rule("BUSH-29")
def test_a_vim_that_returns_in_a_later_turn_is_none_any_more():
    g = table([model("goshi"), model("ima")], [model("oni")], turn=3, scenario="seigyo")
    g.armies["red"].vim = "goshi"
    fallen = play(g, "blue unit/goshi removed:goshi")
    assert badged(play(fallen, "red unit/goshi on-table:goshi")) == ["goshi"], "a correction in the same turn"
    fallen.round = 4
    returned = play(fallen, "red unit/goshi elsewhere:goshi")
    told = "Goshi has left the match and returned, so it is no longer the VIM."
    g = play(returned, "red unit/goshi on-table:goshi")
    assert (told in said(returned), told in said(g)) == (True, False)
    assert (badged(g), SYSTEM.tally(g)["blue"]["vim"]) == ([], 3)
    told_to_programs = [SYSTEM.derived_facts(each, None)["sides"]["red"]["vim"] for each in (fallen, g)]
    assert told_to_programs == ["goshi", ""]
    again = play(g, "blue unit/goshi removed:goshi")
    assert SYSTEM.tally(again)["blue"]["vim"] == 3, "its first removal counts"
    g = play(g, "red unit/goshi vim:goshi")
    assert (badged(g), g.fallen) == (["goshi"], ())


@pytest.mark.rule("BUSH-29")
def test_a_vim_that_was_only_elsewhere_stays_one():
    g = table([model("goshi", place="elsewhere"), model("ima")], turn=3, scenario="seigyo")
    g.armies["red"].vim = "goshi"
    g = play(g, "red unit/goshi on-table:goshi")
    assert badged(g) == ["goshi"]
    assert "vim:goshi" not in [offer.action for offer in engine.corrections(g, "unit/goshi")]


@pytest.mark.rule("BUSH-29")
def test_a_tournament_learns_in_which_turn_a_vim_fell():
    """Its last criterion was the same for everybody."""
    g = table([model("goshi"), model("ima")], turn=3, scenario="seigyo")
    g.armies["red"].vim, g.armies["blue"].vim = "goshi", "oni"
    assert SYSTEM.tally(g) == {seat: {"vp": 0, "scenario": 0} for seat in g.seats}
    g = play(g, "blue unit/goshi removed:goshi", "blue unit/ima removed:ima")
    assert (g.fallen, SYSTEM.tally(g)["blue"]["vim"]) == ((("goshi", 3), ("ima", 3)), 3)
    assert "vim" not in SYSTEM.tally(g)["red"]
    back = play(g, "red unit/goshi on-table:goshi")
    assert (back.fallen, "vim" in SYSTEM.tally(back)["blue"]) == ((("ima", 3),), False)
    for turn in (0, 1):
        g.fallen = (("goshi", turn), ("ima", 3))
        assert SYSTEM.tally(g)["blue"]["vim"] == 1, "before the first turn is no earlier than in it"
