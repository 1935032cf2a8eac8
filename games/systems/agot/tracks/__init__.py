"""What every mode has: the round, the three tracks, Westeros, bids, wildlings."""
