"""Pages on the way to a table and at it, as players meet them."""
