"""What others can get from matches: a result as open JSON, and statistics over many matches."""
