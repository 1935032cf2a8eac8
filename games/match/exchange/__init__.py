"""A match leaves as open JSON and arrives as the same match: nobody's game is locked up here.

    entries ──whole──▶ file ──read──▶ images replayed one by one ──▶ rows and log of a new match

The file holds the log with the images of every action, the position they lead to and a
checksum. What arrives is believed only as far as it replays; it gets a new code and no
seats, so it can be looked at and not played on.
"""

from games.match.exchange.exporting import Kept, export, own_view, still_hidden, whole
from games.match.exchange.form import DEEPEST
from games.match.exchange.importing import arrive

__all__ = ["DEEPEST", "Kept", "arrive", "export", "own_view", "still_hidden", "whole"]
