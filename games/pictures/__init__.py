"""Numbers as pictures: charts for the pages, the picture of a score for a shared link."""
