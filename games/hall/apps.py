"""The events as an application of their own: they build on the matches, and never the other way round."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    name = "games.hall"
    label = "events"
    verbose_name = _("Events")

    def ready(self) -> None:
        """Follow every change at a table: what it says about a pairing's result is taken over."""
        from django.db.models.signals import post_delete

        from games.hall import event_actions, event_tables
        from games.history.signals import match_changed
        from games.models import Match

        match_changed.connect(event_tables.follow)
        post_delete.connect(event_actions.forget_positions, sender=Match)
