"""Events: players, rounds, pairings, the hall's clock, judges, standings."""
