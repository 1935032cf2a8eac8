"""The rules engine: pure Python, no Django, no chance of its own, no clock, no input or output."""
