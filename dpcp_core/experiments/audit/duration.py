"""How long an audit will take, told before it runs.

>>> expected_seconds(["mechanism", "synthesis"], n_epsilons=2)
50
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dpcp_core.experiments.audit.audited import TIMES, Effort, Kind

_SECONDS: Mapping[Kind, int] = MappingProxyType({"mechanism": 17, "training": 24, "synthesis": 8})
"""One quick look at all claims of a kind, at one epsilon."""


def expected_seconds(kinds: Iterable[Kind], n_epsilons: int, effort: Effort = "quick") -> int:
    """Return about how long an idle computer takes to attack all claims of these kinds at so many epsilons."""
    return TIMES[effort] * n_epsilons * sum(_SECONDS[kind] for kind in kinds)
