"""What an event is and what may be done to it, in plain data and pure functions."""
