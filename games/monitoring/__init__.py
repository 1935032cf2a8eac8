"""What an organiser or their monitoring may know about a running server: numbers, never who or what."""
