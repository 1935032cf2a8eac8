#!/usr/bin/env python
"""The command line of Roundtable: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    from config import refusing

    # Settings are read before a command runs, so the command that needs another profile is named here.
    if sys.argv[1:2] == ["play"] or refusing.asks_for_help(sys.argv[1:]):
        os.environ.setdefault("ROUNDTABLE_LAN", "1")
    if sys.argv[1:2] == ["play"] and "--https" in sys.argv:
        os.environ["ROUNDTABLE_HTTPS"] = "1"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config.refusing import exit_status

    sys.exit(exit_status(lambda: execute_from_command_line(sys.argv)))


if __name__ == "__main__":
    main()
