"""Plays at random: every game of every system must end, and play fast."""

from __future__ import annotations

import random
import shlex
import time
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.core import State, System, apply, diff, systems
from games.match import play, random_play, storage
from games.models import Match


@dataclass(frozen=True)
class Case:
    """One way to play: a system, a mode, a number of seats, options."""

    game: System
    mode: str
    seats: int
    options: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        settings = "".join(f" {name}={value}" for name, value in self.options.items())
        return f"{self.game.slug} {self.mode}, {self.seats} seats{settings}"


Player = Callable[[Case, int], int]
"""Plays one game from its seed to the end; returns how many taps it took."""


class Command(BaseCommand):
    help = "Play random games of every system and mode; stops at the first that breaks and names its seed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--system", help="only this system")
        parser.add_argument("--mode", help="only this mode")
        parser.add_argument("--games", type=int, default=100, metavar="N", help="games of each kind (100)")
        parser.add_argument("--seed", type=int, default=0, metavar="S", help="the seed of the first game (0)")
        parser.add_argument("--rows", action="store_true", help="through the rows of a database of its own")
        parser.add_argument("--no-undos", action="store_true", help="leave out the games with random undos")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play each kind of game and say how fast it went."""
        cases = list(_cases(options["system"], options["mode"]))
        if not cases:
            raise CommandError("There is no such system or mode.")
        player = _play_rows if options["rows"] else _play_core
        with own_database() if options["rows"] else nullcontext():
            for case in cases:
                self._play(case, player, options["games"], options)
                if not options["rows"] and not options["no_undos"]:
                    self._play(case, _play_undone, -(-options["games"] // UNDONE), options)

    def _play(self, case: Case, player: Player, games: int, options: dict[str, Any]) -> None:
        taps, started = 0, time.perf_counter()
        for seed in range(options["seed"], options["seed"] + games):
            try:
                taps += player(case, seed)
            except Exception as problem:
                self.stderr.write("".join(traceback.format_exception(problem)[-3:]))
                raise CommandError(
                    f"{case}: seed {seed} broke. Again: {_again(case, seed, options)}"
                ) from None
        seconds = max(time.perf_counter() - started, 1e-9)
        kind = "games with undos" if player is _play_undone else "games"
        self.stdout.write(f"{case}: {games} {kind}, {taps:,} taps, {taps / seconds:,.0f} taps/s")


def _cases(wanted: str | None, wanted_mode: str | None) -> Iterator[Case]:
    for game in systems():
        for mode in game.modes:
            if wanted in (None, game.slug) and wanted_mode in (None, mode.slug):
                fewest, most = game.seat_range
                for options in random_play.ways(game, mode.slug):
                    yield from (Case(game, mode.slug, seats, options) for seats in range(fewest, most + 1))


IMAGES = 16
"""One in so many taps is also undone and redone by its images, and so is the last of each game."""


def _play_core(case: Case, seed: int) -> int:
    """Play with the rules alone, and check the images of some taps."""
    taps, luck = 0, random.Random(seed)  # noqa: S311
    before = after = random_play.fresh_state(case.game, case.mode, seed, case.seats, case.options)
    for _seat, _action, state in random_play.play(before, luck, case.game.longest):
        before, after, taps = after, state, taps + 1
        if taps % IMAGES == seed % IMAGES:
            _check_images(before, after, taps)
    _check_images(before, after, taps)
    return taps


UNDONE = 10
"""One in so many games is also played with random undos."""


def _play_undone(case: Case, seed: int) -> int:
    """Play with the rules and undo at random; every second game is corrected as well."""
    luck = random.Random(seed)  # noqa: S311
    state = random_play.fresh_state(case.game, case.mode, seed, case.seats, case.options)
    table = random_play.Table(state, luck, corrects=seed % 2 == 1)
    table.play(case.game.longest)
    return table.taps


def _check_images(before: State, after: State, tap: int) -> None:
    old, new = diff(before, after)
    if apply(before, new) != after or apply(after, old) != before:
        raise RuntimeError(f"the images of tap {tap} do not fit")


def _play_rows(case: Case, seed: int) -> int:
    """Play with rules, rows and log; at the end the log alone must lead to the rows."""
    taps, luck = 0, random.Random(seed)  # noqa: S311
    names = dict(list(case.game.seat_names.items())[: case.seats])
    match = play.open_match(case.game.slug, case.mode, names, case.options, seed=f"seed-{seed}")
    version = match.version
    while (state := storage.load(Match.objects.get(pk=match.pk)).state).result is None:
        if taps == case.game.longest:
            raise RuntimeError(f"no end within {taps} taps")
        version = play.tap(match.code, *random_play.tap(state, luck), version, play.new_key()).version
        taps += 1
    if storage.final_position(match) != state:
        raise RuntimeError("the log does not lead to the rows")
    return taps


@contextmanager
def own_database() -> Iterator[None]:
    """A database of the command's own, removed afterwards, so that no random game mixes with real ones."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _again(case: Case, seed: int, options: dict[str, Any]) -> str:
    words = ["fuzz", "--system", case.game.slug, "--mode", case.mode, "--seed", str(seed), "--games", "1"]
    return f"manage.py {shlex.join([*words, '--rows'] if options['rows'] else words)}"
