"""Offers, play and view, in the smallest games."""

import pytest

from games.core import FreeActions, IllegalAction, Line, Malformed, Offer, State, answer, engine, system


@pytest.fixture
def rps():
    return fresh("rps", "plain", ("red", "blue"))


@pytest.fixture
def auction():
    return fresh("auction", "tracks", ("stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell"))


def fresh(slug, mode, seats):
    state = system(slug).open(mode, {seat: seat.title() for seat in seats}, "seed", {})
    engine.advance(state)
    return state


def actions(state, seat):
    return [offer.action for offer in engine.offers(state, seat)]


def after(state, *taps):
    for seat, action in taps:
        state = engine.play(state, seat, action)
    return state


def test_both_are_asked_at_once(rps):
    assert engine.to_act(rps) == ("red", "blue")
    assert actions(rps, "red") == ["throw:paper", "throw:rock", "throw:scissors"]


@pytest.fixture
def throw():
    """The step that asks what to throw."""
    return system("rps").steps_of("plain")[0]


@pytest.fixture
def red_has(throw, monkeypatch):
    """Leave red only these offers; blue throws as ever."""
    own = throw.offers

    def leave(*offers):
        mine = lambda self, g, seat: offers if seat == "red" else own(self, g, seat)  # noqa: E731
        monkeypatch.setattr(throw, "offers", mine)

    return leave


def test_nobody_waits_for_who_is_asked_and_has_no_offer(rps, red_has):
    red_has()
    assert engine.asked(rps) == ("red", "blue")
    assert engine.to_act(rps) == engine.to_act(engine.keep(rps)) == ("blue",)


def test_who_can_only_think_again_is_not_awaited_unless_nobody_else_is(rps, red_has):
    """Otherwise the table would name nobody whom it waits for, and yet go no further."""
    red_has(Offer("not-yet", Line("Not yet"), style="quiet"))
    assert (engine.to_act(rps), engine.awaited(rps)) == (("red", "blue"), ("blue",))
    rps.armies["blue"].hidden = {"throw": "rock"}
    assert engine.to_act(rps) == engine.awaited(rps) == ("red",)


def test_a_step_may_name_whom_it_asks_one_by_one(rps, throw, monkeypatch):
    """What is remembered of it is read several times."""
    monkeypatch.setattr(throw, "asked", lambda self, g: iter(g.seats))
    engine.keep(rps)
    assert engine.to_act(rps) == engine.awaited(rps) == ("red", "blue")


def test_a_step_that_neither_asks_nor_ends_is_named_and_holds_up_no_server(rps, throw, monkeypatch):
    monkeypatch.setattr(throw, "asked", lambda self, g: ())
    monkeypatch.setattr(throw, "run", lambda self, g: g.goto(self))
    with pytest.raises(RuntimeError, match="rps: the step throw goes round"):
        engine.advance(rps)


def test_a_position_without_any_question_asks_nobody():
    over = State(system="rps", mode="plain")
    assert engine.step_of(over) is None
    assert engine.to_act(over) == engine.offers(over, "red") == ()


def test_who_has_answered_is_not_asked_again(rps):
    thrown = after(rps, ("red", "throw:rock"))
    assert engine.to_act(thrown) == ("blue",)
    assert actions(thrown, "red") == []


class Wave(FreeActions):
    """RPS-1: anybody may show a hidden finger, whatever is being asked."""

    def offers(self, g, seat):
        if "finger" in g.armies[seat].hidden:
            yield Offer("wave", Line("Wave"), is_secret=True)

    @answer
    def wave(self, g, seat):
        g.reveal_one(seat, "finger", "thumb")


@pytest.fixture
def waving(rps, monkeypatch):
    """Rock, paper, scissors in which red may also wave."""
    monkeypatch.setattr(system("rps"), "free_actions_step", Wave())
    rps.hide("red", "finger", ["thumb", "little"])
    return rps


def test_what_stands_beside_the_question_is_offered_with_it_and_leaves_it_open(waving):
    assert actions(waving, "red") == ["throw:paper", "throw:rock", "throw:scissors", "wave"]
    assert [offer.action for offer in engine.free_actions(waving, "red")] == ["wave"]
    thrown = after(waving, ("red", "throw:rock"))
    assert (engine.to_act(thrown), actions(thrown, "red")) == (("blue",), ["wave"])
    waved = after(thrown, ("red", "wave"))
    assert (waved.flow, waved.asked) == (thrown.flow, thrown.asked)
    with pytest.raises(IllegalAction):
        engine.play(waving, "blue", "wave")
    assert engine.free_actions(waving, "green") == (), "nobody sits there"


def test_nothing_stands_beside_a_match_that_is_over(waving):
    over = waving.copy()
    over.result = {"winner": "red", "how": "points"}
    assert engine.free_actions(over, "red") == engine.offers(over, "red") == ()
    with pytest.raises(IllegalAction, match="over"):
        engine.play(over, "red", "wave")


def test_one_of_several_hidden_things_that_is_revealed_is_final(waving):
    waved = after(waving, ("red", "wave"))
    assert waved.armies["red"].hidden == {"finger": ["little"]}
    assert waving.armies["red"].hidden == {"finger": ["thumb", "little"]}, "the position before is as it was"
    assert engine.is_final(waving, waved)
    assert engine.view(waved, "blue").armies["red"].hidden == {"finger": None}


def test_playing_leaves_the_position_alone(rps):
    stored = rps.to_json()
    engine.play(rps, "red", "throw:rock")
    assert rps.to_json() == stored


def test_what_is_not_offered_is_refused_with_a_sentence(rps):
    thrown = after(rps, ("red", "throw:rock"))
    with pytest.raises(IllegalAction, match="not your turn"):
        engine.play(thrown, "red", "throw:paper")
    with pytest.raises(IllegalAction, match="cannot do that now"):
        engine.play(thrown, "blue", "throw:well")
    with pytest.raises(Malformed):
        engine.play(thrown, "blue", "__class__")


def test_a_number_that_nobody_asked_for_is_refused(rps):
    with pytest.raises(IllegalAction, match="cannot do that now"):
        engine.play(rps, "red", "throw:rock:3")


def test_a_step_may_say_itself_why_it_refuses(rps, throw, monkeypatch):
    monkeypatch.setattr(throw, "refusing", lambda self, g, seat, action: Line("The well is dry."))
    with pytest.raises(IllegalAction, match="The well is dry") as refused:
        engine.play(rps, "red", "throw:well")
    assert refused.value.rule == throw.rule


def test_nothing_is_offered_to_a_stranger_or_after_the_end(rps):
    over = after(rps, *[("red", "throw:rock"), ("blue", "throw:scissors")] * 2)
    assert over.result == {"winner": "red", "how": "points"}
    assert engine.to_act(over) == engine.offers(over, "red") == ()
    assert engine.offers(rps, "green") == ()
    with pytest.raises(IllegalAction, match="over"):
        engine.play(over, "red", "throw:rock")


def test_a_simultaneous_answer_does_not_renumber_the_question(rps):
    assert after(rps, ("red", "throw:rock")).asked == rps.asked
    assert after(rps, ("red", "throw:rock"), ("blue", "throw:rock")).asked > rps.asked


def test_a_view_blanks_others_secrets_and_keeps_their_names(rps):
    thrown = after(rps, ("red", "throw:rock"))
    assert engine.view(thrown, "red").armies["red"].hidden == {"throw": "rock"}
    assert engine.view(thrown, "blue").armies["red"].hidden == {"throw": None}
    assert engine.view(thrown, None).armies["red"].hidden == {"throw": None}
    assert engine.view(thrown, "red").seed == ""
    assert thrown.armies["red"].hidden == {"throw": "rock"}, "the position itself is as it was"


def test_a_match_that_is_over_shows_its_seed_so_that_anybody_can_check_what_was_drawn(rps):
    over = after(rps, *[("red", "throw:rock"), ("blue", "throw:scissors")] * 2)
    assert engine.view(over, None).seed == "seed"


def test_what_used_chance_and_what_ended_the_match_is_final(rps):
    """Otherwise a player could take back a bad roll, or a lost match, without asking anybody."""
    rolled = rps.copy()
    rolled.die()
    assert engine.is_final(rps, rolled)
    over = rps.copy()
    over.result = {"winner": "red", "how": "points"}
    assert engine.is_final(rps, over)
    assert engine.is_final(over, rps), "taken up again"
    assert not engine.is_final(over, over.copy())


def test_a_reveal_is_final_and_a_seal_is_not(rps):
    sealed = after(rps, ("red", "throw:rock"))
    assert not engine.is_final(rps, sealed)
    assert engine.is_final(sealed, after(sealed, ("blue", "throw:rock")))


def test_six_seal_a_number_each(auction):
    (offer,) = engine.offers(auction, "greyjoy")
    assert (offer.action, offer.minimum, offer.maximum) == ("bid:throne", 0, 5)
    with pytest.raises(IllegalAction, match="from 0 to 5"):
        engine.play(auction, "greyjoy", "bid:throne:6")
    for refused in ("bid:throne", "bid:throne:-1", "bid:court:1"):
        with pytest.raises(IllegalAction):
            engine.play(auction, "greyjoy", refused)


def test_ties_are_asked_of_the_holder_and_tokens_are_spent(auction):
    bids = {"stark": 2, "lannister": 2, "baratheon": 5, "greyjoy": 0, "tyrell": 0, "martell": 0}
    bid = after(auction, *((seat, f"bid:throne:{amount}") for seat, amount in bids.items()))
    assert bid.armies["baratheon"].power == 0
    assert bid.order == ("baratheon",)
    assert engine.to_act(bid) == ("stark",)
    assert actions(bid, "stark") == ["place:lannister", "place:stark"]


def test_a_correction_goes_over_the_admin(auction):
    corrected = engine.adjust(auction, "stark", "army/greyjoy", "power:greyjoy:-2")
    assert corrected.armies["greyjoy"].power == 3
    assert [str(line) for line in corrected.lines] == ["Greyjoy: power -2"]
    with pytest.raises(IllegalAction):
        engine.adjust(auction, "stark", "army/greyjoy", "power:greyjoy:-6")


def test_what_depends_on_a_correction_follows_it(auction, monkeypatch):
    follow = lambda g: g.say("The richest has %(power)s", power=max(h.power for h in g.armies.values()))  # noqa: E731
    monkeypatch.setattr(system("auction").corrections_step, "follow", follow)
    corrected = engine.adjust(auction, "stark", "army/greyjoy", "power:greyjoy:2")
    assert str(corrected.lines[-1]) == "The richest has 7"


def test_a_tap_after_a_correction_has_neither_its_author_nor_its_reason(auction):
    corrected = engine.adjust(auction, "stark", "army/greyjoy", "power:greyjoy:-2", "counted twice")
    assert (corrected.author, corrected.note) == ("stark", "counted twice")
    tapped = engine.play(corrected, "tyrell", "bid:throne:1")
    assert (tapped.author, tapped.note) == ("tyrell", "")
    assert corrected.copy().author == ""


def test_a_die_shows_one_to_the_number_of_its_sides(rps):
    assert {rps.die() for _roll in range(100)} == {1, 2, 3, 4, 5, 6}
    assert {rps.die(3) for _roll in range(50)} == {1, 2, 3}
    assert [draw.counter for draw in rps.draws] == list(range(150)), (
        "none is left out, so each can be checked"
    )
