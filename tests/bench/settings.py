"""The program's own settings, and one address more: the empty answer that a tap is measured against."""

import os

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.empty"

if "queries" in os.environ.get("ROUNDTABLE_STOCK", "").split():
    # Django's own backend for SQLite. It keeps the log that the file has, which no stock Django would have.
    OPTIONS = {"transaction_mode": "IMMEDIATE", "timeout": 5, "init_command": "PRAGMA synchronous=FULL"}
    DATABASES["default"].update(ENGINE="django.db.backends.sqlite3", OPTIONS=OPTIONS)  # noqa: F405
