"""Whether a server is well: for programs, for organisers, and before it starts."""
