"""What attacks on trained models found, in words.

>>> ATTACK_NAMES["worst_row"]
'Worst row, all others known'
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpcp_core._words import rounded_up
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.meaning import in_100

if TYPE_CHECKING:
    from dpcp_core.evaluation.audit.estimates import PrivacyRisk
    from dpcp_core.experiments.membership import MembershipResult

ATTACK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "bound": "No attack gets above",
        "worst_row": "Worst row, all others known",
        "likelihood": "Rows of the table, likelihood ratio",
        "loss": "Rows of the table, loss alone",
        "without_privacy": "Without privacy, likelihood ratio",
        "guessing": "Guessing",
    }
)
"""Lines of the picture, by the name of the field that holds them."""

FALSE_ALARMS = "False alarms: “was in” said of rows that were not"
HITS = "Hits: “was in” said of rows that were"


def membership_headline(result: MembershipResult) -> str:
    """Return what was found, in one sentence.

    Guessing is worth 0; an attacker who is always right has an advantage of 100 percentage points.
    """
    most, found = _limit(result.largest_advantage), result.likelihood.advantage
    if found.low <= 0:
        return f"On rows of this table the attack did no better than guessing; the budget allows at most {most}"
    return (
        f"On rows of this table the attack beats guessing by {_points(found.value)}; the budget allows at most {most}"
    )


def membership_alt(result: MembershipResult) -> str:
    """Return what the picture shows, with numbers and their uncertainty."""
    ratio, loss, worst, bare = (
        curve.advantage for curve in (result.likelihood, result.loss, result.worst_row, result.without_privacy)
    )
    return (
        f"{membership_headline(result)}. Hits minus false alarms at one threshold: {_with_interval(ratio)} by "
        f"likelihood ratio and {_with_interval(loss)} by loss alone; {_with_interval(bare)} on models without privacy; "
        f"{_with_interval(worst)} for a row made up to be found by somebody who knows all others. "
        "Where one alarm in a hundred is false, the likelihood ratio finds "
        f"{say.percent(result.likelihood.tpr_at_1_percent.value)} of the rows and the limit is "
        f"{in_100(result.largest_tpr_at_1_percent)}. {result.n_models} models, each trained on half of "
        f"{say.whole(result.n_rows)} rows; intervals of {say.level(ratio.confidence)}."
    )


def _points(share: float) -> str:
    """Return a difference of two shares.

    >>> _points(0.107), _points(0.021)
    ('11 percentage points', '2.1 percentage points')
    """
    return f"{say.number(100 * share)} percentage points"


def _limit(share: float) -> str:
    """Return a limit of a difference of two shares, rounded up.

    >>> _limit(0.101), _limit(0.0201)
    ('11 percentage points', '2.1 percentage points')
    """
    places = say.decimals(100 * share)
    return f"{say.fixed(rounded_up(100 * share, places), places)} percentage points"


def _with_interval(risk: PrivacyRisk) -> str:
    return f"{say.number(100 * risk.value)} ({say.number(100 * risk.low)} to {say.number(100 * risk.high)}) points"
