"""A server that starts at once: a process with everything loaded forks a server for each line that it reads.

`python -m tests.soak.fork_server PORT [VARIANT]` prints each server's process id, and `gone` when it ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connections, transaction

from tests.serving import ROOT, Served, database_url

DISK_SECONDS = 0.03
"""How long a slow disk takes to save; a robot's next tap arrives within a few milliseconds."""


class Forked(Served):
    """The real server, started at once; `variant` names what is different about it."""

    def __init__(self, variant: str = "", **environment: str) -> None:
        super().__init__()
        told = {"ROUNDTABLE_TEST": "1", "DATABASE_URL": database_url(), **environment}
        self.parent = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.fork_server", str(self.port), *filter(None, [variant])],
            cwd=ROOT,
            env={**os.environ, **told},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # What a slow or dying server logs does not matter here.
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.pid = 0

    def start(self, *_options: str, url: str = "") -> Forked:
        assert self.parent.stdin
        self.parent.stdin.write("start\n")
        self.parent.stdin.flush()
        self.pid = int(self._line())
        self.wait_for_answers(lambda: self.parent.poll() is None)
        return self

    def _line(self) -> str:
        assert self.parent.stdout
        return self.parent.stdout.readline().strip()

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> float:
        self._end(signal.SIGTERM)
        return 0.0

    def _end(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)
        assert self._line() == "gone"
        self.pid = 0

    def close(self) -> None:
        if self.pid:
            self.kill()
        assert self.parent.stdin
        assert self.parent.stdout
        self.parent.stdin.close()
        self.parent.wait(timeout=20)
        self.parent.stdout.close()


class AnswersTooEarly:
    """Broken on purpose: ten actions are answered before they are committed together."""

    def __init__(self) -> None:
        from games.history import commits

        self.carry_out, self.waiting, self.together = commits._in_one_transaction, 0, None
        commits._in_one_transaction = self  # type: ignore[assignment]
        # At the end of a request Django would find the transaction open, and hang up.
        for moment in (request_started, request_finished):
            moment.disconnect(close_old_connections)

    def __call__(self, carry_out):  # type: ignore[no-untyped-def]
        if self.together is None:
            self.together = transaction.atomic()
            self.together.__enter__()
        verdict = self.carry_out(carry_out)
        self.waiting += 1
        if self.waiting == 10:
            self.together.__exit__(None, None, None)
            self.together, self.waiting = None, 0
        return verdict


def be_patient() -> None:
    """Let no seat be too fast."""
    from games.web import limits

    limits.TAPS.cost, limits.TAPS.credit = 1e-6, 1.0


def forget_keys() -> None:
    """Broken on purpose: a key is valid for any number of actions."""
    from games.match import play

    be_patient()
    tap = play.tap
    play.tap = lambda *command: tap(*command[:-1], play.new_key())


def take_whatever_was_seen() -> None:
    """Broken on purpose: a tap counts whatever board it was made from."""
    from games.match import play

    be_patient()
    play.refuse_stale = lambda _match, _seen: None
    play.refuse_changed_question = lambda _loaded, _seat, _seen: None


def tell_nobody() -> None:
    """Broken on purpose: streams hear about nothing, and nobody looks at the rows."""
    from games.live.bus import Bus
    from games.live.hub import hub

    be_patient()
    hub.publish = lambda *_news: None  # type: ignore[method-assign]
    Bus.open = lambda _bus: None  # type: ignore[method-assign]


def wait_for_the_disk() -> None:
    """Make the disk take so long to save that taps wait for it together."""
    from tests.soak import disk

    disk.slow(DISK_SECONDS)


def hash_as_usual() -> None:
    """Hash passwords as a real server does; tests do it quickly."""
    from django.conf import global_settings, settings
    from django.contrib.auth import hashers

    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    hashers.get_hashers.cache_clear()
    hashers.get_hashers_by_algorithm.cache_clear()


VARIANTS = {
    "hashing": hash_as_usual,
    "early": AnswersTooEarly,
    "slow": wait_for_the_disk,
    "patient": be_patient,
    "twice": forget_keys,
    "late": take_whatever_was_seen,
    "deaf": tell_nobody,
}


def serve_forks(port: int, variant: str) -> None:
    """Fork a server for each line of the standard input, one after another."""
    import config.asgi  # noqa: F401 - loaded once, for all of them
    from config.server.starting import listening_socket, serve

    if variant:
        VARIANTS[variant]()
    connections.close_all()
    for _line in sys.stdin:
        child = os.fork()
        if not child:
            serve(listening_socket("127.0.0.1", port))
            os._exit(0)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    serve_forks(int(sys.argv[1]), "".join(sys.argv[2:]))
