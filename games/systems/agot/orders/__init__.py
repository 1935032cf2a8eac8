"""The mode with the orders as well: placed on the phones in secret, and resolved there."""
