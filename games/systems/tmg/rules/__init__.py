"""The rules by chapter: set-up, rounds, clean-up, scoring, the end."""
