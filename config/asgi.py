"""The ASGI application and its protocol, as `manage.py serve` hands them to uvicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django = get_wsgi_application()

from config.server.connections import Connection  # noqa: E402 - only after Django has been set up
from config.server.shell import Shell  # noqa: E402
from games.live.audiences import snapshot  # noqa: E402
from games.live.hub import hub  # noqa: E402

__all__ = ["Connection", "application"]

hub.snapshots = snapshot
application = Shell(django, hub)
