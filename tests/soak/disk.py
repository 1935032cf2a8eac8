"""Between SQLite and the disk: all that it writes and syncs is told, and may be made to fail.

SQLite reaches its files by a table of functions (a "VFS"). Two of them are replaced, in the library that
Python itself uses: to open a file, whose own functions are then told of, and to delete one.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import NamedTuple

OK, READ_ONLY, FULL, CANNOT_WRITE, CANNOT_SYNC = 0, 8, 13, 778, 1034
"""What SQLite may be told of a file."""

# A name is passed on where it stands: SQLite keeps the address.
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
DELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(ctypes.Structure):
    """The beginning of `sqlite3_vfs`."""

    _fields_ = [
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", OPEN),
        ("delete", DELETE),
    ]


class Methods(ctypes.Structure):
    """`sqlite3_io_methods`, as of its third version."""

    _fields_ = [
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", WRITE),
        ("truncate", TRUNCATE),
        ("sync", SYNC),
        *((f"other_{number}", c_void_p) for number in range(13)),
    ]


class Event(NamedTuple):
    """What was done to a file: `what` is write, truncate, sync or delete; or a tap was confirmed (ack)."""

    what: str
    path: str = ""
    number: int = 0
    """The offset, the new size, or whether a deletion is synced."""
    data: bytes = b""


Listener = Callable[[Event], int]
"""Told before it is done; anything but `OK` is SQLite's answer, and it is not done."""


def library() -> ctypes.CDLL | None:
    """The library that Python's own SQLite is in; None where its functions cannot be reached."""
    import _sqlite3

    found = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    try:
        found.sqlite3_vfs_find.restype = POINTER(Vfs)
        found.sqlite3_libversion.restype = c_char_p
    except AttributeError:
        return None
    return found if found.sqlite3_libversion().decode() == sqlite3.sqlite_version else None


class Watch:
    """Files that are opened while this lasts tell the listener what is done to them."""

    def __init__(self, vfs: Vfs, listener: Listener) -> None:
        self.vfs, self.listener = vfs, listener
        self.paths: dict[int, str] = {}
        self.methods: dict[int, Methods] = {}
        # The originals, read as plain addresses before their places are written over.
        self.open = OPEN(ctypes.cast(vfs.open, c_void_p).value)
        self.delete = DELETE(ctypes.cast(vfs.delete, c_void_p).value)
        self.kept = [OPEN(self._open), DELETE(self._delete)]

    def begin(self) -> None:
        self.vfs.open, self.vfs.delete = self.kept

    def end(self) -> None:
        self.vfs.open, self.vfs.delete = self.open, self.delete

    def _open(self, vfs: int, name: int | None, file: int, flags: int, told: int) -> int:
        answer = self.open(vfs, name, file, flags, told)
        if answer == OK and name:
            self.paths[file] = os.fsdecode(ctypes.string_at(name))
            place = c_void_p.from_address(file)
            place.value = ctypes.addressof(self._watched(place.value or 0))
        return int(answer)

    def _watched(self, address: int) -> Methods:
        if address not in self.methods:
            mine = Methods.from_buffer_copy(ctypes.string_at(address, ctypes.sizeof(Methods)))
            originals = Methods.from_address(address)
            mine.write = WRITE(self._write(originals.write))
            mine.truncate = TRUNCATE(self._truncate(originals.truncate))
            mine.sync = SYNC(self._sync(originals.sync))
            self.methods[address] = mine
        return self.methods[address]

    def _write(self, original: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, size: int, offset: int) -> int:
            event = Event("write", self.paths[file], offset, ctypes.string_at(data, size))
            return self.listener(event) or original(file, data, size, offset)

        return write

    def _truncate(self, original: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, size: int) -> int:
            return self.listener(Event("truncate", self.paths[file], size)) or original(file, size)

        return truncate

    def _sync(self, original: Callable[..., int]) -> Callable[..., int]:
        def sync(file: int, flags: int) -> int:
            return self.listener(Event("sync", self.paths[file])) or original(file, flags)

        return sync

    def _delete(self, vfs: int, name: bytes, is_synced: int) -> int:
        event = Event("delete", os.fsdecode(name), is_synced)
        return self.listener(event) or int(self.delete(vfs, name, is_synced))


_for_ever: list[Watch] = []
"""A file that stays open calls its watch until it is closed, whenever that is."""


@contextmanager
def watched(listener: Listener) -> Iterator[None]:
    """Databases opened in here tell the listener; they have to be closed in here, too."""
    found = library()
    assert found is not None, "SQLite's functions cannot be reached"
    watch = Watch(found.sqlite3_vfs_find(None).contents, listener)
    _for_ever.append(watch)
    watch.begin()
    try:
        yield
    finally:
        watch.end()
