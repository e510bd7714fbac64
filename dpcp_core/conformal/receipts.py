"""The receipt of a conformal procedure: what each step read, what it cost, what is promised."""

from __future__ import annotations

import math

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.linter import unpaid_steps
from dpcp_core.conformal.methods import Recipe
from dpcp_core.data.schema import Column
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.leaks import read_off_rows
from dpcp_core.privacy.quantile_task import QuantileNote
from dpcp_core.privacy.receipt import COMPOSITION_SENTENCES, ONE_ROW, PrivacyReceipt, ReceiptEntry

_SEVERAL_STEPS = (
    "Steps of one kind read the same rows and share the cost of their kind; training and threshold together are "
    "composed as the settings say."
)


def write_receipt(
    recipe: Recipe,
    budget: PrivacyBudget,
    *,
    training: tuple[ReceiptEntry, ...],
    quantile: tuple[QuantileNote, ...],
    certificate: CoverageCertificate,
    target: Column,
    bounds: tuple[ReceiptEntry, ...] = (),
    one_row_is: str = "",
    from_file: tuple[str, ...] = (),
    groups: bool = False,
    shifted: bool = False,
    public_rows: int = 0,
    mode: str = "simulation",
) -> PrivacyReceipt:
    """Return the receipt of one run of a procedure.

    Parameters
    ----------
    recipe : Recipe
    budget : PrivacyBudget
        Asked for, in total.
    training : tuple of ReceiptEntry
        A line for each model, from :meth:`dpcp_core.conformal.fitting.FittingPlan.receipt_entries`.
    quantile : tuple of QuantileNote
        How the threshold was drawn, a line for each step; empty for a plain quantile.
    certificate : CoverageCertificate
    target : Column
    bounds : tuple of ReceiptEntry
        A line for each column whose bounds were bought, from :mod:`dpcp_core.conformal.private_schema`.
    one_row_is : str
        What one row stands for.
    from_file : tuple of str
        Columns whose bounds or categories were read off the rows; each is a leak.
    groups : bool
        Whether there is a threshold for each public group.
    shifted : bool
        Whether the threshold is for another population, by public weights of the rows.
    public_rows : int
        Rows of the public table that training starts from; 0 if there is none.
    mode : str
        ``simulation`` or ``release``.
    """
    drawn = _quantile_entries(quantile, certificate)
    return PrivacyReceipt(
        entries=(*bounds, *training, *drawn),
        composition=_composition(recipe.composition if len(training) + len(drawn) == 2 else _SEVERAL_STEPS, bounds),
        total=_total(recipe, budget, bounds, training, drawn) if recipe.is_private else PrivacyBudget.infinite(),
        guarantee=certificate.reason,
        assumptions=(
            *_assumptions(certificate, target, bounds, shifted),
            *_of_groups(groups),
            *_public_start(public_rows),
        ),
        not_protected=_not_protected(),
        leaks=(*(leak.sentence for leak in unpaid_steps(recipe)), *_file_leaks(from_file)),
        mode="release" if mode == "release" else "simulation",
        one_row_is=one_row_is,
    )


def _quantile_entries(notes: tuple[QuantileNote, ...], certificate: CoverageCertificate) -> tuple[ReceiptEntry, ...]:
    reads = f"scores of {certificate.n:,} rows"
    if not notes:
        plain = "Plain quantile of the scores"
        return (ReceiptEntry(plain, reads, ONE_ROW, "without bound", math.inf, 0.0, "no noise"),)
    return tuple(
        ReceiptEntry(note.mechanism, reads, ONE_ROW, note.sensitivity, note.epsilon, note.delta, note.detail)
        for note in notes
    )


def _composition(steps: str, bounds: tuple[ReceiptEntry, ...]) -> str:
    if not bounds:
        return steps
    words = COMPOSITION_SENTENCES.get(steps, steps)
    return f"The cost of the bounds is added to that of the other parts. Of those: {words[0].lower()}{words[1:]}"


def _total(
    recipe: Recipe,
    budget: PrivacyBudget,
    bounds: tuple[ReceiptEntry, ...],
    training: tuple[ReceiptEntry, ...],
    drawn: tuple[ReceiptEntry, ...],
) -> PrivacyBudget:
    """Return what was asked for, or what it really costs where a rival's threshold costs more than its share."""
    if all(entry.delta == 0 for entry in drawn):
        return budget
    parts, together = (*training, *drawn), max if recipe.composition == "parallel" else math.fsum
    epsilon, delta = together([part.epsilon for part in parts]), together([part.delta for part in parts])
    return PrivacyBudget(math.fsum(line.epsilon for line in bounds) + epsilon, delta)


def _assumptions(
    certificate: CoverageCertificate, target: Column, bounds: tuple[ReceiptEntry, ...], shifted: bool
) -> tuple[str, ...]:
    otherwise = ", but for the bounds bought above" if bounds else ""
    shared = (
        f"Bounds, typical ranges, categories, the number of rows and all settings are public knowledge{otherwise}.",
        f"The target counts within its bounds: values of {target.title} beyond them are clipped."
        if target.bounds is not None
        else f"The classes of {target.title} are public knowledge.",
    )
    if not certificate.holds:
        return shared
    if shifted:
        return (*shared, _OTHER_POPULATION)
    return (*shared, "A new row comes from the same population as the rows in the table (exchangeable).")


_OTHER_POPULATION = (
    "A new row comes from the population that the weights describe, and differs from these rows in its features only: "
    "what the target is for given features is the same. The weights are public and not computed from these rows. "
    "How many rows they kept is known with noise."
)


def _of_groups(groups: bool) -> tuple[str, ...]:
    if not groups:
        return ()
    return (
        "Each group has a threshold of its own at the same cost: nobody is in two groups, so together they cost "
        "no more than one. How many rows each group has is public; the promise above is that of the largest group.",
    )


def _public_start(public_rows: int) -> tuple[str, ...]:
    if not public_rows:
        return ()
    return (f"Training starts from weights learnt on {public_rows:,} public rows, which cost nothing.",)


def _not_protected() -> tuple[str, ...]:
    return (
        "That the table exists, how many rows it has, that all of them could be read, and that its target is not the "
        "same in every row: others are refused.",
        "What holds for the whole population: a result may teach something about everybody, in the table or not.",
        "Anybody for whom a prediction is made: their own values are put in to get it.",
        "Anything done with the rows beside this one run: choosing settings by looking at them, preparing them, "
        "running again.",
    )


def _file_leaks(from_file: tuple[str, ...]) -> tuple[str, ...]:
    if not from_file:
        return ()
    return (f"{read_off_rows(from_file)}; replace them by public ones.",)
