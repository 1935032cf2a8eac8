"""Addresses of our pages, each worked out once: `reverse` looks through all patterns each time."""

from __future__ import annotations

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=8192)
def address(name: str, *arguments: object) -> str:
    """Where the page of this name is, for these arguments; `NoReverseMatch` if there is none."""
    return reverse(name, args=arguments)
