"""What is made known when the program starts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables")

    def ready(self) -> None:
        """Find the games, and tell the live streams of every change."""
        from games import discovery
        from games.live import view
        from games.live.hub import hub
        from games.match import play
        from games.people import seats

        discovery.discover()
        seats.on_revoke.append(hub.drop)
        seats.on_ask.append(hub.refresh)
        play.on_change.append(view.announce)
        hub.snapshots = view.snapshot
