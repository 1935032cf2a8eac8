"""The folder of a server's data, with the LAN profile's key in it; a sentence where they cannot be made."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

LEAST_KEY = 50
"""The least letters of a whole key; a power cut may leave fewer."""


class CutShort(ValueError):
    """A key that is not whole."""


def make(folder: Path) -> None:
    """Make a folder that only its owner can look into, unless it exists."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise ImproperlyConfigured(
            f"the folder {folder} cannot be made ({problem.strerror}); ROUNDTABLE_DATA names another."
        ) from problem


def kept_key(path: Path) -> str:
    """The key in this file, made on the first run and readable by its owner only."""
    make(path.parent)
    _make_key(path)
    try:
        return key_in(path)
    except CutShort as problem:
        raise ImproperlyConfigured(
            f"the key in {path} is cut short. Delete the file: then a new key is made, and every phone takes "
            "its seat again, unless you bring a backup back, which has the key."
        ) from problem
    except (OSError, ValueError) as problem:
        raise ImproperlyConfigured(
            f"the key in {path} cannot be read ({problem}). Give the file to whoever starts the program."
        ) from problem


def _make_key(path: Path) -> None:
    """Write a new key, unless the file exists: of two processes that start together one writes it."""
    try:
        with open(
            path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)
        ) as file:
            file.write(secrets.token_urlsafe(48))
    except FileExistsError:
        pass
    except OSError as problem:
        raise ImproperlyConfigured(
            f"the folder {path.parent} cannot be written ({problem.strerror}); ROUNDTABLE_DATA names another."
        ) from problem


def key_in(path: Path) -> str:
    """The key in this file. Raises `CutShort` where it is not whole, `ValueError` for anything but text."""
    key = path.read_text("ascii").strip()
    if len(key) < LEAST_KEY:
        raise CutShort
    return key
