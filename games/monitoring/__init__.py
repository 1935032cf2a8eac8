"""What an organiser or a program of theirs may know of a running server: numbers, never who or what."""
