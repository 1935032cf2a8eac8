"""`python -m tests.soak [--short] [NAME…]`: every experiment, and one table of figures.

On SQLite and, where PostgreSQL is installed, on one of its own; or only on what `DATABASE_URL` names.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
POSTGRESQL = ROOT / ".ci" / "postgresql"


def main() -> int:
    """The exit status: whether anything was wrong."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ["ROUNDTABLE_TEST"] = "1"
    import django

    django.setup()
    from tests.soak import experiments

    options = arguments(list(experiments.ALL))
    wrong = experiments.table(options.names, is_short=options.short, is_first=not options.more)
    if not options.more and not os.environ.get("DATABASE_URL") and is_there():
        again = [sys.executable, "-m", "tests.soak", *sys.argv[1:], "--more"]
        wrong += subprocess.run([POSTGRESQL, *again], cwd=ROOT, check=False).returncode
    return bool(wrong)


def arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ({', '.join(names)}); without: all")
    parser.add_argument("--short", action="store_true", help="as the tests run them: seconds each")
    parser.add_argument("--more", action="store_true", help="leave out the heading, and other databases")
    options = parser.parse_args()
    if unknown := set(options.names) - set(names):
        parser.error(f"there is no experiment {', '.join(sorted(unknown))}")
    return options


def is_there() -> bool:
    """Whether a PostgreSQL of our own can be started."""
    return any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


if __name__ == "__main__":
    started = time.monotonic()
    failed = main()
    if "--more" not in sys.argv:
        said = "Something was wrong." if failed else "All is well."
        print(f"\n{time.monotonic() - started:,.0f} s. {said}")
    sys.exit(failed)
