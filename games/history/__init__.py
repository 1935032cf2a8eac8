"""What matches and events share: how something is committed, logged, undone, exported, kept and checked."""
