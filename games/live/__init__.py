"""Who is told about a new version: the hub, the streams, and what they show."""
