"""The mode that adds the orders: placed on the phones in secret, and resolved there."""
