"""The program's own settings plus one address: the empty answer that a tap is measured against."""

import os
import sqlite3

from config.data.sqlite_guard import sqlite_options
from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.empty"

if "queries" in os.environ.get("ROUNDTABLE_STOCK", "").split():
    # Django's own backend with Python's SQLite, opened in a way that loses nothing.
    DATABASES["default"].update(  # noqa: F405
        ENGINE="django.db.backends.sqlite3", OPTIONS=sqlite_options(sqlite3.sqlite_version_info)
    )
