"""Other ways to make a synthetic table, with one interface.

>>> list(RIVALS)
['uniform', 'independent', 'naive_bayes', 'mst', 'aim']

How do I run one?  ``run_rival("mst", frame, schema, epsilon=1.0)``, in a process of its own and with a time-out.
"""

from __future__ import annotations

from dpcp_core.synthesis.rivals.protocol import CodedRows, Rival, RivalRun
from dpcp_core.synthesis.rivals.registry import RIVALS
from dpcp_core.synthesis.rivals.run import BINS, MOST_SECONDS, run_rival

__all__ = ["BINS", "MOST_SECONDS", "RIVALS", "CodedRows", "Rival", "RivalRun", "run_rival"]
