"""Pages for those who look on: watchers, televisions, overlays, frames."""
