"""The program's own settings, on a disk that takes `ROUNDTABLE_BENCH_SYNC` milliseconds to save.

A cheap card or a spinning disk takes 10 to 50, a server's disk 0.2.
"""

import os

from config.settings import *  # noqa: F403
from tests.soak import disk

DISK = disk.slow(float(os.environ["ROUNDTABLE_BENCH_SYNC"]) / 1000)
