"""What a model's figures may be: numbers, or the few words that cards have instead.

They stay text, because "X", "*", "∞", "Special" and "Kami" are as valid there as any number.
"""

from __future__ import annotations

import re

SPECIAL, KAMI, ENDLESS = "Special", "Kami", "∞"

_NUMBER = re.compile(r"[0-9]{1,2}")
_WORDED = re.compile(r"([0-9]{1,2})?[\s(]*(O[O\s]*)?\)?", re.IGNORECASE)
_NOTHING = {"", "-", "–", "—", "−", "?"}
_ENDLESS = {ENDLESS, "inf", "infinite", "infinity", "unlimited"}
_MOST_WOUNDS = 99


def ki(text: str) -> str | None:
    """How much Ki a model gains, as its card has it; "" if it has none, None for any other text."""
    words = text.strip().casefold()
    if words in _NOTHING:
        return ""
    return "X" if words in ("x", "*x") else _number(words)


def cap(text: str) -> str | None:
    """How much Ki a model may hold: a number, "*" (a shared pool), "∞", nothing; None for any other text."""
    words = text.strip().casefold()
    if words in _NOTHING:
        return ""
    if words in _ENDLESS:
        return ENDLESS
    return "*" if words == "*" else _number(words)


def wounds(text: str) -> str | None:
    """Wounds: a number, also drawn as a track of O, "Special", "Kami", nothing; None for any other text."""
    words = text.strip()
    if words in _NOTHING:
        return ""
    for word in (SPECIAL, KAMI):
        if words.casefold() == word.casefold():
            return word
    track = _WORDED.fullmatch(words)
    if track is None:
        return None
    count = int(track[1]) if track[1] else len((track[2] or "").replace(" ", ""))
    return str(count) if 0 < count <= _MOST_WOUNDS else None


def split_ki(text: str) -> tuple[str | None, str | None]:
    """Ki and cap of a text such as "2/6", "X" or "0/∞"."""
    first, _slash, second = text.partition("/")
    return ki(first), cap(second)


def _number(words: str) -> str | None:
    return str(int(words)) if _NUMBER.fullmatch(words) else None
