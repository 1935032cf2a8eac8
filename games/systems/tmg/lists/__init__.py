"""Army lists: what people paste, the catalogue that it is read by, and the roster that takes the table."""
