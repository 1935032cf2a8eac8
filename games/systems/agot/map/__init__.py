"""The second depth: the map as well. Areas, marches, fights, supply, ports, and the wildling losses."""
