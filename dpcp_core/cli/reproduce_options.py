"""Options of ``dpcp reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PaperArg = Annotated[
    str, typer.Argument(metavar="PAPER", help="Whose experiments: dpcp (arXiv 2604.14621), or dpdsyn.")
]

DataFolderOpt = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Holds the tables, under the names they are published with.")
]

OutFolderOpt = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Takes findings, tables and figures, and keeps finished cells: the same command goes on from there. "
        "Protect it like the tables. Default: reproduction, or reproduction-dpdsyn.",
    ),
]

TablesOpt = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,...",
        help="Tables to run. dpcp: numbers (those with a number to predict, some ten minutes; the default), all "
        "(pictures as well, some hours), or some of abalone, bike, communities_crime, casp, tetouan, mnist, "
        "cifar10. dpdsyn: all (the default), or some of adult, br2000, lpd, smoking.",
    ),
]

RepetitionsOpt = Annotated[
    str | None,
    typer.Option(metavar="NUMBER", help="How often split and noise are drawn anew; default: 100, dpdsyn: 5."),
]

ClassRepetitionsOpt = Annotated[
    str | None, typer.Option(metavar="NUMBER", help="dpcp: the same for pictures; default: 3.")
]

QuickOpt = Annotated[
    bool,
    typer.Option(
        "--quick",
        help="A first look. dpcp: 10 repetitions, and 2 for pictures; dpdsyn: 2, at epsilon 1, rows not scaled.",
    ),
]

RivalChoiceOpt = Annotated[
    str | None,
    typer.Option(metavar="CHOICE", help="dpdsyn: quick (the default), all (MST and AIM as well, hours), or none."),
]

RivalTimeoutOpt = Annotated[
    str | None, typer.Option(metavar="SECONDS", help="dpdsyn: after which a rival is stopped; default: 600.")
]

TransformerOpt = Annotated[
    bool, typer.Option("--transformer", help="dpdsyn: train FT-Transformers as well, which takes far longer.")
]
