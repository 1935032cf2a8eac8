"""Measurements, run by `make bench`: each next to a floor of the same run, so that ratios mean something."""
