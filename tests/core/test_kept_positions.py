"""What the engine remembers of a kept position: not while rules change it, and not of another one."""

import pytest

from games.core import Step, engine, system

NAMES = {"red": "Ada", "blue": "Ben"}


@pytest.fixture
def rps():
    g = system("rps").open("plain", dict(NAMES), "seed", {})
    engine.advance(g)
    return g


@pytest.fixture
def asked_for(monkeypatch):
    """The seats whose offers a step has listed, in order."""
    listed, own = [], system("rps").steps_of("plain")[0].offers

    def offers(self, g, seat):
        listed.append(seat)
        yield from own(self, g, seat)

    monkeypatch.setattr(system("rps").steps_of("plain")[0], "offers", offers)
    return listed


def test_a_kept_position_lists_the_offers_of_a_seat_once(rps, asked_for):
    for _again in range(3):
        engine.keep(rps)
        assert [offer.action for offer in engine.offers(rps, "red")]
        assert engine.awaited(rps) == engine.to_act(rps) == ("red", "blue")
    engine.play(rps, "red", "throw:rock")
    assert asked_for == ["red", "blue", "blue"], "the last is of the position that was played"


def test_a_position_that_nobody_keeps_is_asked_again_after_every_change(rps):
    assert engine.offers(rps, "red")
    rps.armies["red"].hidden = {"throw": "rock"}
    assert engine.offers(rps, "red") == ()
    assert engine.to_act(rps) == ("blue",)


def test_what_is_played_from_a_kept_position_is_kept_and_remembers_nothing_older(rps, asked_for):
    engine.keep(rps)
    assert engine.offers(rps, "red")
    after = engine.play(rps, "red", "throw:rock")
    asked_for.clear()
    for _again in range(3):
        assert engine.offers(after, "red") == ()
        assert engine.offers(after, "blue") == engine.offers(rps, "blue") != ()
    assert asked_for == ["blue"], "the position that was played knows what blue may do since it went on"


def test_what_is_played_or_seen_of_any_other_is_not_kept(rps, asked_for):
    thrown, seen = engine.play(rps, "red", "throw:rock"), engine.view(rps, "red")
    asked_for.clear()
    for _again in range(2):
        engine.offers(thrown, "blue"), engine.offers(seen, "red")
    assert asked_for == ["blue", "red"] * 2


def test_what_is_corrected_in_a_kept_position_is_kept_and_in_any_other_it_is_not():
    auction = system("auction").open("tracks", {"stark": "A", "lannister": "B", "tyrell": "C"}, "seed", {})
    engine.advance(auction)
    correction = ("stark", "army/stark", "power:stark:-2")
    assert engine.adjust(auction, *correction).memory is None
    assert engine.adjust(engine.keep(auction), *correction).memory is not None


def test_a_copy_may_be_changed_and_remembers_nothing(rps):
    engine.keep(rps)
    assert engine.offers(rps, "red")
    twin = rps.copy()
    twin.armies["red"].hidden = {"throw": "rock"}
    assert engine.offers(twin, "red") == ()
    assert rps.armies["red"].hidden == {}
    assert engine.offers(rps, "red")


def test_a_copy_of_some_mappings_shares_the_pieces_of_the_others(rps):
    twin = rps.copy(["units"])
    assert twin.armies is rps.armies
    assert rps.copy().armies["red"] is not rps.armies["red"]
    assert rps.copy() == twin == rps


def test_what_is_settled_from_a_copy_may_be_changed_again(rps):
    twin = engine.keep(rps).copy()
    engine.advance(twin)
    twin.armies["red"].hidden = {"throw": "rock"}
    assert engine.to_act(twin) == ("blue",)
    assert engine.play(twin, "blue", "throw:paper").points("blue") == 1
    assert rps.armies["red"].hidden == {}


def test_rules_that_change_a_position_remember_nothing_meanwhile(rps, monkeypatch):
    """Whatever a step reads while it answers or goes on is the value at that moment."""
    read = []
    own = Step.carry_out

    def carry_out(self, g, seat, action):
        read.append(engine.asked(g))
        own(self, g, seat, action)
        read.append(engine.asked(g))

    monkeypatch.setattr(Step, "carry_out", carry_out)
    engine.play(engine.keep(rps), "red", "throw:rock")
    assert read == [("red", "blue"), ("blue",)]


def test_a_step_that_goes_on_forgets_what_was_asked_before(rps, monkeypatch):
    first = system("rps").steps_of("plain")[0]
    read, own = [], first.run

    def run(self, g):
        read.append(g.memory)
        own(self, g)

    monkeypatch.setattr(first, "run", run)
    g = engine.play(engine.keep(rps), "red", "throw:rock")
    engine.play(g, "blue", "throw:paper")
    assert read == [None]
