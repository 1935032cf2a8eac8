"""What is known of a match afterwards: its history, score and replay, and statistics over many."""
