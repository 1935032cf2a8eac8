"""Gives each process a share of the time: `python -m tests.bench.ration SHARE PID...` until its input ends.

This way several processes can be measured on fewer cores than they would have in practice.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

PERIOD = 0.05


def ration(pid: int, share: float, delay: float, over: threading.Event) -> None:
    """Let a process run for its share of each period, and pause it for the rest."""
    time.sleep(delay)
    try:
        while not over.is_set():
            os.kill(pid, signal.SIGCONT)
            time.sleep(PERIOD * share)
            os.kill(pid, signal.SIGSTOP)
            time.sleep(PERIOD * (1 - share))
    finally:
        os.kill(pid, signal.SIGCONT)


def main() -> None:
    share, pids = float(sys.argv[1]), list(map(int, sys.argv[2:]))
    over = threading.Event()
    turns = [
        threading.Thread(target=ration, args=(pid, share, PERIOD * number / len(pids), over))
        for number, pid in enumerate(pids)
    ]
    for one in turns:
        one.start()
    sys.stdin.read()
    over.set()
    for one in turns:
        one.join()


if __name__ == "__main__":
    main()
