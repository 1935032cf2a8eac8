"""The organiser's pages: the Django admin, where every save is an edit in the match's log."""

from games.admin import catalogue, events, log, match, pieces, webhooks

__all__ = ["catalogue", "events", "log", "match", "pieces", "webhooks"]
