"""The package `roundtable` as it is installed: this file becomes its `__init__` and its `__main__`.

The program's folders lie inside the package just as they lie in a checkout. The package's folder joins the
path only here, so that they find each other and nothing else in the environment sees packages called "games"
or "config". Written for any Python, to refuse an old one with a sentence.
"""

import os
import sys


def main():
    """The command `roundtable`."""
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.exit("Roundtable needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])  # noqa: UP031
    home = os.path.dirname(os.path.abspath(__file__))
    if home not in sys.path:
        sys.path.insert(0, home)
    from config.installed.command_line import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
