"""Secrets that are derived from the server's key: none of them is stored.

They survive a change of the key: a secret issued under one of `SECRET_KEY_FALLBACKS` still works until that
key is removed from the settings.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac


def mac(salt: str, value: str, length: int) -> str:
    """A keyed hash of a value, as `length` hexadecimal digits."""
    return _mac(salt, value, settings.SECRET_KEY)[:length]


def is_mac(digest: str, salt: str, value: str, length: int) -> bool:
    """Whether `digest` is the keyed hash of a value, under the server's key or one of its earlier ones."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(constant_time_compare(digest.encode(), _mac(salt, value, key)[:length]) for key in keys)


def _mac(salt: str, value: str, key: str) -> str:
    return salted_hmac(f"roundtable {salt}", value, secret=key, algorithm="sha256").hexdigest()
