"""What the table noted wrong, or a card changed, is put right here at any time."""
