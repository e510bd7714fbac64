"""What is promised about coverage, and why."""

from __future__ import annotations

from dataclasses import dataclass

from dpcp_core.conformal.methods import Recipe
from dpcp_core.conformal.stability import StabilityFactor


@dataclass(frozen=True)
class CoverageCertificate:
    """The promise about a new row, or the reason why there is none.

    Attributes
    ----------
    confidence_level : float
        Wanted coverage.
    holds : bool
        Whether coverage of at least ``confidence_level`` is proved, for every distribution.
    level : float
        Miss rate that the quantile aimed at, in (0, 1 - confidence_level].
    target_count : float or None
        Ranked rows allowed above the threshold; None where the quantile is not private.
    n : int
        Ranked rows.
    quantile_epsilon : float or None
        Epsilon of the quantile; None where it is not private.
    bins : int or None
        Candidate thresholds; None where the quantile is not private.
    stability : str
        How ranking rows that trained was paid for.
    widening : float
        Public amount added to the threshold, in score units.
    reason : str
        One sentence.
    """

    confidence_level: float
    holds: bool
    level: float
    target_count: float | None
    n: int
    quantile_epsilon: float | None
    bins: int | None
    stability: str
    widening: float
    reason: str

    @property
    def nothing_narrower(self) -> bool:
        """Whether only the whole range, or every class, could be promised."""
        return self.target_count is not None and self.target_count <= 0


def certify(
    *,
    confidence_level: float,
    recipe: Recipe,
    factor: StabilityFactor,
    n: int,
    quantile_epsilon: float | None,
    bins: int | None,
    target_count: float | None,
    proved: bool = True,
    from_file: tuple[str, ...] = (),
) -> CoverageCertificate:
    """Return the certificate of a procedure from its recipe and its stability factor.

    ``proved`` says whether the quantile keeps to the level that it aimed at. Columns in ``from_file`` were described
    by reading the rows, which every proof excludes.
    """
    holds, reason = _promise(recipe, factor, target_count, confidence_level, proved)
    if holds and from_file:
        holds, reason = False, not_proved_with_bounds_of_the_file(reason)
    return CoverageCertificate(
        confidence_level=confidence_level,
        holds=holds,
        level=factor.level,
        target_count=target_count,
        n=n,
        quantile_epsilon=quantile_epsilon,
        bins=bins,
        stability=factor.name,
        widening=factor.widening,
        reason=reason,
    )


def not_proved_with_bounds_of_the_file(reason: str) -> str:
    """Return why nothing is proved, and what would be if bounds and categories were public.

    >>> not_proved_with_bounds_of_the_file("Coverage is proved.")
    'Not proved, as bounds or categories were read off the rows. With public ones: coverage is proved.'
    """
    would_be = reason[:1].lower() + reason[1:]
    return f"Not proved, as bounds or categories were read off the rows. With public ones: {would_be}"


def _promise(
    recipe: Recipe, factor: StabilityFactor, target_count: float | None, confidence_level: float, proved: bool
) -> tuple[bool, str]:
    wanted = f"{100 * confidence_level:.4g} %"
    if factor.name == "none":
        return False, f"No promise: {factor.reason}."
    if recipe.private_quantile and recipe.quantile != "exponential" and not proved:
        return False, f"No promise: this quantile's noise is not made up for, as published; {factor.reason}."
    if recipe.private_quantile and not proved:
        return False, (
            "Coverage as the paper argues it, under its own assumptions and with a correction that is not proved "
            f"for every distribution; {factor.reason}."
        )
    if recipe.private_quantile and target_count is not None and target_count <= 0:
        return True, f"Coverage of {wanted} could only be certified by ruling nothing out; {factor.reason}."
    promise = f"Coverage of at least {wanted} is proved for new rows of the same population, however it is distributed"
    return True, f"{promise}; {factor.reason}."
