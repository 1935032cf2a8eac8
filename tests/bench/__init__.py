"""Measurements, run by `make bench`: each beside a floor in the same run, so that ratios mean something."""
