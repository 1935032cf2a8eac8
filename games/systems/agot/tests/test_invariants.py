"""What holds of the map whatever houses do: random games, looked at after every tap."""

import random
import time
from collections import Counter

import pytest

from games.core import engine, parse_action
from games.match import random_play
from games.systems.agot import SYSTEM, pieces
from games.systems.agot.map import area_control
from games.systems.agot.pieces import MOST_IN_PORT, UNITS, box

SECONDS = 0.5
"""How long each mode is played at random, at most."""
AT_REST = {"planning", "raven", "raids", "marches", "consolidation", "realms"}
"""Questions at which nothing is half done: no fight, no retreat, no port, no supply to be seen to."""


def positions(mode, houses):
    """Positions of random games of this mode, until the time is up; the luck that led there."""
    until = time.process_time() + SECONDS
    for seed in range(1000):
        luck = random.Random(seed)
        state = engine.keep(random_play.fresh_state(SYSTEM, mode, seed, houses))
        while state.result is None:
            state = engine.play(state, *tap(state, luck))
            yield state
            if time.process_time() > until:
                return


def tap(state, luck):
    """A random tap that rather marches than not: a map on which nobody moves finds nothing."""
    seat = luck.choice(engine.awaited(state))
    offers = engine.offers(state, seat)
    bold = [offer for offer in offers if offer.action.startswith(("order:march", "to:", "take:", "march:"))]
    return seat, random_play.tap_of(luck.choice(bold if bold and luck.random() < 0.7 else offers), luck)


def wrong_with_pieces(g):
    """What stands where it cannot stand."""
    for key, area in g.objectives.items():
        kind = pieces.kind(key)
        if bool(area.house) != bool(area.size):
            yield f"{key}: {area.size} units of {area.house or 'nobody'}"
        if kind == pieces.LAND and area.ships:
            yield f"{key}: ships on land"
        if kind != pieces.LAND and area.size > area.ships:
            yield f"{key}: land units at sea"
        if pieces.port_of(key) and area.ships > MOST_IN_PORT:
            yield f"{key}: {area.ships} ships in a port"
        if Counter(area.routed) - Counter({unit: area.count(unit) for unit in UNITS}):
            yield f"{key}: more routed than there are"
        if area.closed and (area.house or area.token):
            yield f"{key}: held though it is closed"


def wrong_with_boxes(g):
    """Houses that have more than their box holds."""
    for seat in g.seats:
        for unit in UNITS:
            if area_control.pool(g, seat, unit) < 0:
                yield f"{seat}: more than its {unit}s"
        if g.armies[seat].power + g.laid(seat) > box()["power_tokens"]:
            yield f"{seat}: more than its power"


def wrong_at_rest(g):
    """What a settled map does not have."""
    held = Counter(area_control.controller(g, key) for key in g.objectives if pieces.points(key))
    for seat in g.seats:
        if held[seat] != g.points(seat):
            yield f"{seat}: {g.points(seat)} counted, {held[seat]} held"
        if not area_control.fits(g, seat):
            yield f"{seat}: {area_control.sizes(g, seat)} beyond supply {g.armies[seat].supply}"
        if held[seat] >= box()["castles_to_win"]:
            yield f"{seat}: has seven and plays on"
    for key, area in g.objectives.items():
        if area.house and area.neutral:
            yield f"{key}: a neutral force beside {area.house}"
        if area.house and area.garrison and area.house != pieces.home_of(key):
            yield f"{key}: a garrison beside {area.house}"
        if pieces.port_of(key) and area.house not in ("", area_control.controller(g, key)):
            yield f"{key}: ships of {area.house} in a port of {area_control.controller(g, key) or 'nobody'}"
        if area.token and area.house not in ("", area.token):
            yield f"{key}: a token of {area.token} under {area.house}"
    if g.moving:
        yield f"a march is still planned: {g.moving}"


def wrong(g):
    at_rest = g.result is None and len(g.flow) == 1 and g.question.step in AT_REST
    return [*wrong_with_pieces(g), *wrong_with_boxes(g), *(wrong_at_rest(g) if at_rest else ())]


@pytest.mark.rule("AGOT-05")
@pytest.mark.rule("AGOT-53")
@pytest.mark.parametrize(("mode", "houses"), [("full", 3), ("full", 6), ("orders", 3), ("orders", 5)])
def test_the_map_is_sound_after_every_tap(mode, houses):
    fights = 0
    for g in positions(mode, houses):
        assert wrong(g) == [], (g.round, g.question if g.flow else "over", [str(line) for line in g.lines])
        fights += bool(g.flow) and g.question.step in ("battle", "retreat", "shed", "losses")
    assert fights, "nobody has fought: these games show nothing"


@pytest.mark.parametrize("mode", ["full", "orders"])
def test_what_is_refused_leaves_the_map_alone(mode):
    """Illegal marches, retreats and ports above all: any verb of the question with any noun of the map."""
    luck, refusals = random.Random(5), 0
    for g in positions(mode, 4):
        if g.result is not None or not g.objectives:
            continue
        stored = g.to_json()
        for seat, action in illegal(g, luck):
            with pytest.raises(engine.IllegalAction) as refused:
                engine.play(g, seat, action)
            assert str(refused.value.line)
            refusals += 1
        assert g.to_json() == stored
    assert refusals > 500


def illegal(g, luck):
    """A few taps that nobody is offered now, in the words of what is."""
    for _count in range(4):
        seat = luck.choice(g.seats)
        offers = engine.offers(g, luck.choice(engine.to_act(g)))
        if not offers:
            continue
        verb = luck.choice(offers).action.split(":")[0]
        nouns = (
            luck.choice(list(g.objectives)),
            *luck.choices([*g.seats, "plus", "ship-2", "9"], k=luck.randint(0, 1)),
        )
        action = ":".join((verb, *nouns))
        if not engine.is_among(engine.offers(g, seat), parse_action(action)):
            yield seat, action
