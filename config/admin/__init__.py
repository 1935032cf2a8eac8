"""The organiser's admin: who gets in, and how its forms are drawn."""
