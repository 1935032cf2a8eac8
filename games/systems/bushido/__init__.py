"""Bushido: Risen Sun."""
