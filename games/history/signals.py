"""What matches and events tell those above them, once it is committed: the live streams listen to all."""

from django.dispatch import Signal

match_changed = Signal()
"""A match has a new `version`; `loaded` is the match as this action, or a later one at once, has left it."""
event_changed = Signal()
"""An event, with this `code`, has a new `version`."""
event_table_changed = Signal()
"""A table of an event has changed: the codes of the `event` and the `match`."""
seat_freed = Signal()
"""A seat was taken away: the `code` of its match, its key (`seat`), and the `epoch` that it had."""
link_revoked = Signal()
"""The link of a player or helper was revoked: the event's `code`, its `holder`, the `epoch` that it had."""
requests_changed = Signal()
"""Somebody asks for a seat at the match with this `code`, or no longer does."""
