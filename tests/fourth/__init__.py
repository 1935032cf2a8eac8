"""A fourth game, in a package of somebody else's: the one that the tutorial builds."""
