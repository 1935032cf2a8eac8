"""The data of a server: its folder, its database file, backups, and what goes after a time."""
