"""From exploring to something that may leave the building: spend once, publish a bundle.

What would a release cost, and may it be? ``plan_intervals(data, choices, schema_text)`` or ``plan_table(...)``, which
draw nothing. How is it made? ``release(plan, ledger)``. How is a bundle used? ``open_bundle(path).predict(frame)``.
"""

from __future__ import annotations

from dpcp_core.release.bundle import Bundle, Predictions
from dpcp_core.release.intervals import plan_intervals
from dpcp_core.release.opening import open_bundle
from dpcp_core.release.plan import ReleasePlan
from dpcp_core.release.run import Released, ReleaseStopped, release
from dpcp_core.release.table import plan_table

__all__ = [
    "Bundle",
    "Predictions",
    "ReleasePlan",
    "ReleaseStopped",
    "Released",
    "open_bundle",
    "plan_intervals",
    "plan_table",
    "release",
]
