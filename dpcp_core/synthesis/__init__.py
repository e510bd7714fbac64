"""DPDSyn: a synthetic table that serves a task, with the privacy of each part on a receipt."""
