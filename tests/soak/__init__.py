"""Nothing is lost, shown by experiment: `python -m tests.soak` tries it at length, the tests briefly."""
