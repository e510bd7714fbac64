"""``dpcp predict``: intervals or sets for new rows, from a released bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpcp_core.cli import aside
from dpcp_core.cli.table_files import refuse_unwritable, write_table

BundleArg = Annotated[Path, typer.Argument(metavar="BUNDLE.zip", help="What a release wrote.")]
NewArg = Annotated[str, typer.Argument(metavar="NEW.csv", help="Rows to predict, with the features' columns.")]
OutOpt = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="Takes a row for each row; .csv, .parquet or .json.")
]


def predict_command(bundle: BundleArg, new: NewArg, out: OutOpt) -> None:
    """Predict new rows with a released bundle, after every part of it was checked."""
    from dpcp_core.data.reading import read_csv
    from dpcp_core.release import open_bundle

    refuse_unwritable(out, [bundle, Path(new)])
    opened = open_bundle(bundle)
    with aside.stage("Reading the table"):
        rows = read_csv(Path(new)).frame
    made = opened.predict(rows).table
    write_table(made, out)
    promise = str(opened.certificate.get("reason", ""))
    typer.echo(aside.printable(f"{len(made):,} rows predicted: {out}. {promise}"))
