"""Everything that costs or measures privacy: budgets, profiles, the private quantile, receipts.

Start with ``budget`` (how much), ``profile`` (what a training run costs), ``grid`` and ``quantile`` (the
mechanism), ``randomness`` (where chance comes from) and ``receipt`` (what was spent and promised).
"""
