"""What stands between a request and a view: limits, refusals, uploads, addresses, database trouble."""
