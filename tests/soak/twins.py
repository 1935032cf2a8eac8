"""Worlds that differ in one secret: whatever anybody else can fetch from them is the same, byte for byte.

Every kind of secret is tried, in every mode that has it, with several values each: every other role requests
every address, plainly and as a page's script does, comparing all headers and sizes; then after others take
something back; then every frame of the streams. The tests in tests/trust/ play the same scripts, each for a
pair of values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple
from unittest import mock

from games.core import system
from games.models import Match
from tests.conftest import Server, serving
from tests.positions import all_steps
from tests.soak.report import Report
from tests.trust import test_secret_bids as bids
from tests.trust import test_secret_hands as hands
from tests.trust import test_secret_models as models
from tests.trust import test_secret_orders as orders
from tests.trust import test_secrets as secrets
from tests.trust.twins import BY_HTMX, Transcript, differences, everywhere, first_pages


class Secret(NamedTuple):
    """What others see of a world with one value of a secret, and what the values may be."""

    name: str
    values: tuple[Any, ...]
    world: Callable[[Any], Transcript]


def thoroughly(match: Match, role: str) -> list[str]:
    """Every address for every role; those of a table also as its script requests them."""
    found = everywhere(match, "organiser" if role == "organiser" else "anon")
    table = f"/t/{match.code}/"
    return [*found, *(path + BY_HTMX for path in found if path.startswith(table))]


def seen() -> Iterator[Secret]:
    """Every secret, as seen at every address, and when others take something back."""
    yield Secret("auction", tuple(range(6)), lambda bid: secrets.auction(bid, thoroughly))
    yield Secret("throws", ("rock", "paper", "scissors"), secrets.throws)
    for mode in bids.ROUNDS:
        for stop in ("clash", "wildlings"):
            yield Secret(f"bids {mode} {stop}", (0, 5, 3, 1, 2, 4), partial(_bid, mode, stop))
        yield Secret(f"bids {mode}, back", (0, 5, 3, 1), partial(_bid_back, mode))
    yield Secret("hands", (0, 7, 3, 11), lambda shift: hands.hands(shift, thoroughly))
    yield Secret("hands, back", (0, 7, 3), lambda shift: hands.hands(shift, first_pages, undone=1))
    for later in ((), models.LATER[:1], models.LATER):
        about = f"models, {len(later)} later"
        yield Secret(about, (models.LATE, "kizoko", "isamu"), partial(_vim, later))
    yield Secret(
        "flanks", tuple(f"{side}:{turn}" for side in ("left", "right") for turn in (2, 3, 4)), models.flanks
    )
    worlds = tuple(orders.WORLDS)
    yield Secret("orders", worlds, lambda world: orders.orders(world, orders.STOPS, thoroughly))
    yield Secret("orders, back", worlds[1:], lambda world: orders.orders(world, ("confirmed",), undone=1))


def _bid(mode: str, stop: str, amount: int) -> Transcript:
    return bids.board_game(mode, amount, stop, thoroughly)


def _bid_back(mode: str, amount: int) -> Transcript:
    return bids.board_game(mode, amount, "clash", first_pages, undone=1)


def _vim(later: tuple[str, ...], vim: str) -> Transcript:
    return models.vims(vim, later, thoroughly)


def streamed(server: Server) -> dict[str, tuple[tuple[Any, ...], Callable[[Any], list[object]]]]:
    """Every secret sealed while others listen, and what their streams carry."""
    by_mode = {
        f"bids {mode}": ((0, 3, 5, 1), lambda amount, mode=mode: bids.frames_of_a_bid(server, mode, amount))
        for mode in bids.ROUNDS
    }
    return {
        "throws": (("rock", "paper", "scissors"), lambda thing: secrets.frames(server, thing)),
        "orders": (tuple(orders.WORLDS), lambda world: orders.frames_of_orders(server, world)),
        **by_mode,
    }


def run(values: int, broken: str = "") -> Report:
    """Try a number of values of each secret. `broken="leak"` reveals how many digits a bid has."""
    report = Report()
    if broken:
        (bid,) = {step for step in all_steps(system("auction")) if step.name == "bid"}
        with mock.patch.object(bid, "bid", secrets.says_the_length):
            compare(next(seen()), values, report)
        return report
    for secret in seen():
        compare(secret, values, report)
    with serving() as server:
        for name, (possible, frames) in streamed(server).items():
            told = [frames(value) for value in possible[:values]]
            report.count("frames", sum(map(len, told)))
            report.count("pairs", len(list(combinations(told, 2))))
            report.unless(all(one == told[0] for one in told), f"{name}: the streams tell")
    return report


def compare(secret: Secret, values: int, report: Report) -> None:
    """Compare all of a secret's worlds with each other."""
    first, *others = [secret.world(value) for value in secret.values[:values]]
    report.count("secrets")
    report.count("looks", len(first) * (1 + len(others)))
    # Worlds that equal the first also equal each other.
    report.count("pairs", len(others) * (len(others) + 1) // 2)
    for number, other in enumerate(others, 1):
        told = differences(first, other)
        report.wrong += [f"{secret.name}, {secret.values[number]}: {look}" for look in told[:5]]
