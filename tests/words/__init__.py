"""Sentences: complete in every language, in the words that docs/words.md asks for."""
