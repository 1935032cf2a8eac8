"""One form for every refusal: `{error, message, rule}`, with the message in the caller's language."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import chain
from typing import Any, NoReturn

import msgspec
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationErrorContext

from games.api.auth import TooFast
from games.core import Line, RequestRefused, Unreadable, say
from games.core import gettext_noop as _
from games.translation import words
from games.web import journal, sentence_of, trouble

View = Callable[..., HttpResponse]


class Api(NinjaAPI):
    """Ninja's routes and description, with our own answers when something goes wrong."""

    described: Any = None

    def validation_error_from_error_contexts(self, error_contexts: list[ValidationErrorContext]) -> Any:
        """The first thing that is wrong with a request, as a refusal."""
        problems = [context.pydantic_validation_error.errors(include_url=False) for context in error_contexts]
        for problem in chain.from_iterable(problems):
            _cut_loose(problem)
        return _invalid(problems[0][0])

    @property
    def urls(self) -> Any:
        """The routes, each answering HEAD like GET and other methods in our form."""
        patterns, app, namespace = super().urls
        for pattern in patterns:
            pattern.callback = _in_our_form(pattern.callback)  # type: ignore[arg-type]
        return patterns, app, namespace

    def get_openapi_schema(self, **arguments: Any) -> Any:
        """The description, including the token that speaks for a seat; made once, as it takes a while."""
        if self.described is None:
            self.described = super().get_openapi_schema(**arguments)
            self.described["components"]["securitySchemes"] = {"seat": {"type": "http", "scheme": "bearer"}}
        return self.described

    def set_default_exception_handlers(self) -> None:
        """Turn refusals into answers; leave our own faults to Django to log, never showing a traceback."""
        self.add_exception_handler(RequestRefused, _refused)
        self.add_exception_handler(Unreadable, _unreadable)
        self.add_exception_handler(TooFast, _too_fast)
        self.add_exception_handler(DatabaseError, _database)
        self.add_exception_handler(HttpError, _http_error)
        self.add_exception_handler(Http404, _raise)
        self.add_exception_handler(Exception, _raise)


def answer(data: dict[str, Any], status: int = 200, **headers: str) -> HttpResponse:
    """A JSON answer; keywords become headers, with hyphens for underscores."""
    response = HttpResponse(json_text(data), status=status, content_type="application/json")
    for name, value in headers.items():
        response[name.replace("_", "-")] = value
    return private(response)


def keyed_answer(data: dict[str, Any], status: int = 200, *, is_replay: bool) -> HttpResponse:
    """The answer to a request with a key; a header marks one that is given again."""
    return answer(data, status, **({"Idempotent_Replay": "1"} if is_replay else {}))


def private(response: HttpResponse) -> HttpResponse:
    """The response marked as for one reader in one language, so that no cache keeps it."""
    response["Cache-Control"] = "private, no-store"
    patch_vary_headers(response, ["Authorization", "Accept-Language"])
    return response


def json_text(data: Any) -> str:
    """JSON on one line, so that it can be one event of a stream."""
    return msgspec.json.encode(data).decode()


def refusal(refused: RequestRefused, **more: Any) -> HttpResponse:
    """A refusal as an answer; `more` joins its three members. 401 says what is missing (RFC 9110)."""
    body = {"error": refused.error, "message": words(refused.line), "rule": refused.rule or None}
    headers = {"WWW_Authenticate": 'Bearer realm="Roundtable"'} if refused.status == 401 else {}
    return answer({**body, **more}, refused.status, **headers)


def unreadable(problem: Unreadable, field: str = "") -> RequestRefused:
    """The refusal of what validation did not let through, with the name of its field."""
    line = say(_("%(field)s: %(problem)s"), field=field, problem=problem.line) if field else problem.line
    return RequestRefused(line, problem.status, "unreadable")


def _cut_loose(problem: Any) -> None:
    """Forget where an error of our own was raised.

    The frames there refer to pydantic's error, which refers to ours. Python's garbage collector does not see
    that, as pydantic is not written in Python: request and answer would stay in memory for good.
    """
    if cause := problem.get("ctx", {}).get("error"):
        cause.__traceback__ = cause.__context__ = cause.__cause__ = None


def _invalid(problem: Any) -> RequestRefused:
    cause = problem.get("ctx", {}).get("error")
    field = ".".join(str(part) for part in problem["loc"][1:])
    if isinstance(cause, Unreadable):
        return unreadable(cause, field)
    sentence = _PROBLEMS.get(problem["type"], _("This cannot be read."))
    if problem["type"] == "missing" and not field:
        sentence = _("There is nothing in this request.")
    return unreadable(Unreadable(Line(sentence)), field)


_PROBLEMS = {
    "missing": _("This is missing."),
    "extra_forbidden": _("This does not belong here."),
    "model_attributes_type": _("This must be a JSON object."),
    "list_type": _("This must be a list."),
    "bool_type": _("This must be true or false."),
    "too_long": _("These are too many."),
}


def _http_error(request: HttpRequest, exc: Any) -> HttpResponse:
    cause = exc.__cause__
    if isinstance(cause, Unreadable):
        return refusal(unreadable(cause))
    return refusal(RequestRefused(say(_("That request could not be understood.")), 400, "malformed"))


def _refused(request: HttpRequest, exc: Any) -> HttpResponse:
    return refusal(exc)


def _unreadable(request: HttpRequest, exc: Any) -> HttpResponse:
    return refusal(unreadable(exc))


def _too_fast(request: HttpRequest, exc: Any) -> HttpResponse:
    return exc.response


def _database(request: HttpRequest, exc: Any) -> HttpResponse:
    wrong = trouble(exc)
    if wrong is None:
        raise exc
    journal.note(wrong, exc)
    response = refusal(RequestRefused(say(sentence_of(wrong)), 503, wrong.error))
    response["Retry-After"] = str(wrong.retry_seconds)
    return response


def _raise(request: HttpRequest, exc: Any) -> NoReturn:
    raise exc


def _in_our_form(view: View) -> View:
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        method = request.method
        request.method = "GET" if method == "HEAD" else method
        try:
            response = view(request, *args, **kwargs)
        finally:
            request.method = method
        return _not_allowed(response["Allow"]) if response.status_code == 405 else response

    return answered


def _not_allowed(allowed: str) -> HttpResponse:
    response = refusal(RequestRefused(say(_("That cannot be done with this address.")), 405, "method"))
    response["Allow"] = allowed
    return response
