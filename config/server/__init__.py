"""How the program is served: sockets, threads, and whose request is next."""
