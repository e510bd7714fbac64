"""What the lessons show, each computed with the mechanism that it speaks of.

``counting`` (a noisy count with and without one person), ``sharing`` (one budget for model and threshold), ``copying``
(synthetic tables with and without one person). The lesson on coverage takes an ordinary simulation.
"""
