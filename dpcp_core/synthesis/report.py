"""What happened in a synthesis, beside the table itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class SynthesisReport:
    """Facts of one fit and of the last sample.

    Attributes
    ----------
    n_rows : int
        Rows that were read.
    columns, ignored : tuple of str
        Columns of the synthetic table; columns of the schema that it does not have.
    targets : tuple of str
    cells : mapping of column to int
        Public cells that values are drawn from; empty where they are not.
    notes : tuple of str
        What a reader should know, a sentence each.
    seconds_fit : float
    clipped, missing, unknown : mapping of column to count
        Cells beyond their bounds, empty, or of a category that the schema does not know. Curator's view: read off the
        rows, not private, and empty in a release.
    real_label_rate : tuple of float
        Share of each class of the first target. Curator's view, as above.
    n_sampled, n_drawn, n_dropped : int
        Rows of the last sample; rows drawn for it; rows dropped by rules.
    dropped_by : tuple of pairs (rule, rows)
        How many of the drawn rows break each rule; one row can break several.
    label_rate : tuple of float
        Share of each class of the first target in the last sample.
    seconds_sample : float
    """

    n_rows: int
    columns: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    cells: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds_fit: float = 0.0
    clipped: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)
    real_label_rate: tuple[float, ...] = ()
    n_sampled: int = 0
    n_drawn: int = 0
    n_dropped: int = 0
    dropped_by: tuple[tuple[str, int], ...] = ()
    label_rate: tuple[float, ...] = ()
    seconds_sample: float = 0.0
