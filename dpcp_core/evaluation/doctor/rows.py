"""What can ail the rows: values beyond their bounds, columns that say nothing, groups that are too small."""

from __future__ import annotations

from dpcp_core._words import names_text, number_text
from dpcp_core.evaluation.symptoms import Finding, Symptoms

CLIPPED_SHARE = 0.01
"""From this share of rows on, values outside their bounds are worth a word."""


def rows_clipped(s: Symptoms) -> Finding | None:
    """Find columns with many values outside their bounds."""
    counts = {**s.columns_clipped, s.target_title: s.target_clipped}
    many = [name for name, count in counts.items() if count > CLIPPED_SHARE * max(s.n_rows, 1)]
    if not many:
        return None
    worst = sorted(many, key=counts.__getitem__, reverse=True)
    named = names_text(tuple(f"{name} ({number_text(counts[name])})" for name in worst))
    kind = "bounds" if s.bounds_bought else "public bounds"
    return Finding(
        "rows_clipped",
        f"Many of the {number_text(s.n_rows)} rows have values outside their {kind}: {named}.",
        "Such a value is moved to the bound before anything is learned, and promises are about moved values.",
        "Widen these bounds from public knowledge, not from the rows.",
    )


def constant_columns(s: Symptoms) -> Finding | None:
    """Find features with the same value in every row."""
    if not s.constant:
        return None
    several = len(s.constant) > 1
    return Finding(
        "constant_columns",
        f"{names_text(s.constant)} {'have' if several else 'has'} the same value in every row.",
        "What never changes cannot help to predict, and takes a part of each row's length from the other columns.",
        f'Set the role of {"these columns" if several else "this column"} to "ignore" in the schema.',
    )


def small_groups(s: Symptoms) -> Finding | None:
    """Find groups that are too small for a threshold of their own."""
    if not s.small_groups:
        return None
    smallest = sorted(s.small_groups, key=s.small_groups.__getitem__)
    named = names_text(tuple(f"“{name}” ({number_text(s.small_groups[name])} rows)" for name in smallest))
    return Finding(
        "small_groups",
        f"For {named} nothing {s.smaller} than {s.largest} can be promised.",
        "Every group has a threshold of its own, drawn from its own rows alone, which are too few here.",
        "Let all groups share one threshold, or join small groups to others in the schema.",
        {"by_group": False},
    )
