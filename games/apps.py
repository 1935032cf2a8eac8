"""What is made known when the program starts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables")

    def ready(self) -> None:
        from games import discovery, play, seats
        from games.live import hub
        from games.views import streams

        discovery.discover()
        seats.on_revoke.append(hub.drop)
        seats.on_ask.append(hub.refresh)
        play.on_change.append(streams.announce)
        hub.snapshots = streams.snapshot
