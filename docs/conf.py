"""How Sphinx builds these pages: `make docs`."""

project = "Roundtable"
extensions = ["myst_parser"]
html_theme = "alabaster"
html_theme_options = {"description": "The live companion for a tabletop game"}
html_show_copyright = False
myst_heading_anchors = 3
exclude_patterns: list[str] = []
