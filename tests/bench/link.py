"""A network between the server and the crowd: its own loopback, which carries no more than a cable does.

On one machine bytes are free: fourteen thousand cost hardly more than three hundred. A hall's cable, and even
more its Wi-Fi, carry them one after another. Linux only, as root; the machine's own network is left alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

FRAME = 1500
"""Bytes in a packet of Ethernet."""
SETTING_UP = (
    "ip link set lo up && ip link set lo mtu {frame} && "
    'tc qdisc add dev lo root tbf rate {rate} burst 64k limit 400m && exec "$@"'
)


def is_possible() -> bool:
    """Whether this user may create networks here, and has the programs for it."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and all(map(shutil.which, ("unshare", "ip", "tc")))


def run_behind(rate: str, *command: str) -> None:
    """Run a Python script in its own network, whose only line carries `rate` ("1gbit")."""
    if not is_possible():
        sys.exit("A link needs Linux, root, and the programs unshare, ip and tc (util-linux, iproute2).")
    script = SETTING_UP.format(frame=FRAME, rate=rate)
    subprocess.run(["unshare", "--net", "sh", "-c", script, "sh", sys.executable, *command], check=True)
