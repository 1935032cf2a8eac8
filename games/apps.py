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
        from games.hall import access, matches
        from games.hall import play as events
        from games.live import view
        from games.live.hub import hub
        from games.match import committing
        from games.models import Match
        from games.people import seat_requests, seats

        translation.compile_catalogues(Path(self.path))
        discovery.discover()
        seats.on_revoke.append(hub.drop)
        seat_requests.on_ask.append(hub.refresh)
        committing.on_change.append(view.announce)
        post_delete.connect(view.announce_end, sender=Match, dispatch_uid="ended")
        events.on_change.append(view.announce_event)
        matches.on_table.append(view.announce_table)
        access.on_revoke.append(view.drop_from_event)
        hub.snapshots = view.snapshot
