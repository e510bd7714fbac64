"""Every word and number that a person reads, computed from settings and results."""
