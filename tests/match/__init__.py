"""What can be done to a match in the database: actions, undo, practice."""
