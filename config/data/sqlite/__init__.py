"""Django's backend for SQLite, with a cursor of our own."""
