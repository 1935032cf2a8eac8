"""What is made known when the program starts."""

from pathlib import Path

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables")

    def ready(self) -> None:
        """Compile the translations, find the games, and tell the live streams of every change."""
        from games import discovery, translation
        from games.live import view
        from games.live.hub import hub
        from games.match import play
        from games.people import seats

        translation.compile_catalogues(Path(self.path))
        discovery.discover()
        seats.on_revoke.append(hub.drop)
        seats.on_ask.append(hub.refresh)
        play.on_change.append(view.announce)
        hub.snapshots = view.snapshot
