"""The way to a table: finding one, starting one, taking seats, bringing armies."""
