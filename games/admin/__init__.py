"""The organiser's pages: the Django admin, where every save is an edit in the match's log."""

from games.admin import accounts, catalogue_admin, match_admin, piece_admin, webhook_admin
from games.hall import admin as events

__all__ = ["accounts", "catalogue_admin", "events", "match_admin", "piece_admin", "webhook_admin"]
