"""One release: reserve, draw once, pack, note what was published."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from dpcp_core.data.digest import frame_digest, row_hashes
from dpcp_core.errors import InputError
from dpcp_core.privacy.ledger import Ledger, Reservation
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.release.archive import packed
from dpcp_core.release.plan import ReleasePlan


class ReleaseStopped(InputError):
    """A release was stopped before anything was drawn; nothing was spent."""


@dataclass(frozen=True, eq=False)
class Released:
    """What may leave the building.

    Attributes
    ----------
    bundle : bytes
        A ZIP.
    digest : str
        Its SHA-256, as noted in the ledger.
    receipt : PrivacyReceipt
    promise : str
        What is promised, in one sentence.
    release : str
        Name of the release in the ledger.
    warning : str
        What went wrong after it was made, in one sentence; "" if nothing did.
    """

    bundle: bytes
    digest: str
    receipt: PrivacyReceipt
    promise: str
    release: str
    warning: str = ""


def release(
    plan: ReleasePlan,
    ledger: Ledger,
    *,
    on_progress: Callable[[str], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Released:
    """Spend, draw once, and return the bundle.

    Parameters
    ----------
    plan : ReleasePlan
        From :func:`dpcp_core.release.intervals.plan_intervals` or :func:`dpcp_core.release.table.plan_table`.
    ledger : Ledger
        Where the table has a budget.
    on_progress : callable, optional
        Told in a word or two what is being done.
    should_stop : callable, optional
        Asked once more after the budget is set aside and before the first draw; later is too late.

    Raises
    ------
    BudgetExceededError
        If the budget does not cover it; nothing was drawn.
    InputError
        If the rows were changed since they were planned with, or what was drawn may not be published.
    ReleaseStopped
        If it was stopped; nothing was drawn and nothing is spent.

    Notes
    -----
    **Privacy.** What the plan says, noted before the first draw. Randomness is the operating system's; there is no seed
    and nothing is held out. If the process ends after the first draw, the budget stays spent.
    """
    tell = on_progress or (lambda _: None)
    tell("reserving")
    _require_unchanged(plan)
    ledger.remember(plan.data.rows_digest, row_hashes(plan.data.frame))
    held = ledger.reserve(plan.data.rows_digest, plan.cost, plan.title)
    if should_stop is not None and should_stop():
        ledger.void(held, "stopped before anything was drawn")
        raise ReleaseStopped("The release was stopped before anything was drawn; nothing is spent.")
    tell("drawing")
    made = _noted(_drawn_and_packed(plan, held, tell), ledger, held)
    tell("done")
    return made


def _require_unchanged(plan: ReleasePlan) -> None:
    """Refuse rows that are no longer those whose account pays."""
    if frame_digest(plan.data.frame) != plan.data.rows_digest:
        raise InputError("Nothing was spent. The rows were changed after they were read; read them again.")


def _noted(made: Released, ledger: Ledger, held: Reservation) -> Released:
    """Note what was published; what is paid for is handed out even if that fails."""
    try:
        ledger.commit(held, made.digest)
    except InputError as problem:
        warning = f"The ledger could not note that {held.release} is out, and counts it as never finished: {problem}"
        return replace(made, warning=warning)
    return made


def _drawn_and_packed(plan: ReleasePlan, held: Reservation, tell: Callable[[str], None]) -> Released:
    try:
        draft = plan.draw()
        tell("packing")
        if not plan.cost.total.covers(draft.receipt.total):
            raise InputError(f"The release cost {draft.receipt.total}, more than was set aside; it is not published.")
        if draft.receipt.mode != "release" or draft.receipt.leaks:
            raise InputError("What was drawn is a simulation, or not private; it is not published.")
        bundle = packed(draft.files)
    except (InputError, MemoryError, OSError) as problem:
        # Something may have been drawn already, and nobody can undraw it.
        said = str(problem) if isinstance(problem, InputError) else "The computer ran out of memory or files."
        raise InputError(f"{said} The budget that was set aside for {held.release} stays spent.") from None
    return Released(bundle, hashlib.sha256(bundle).hexdigest(), draft.receipt, draft.promise, held.release)
