"""A page of many tables or players asks the database as often as one of a few."""

from __future__ import annotations
