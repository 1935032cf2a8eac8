"""The rules by chapter: set-up, phases, activations, states, wounds, scenarios, scoring, the end."""
