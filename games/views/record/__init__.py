"""What is known of a match afterwards: its history, score, replay and what is counted of many."""
