"""Nothing is lost, by experiment: `python -m tests.soak` tries it at length, the tests in short."""
