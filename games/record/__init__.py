"""What is kept of matches for others: a result as open JSON, and statistics over many matches."""
