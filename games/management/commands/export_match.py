"""Writes a whole match as a file, in play or over, with everything hidden, for those who run the server."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core import NotServed
from games.history.commits import CANNOT_BE_READ, UnreadableRow, reading
from games.match import match_file
from games.models import Match


class Command(BaseCommand):
    help = "Write a whole match, its secrets included, as JSON that import_match reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the command line."""
        parser.add_argument("code", help="the code of the match")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file to the standard output."""
        match = Match.objects.filter(code=options["code"].upper()).first()
        if match is None:
            raise CommandError(f"There is no table with the code {options['code']}.")
        try:
            with reading(match):
                file = match_file.whole(match, with_secrets=True)
        except NotServed:
            raise CommandError(f"{match.code}: the game {match.system} is not installed here.") from None
        except UnreadableRow:
            raise CommandError(f"{match.code}: {CANNOT_BE_READ}") from None
        self.stdout.write(json.dumps(file, ensure_ascii=False, indent=1))
