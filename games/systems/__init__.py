"""The games of this repository. Each is one folder with a `SYSTEM`; adding one touches nothing outside it.

`games.discovery` finds them, and those of other people's packages.
"""
