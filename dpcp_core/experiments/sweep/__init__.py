"""Many settings on one table: every training once, every cell once, side by side, kept on disk."""
