"""What every mode plays: the round, the three tracks, Westeros, bids, wildlings."""
