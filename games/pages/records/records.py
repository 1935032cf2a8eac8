"""Results for programs: a match as open JSON, and the schema that describes it."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.models import Match
from games.pages.access import match_of, refusing
from games.pages.table.loaded import Table
from games.record import form
from games.record.result import result_of
from games.web.database import one_moment
from games.web.program import tag

DAY = 24 * 60 * 60


@require_safe
@refusing
def result(request: HttpRequest, code: str) -> HttpResponse:
    """A match as open JSON, for anyone who knows its code: the result, or the score so far."""
    match = match_of(code)
    return answer_with(request, match)


def answer_with(request: HttpRequest, match: Match) -> HttpResponse:
    """The result of a match, or the answer that the reader has it already."""
    response = get_conditional_response(request, etag=_tag(match))
    if response is None:
        with one_moment():
            match.refresh_from_db()
            result = result_of(match, Table(match).state)
        response = HttpResponse(
            json.dumps(result, ensure_ascii=False, indent=1), content_type="application/json"
        )
        response["ETag"] = _tag(match)
        response["Link"] = f'<{form.SCHEMA_URL}>; rel="describedby"'
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _tag(match: Match) -> str:
    return f'"{tag(match.version, match.chain, get_language() or "en", "result")}"'


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of a result. The meaning of what it describes never changes, so it may be cached."""
    response = HttpResponse(form.schema_text(), content_type="application/schema+json")
    patch_cache_control(response, public=True, max_age=DAY)
    # A validator may well run on another site.
    response["Access-Control-Allow-Origin"] = "*"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
