"""Corrections, open at any time: what the table noted wrongly or a card changed."""
