"""What was counted wrong is put right here at any time."""
