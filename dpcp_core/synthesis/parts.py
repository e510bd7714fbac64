"""What one part of a synthesis says of itself on a receipt."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.receipt import ONE_ROW, ReceiptEntry
from dpcp_core.privacy.shared_budget import joint_epsilon

_LEAST_EPSILON = 1e-12


@dataclass(frozen=True)
class Part:
    """One mechanism of a synthesis.

    Attributes
    ----------
    mechanism : str
        What ran.
    reads : str
        Which columns it read; the number of rows is added.
    sensitivity : str
        How far one row can move what is released.
    detail : str
        Noise and the like.
    profile : PrivacyProfile or None
        None where nothing is promised.
    """

    mechanism: str
    reads: str
    sensitivity: str
    detail: str
    profile: PrivacyProfile | None

    def entry(self, n_rows: int, delta: float) -> ReceiptEntry:
        """Return its line, with what it costs by itself at the delta of the whole."""
        epsilon = math.inf if self.profile is None else max(joint_epsilon((self.profile,), delta), _LEAST_EPSILON)
        return ReceiptEntry(
            self.mechanism,
            f"{self.reads} of {n_rows:,} rows",
            ONE_ROW,
            self.sensitivity,
            epsilon,
            delta if math.isfinite(epsilon) else 0.0,
            self.detail,
        )
