"""Who hears of a new version: the hub, the streams, and what they show."""
