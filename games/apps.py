"""What is connected when the program starts."""

from pathlib import Path

from django.apps import AppConfig
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables")

    def ready(self) -> None:
        """Compile the translations, find the games, and have every change announced to the live streams."""
        from games import discovery, translation
        from games.hall import event_actions as events
        from games.hall import event_links, event_tables
        from games.live import audiences
        from games.live.hub import hub
        from games.match import committing
        from games.models import Match
        from games.people import seat_requests, seats

        translation.compile_catalogues(Path(self.path))
        discovery.discover()
        seats.on_revoke.append(hub.drop)
        seat_requests.on_ask.append(hub.refresh)
        committing.on_change.append(audiences.announce)
        post_delete.connect(audiences.announce_end, sender=Match, dispatch_uid="ended")
        events.on_change.append(audiences.announce_event)
        event_tables.on_table.append(audiences.announce_table)
        event_links.on_revoke.append(audiences.drop_from_event)
        hub.snapshots = audiences.snapshot
