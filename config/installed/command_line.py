"""`roundtable`: what a club types, or double-clicks. Every command is one of manage.py's.

An installed program keeps nothing beside itself: its data are in the platform's usual place, or where
`--data` or ROUNDTABLE_DATA says.
"""

from __future__ import annotations

import os
import sys
import tomllib
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from io import TextIOWrapper
from pathlib import Path

import platformdirs
from django.core.management import ManagementUtility

from config import refusing

HOME = Path(__file__).resolve().parents[2]

COMMANDS = {
    "play": "serve the tables on the local network; this is what no command at all means, too",
    "serve": "serve on a server, behind a proxy that speaks TLS",
    "backup": "save everything in one file, while the tables go on",
    "restore": "bring a backup back",
    "export": "write everything as open JSON",
    "import": "read what `export` has written",
    "check": "say what is wrong with the settings; with --deploy, what a server lacks",
    "manage": "any other command of the program: `roundtable manage help` lists them",
}
"""What is typed, and what it does."""


def run(arguments: list[str]) -> int:
    """Carry out one command; the program's exit status."""
    _print_any_letter()
    # Started by a double click: nobody sees a terminal, so a page shows what would be printed.
    own, rest = _split(arguments or ["play", "--open"])
    options = _parser().parse_args(own)
    os.environ["ROUNDTABLE_DATA"] = str(options.data or _data())
    arguments = rest if options.command == "manage" else [options.command, *rest]
    is_server = options.command == "serve" and not refusing.asks_for_help(arguments)
    if not is_server and not os.environ.get("ROUNDTABLE_SECRET_KEY"):
        # Without a server's key this is the data of a club's laptop.
        os.environ.setdefault("ROUNDTABLE_LAN", "1")
    if "--https" in rest:
        os.environ["ROUNDTABLE_HTTPS"] = "1"
    return _carry_out(arguments, options.command)


def _print_any_letter() -> None:
    """Show another letter where a console lacks one (a Windows code page lacks most), instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _parser() -> ArgumentParser:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {says}" for name, says in COMMANDS.items())
    parser = ArgumentParser(
        prog="roundtable",
        description="The live companion for tabletop games: the phones around a table keep its score.",
        epilog=f"commands:\n{listed}\n\n`roundtable COMMAND --help` says more about one.\nData: {_data()}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Roundtable {version()}")
    parser.add_argument("--data", metavar="DIR", help="the folder of the database and its key")
    parser.add_argument(
        "command", choices=COMMANDS, metavar="command", help="what to do, from the list below"
    )
    return parser


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Our own arguments (up to the command, and `--data` wherever it stands), then the command's."""
    named = (at for at, word in enumerate(arguments, 1) if word in COMMANDS)
    # A folder may be called like a command.
    until = next((at for at in named if arguments[: at - 1][-1:] != ["--data"]), len(arguments))
    own, rest = arguments[:until], arguments[until:]
    data = ArgumentParser(prog="roundtable", add_help=False, allow_abbrev=False)
    data.add_argument("--data")
    parsed, rest = data.parse_known_args(rest)
    return ([] if parsed.data is None else [f"--data={parsed.data}"]) + own, rest


def _data() -> Path:
    """Where the platform keeps an application's data, unless the environment says otherwise."""
    return Path(os.environ.get("ROUNDTABLE_DATA") or platformdirs.user_data_path("roundtable", False))


def version() -> str:
    """The version of the program, from its one place."""
    return tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def _carry_out(arguments: list[str], typed: str) -> int:
    from config.refusing import exit_status

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    utility = ManagementUtility(["roundtable manage" if typed == "manage" else "roundtable", *arguments])
    try:
        return exit_status(utility.execute)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
