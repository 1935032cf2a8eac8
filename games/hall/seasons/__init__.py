"""What several events add up to: statistics of the results entered by hand, ratings, seasons."""
