"""Export and import: a match leaves as open JSON and comes back as the same match (docs/exports.md).

    entries ──whole──▶ file ──import_match──▶ images replayed one by one ──▶ rows and log of a new match

The file holds the log with the images of every action, the position that they lead to, and a checksum. It is
accepted only if the images replay to that position. An imported match has a new code and no seats, so it can
only be read; `manage.py import_all` imports matches that can be played on.
"""

from games.history.file_form import DEEPEST
from games.match.exchange.exporting import Kept, export, own_view, still_hidden, whole
from games.match.exchange.importing import import_match

__all__ = ["DEEPEST", "Kept", "export", "import_match", "own_view", "still_hidden", "whole"]
