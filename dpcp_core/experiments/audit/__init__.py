"""Attacks on our own mechanisms, trainers and synthetic tables, each held against the claim on its receipt.

Start with ``run`` (``audit``), ``registry`` (every claim), ``faults`` (claims broken on purpose) and ``report`` (what
was found). One table is attacked by ``subtraction`` (read one row off a release), ``planted`` (look for a value that
one row holds) and ``synthetic_risks`` (compare with people who were not in it).
"""
