"""Matches and events in progress survive an upgrade: an earlier release's rows are migrated and played on.

`release-1.0.0.json.gz` holds four matches and an event as 1.0.0 left them (`tests.trust.snapshot`): orders
and missions are still secret, actions were undone, and the second round is being played.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games import verify
from tests.trust.places import Place, places

RELEASED = Path(__file__).parent / "release-1.0.0.json.gz"
MIGRATIONS = {"games": "0001_initial", "events": "0001_initial"}
"""The newest migration of each app in that release."""

AS_IT_WAS = f"""
import django, gzip, json
django.setup()
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
targets = list({MIGRATIONS!r}.items())
for target in targets:
    call_command("migrate", *target, verbosity=0)
then = MigrationExecutor(connection).loader.project_state(targets).apps
with gzip.open({str(RELEASED)!r}) as packed:
    rows = json.load(packed)
models = [then.get_model(label) for label in rows]
# In one transaction: the database looks at foreign keys when it ends.
with transaction.atomic():
    for model in models:
        model.objects.bulk_create(model(**row) for row in rows[model._meta.label_lower])
with connection.cursor() as cursor:
    for statement in connection.ops.sequence_reset_sql(no_style(), models):
        cursor.execute(statement)
"""

PLAYED_ON = """
import django, random
django.setup()
from games.match import (storage, play)
from games.match import random_play
from games.models import Match
luck = random.Random(4)
for match in Match.objects.filter(result__isnull=True, version__gt=20).order_by("pk"):
    state, version = storage.load(match).state, match.version
    for _tap in range(15):
        if state.result is not None:
            break
        verdict = play.tap(match.code, *random_play.tap(state, luck), version, play.new_key())
        state, version = verdict.loaded.state, verdict.version
    print(match.code, match.system, match.version, version)
"""

EVENT_PLAYED_ON = """
import django
django.setup()
from games.hall import commands
from games.hall.models import Event
from tests.hall.halls import ANNA, scores, state
code = Event.objects.get().code
g = state(code)
for table in g.at(2):
    if not table.is_decided:
        commands.enter_result(code, ANNA, table.key, scores(table, 6, 3))
commands.close_round(code, ANNA)
commands.pair(code, ANNA)
commands.open_round(code, ANNA)
g = state(code)
met = [frozenset(table.players) for number in (1, 2, 3) for table in g.at(number)]
print(code, g.last.number, len(met), len(set(met)))
"""


@pytest.fixture(scope="module")
def upgraded(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: pytest.FixtureDef
) -> Iterator[Place]:
    """The earlier release's server, after `migrate`."""
    of: Callable[[str], Place]
    with places(tmp_path_factory.mktemp("upgrade")) as of:
        place = of("released")
        place.script(AS_IT_WAS)
        assert place.manage("migrate", "--verbosity", "0") == ""
        yield place


@pytest.mark.django_db
def test_what_was_in_progress_is_whole_after_an_upgrade(upgraded: Place) -> None:
    assert "Not every" not in upgraded.manage("replay", "--all", "--check")


@pytest.mark.django_db
def test_matches_are_played_on_after_an_upgrade(upgraded: Place) -> None:
    played = [line.split() for line in upgraded.script(PLAYED_ON).splitlines()]
    assert [system for _code, system, _before, _after in played] == ["tmg", "tmg", "bushido", "agot"]
    for code, system, before, after in played:
        file = json.loads(upgraded.manage("export", "--match", code))
        assert (file["system"], file["version"]) == (system, int(after))
        assert int(after) >= int(before) + 10
        assert list(verify.faults(file)) == []
    assert "Not every" not in upgraded.manage("replay", "--all", "--check")


@pytest.mark.django_db
def test_an_event_is_played_on_after_an_upgrade(upgraded: Place) -> None:
    """Its third round is drawn with nobody meeting again."""
    _code, number, tables, pairs = upgraded.script(EVENT_PLAYED_ON).split()
    assert (number, tables, pairs) == ("3", "12", "12")
    assert "Not every" not in upgraded.manage("replay", "--all", "--check")
