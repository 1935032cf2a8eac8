"""The organiser's pages: the Django admin, where every save is an edit in the match's log."""

from games.admin import accounts, catalogue, log, match, pieces, webhooks
from games.hall import admin as events

__all__ = ["accounts", "catalogue", "events", "log", "match", "pieces", "webhooks"]
