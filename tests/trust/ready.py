"""Commands that start at once: a process with everything loaded forks one for each line that it reads.

`python -m tests.trust.ready`: a line is JSON, with the words after `python` and the files for output and for
errors; the answer is the status that the command ended with.
"""

from __future__ import annotations

import json
import os
import sys


def become(words: list[str], *files: str) -> None:
    """Become `python WORDS…` from here on."""
    for number, file in enumerate(files, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv = words
    if words[0] == "-c":
        exec(words[1], {"__name__": "__main__"})
        sys.exit()
    from manage import main

    main()


if __name__ == "__main__":
    import django

    django.setup()
    import config.urls  # noqa: F401 - every command checks the addresses

    for line in sys.stdin:
        child = os.fork()
        if not child:
            become(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
