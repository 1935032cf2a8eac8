"""The organiser's desk: the Django admin, with every save an edit in the match's log."""

from games.admin import log, match, pieces, sheets

__all__ = ["log", "match", "pieces", "sheets"]
