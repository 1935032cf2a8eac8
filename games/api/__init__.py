"""For robots, overlays and other programs: the table as JSON, described at `/api/openapi.json`.

Only a bearer token speaks for a seat; a session never does, so nothing here needs a
CSRF token. Every refusal is `{error, message, rule}`.
"""

from __future__ import annotations

from django.conf import settings
from django.views.decorators.http import require_safe

from games.api.errors import Api
from games.api.matches import router
from games.api.reading import StrictParser
from games.hall import event_api

api = Api(
    title="Roundtable",
    version=settings.VERSION,
    description=__doc__ or "",
    docs_url=None,
    urls_namespace="api",
    docs_decorator=require_safe,
    parser=StrictParser(),
)
api.add_router("", router)
api.add_router("", event_api.router)
