"""The program as an installed package: how it is built, and the command it brings."""
