"""The first depth: the round, the three tracks, Westeros, bids, wildlings. The board lies on the table."""
