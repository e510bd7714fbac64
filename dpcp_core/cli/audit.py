"""``dpcp audit``: attack every claim of the library, and say which of them an attack broke."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dpcp_core import _validate as check
from dpcp_core.cli import options as opt
from dpcp_core.cli.settings import listed
from dpcp_core.cli.table_files import takes_a_file, write_text
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.audit.audited import Effort
    from dpcp_core.experiments.audit.report import AuditReport

_BROKEN, _STOPPED = 1, 130

ClaimsOpt = Annotated[str, typer.Option(metavar="NAME,...", help="What to attack: all, or some of {audited}.")]
EpsilonsOpt = Annotated[str, typer.Option(metavar="NUMBER,...", help="Claimed costs, from 0.01 to 20.")]
SeedsOpt = Annotated[str, typer.Option(metavar="NUMBER", help="How often everything is attacked, each time anew.")]
SeedOpt = Annotated[str, typer.Option(metavar="NUMBER", help="First seed; the same seed gives the same answer.")]
FaultsOpt = Annotated[bool, typer.Option("--faults", help="Attack mistakes that are planted on purpose as well.")]
EffortOpt = Annotated[str, typer.Option(metavar="NAME", help="quick, or long: ten times the draws.")]
OutOpt = Annotated[Path | None, typer.Option("--out", metavar="FILE.md", help="Write the table as Markdown.")]


def audit_command(
    claims: ClaimsOpt = "all",
    epsilons: EpsilonsOpt = "0.5,1,4",
    delta: opt.DeltaOpt = "1e-5",
    seeds: SeedsOpt = "1",
    seed: SeedOpt = "0",
    effort: EffortOpt = "quick",
    faults: FaultsOpt = False,
    out: OutOpt = None,
    as_json: opt.JsonOpt = False,
) -> None:
    """Attack our own mechanisms, trainers and synthetic tables, each held against the epsilon that it claims.

    Ends with 1 if an attack broke a claim.
    """
    from dpcp_core.cli.audit_report import audit_text
    from dpcp_core.cli.watching import Watch
    from dpcp_core.experiments.audit.audited import EFFORTS
    from dpcp_core.experiments.audit.run import audit
    from dpcp_core.presentation.audit_page import audit_markdown

    wanted = cast("Effort", check.one_of(EFFORTS, effort=effort))
    chance = {"seed": check.whole(at_least=0, seed=seed), "seeds": check.whole(seeds=seeds)}
    _refuse_unwritable(out)
    watch = Watch("attack", "attack")
    with watch.listening():
        report = audit(
            claims if claims == "all" else listed(claims),
            [check.positive(epsilon=text) for text in listed(epsilons)],
            delta=check.share(delta=delta), faults=faults, effort=wanted,
            on_progress=watch.progress, should_stop=watch.stopped, **chance,
        )  # fmt: skip
    typer.echo(json.dumps(report.to_dict(), allow_nan=False) if as_json else audit_text(report))
    if out is not None:
        write_text(audit_markdown(report), out)
    _end(report)


def _refuse_unwritable(out: Path | None) -> None:
    if out is not None and (out.suffix != ".md" or not takes_a_file(out)):
        raise InputError(f"{out} must be a file that ends in .md, in a folder that is there.")


def _end(report: AuditReport) -> None:
    if report.stopped:
        raise typer.Exit(_STOPPED)
    if report.broken:
        raise typer.Exit(_BROKEN)
