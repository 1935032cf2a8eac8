"""Game modes: how a match is set up and what it scores."""
