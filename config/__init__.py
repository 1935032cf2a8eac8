"""How the project is put together and served: settings, addresses, the ASGI shell, refusals."""
