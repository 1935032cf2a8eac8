"""An event's pages for its players and spectators: phones, standings, television, paper."""
