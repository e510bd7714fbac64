"""Runs ``dpcp synthesize`` on a small table."""

from __future__ import annotations

from dpcp_core.cli.entry import run
from tests.core.synthesis.tables import PEOPLE, people

FRAME = people(600)
QUICK = ("--task-model", "logistic", "--epsilon", "4")


def synthesized(folder, capsys, *args, frame=FRAME, schema=PEOPLE):
    """Return exit code, standard output and standard error of one command; ``schema`` may be TOML text, or None."""
    frame.to_csv(folder / "people.csv", index=False)
    words = ["synthesize", str(folder / "people.csv"), *QUICK, *map(str, args)]
    if schema is not None:
        (folder / "people.toml").write_text(schema if isinstance(schema, str) else schema.to_toml())
        words += ["--schema", str(folder / "people.toml")]
    code = run(words)
    out, err = capsys.readouterr()
    return code, out, err
