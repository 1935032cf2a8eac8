"""Army lists: what people paste, the catalogue to read it with, and the roster that takes the table."""
