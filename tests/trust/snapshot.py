"""Rows of a version of the program, for later ones to play on from: four matches and an event in progress.

`python -m tests.trust.snapshot FILE` writes those of this version. A file that was once released is never
written again: upgrades meet databases that nobody writes anew.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

MATCHES = {
    "a-game-of-thrones": ("tmg", ("Anna", "Ben"), 45),
    "a-clash-of-kings": ("tmg", ("Cleo", "Dan"), 60),
    "": ("bushido", ("Eva", "Finn"), 60),
    "orders": ("agot", ("Gül", "Hao", "Ida"), 90),
}
"""By mode ("": the game's first): the game, the players, and how many taps robots have made."""
APPS = ("games", "events")


def write(file: Path) -> None:
    """Play in an empty database and write what it holds."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    for mode, (system, players, taps) in MATCHES.items():
        _play(system, mode, players, taps)
    _hold_event()
    with gzip.GzipFile(file, "wb", mtime=0) as packed:
        packed.write(json.dumps(_rows(), ensure_ascii=False, default=str, sort_keys=True).encode())


def _play(slug: str, mode: str, players: tuple[str, ...], taps: int) -> None:
    from games.core import system
    from games.match import play, random_play, storage, undoing

    game, luck = system(slug), random.Random(slug + mode)
    names = dict(zip(game.seat_names, players, strict=False))
    match = play.open_match(slug, mode or game.modes[0].slug, names, seed=f"{slug}-{mode}")
    for number in range(taps):
        loaded = storage.load(match)
        seat, action = random_play.tap(loaded.state, luck)
        play.tap(match.code, seat, action, match.version, play.new_key())
        match.refresh_from_db()
        if number == taps // 2 and (last := undoing.newest(match)) is not None:
            undoing.ask(match.code, last.seat, last.version, play.new_key())
            match.refresh_from_db()
    assert match.result is None, f"{slug} {mode} is over after {taps} taps"


def _hold_event() -> None:
    from games.hall import commands
    from tests.hall.halls import ANNA, by_chance, first_table, opened, play_round, scores, state

    code = opened(8, seed="an event")
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = first_table(code)
    commands.enter_result(code, ANNA, table.key, scores(table, 9, 4))
    assert state(code).last.number == 2


def _rows() -> dict[str, list[dict[str, Any]]]:
    """By model ("games.match"): all its rows, each as a dictionary of its columns."""
    from django.apps import apps

    models = (model for label in APPS for model in apps.get_app_config(label).get_models())
    return {model._meta.label_lower: list(model.objects.order_by("pk").values()) for model in models}


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    if "ROUNDTABLE_TEST" in os.environ:
        import django

        django.setup()
        write(target)
    else:
        with tempfile.TemporaryDirectory() as folder:
            own = {
                "ROUNDTABLE_TEST": "1",
                "ROUNDTABLE_DATA": folder,
                "DATABASE_URL": f"sqlite:///{folder}/db",
            }
            own["DJANGO_SETTINGS_MODULE"] = "config.settings"
            command = [sys.executable, "-m", "tests.trust.snapshot", str(target)]
            subprocess.run(command, env={**os.environ, **own}, check=True)
