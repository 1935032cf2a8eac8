"""The data of a server: its folder, its database file, backups, and what is removed after a time."""
