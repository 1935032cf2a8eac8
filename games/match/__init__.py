"""A match's life: its rows and its position, its taps, its log, undo and replay."""
