"""Matches for those who do not play: watchers, televisions, streams and frames on other pages."""
