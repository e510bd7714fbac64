"""``dpcp release``, ``dpcp release-table``: spend part of a table's budget, once, and write what may be published."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli import synthesis_options as syn
from dpcp_core.cli.settings import settings_from, taking_settings
from dpcp_core.cli.tables import open_table
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.privacy.ledger import Ledger
    from dpcp_core.privacy.ledger.account import Account
    from dpcp_core.release import ReleasePlan

BundleOutOpt = Annotated[Path, typer.Option("--out", metavar="FILE.zip", help="Takes the bundle; must not exist yet.")]
SavedSchemaOpt = Annotated[
    Path, typer.Option("--schema", metavar="FILE.toml", help="What is publicly known about the columns; needed.")
]
LedgerOpt = Annotated[
    str | None,
    typer.Option("--ledger", metavar="URL", help="The ledger; default: DPCP_LEDGER_URL, else a file of this user."),
]
YesOpt = Annotated[bool, typer.Option("--yes", help="Spend without asking; for scripts.")]

_WORD = "release"
# A release has no seed, holds nothing back, and is made once, by the one method that is private and certified.
_NOT_OF_A_RELEASE = ("seed", "repetitions", "test_share", "method", "bounds_epsilon")


@taking_settings(*_NOT_OF_A_RELEASE)
def release_command(
    data: opt.DataArg,
    *,
    schema: SavedSchemaOpt,
    out: BundleOutOpt,
    leave_out_empty: opt.LeaveOutEmptyOpt = "",
    ledger: LedgerOpt = None,
    yes: YesOpt = False,
    **typed: Any,
) -> None:
    """Publish intervals or sets: a private model with its threshold. Spends part of the table's budget."""
    from dpcp_core.conformal.choices import ConformalChoices
    from dpcp_core.release import plan_intervals

    settings = settings_from({**typed, "repetitions": "1", "method": "dpcp"})
    names = ConformalChoices.__dataclass_fields__
    choices = ConformalChoices(**{name: getattr(settings, name) for name in names})
    table, text = _table(data, schema, settings.target, leave_out_empty)
    _release(plan_intervals(table, choices, text), out, ledger, yes)


@syn.taking_settings("seed")
def release_table_command(
    data: opt.DataArg,
    schema: SavedSchemaOpt,
    out: BundleOutOpt,
    *,
    leave_out_empty: opt.LeaveOutEmptyOpt = "",
    ledger: LedgerOpt = None,
    yes: YesOpt = False,
    **typed: Any,
) -> None:
    """Publish a synthetic table. Spends part of the real table's budget."""
    from dpcp_core.release import plan_table

    settings = syn.settings_from({**typed, "seed": "0"})
    table, text = _table(data, schema, "", leave_out_empty)
    _release(plan_table(table, settings, text), out, ledger, yes)


def _table(data: str, schema: Path, target: str, leave_out_empty: str) -> tuple[Dataset, str]:
    with aside.stage("Reading the table"):
        table = open_table(data, schema, leave_out_empty=leave_out_empty)
    text = schema.read_text(encoding="utf-8-sig")
    if not target or (table.schema.target and table.schema.target.name == target):
        return table, text
    # Which column is predicted is a choice like epsilon, no knowledge about the rows.
    changed = table.schema.with_target(target)
    return table.with_schema(changed), changed.to_toml()


def _release(plan: ReleasePlan, out: Path, url: str | None, yes: bool) -> None:
    from dpcp_core.privacy.ledger import Ledger
    from dpcp_core.release import release

    _refuse_place(out)
    with Ledger(url) as ledger:
        ledger.account(plan.data.rows_digest).require_room(plan.cost)
        _confirm(plan, ledger, yes)
        with aside.stage("Drawing, once"):
            made = release(plan, ledger)
        _write(out, made.bundle)
        if made.warning:
            aside.note(made.warning)
        account = ledger.account(plan.data.rows_digest)
    for line in (
        f"Released: {plan.title}.",
        made.promise,
        f"Cost: {made.receipt.total}. Left of the table's budget: {_left(account)}.",
        f"Bundle: {out} (SHA-256 {made.digest}).",
    ):
        typer.echo(aside.printable(line))


def _left(account: Account) -> str:
    left = f"epsilon = {account.epsilon_left:.4g}"
    # Tight costs are read off at the budget's own delta, however many releases there are.
    return f"{left} at the same delta" if account.composition == "tight" else left


def _confirm(plan: ReleasePlan, ledger: Ledger, yes: bool) -> None:
    from dpcp_core.data.digest import row_hashes

    account = ledger.account(plan.data.rows_digest)
    for sentence in plan.reminders:
        aside.note(sentence)
    for near in ledger.near(plan.data.rows_digest, row_hashes(plan.data.frame)):
        name = near.account.name or near.account.rows[:12]
        aside.note(
            f"About {100 * near.shared_share:.0f} % of the rows are in {name!r} too, which has a budget of its own: "
            "what both cost adds up for the people in both."
        )
    after = account.after(plan.cost)
    said = f"This will publish {plan.title}, and cost {plan.cost.total}: then {after} of {account.budget} is spent."
    if yes:
        aside.note(said)
        return
    if not sys.stdin.isatty():
        raise InputError(f"{said} Nobody is here to confirm it; add --yes to spend it.")
    typer.echo(aside.printable(f"{said} It cannot be undone."), err=True)
    if typer.prompt(f"Type {_WORD} to spend it", err=True, default="", show_default=False).strip() != _WORD:
        raise InputError("Not released; nothing was spent.")


def _refuse_place(out: Path) -> None:
    if out.suffix.lower() != ".zip":
        raise InputError(f"{out} must end in .zip.")
    if out.exists():
        raise InputError(f"{out} is there already; a release is never overwritten: choose another name.")
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK):
        raise InputError(f"{out} cannot be written: choose another place.")


def _write(out: Path, bundle: bytes) -> None:
    for place in (out, Path.home() / f"dpcp-{uuid4().hex[:8]}.zip"):
        try:
            with place.open("xb") as file:
                file.write(bundle)
        except FileExistsError:
            continue
        except OSError:
            with contextlib.suppress(OSError):
                place.unlink(missing_ok=True)
            continue
        if place != out:
            aside.note(f"{out} could not be written; the bundle, which is paid for, is in {place}.")
        return
    raise InputError(f"{out} cannot be written, and the bundle is lost; its budget stays spent.")
