"""The organiser's pages: the Django admin, where every save is an edit in the match's log."""

from games.admin import accounts, catalogue, events, log, match, pieces, webhooks

__all__ = ["accounts", "catalogue", "events", "log", "match", "pieces", "webhooks"]
