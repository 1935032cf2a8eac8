"""Addresses of our pages, each computed once: `reverse` goes through all patterns every time."""

from __future__ import annotations

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=8192)
def address(name: str, *arguments: object) -> str:
    """The address of the page with this name, for these arguments; `NoReverseMatch` if there is none."""
    return reverse(name, args=arguments)
