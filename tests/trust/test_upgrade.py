"""Matches in progress survive an upgrade: a database of the previous version is migrated and played on.

`before.json.gz` holds the rows of five tables as that version left them, in the middle of a round: orders and
missions are still secret, a player was renamed and an action taken back. It stays as it is, because upgrades
meet databases that nobody writes again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games import verify
from tests.trust.places import Place, places

BEFORE = Path(__file__).parent / "before.json.gz"
TABLES = {
    "OLD000": "tmg",
    "OLD001": "tmg",
    "OLD002": "bushido",
    "OLD003": "agot",
    "OLD004": "agot",
}

AS_IT_WAS = """
import django, gzip, json
django.setup()
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
ORDER = "Match Army Unit Objective Round Score Entry Seat SeatRequest".split()
loader = MigrationExecutor(connection).loader
target = ("games", "0009_catalogue_entry")
call_command("migrate", *target, verbosity=0)
then = loader.project_state(target).apps
with gzip.open(BEFORE) as packed:
    rows = json.load(packed)
models = {name: then.get_model("games", name) for name in rows}
with transaction.atomic():
    for name in sorted(rows, key=ORDER.index):
        models[name].objects.bulk_create(models[name](**row) for row in rows[name])
models["Seat"].objects.filter(match__code="OLD001", key="red").update(epoch=4)
with connection.cursor() as cursor:
    for statement in connection.ops.sequence_reset_sql(no_style(), models.values()):
        cursor.execute(statement)
""".replace("BEFORE", repr(str(BEFORE)))

PLAYED_ON = """
import django, random
django.setup()
from games.match import storage, fuzz, play
from games.models import Match
luck = random.Random(4)
for match in Match.objects.order_by("code"):
    state, version = storage.load(match).state, match.version
    for _tap in range(15):
        if state.result is not None:
            break
        verdict = play.tap(match.code, *fuzz.tap(state, luck), version, play.new_key())
        state, version = verdict.loaded.state, verdict.version
    print(match.code, match.version, version)
"""


@pytest.fixture(scope="module")
def upgraded(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: pytest.FixtureDef
) -> Iterator[Place]:
    """The previous version's server, after `migrate`."""
    of: Callable[[str], Place]
    with places(tmp_path_factory.mktemp("upgrade")) as of:
        place = of("before")
        place.script(AS_IT_WAS)
        assert place.manage("migrate", "--verbosity", "0") == ""
        yield place


@pytest.mark.django_db
def test_matches_in_progress_are_whole_and_chained_after_an_upgrade(upgraded: Place) -> None:
    told = upgraded.manage("replay", "--all", "--check")
    for code in TABLES:
        assert f"{code}: every entry fits its fingerprint" in told
        assert f"{code}: the rules of today say the same" in told


FREED = """
import django
django.setup()
from games.models import Match
print(*Match.objects.order_by("code").values_list("freed", flat=True))
"""


@pytest.mark.django_db
def test_the_seats_that_were_freed_before_an_upgrade_are_counted(upgraded: Place) -> None:
    assert upgraded.script(FREED).split() == ["0", "3", "0", "0", "0"]


@pytest.mark.django_db
def test_matches_in_progress_are_played_on_after_an_upgrade(upgraded: Place) -> None:
    played = [line.split() for line in upgraded.script(PLAYED_ON).splitlines()]
    assert [code for code, _before, _after in played] == list(TABLES)
    for code, before, after in played:
        file = json.loads(upgraded.manage("export_match", code))
        assert (file["system"], file["version"]) == (TABLES[code], int(after))
        assert int(after) >= int(before) + 10
        assert list(verify.faults(file)) == []
    assert "Not every match" not in upgraded.manage("replay", "--all", "--check")
