"""Warbands: their cards, the lists people bring, and their rows."""
