"""What templates may use beyond Django's own tags."""
