"""The program as a package that is installed: how it is built, and the command it brings."""
