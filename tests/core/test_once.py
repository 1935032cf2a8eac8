"""What is worked out once per position: not while rules change it, and not for another reader."""

import pytest

from games.core import engine
from games.core.once import once
from games.core.steps import Step
from games.core.system import system

NAMES = {"red": "Ada", "blue": "Ben"}


@pytest.fixture
def rps():
    g = system("rps").open("plain", dict(NAMES), "seed", {})
    engine.settle(g)
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


@once
def secret(g, seat):
    return g.armies[seat].hidden.get("throw", "none")


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


def test_what_is_played_from_a_kept_position_is_kept_and_remembers_nothing_older(rps):
    engine.keep(rps)
    assert secret(rps, "red") == "none"
    after = engine.play(rps, "red", "throw:rock")
    assert after.known is not None
    assert secret(after, "red") == "rock"
    assert secret(rps, "red") == "none"


def test_what_is_played_or_seen_of_any_other_is_not_kept(rps):
    assert engine.play(rps, "red", "throw:rock").known is None
    assert engine.view(rps, "red").known is None, "it shares pieces that may still change"


def test_what_is_corrected_in_a_kept_position_is_kept_and_in_any_other_it_is_not():
    auction = system("auction").open("tracks", {"stark": "A", "lannister": "B", "tyrell": "C"}, "seed", {})
    engine.settle(auction)
    assert engine.adjust(auction, "stark", "army/stark", "power:stark:-2").known is None
    corrected = engine.adjust(engine.keep(auction), "stark", "army/stark", "power:stark:-2")
    assert corrected.known is not None


def test_a_copy_may_be_changed_and_remembers_nothing(rps):
    engine.keep(rps)
    assert secret(rps, "red") == "none"
    twin = rps.copy()
    twin.armies["red"].hidden = {"throw": "rock"}
    assert secret(twin, "red") == "rock"


def test_a_view_shares_no_memory_with_the_position(rps):
    thrown = engine.play(engine.keep(rps), "red", "throw:rock")
    assert secret(thrown, "red") == "rock"
    seen = engine.view(thrown, "blue")
    assert secret(seen, "red") is None
    assert secret(engine.view(thrown, "red"), "red") == "rock"
    assert seen.known is not thrown.known


def test_rules_that_change_a_position_remember_nothing_meanwhile(rps, monkeypatch):
    """Whatever a step reads while it answers or goes on is the value at that moment."""
    read = []
    own = Step.carry_out

    def carry_out(self, g, seat, action):
        read.append(secret(g, seat))
        own(self, g, seat, action)
        read.append(secret(g, seat))

    monkeypatch.setattr(Step, "carry_out", carry_out)
    engine.play(engine.keep(rps), "red", "throw:rock")
    assert read == ["none", "rock"]


def test_a_step_that_goes_on_forgets_what_was_asked_before(rps, monkeypatch):
    first = system("rps").steps_of("plain")[0]
    read, own = [], first.run

    def run(self, g):
        read.append(g.known)
        own(self, g)

    monkeypatch.setattr(first, "run", run)
    g = engine.play(engine.keep(rps), "red", "throw:rock")
    engine.play(g, "blue", "throw:paper")
    assert read
    assert not any(known is not None for known in read)


def test_a_keyed_answer_is_told_apart_by_what_it_is_about(rps):
    engine.keep(rps)
    rps.armies["red"].hidden = {"throw": "rock"}
    assert (secret(rps, "red"), secret(rps, "blue")) == ("rock", "none")


calls = []


def noted(*about):
    calls.append(about)
    return about


RULES = {
    "the position alone": (lambda g: noted(), [()]),
    "one thing": (lambda g, seat: noted(seat), [("red",), ("blue",)]),
    "two things": (lambda g, seat, number: noted(seat, number), [("red", 1), ("red", 2), ("blue", 1)]),
    "one thing that may be left out": (lambda g, seat="": noted(seat), [(), ("red",)]),
    "as many as there are": (lambda g, *seats: noted(*seats), [(), ("red",), ("red", "blue")]),
    "a pair, which is one thing": (lambda g, pair: noted(pair), [(("red", "blue"),), (("blue", "red"),)]),
}


@pytest.mark.parametrize(("rule", "abouts"), RULES.values(), ids=RULES)
def test_a_rule_is_asked_once_for_each_of_what_it_may_be_about(rps, rule, abouts):
    asked, plain = once(rule), rule
    expected = [plain(rps, *about) for about in abouts]
    calls.clear()
    assert [asked(rps, *about) for about in abouts * 2] == expected * 2
    assert len(calls) == 2 * len(abouts), "nobody keeps the position"
    engine.keep(rps)
    calls.clear()
    assert [asked(rps, *about) for about in abouts * 2] == expected * 2
    assert len(calls) == len(abouts)
