"""How the table's page shows the game."""
