"""The seeds: today's rules tell every demo unchanged, nothing draws a remark, and they are planted once."""

import tomllib

import pytest
from django.core.management import call_command
from django.db import transaction

from games.core import Line, State, engine, facts, systems
from games.discovery import place_of
from games.hall import event_actions
from games.hall.models import Event, Pairing
from games.hall.rules.event_state import CLOSED, OPEN
from games.history import commits
from games.management.commands import replay
from games.management.commands.plant import EVENTS, seeds
from games.match import random_play, storage, transcript
from games.models import Entry, Match
from games.pages.altered_rows import is_altered
from tests.retelling import retell

PATHS = [path for game in systems() for path in seeds(game.slug)]
TOLD = sorted(EVENTS.glob("*.toml"))
ARMIES = [
    (f"game {game.slug} mode={mode.slug} seed=x {' '.join(f'{name}={way[name]}' for name in way)}", army)
    for game in systems()
    for mode in game.modes
    for way in random_play.ways(game, mode.slug)
    for army in game.demo_armies()
]
ACTIONS = (Entry.Kind.TAP, Entry.Kind.ADJUST)
EMPTY = Line("").to_json()


@pytest.fixture(scope="module")
def _planted(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("plant", verbosity=0)
        yield
        transaction.set_rollback(True)


@pytest.fixture
def demos(_planted, db):
    """The demo tables of a fresh database with everything planted, in their order."""
    return Match.objects.filter(pairings=None).order_by("pk")


@pytest.fixture
def event(_planted, db):
    """The demo event of a fresh database."""
    return Event.objects.get()


@pytest.mark.parametrize("path", PATHS, ids=[f"{path.parent.name}-{path.stem}" for path in PATHS])
def test_a_demo_is_told_the_same_today(path):
    text = path.read_text(encoding="utf-8")
    assert retell(text) == text


def test_a_fresh_database_gets_every_demo_as_it_is_told(demos):
    for match, path in zip(demos, PATHS, strict=True):
        *_others, (_action, told) = transcript.positions(path.read_text(encoding="utf-8"))
        assert storage.load(match).state == told


def test_a_demo_is_finished_if_it_says_so_and_begun_otherwise(demos):
    for match, path in zip(demos, PATHS, strict=True):
        is_finished = "finished" in path.stem
        assert ((match.result is not None), match.round > 0) == (is_finished, True), path.stem


def test_a_database_in_use_is_left_alone(demos, event):
    call_command("plant", verbosity=0)
    assert demos.count() == len(PATHS)
    assert Event.objects.count() == len(TOLD)


# --- without a remark ------------------------------------------------------------------------------


@pytest.mark.parametrize(("heading", "army"), ARMIES)
def test_a_sample_army_draws_no_remark_at_a_table_as_it_is_offered(heading, army):
    opened = transcript.opening_state(heading)
    if not any(offer.action == f"demo:{army}" for offer in engine.offers(opened, opened.seats[0])):
        pytest.skip("this mode asks for no army")
    assert remarks(engine.play(opened, opened.seats[0], f"demo:{army}")) == []


def test_every_game_with_sample_armies_keeps_them_with_its_seeds():
    for game in systems():
        kept = facts.file_names(place_of(game.slug).package, f"{facts.SEEDS}/armies", ".txt")
        assert set(game.demo_armies()) == set(kept), game.slug


def test_no_planted_table_holds_a_remark_or_an_altered_entry(demos, event):
    for match in Match.objects.all():
        assert remarks(storage.load(match).state) == []
        assert not is_altered(match)
        assert list(replay.drifts(match)) == []


def remarks(state: State) -> list[object]:
    """What the app remarks on the armies of a table."""
    return [remark for army in state.armies.values() for remark in getattr(army, "warnings", ())]


# --- the event -------------------------------------------------------------------------------------


def test_the_event_shows_two_rounds_played_and_a_third_under_way(event):
    g = event_actions.load_rows(event).state
    assert (event.is_demo, len(g.players)) == (True, 8)
    assert [g.rounds[str(number)].state for number in (1, 2, 3)] == [CLOSED, CLOSED, OPEN]
    assert all(one.is_decided for number in (1, 2) for one in g.at(number))
    tables = [Match.objects.get(code=one.match) for one in g.at(3)]
    assert all(match.is_demo and match.result is None for match in tables)
    assert 1 <= sum(match.round > 0 for match in tables) < len(tables)


def test_the_event_has_no_problem(event):
    assert not is_altered(event)
    assert commits.faults(event) == []
    assert event_actions.replayed(event, commits.entries_of(event)) == event_actions.load_rows(event).state


def test_its_tables_are_told_the_same_today(event):
    """The sentences beside the taps are those that the log of the table has now."""
    (path,) = TOLD
    for table in tomllib.loads(path.read_text(encoding="utf-8"))["tables"]:
        pairing = Pairing.objects.get(event=event, round=3, table=table["table"])
        entries = Entry.objects.filter(match__code=pairing.match_id, kind__in=ACTIONS).order_by("version")
        logged = [str(Line.from_json(line)) for entry in entries for line in entry.lines or [EMPTY]]
        for written, sentence in zip(table["taps"].splitlines(), logged, strict=True):
            assert written.endswith(sentence)
