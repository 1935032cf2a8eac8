"""The table: its page and board, and what is tapped there."""
