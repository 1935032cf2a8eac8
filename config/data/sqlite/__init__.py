"""Django's backend for SQLite, with a driver that brings its own SQLite."""
