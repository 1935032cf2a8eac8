"""The server around Django: settings, commands, sockets, queues, limits, databases, health."""
