"""A result to take away: a table, a machine-readable file, or one page that opens anywhere.

Each is the curator's view of a simulation: measured on real rows, for whoever keeps the data, in no release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.data.spreadsheet import csv_text
from dpcp_core.presentation.report_page import page
from dpcp_core.presentation.strict_json import strict_json
from dpcp_core.presentation.wording.plain import SIMULATION, SIMULATION_MEANING

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.result import GroupResult, SimulationResult


@dataclass(frozen=True)
class Download:
    """A file that is made when somebody asks for it.

    Attributes
    ----------
    label
        What stands on the button.
    file_name, mime
        Name and type of the file.
    make
        Makes its contents.
    """

    label: str
    file_name: str
    mime: str
    make: Callable[[], str]


def downloads(result: SimulationResult, data: Dataset | None = None) -> tuple[Download, ...]:
    """Return the files that a result can be taken away as; none is made before its ``make`` is called.

    Parameters
    ----------
    result
        A finished simulation.
    data
        Its table; with it, the page shows the code that repeats the run.
    """
    stem = file_stem(result)
    return (
        Download("Report (HTML)", f"{stem}.html", "text/html", lambda: to_html(result, data)),
        Download("Repetitions (CSV)", f"{stem}.csv", "text/csv", lambda: to_csv(result)),
        Download("Settings and receipt (JSON)", f"{stem}.json", "application/json", lambda: to_json(result)),
    )


def file_stem(result: SimulationResult) -> str:
    """Return a file name without its ending, from table, method and epsilon; safe on every system."""
    text = f"{result.dataset_name or 'table'}-{result.settings.method}-epsilon-{result.settings.epsilon:g}"
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in text)


def repetitions(result: SimulationResult) -> pd.DataFrame:
    """Return one line per repetition: widths in the target's unit, or set sizes in classes."""
    size = "set_size" if result.sets is not None else "width"
    columns: dict[str, Any] = {
        "repetition": range(1, len(result.coverage) + 1),
        "coverage": result.coverage,
        size: result.size,
        f"{size}_median": result.size_median,
        "threshold": result.thresholds,
        "coverage_without_privacy": result.reference_coverage,
        f"{size}_without_privacy": result.reference_size,
    }
    if result.sets is not None:
        columns |= {"singleton_share": result.sets.singleton_share, "empty_share": result.sets.empty_share}
    return pd.DataFrame(columns)


def to_csv(result: SimulationResult) -> str:
    r"""Return the repetitions as CSV: commas, points, a header line, ``\n`` at the end of each line."""
    return csv_text(repetitions(result))


def to_json(result: SimulationResult) -> str:
    """Return settings, summary, certificate, findings, groups, receipt and repetitions as strict JSON.

    Infinity is the word "infinity"; what is not a number is null.
    """
    target = result.target
    values = {
        "note": f"{SIMULATION}. {SIMULATION_MEANING}",
        "dataset": {"name": result.dataset_name, "digest": result.dataset_digest, "one_row_is": result.one_row_is},
        "target": {
            "name": target.name, "unit": target.unit, "bounds": target.bounds, "categories": target.categories,
        },
        "settings": result.settings.to_dict(),
        "summary": result.summary(),
        "certificate": asdict(result.certificate),
        "findings": [{**vars(finding), "change": dict(finding.change)} for finding in result.findings],
        "groups": [_group(group) for group in result.groups],
        "repetitions": repetitions(result).to_dict(orient="list"),
    }  # fmt: skip
    return strict_json(values, indent=2)


def _group(group: GroupResult) -> dict[str, Any]:
    return {
        "column": group.column,
        "name": group.name,
        "n_calibration": group.n_calibration,
        "n_test": group.n_test,
        "coverage_mean": group.coverage_mean,
        "size_mean": group.size_mean,
        "certificate": None if group.certificate is None else asdict(group.certificate),
    }


def to_html(result: SimulationResult, data: Dataset | None = None) -> str:
    """Return one page that holds everything, pictures included, and asks nothing of any network."""
    return page(result, data)
