"""About how many rows would do: the same simulation with ever more rows, drawn with replacement from the table's.

What privacy costs falls with the number of rows, and a table of rows drawn again shows by how much, on the very code
that a larger table would run. What it cannot show is another table's luck: the same people come up again. How much the
width depends on who is in the table is told by how it varies, without privacy, from split to split (a jackknife that
leaves out the held-out rows), and this gives the range.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpcp_core._words import rounded_up
from dpcp_core.data.target import Floats
from dpcp_core.experiments.goal.answer import RowsNeeded
from dpcp_core.experiments.goal.looking import Looking
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.randomness import simulation_generator

_STEP = 1.5
_MOST_TIMES, _MOST_ROWS = 40, 200_000
_SURE = 2.0


def rows_needed(looking: Looking, share: float, epsilons: tuple[float, ...], least: float = 0.0) -> RowsNeeded | None:
    """Return about how many rows would meet the goal on average; None where so many were not looked at.

    Parameters
    ----------
    looking : Looking
        After a search, whose looks tell how much the width depends on who is in the table.
    share : float
        For training.
    epsilons : tuple of float
        The best of them counts.
    least : float
        Rows below which nothing can be met, by public numbers.

    Notes
    -----
    A flexible model learns rows that come up again by heart, which makes the answer too small for it.

    References
    ----------
    Shao and Wu (1989), "A general theory for jackknife variance estimation", for the range.
    """
    wanted, n_rows = looking.goal.most, looking.prepared.n_rows
    doubt = _SURE * _error_of_table(looking.reference_size, looking.settings.test_share)
    most = min(_MOST_TIMES * n_rows, _MOST_ROWS)
    sizes, widths = [n_rows], [_smallest(looking, looking.prepared, share, epsilons)]
    while widths[-1] > wanted - doubt and sizes[-1] < most:
        n = min(math.ceil(sizes[-1] * _STEP), most)
        table = grown(looking.prepared, n, looking.settings.seed)
        # More rows never cost width; what rises is chance.
        sizes.append(n)
        width = _smallest(looking, table, share, epsilons) * _optimism(looking.prepared, n)
        widths.append(min(widths[-1], width))
    about, low, high = (_crossing(sizes, widths, wanted + shift) for shift in (0.0, doubt, -doubt))
    if about is None or low is None:
        return None
    return RowsNeeded(*(_told(max(least, n)) for n in (about, low, high or most)))


def grown(prepared: Prepared, n_rows: int, seed: int) -> Prepared:
    """Return a table with so many rows, drawn with replacement."""
    drawn = simulation_generator(seed, Stream.ROWS).integers(prepared.n_rows, size=n_rows)
    groups = prepared.groups
    return replace(
        prepared,
        features=prepared.features[drawn],
        truth=prepared.truth[drawn],
        groups=None if groups is None else replace(groups, codes=groups.codes[drawn]),
    )


def _smallest(looking: Looking, table: Prepared, share: float, epsilons: tuple[float, ...]) -> float:
    """Return the smallest mean size with this table that covers enough; infinity if none does."""
    sizes = [math.inf]
    for epsilon in epsilons:
        cell = looking.elsewhere(table, share, epsilon)
        if not cell.failed and cell.coverage_interval[1] >= looking.goal.coverage:
            sizes.append(cell.size_mean)
    return min(sizes)


def _optimism(prepared: Prepared, n_rows: int) -> float:
    """Return how much wider intervals are than with rows that come up again, which the model has seen.

    The errors of a model with ``d`` weights, fitted to ``m`` rows, are smaller by ``sqrt(1 - d / m)`` on these and
    larger by ``sqrt(1 + d / m)`` on new ones.
    """
    if prepared.task == "classification":
        return 1.0
    d, seen = prepared.features.shape[1], prepared.n_rows
    return math.sqrt((1 + d / n_rows) / max(1 - d / seen, d / seen))


def _error_of_table(reference_size: Floats, test_share: float) -> float:
    return float(reference_size.std(ddof=1)) * math.sqrt((1 - test_share) / test_share)


def _crossing(sizes: list[int], widths: list[float], wanted: float) -> float | None:
    """Return the number of rows at which the width falls to what is wanted, between those looked at.

    >>> _crossing([100, 200], [12.0, 8.0], 10.0), _crossing([100, 200], [12.0, 11.0], 10.0)
    (141.4..., None)
    """
    place = next((place for place, width in enumerate(widths) if width <= wanted), None)
    if place is None:
        return None
    if place == 0 or math.isinf(widths[place - 1]):
        return float(sizes[place])
    part = (widths[place - 1] - wanted) / (widths[place - 1] - widths[place])
    return float(np.exp((1 - part) * math.log(sizes[place - 1]) + part * math.log(sizes[place])))


def _told(n_rows: float) -> int:
    """Return a number of rows with two significant digits, rounded up.

    >>> _told(1234.0), _told(99.0)
    (1300, 99)
    """
    return int(rounded_up(n_rows, min(0, 1 - math.floor(math.log10(n_rows)))))
