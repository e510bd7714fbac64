"""``dpcp ledger``: budgets of tables, what was spent, and whether the ledger is whole."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpcp_core._words import count_text
from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli.release import LedgerOpt
from dpcp_core.cli.tables import open_table

if TYPE_CHECKING:
    from dpcp_core.privacy.ledger import Account

commands = typer.Typer(
    help="Budgets of tables, what was spent, and whether the ledger is whole.",
    no_args_is_help=False,
    rich_markup_mode=None,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

NameOpt = Annotated[str, typer.Option("--name", metavar="TEXT", help="What to call the table.")]
RulesOpt = Annotated[
    str,
    typer.Option(
        "--composition",
        metavar="NAME",
        help="How costs add up: basic (a sum, valid in any case), or tight (never more, "
        "if no cost is decided by what an earlier release drew).",
    ),
]
CsvOutOpt = Annotated[Path | None, typer.Option("--out", metavar="FILE.csv", help="Takes the lines; else printed.")]
BROKEN = 1


@commands.callback()
def show_command(context: typer.Context, ledger: LedgerOpt = None, as_json: opt.JsonOpt = False) -> None:
    """Show every table's budget and what is left of it."""
    from dpcp_core.privacy.ledger import Ledger

    if context.invoked_subcommand:
        return
    with Ledger(ledger) as opened:
        accounts, name = opened.accounts(), opened.name
    if as_json:
        typer.echo(json.dumps([_values(account) for account in accounts], indent=1))
        return
    typer.echo(aside.printable(f"Ledger: {name}"))
    if not accounts:
        typer.echo(
            "No table has a budget yet; set one with: dpcp ledger budget DATA.csv --schema SCHEMA.toml --epsilon 4"
        )
    for account in accounts:
        typer.echo(aside.printable(_text(account)))


@commands.command("budget")
def budget_command(
    data: opt.DataArg,
    epsilon: opt.EpsilonOpt,
    schema: opt.SchemaOpt = None,
    leave_out_empty: opt.LeaveOutEmptyOpt = "",
    delta: opt.DeltaOpt = "1e-5",
    name: NameOpt = "",
    composition: RulesOpt = "tight",
    ledger: LedgerOpt = None,
) -> None:
    """Set what a table may spend, as its owner."""
    from dpcp_core.cli.ledger_budget import set_budget

    table = open_table(data, schema, leave_out_empty=leave_out_empty)
    typer.echo(aside.printable(set_budget(table, epsilon, delta, name, composition, ledger)))


@commands.command("verify")
def verify_command(ledger: LedgerOpt = None) -> int:
    """Check every line against the chain, and all spending against the budgets."""
    from dpcp_core.privacy.ledger import Ledger

    with Ledger(ledger) as opened:
        found = opened.verify()
    for problem in found.problems:
        typer.echo(aside.printable(problem))
    if found.is_whole:
        typer.echo(f"The ledger is whole: {count_text(found.n_entries, 'line')}, the last is {found.last_hash}.")
        if found.unfinished:
            never = count_text(found.unfinished, "release")
            typer.echo(f"Never finished, and counted as spent: {never}.")
    return 0 if found.is_whole else BROKEN


@commands.command("export")
def export_command(out: CsvOutOpt = None, ledger: LedgerOpt = None) -> None:
    """Write every line of the ledger as CSV."""
    from dpcp_core.cli.table_files import refuse_unwritable, write_text
    from dpcp_core.privacy.ledger import Ledger

    if out is not None:
        refuse_unwritable(out, [])
    with Ledger(ledger) as opened:
        entries = opened.entries()
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(["number", "at", "kind", "rows", "release", "facts", "previous", "hash"])
    for entry in entries:
        facts = json.dumps(dict(entry.facts), sort_keys=True)
        writer.writerow(
            [entry.number, entry.at, entry.kind, entry.rows, entry.release, facts, entry.previous, entry.hash]
        )
    if out is None:
        typer.echo(aside.printable(held.getvalue()), nl=False)
    else:
        write_text(held.getvalue(), out)


def _values(account: Account) -> dict[str, object]:
    budget, spent = account.budget, account.spent
    return {
        "rows": account.rows,
        "name": account.name,
        "composition": account.composition,
        "budget": None if budget is None else {"epsilon": budget.epsilon, "delta": budget.delta},
        "spent": None if spent is None else {"epsilon": spent.epsilon, "delta": spent.delta},
        "epsilon_left": account.epsilon_left,
        "releases": [
            {"release": s.release, "at": s.at, "title": s.title, "is_finished": s.is_finished, "published": s.published}
            for s in account.spendings
        ],
    }


def _text(account: Account) -> str:
    head = f"{account.name or 'unnamed'} ({account.rows[:12]}): budget {account.budget}, {account.composition}"
    spent = "nothing spent" if account.spent is None else f"spent {account.spent}"
    lines = [f"{head}; {spent}; left: epsilon = {account.epsilon_left:.4g}"]
    for spending in account.spendings:
        state = "" if spending.is_finished else " (never finished, counts as spent)"
        lines.append(f"  {spending.at}  {spending.title}: {spending.cost.total}{state}")
    return "\n".join(lines)
