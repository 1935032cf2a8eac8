"""`manage.py import_catalogue FILE`: import the cards of a later season from a table, all or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import catalogue
from games.core import system, usual


class Command(BaseCommand):
    help = "Import a table (CSV) into the catalogue of a game: new rows are added, known ones changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the command line."""
        parser.add_argument("file", help="the table; its first line names the columns")
        parser.add_argument("--system", help="the game (the one that forms begin with)")
        parser.add_argument("--kind", help="the kind of entries (the first that the game keeps)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the table and say what became of its rows."""
        slug = options["system"] or usual().slug
        try:
            kept = system(slug).entry_kinds
            text = Path(options["file"]).read_text(encoding="utf-8")
            kind = options["kind"] or next(iter(kept), "")
            if kind not in kept:
                raise CommandError(f"{slug} keeps no catalogue entries{f' called {kind}' if kind else ''}.")
            imported = catalogue.import_table(slug, kind, text)
        except KeyError:
            raise CommandError(f"There is no game called {slug}.") from None
        except OSError as problem:
            raise CommandError(f"{options['file']} cannot be read: {problem.strerror}.") from None
        except UnicodeError:
            raise CommandError(f"{options['file']} cannot be read: it is not UTF-8 text.") from None
        except catalogue.BadTable as bad:
            faults = "\n".join(f"Line {number}: {line}" for number, line in bad.faults)
            raise CommandError(f"{faults}\nNothing was imported.") from None
        self.stdout.write(f"{imported.new} new, {imported.changed} changed, {imported.same} as before.")
