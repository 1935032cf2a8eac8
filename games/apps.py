"""What is done when the program starts."""

from pathlib import Path

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables")

    def ready(self) -> None:
        """Compile the translations, find the games, and have every change announced to the live streams."""
        from games import discovery, translation

        translation.compile_catalogues(Path(self.path))
        discovery.discover()
        # Its receivers listen from now on.
        from games.live import audiences  # noqa: F401
