"""The rules engine: pure Python, no Django, no randomness of its own, no clock, no input or output."""
