"""The live path: hub, streams, what goes over the wire, and how it ends."""
