"""The organisers' side of an event."""
