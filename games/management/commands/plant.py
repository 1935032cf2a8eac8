"""`manage.py plant`: catalogues to edit and, in a fresh database, what `seeds/` has of tables and events.

A demo table is a transcript. A demo event is told in a file, and carried out by the commands that organisers
use. The file (TOML) has the settings of the event, its players with their armies and what counts for each in
the rounds that are over, and what has been tapped at tables of the round that is being played:

    name = "Autumn Cup"
    system = "tmg"
    seed = "what the pairings follow from"
    organiser = "Robin"

    [[players]]
    name = "Ada"
    army = "stark"       # of the game's seeds/armies
    club = "Harbour Club"
    faction = "Stark"
    results = [{ vp = 8 }, { vp = 11 }]     # of round 1, of round 2

    [[tables]]
    table = 1
    taps = '''
    red   ready
    blue  ready
    '''
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from games import catalogue, discovery
from games.core import facts, system, systems
from games.hall import commands, event_actions
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.match import play, storage, transcript
from games.match.transcript import Action
from games.models import Entry, Match

EVENTS = facts.TOP / facts.SEEDS / "events"


class Command(BaseCommand):
    help = "Plant the catalogues, and into a database that holds no table yet the demo tables and events."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true", help="even if there are tables already")

    def handle(self, *args: Any, again: bool, **options: Any) -> None:
        for game in systems():
            catalogue.plant(game.slug)
        if Match.objects.exists() and not again:
            return
        for game in systems():
            for path in seeds(game.slug):
                self._plant(game.slug, path, options["verbosity"])
        for path in sorted(EVENTS.glob("*.toml")):
            event = planted_event(path)
            if options["verbosity"]:
                self.stdout.write(f"{event.code}  {path.parent.name}/{path.stem}  version {event.version}")

    def _plant(self, slug: str, path: Path, verbosity: int) -> None:
        """Plant one demo table; a faulty one from an installed package is left out with a sentence."""
        try:
            with transaction.atomic():
                match = planted(path)
        except Exception as problem:
            owner = discovery.place_of(slug).owner
            if not owner:
                raise
            self.stderr.write(f"The demo table {path.name} of {owner} is left out: {problem}")
            return
        if verbosity:
            self.stdout.write(f"{match.code}  {slug}/{path.stem}  version {match.version}")


def seeds(slug: str) -> list[Path]:
    """The transcripts of a game's demo tables."""
    return sorted(discovery.place_of(slug).seeds.glob("*.txt"))


def planted(path: Path) -> Match:
    """Play a transcript into the database; the match."""
    text = path.read_text(encoding="utf-8")
    state = transcript.opening_state(text.splitlines()[0])
    names = {key: army.name for key, army in state.armies.items()}
    options = {name: value for name, value in state.rules.items() if name in _options(state.system)}
    match = play.open_match(state.system, state.mode, names, options, is_demo=True, seed=state.seed)
    play_on(match, transcript.actions(text))
    match.refresh_from_db()
    return match


def _options(slug: str) -> set[str]:
    return set(system(slug).options)


# --- events ---------------------------------------------------------------------------------------


Facts = Mapping[str, Any]
APART = ("seed", "organiser", "announcement", "players", "tables")
"""What a file says besides the settings of the event."""


@transaction.atomic
def planted_event(path: Path) -> Event:
    """Carry out what a file tells of an event; returns the event."""
    script = tomllib.loads(path.read_text(encoding="utf-8"))
    values = {name: value for name, value in script.items() if name not in APART}
    who = Actor(name=script["organiser"])
    event = event_actions.open_event(values, who, seed=script["seed"], is_demo=True)
    players = _entered(event, who, script["players"])
    for number in range(1, 1 + len(script["players"][0]["results"])):
        _play_round(event.code, who, number, players)
    commands.pair(event.code, who)
    commands.open_round(event.code, who)
    for table in script["tables"]:
        _play_table(event.code, table)
    commands.announce(event.code, who, script["announcement"])
    event.refresh_from_db()
    return event


def _entered(event: Event, who: Actor, listed: Iterable[Facts]) -> dict[str, Facts]:
    """Enter the players with their armies, and check them in; what is told of each, by their key."""
    package = discovery.place_of(event.system).package
    players: dict[str, Facts] = {}
    for player in listed:
        key = commands.register(event.code, who, player["name"], player["club"], player["faction"]).made
        army = facts.read_text(package, f"{facts.SEEDS}/armies/{player['army']}.txt")
        commands.hand_in(event.code, who, key, [army])
        players[key] = player
    commands.check_in_all(event.code, who)
    return players


def _play_round(code: str, who: Actor, number: int, players: Mapping[str, Facts]) -> None:
    """Pair a round, open it, enter its results, close it."""
    commands.pair(code, who)
    commands.open_round(code, who)
    for pairing in event_actions.load(code).state.at(number):
        scores = {key: players[key]["results"][number - 1] for key in pairing.players}
        commands.enter_result(code, who, pairing.key, {"scores": scores})
    commands.close_round(code, who)


def _play_table(code: str, table: Facts) -> None:
    """Tap at a table of the newest round what is written for it."""
    g = event_actions.load(code).state
    assert g.last is not None
    pairing = next(pair for pair in g.at(g.last.number) if pair.table == table["table"])
    play_on(Match.objects.get(code=pairing.match), transcript.written_actions(table["taps"]))


def play_on(match: Match, actions: Iterable[Action]) -> None:
    """Carry out these actions at a table, each an entry of its log."""
    at = storage.load(match)
    for number, action in enumerate(actions, 1):
        # From one position straight to the next: the rows are written, but never read in between.
        after = transcript.play_action(at.state, action)
        kind = Entry.Kind.ADJUST if action.path else Entry.Kind.TAP
        author, key = play.author_of(at, action.seat), f"planted-{number:05}"
        play.commit(
            at,
            after,
            storage.Command(kind, action.seat, author, action.path, action.action, action.note, key),
        )
