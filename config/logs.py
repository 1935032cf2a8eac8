"""What is written to the console, and what never is: every line loses the tokens in its addresses."""

from __future__ import annotations

import json
import logging
import re
from http import HTTPStatus
from typing import Any

# A long last or middle segment of a path is a capability: a seat link or the token of a live stream.
# An event's begins with the number of its holder ("p12.…").
_CAPABILITY = re.compile(r"(?<=/)(?:[a-z]\d+\.)?[A-Za-z0-9_:\-]{20,}(?=[/?#\s'\"]|$)")


def redact(text: str) -> str:
    """The text with every long path segment replaced by an ellipsis."""
    return _CAPABILITY.sub("…", text)


def without_known_trace(record: logging.LogRecord) -> bool:
    """Let every line pass, but without its traceback if the fault is not ours.

    What caused a pause (503) is logged once a minute; a senseless request (400) is its sender's fault.
    """
    if getattr(record, "status_code", None) in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.BAD_REQUEST):
        record.exc_info = None
    return True


class PlainLine(logging.Formatter):
    """`12:01:33 WARNING django.request Not Found: /x`, for a person at a laptop."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", "%H:%M:%S", style="{")

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class JsonLine(logging.Formatter):
    """One JSON object per line, for a server's log collector."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        if record.exc_info:
            line["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def configuration(*, as_json: bool) -> dict[str, Any]:
    """Django's LOGGING: everything to the console, as one JSON object per line or as lines for people."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"known": {"()": lambda: without_known_trace}},
        "formatters": {
            "json": {"()": "config.logs.JsonLine"},
            "plain": {"()": "config.logs.PlainLine"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "filters": ["known"],
                "formatter": "json" if as_json else "plain",
            },
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        "loggers": {
            # Replaces Django's own, which would mail a request's form fields to the administrators.
            "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "uvicorn": {"level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
            # It tells every attempt at a round that is hard to pair, and warns of byes that nobody gets.
            "caissify_pairings": {"level": "ERROR"},
            # If it could reach a handler, uvicorn would compose a line for every request, only to drop it.
            "uvicorn.access": {"propagate": False},
        },
    }
