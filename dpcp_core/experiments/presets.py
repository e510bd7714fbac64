"""Values that experiments offer: the methods that are compared, and steps of epsilon."""

from __future__ import annotations

from dpcp_core.evaluation.doctor import EPSILON_STEPS

COMPARED = ("oracle", "split", "naive", "differential", "pscp", "pcoqs", "laplace_histogram", "dpcp_paper", "dpcp")
"""Methods of the comparison, from no privacy to all of it."""

EPSILONS = EPSILON_STEPS
"""Steps from very private to hardly."""

COMPARED_EPSILONS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0)
"""The twelve of a comparison."""
