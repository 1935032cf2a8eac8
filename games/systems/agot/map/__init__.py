"""The mode with the map: areas, marches, fights, supply, ports, and the wildling losses."""
