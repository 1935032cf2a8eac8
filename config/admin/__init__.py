"""The admin of an organiser: who gets in, and how its forms are drawn."""
