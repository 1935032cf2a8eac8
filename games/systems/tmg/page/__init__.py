"""How the game shows itself on the table's page."""
