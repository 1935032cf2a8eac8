"""The ASGI application, as `manage.py serve` hands it to uvicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django = get_wsgi_application()

from config.shell import Shell  # noqa: E402 - only after Django has been set up
from games.live.hub import hub  # noqa: E402

application = Shell(django, hub)
