"""What an event is and what may be done to it, as plain data and pure functions."""
