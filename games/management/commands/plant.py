"""`manage.py plant`: catalogues to edit and, in a fresh database, what `seeds/` has of tables and events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from games import catalogue, discovery
from games.core import facts, system, systems
from games.hall import demo_event
from games.match import play, transcript
from games.models import Match

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
            event = demo_event.planted(path)
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
    demo_event.play_on(match, transcript.actions(text))
    match.refresh_from_db()
    return match


def _options(slug: str) -> set[str]:
    return set(system(slug).options)
