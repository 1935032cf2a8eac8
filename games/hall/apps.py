"""The events as an application of their own: they build on the matches, and never the other way round."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    name = "games.hall"
    label = "events"
    verbose_name = _("Events")

    def ready(self) -> None:
        """Follow every change at a table: what it says about a pairing's result is taken over."""
        from games.hall import event_tables
        from games.match import committing

        committing.on_change.append(event_tables.follow)
