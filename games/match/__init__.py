"""A match's life: its rows and its position, its taps, its log, what undoes and replays them."""
