"""Between SQLite and the disk: every write and sync is reported, and may be made to fail.

SQLite reaches its files through a VFS. This one tells the listener, and passes everything on to the usual
one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import apsw

OK, READ_ONLY, FULL, CANNOT_WRITE, CANNOT_SYNC = 0, 8, 13, 778, 1034
"""What SQLite may be told about a file."""
USUAL = apsw.vfs_names()[0]
"""The VFS that SQLite uses on this machine."""


class Event(NamedTuple):
    """Something done to a file: `what` is write, truncate, sync or delete; or ack for a confirmed tap."""

    what: str
    path: str = ""
    number: int = 0
    """The offset, the new size, or whether a deletion is synced."""
    data: bytes = b""


Listener = Callable[[Event], int]
"""Called before something is done; if it returns anything but `OK`, SQLite gets that and nothing is done."""
Tell = Callable[[Event], None]


class File(apsw.VFSFile):
    """A file that reports what is done to it."""

    def __init__(self, tell: Tell, name: str | apsw.URIFilename, flags: list[int]) -> None:
        super().__init__(USUAL, name, flags)
        self.tell = tell
        self.path = name if isinstance(name, str) else name.filename()

    def xWrite(self, data: bytes, offset: int) -> None:
        self.tell(Event("write", self.path, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self.tell(Event("truncate", self.path, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self.tell(Event("sync", self.path))
        super().xSync(flags)


class Watch(apsw.VFS):
    """A VFS whose files report to the listener; it applies to files opened while it is the default."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(f"watch-{id(self)}", USUAL, makedefault=True)
        self.listener = listener

    def tell(self, event: Event) -> None:
        answer = self.listener(event)
        if answer != OK:
            raise apsw.exception_for(answer)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return super().xOpen(name, flags) if name is None else File(self.tell, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.tell(Event("delete", filename, int(syncdir)))
        super().xDelete(filename, syncdir)


@contextmanager
def watched(listener: Listener) -> Iterator[None]:
    """Databases opened in this context report to the listener; they have to be closed in it, too."""
    watch = Watch(listener)
    try:
        yield
    finally:
        watch.unregister()


def slow(seconds: float) -> Watch:
    """Make databases opened from now on take this long to sync, as on a cheap card."""

    def wait(event: Event) -> int:
        if event.what == "sync":
            time.sleep(seconds)
        return OK

    return Watch(wait)
