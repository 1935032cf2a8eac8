"""Files of army lists: from the bytes that a phone sends to the text that could have been pasted.

A game says which file endings it reads. A file is text, or an archive of exactly one such text, which is
unpacked piece by piece and never beyond its limit. Nothing is written to disk.
"""

from __future__ import annotations

import io
import zipfile
import zlib

from games.core import Unreadable, say
from games.core import gettext_noop as _

MOST_BYTES = 1024 * 1024
"""How big a list may be, unpacked."""

_ARCHIVE = (b"PK\x03\x04", b"PK\x05\x06")
_PIECE = 64 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


def text_of(name: str, octets: bytes, endings: tuple[str, ...]) -> str:
    """The text of a file; `Unreadable` (413, 415, 422) says why there is none."""
    if not name.lower().endswith(endings):
        line = _("This file cannot be read here. Choose one that ends in %(endings)s, or paste the list.")
        raise Unreadable(say(line, endings=tuple(endings)), status=415)
    if len(octets) > MOST_BYTES:
        raise _too_big()
    octets = _unpacked(octets) if octets.startswith(_ARCHIVE) else octets
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(say(_("This text arrived damaged: it is not valid UTF-8."))) from None


def _unpacked(octets: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(octets)) as archive:
            return _read(archive, _only(archive))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(say(_("This archive is damaged. Please save the list again."))) from None


def _only(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = archive.infolist()
    if len(members) != 1 or members[0].is_dir():
        raise Unreadable(say(_("This archive must hold exactly one file: the list.")))
    member = members[0]
    if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
        raise Unreadable(say(_("This archive is locked or packed in an unusual way.")), status=415)
    return member


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The member, as long as it stays within the limit: the size that the archive states is not trusted."""
    read = bytearray()
    with archive.open(member) as packed:
        while piece := packed.read(_PIECE):
            read += piece
            if len(read) > MOST_BYTES:
                raise _too_big()
    return bytes(read)


def _too_big() -> Unreadable:
    line = _("This is too big for a list: at most %(limit)d kilobytes are read.")
    return Unreadable(say(line, limit=MOST_BYTES // 1024), status=413)
