"""An event's pages for those who play in it and look on: phones, standings, television, paper."""
