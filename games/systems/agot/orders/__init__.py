"""The third depth: orders as well. Placed on the phones in secret, and resolved there."""
