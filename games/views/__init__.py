"""Pages and answers: thin functions that ask `play` and fill `view_models`."""
