"""The receipt of a conformal procedure: what each step read, what it cost, what is promised."""

from __future__ import annotations

import math

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.leaks import read_off_rows
from dpcp_core.conformal.methods import Recipe
from dpcp_core.data.schema import Column
from dpcp_core.privacy.allocation import Allocation
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.receipt import ONE_ROW, PrivacyReceipt, ReceiptEntry


def write_receipt(
    recipe: Recipe,
    budget: PrivacyBudget,
    allocation: Allocation,
    *,
    training: ReceiptEntry,
    certificate: CoverageCertificate,
    target: Column,
    one_row_is: str = "",
    from_file: tuple[str, ...] = (),
    mode: str = "simulation",
) -> PrivacyReceipt:
    """Return the receipt of one run of a procedure.

    Parameters
    ----------
    recipe : Recipe
    budget : PrivacyBudget
        Asked for, in total.
    allocation : Allocation
        What each step spent.
    training : ReceiptEntry
        The trainer's own line, from its ``receipt_entry``.
    certificate : CoverageCertificate
    target : Column
    one_row_is : str
        What one row stands for.
    from_file : tuple of str
        Columns whose bounds or categories were read off the rows; each is a leak.
    mode : str
        ``simulation`` or ``release``.
    """
    return PrivacyReceipt(
        entries=(training, _quantile_entry(recipe, allocation, certificate)),
        composition=recipe.composition,
        total=budget if recipe.is_private else PrivacyBudget.infinite(),
        guarantee=certificate.reason,
        assumptions=_assumptions(certificate, target),
        not_protected=_not_protected(),
        leaks=(*_leaks(recipe), *_file_leaks(from_file)),
        mode="release" if mode == "release" else "simulation",
        one_row_is=one_row_is,
    )


def _quantile_entry(recipe: Recipe, allocation: Allocation, certificate: CoverageCertificate) -> ReceiptEntry:
    reads = f"scores of {certificate.n:,} rows"
    if not recipe.private_quantile or allocation.quantile_epsilon is None:
        return ReceiptEntry("Plain quantile of the scores", reads, ONE_ROW, "without bound", math.inf, 0.0, "no noise")
    return ReceiptEntry(
        f"Private quantile (exponential mechanism, {LOSSES[recipe.loss].name} loss)",
        reads,
        ONE_ROW,
        _sensitivity(recipe, certificate),
        allocation.quantile_epsilon,
        0.0,
        f"{certificate.bins} candidate thresholds on a public {recipe.grid} grid",
    )


def _sensitivity(recipe: Recipe, certificate: CoverageCertificate) -> str:
    target = certificate.target_count
    if target is None or target <= 0:
        return "nothing: the whole range is returned whatever the rows"
    loss = LOSSES[recipe.loss].aiming_at(target, n=certificate.n, guarantee=recipe.guarantee)
    return f"{loss.sensitivity:.4g} (in the utility of a candidate)"


def _assumptions(certificate: CoverageCertificate, target: Column) -> tuple[str, ...]:
    shared = (
        "Bounds, typical ranges, categories, the number of rows and all settings are public knowledge.",
        f"The target counts within its public bounds: values of {target.title} beyond them are clipped.",
    )
    if not certificate.holds:
        return shared
    return (*shared, "A new row comes from the same population as the rows in the table (exchangeable).")


def _not_protected() -> tuple[str, ...]:
    return (
        "That the table exists, and how many rows it has.",
        "What holds for the whole population: a result may teach something about everybody, in the table or not.",
        "The person whose interval is shown: their own values are put in to get it.",
        "Anything done with the rows beside this one run: choosing settings by looking at them, preparing them, "
        "running again.",
    )


def _leaks(recipe: Recipe) -> tuple[str, ...]:
    leaks = []
    if not recipe.private_training:
        leaks.append("The model was trained without noise.")
    if not recipe.private_quantile:
        leaks.append("The threshold is an exact residual of somebody in the table.")
    return tuple(leaks)


def _file_leaks(from_file: tuple[str, ...]) -> tuple[str, ...]:
    if not from_file:
        return ()
    return (f"{read_off_rows(from_file)}; replace them by public ones.",)
