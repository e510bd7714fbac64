"""What the comparison of methods says around its pictures: what was compared, how far it is, what went wrong.

>>> counted(9, 12, 50).replace("\u00a0", " ")
'9 methods at 12 values of ε, 50 repetitions'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.result import SweepResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.crossings import is_of_sets, listed, size_words, thing_compared, where
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.terms import option_title

HOW_TOLD_APART = (
    "Bands are 95 % intervals of the mean over repetitions. All methods see the same splits and the same noise, so a "
    "difference is taken in each repetition; it is named only where its interval lies beside zero, with 95 % for all "
    "values of ε together. Whoever picks a method by such a picture has looked at real rows once more, and no budget "
    "pays for that."
)
"""How the page decides, and what it costs to decide by it."""

KEEP = "Measured on real rows: keep these files as safe as the table itself."

KEEP_TABLE = "The table as a file. Where it was measured on real rows, keep it as safe as the table itself."

STOPPED_EARLY = "The comparison was stopped before anything was finished."

TWO_NEEDED = "Two private methods are needed to tell which is narrower where."

CAMERA = "The camera on a picture saves it as PNG."

CLOSE_UP = "Close-up of the methods in front"
CLOSE_UP_HELP = "Methods that need far more leave the picture at its top."
CLIPPING_HELP = "Clipping alone, without noise, is drawn beside them as a line."
CHOOSE_ONE = "Choose at least one {} to compare."
RUNS = "Every method is trained and measured at every ε: about **{}**. You can go on meanwhile."

DRAWN_BESIDE = "clip_only"
"""The method that every comparison draws as a line, chosen or not."""


def counted(n_methods: int, n_epsilons: int, repetitions: int) -> str:
    """Return how much is compared."""
    return (
        f"{say.count(n_methods, 'method')} at {say.count(n_epsilons, 'value')} of ε, "
        f"{say.count(repetitions, 'repetition')}"
    )


def settings_line(settings: ConformalSettings, table: str, target: str) -> str:
    """Return what all cells share, in one line: table, target, model and what the threshold is made of."""
    chosen = (
        f"{say.level(settings.confidence_level)} coverage",
        option_title("trainer", settings.trainer),
        f"score {option_title('score', settings.score)}",
        f"{say.level(settings.training_share)} of ε for training",
        _bins(settings.bins),
    )
    return f"{shortened(target)} in {table}: {', '.join(chosen)}"


def plan_line(result: SweepResult, table: str) -> str:
    """Return what a finished comparison is about, in one line."""
    axes, shared = result.plan.axes, result.plan.settings
    size = counted(len(_chosen(axes["method"])), len(axes["epsilon"]), shared.repetitions)
    # A cell knows which model and which score suited the target.
    said = result.cells[0].settings if result.cells else shared
    return f"{settings_line(said, table, result.target.title)}; {size}."


def pairs_title(n_crossing: int) -> str:
    """Say how many lines of two methods cross.

    >>> pairs_title(0), pairs_title(2).replace(say.FIXED, " ")
    ('Two by two: no lines cross', 'Two by two: 2 pairs of lines cross')
    """
    if not n_crossing:
        return "Two by two: no lines cross"
    return f"Two by two: {say.count(n_crossing, 'pair')} of lines {'crosses' if n_crossing == 1 else 'cross'}"


def elsewhere_words(table: str) -> str:
    """Say that the last comparison is of another table."""
    return f"The last comparison is of {table}, not of the table in use. Choose that one to see it again."


def running_elsewhere_words(table: str) -> str:
    """Say that the run that goes on is of another table."""
    return f"This run is of {table}. Let it end, or stop it."


def partial_words(result: SweepResult) -> str:
    """Say that a comparison was stopped, and how much of it there is; "" if it is complete."""
    if result.is_complete:
        return ""
    return f"Stopped: partial, {say.whole(len(result.cells))} of {say.whole(result.plan.n_cells)} cells"


def failure_sentences(result: SweepResult) -> tuple[str, ...]:
    """Say how many cells could not be computed, which, and why: a sentence for each reason."""
    return tuple(_failure(result, problem, cells) for problem, cells in result.reasons.items())


def coverage_title(comparison: Comparison) -> str:
    """Say above the picture of coverage who reaches the target."""
    target = say.level(comparison.result.plan.settings.confidence_level)
    missed = {name for standing in comparison.standings() for name in standing.missed}
    if not missed:
        return f"Coverage: {_no_miss(comparison, target)}"
    names = [f"“{option_title('method', name)}”" for name in comparison.methods if name in missed]
    if len(names) > 2:
        return f"Coverage: {len(names)} of {len(comparison.methods)} methods miss {target} at some ε"
    return f"Coverage: {listed(names)} {'misses' if len(names) == 1 else 'miss'} {target} at some ε"


def _no_miss(comparison: Comparison, target: str) -> str:
    """Say who reaches the target where no method surely misses it: only a mean that does so counts."""
    short = {name for name in comparison.methods if not all(map(comparison.reaches, comparison.line(name)))}
    if not short:
        return f"every method reaches {target} at every ε"
    if comparison.private_methods and short.isdisjoint(comparison.private_methods):
        return f"every private method reaches {target} at every ε"
    return f"no method surely misses {target}, but {len(short)} of {len(comparison.methods)} may, at some ε"


def size_title(comparison: Comparison) -> str:
    """Say above the picture of sizes how small they get with privacy, at both ends of epsilon."""
    what = "Smallest, private" if is_of_sets(comparison) else "Narrowest, private"
    led = [(standing.epsilon, standing.front[0]) for standing in comparison.standings() if standing.front]
    if not led:
        return f"{what}: none, as nothing but {everything(comparison)} reaches the target"
    ends = (led[0], led[-1]) if len(led) > 1 else (led[0],)
    return f"{what}: {', '.join(f'{_mean_size(comparison, name, e)} at ε = {say.short(e)}' for e, name in ends)}"


def boxes_title(comparison: Comparison, epsilon: float, *, of_size: bool) -> str:
    """Say above the boxes what they show."""
    if not of_size:
        return f"Coverage in {_repetitions(comparison)}, at ε = {say.short(epsilon)}"
    return f"Mean {thing_compared(comparison)} in {_repetitions(comparison)}, at ε = {say.short(epsilon)}"


def coverage_alt(comparison: Comparison) -> str:
    """Return what the picture of coverage shows, in numbers."""
    lines = [_ends(comparison, name, lambda cell: say.percent(cell.coverage_mean)) for name in comparison.methods]
    return f"{coverage_title(comparison)}. Mean coverage by method: {'; '.join(filter(None, lines))}."


def size_alt(comparison: Comparison) -> str:
    """Return what the picture of sizes shows, in numbers."""
    lines = [
        _ends(comparison, name, lambda cell: size_words(comparison, cell.size_mean)) for name in comparison.methods
    ]
    cells = [cell for name in comparison.methods for cell in comparison.line(name)]
    without = f", {size_words(comparison, float(cells[0].reference_size.mean()))} without privacy" if cells else ""
    return f"{size_title(comparison)}{without}. Mean size by method: {'; '.join(filter(None, lines))}."


def boxes_alt(comparison: Comparison, epsilon: float, *, of_size: bool) -> str:
    """Return what the boxes show, in numbers."""
    cells = [cell for name in comparison.methods if (cell := comparison.cell(name, epsilon)) is not None]
    lines = [
        f"{option_title('method', cell.settings.method)} {_range(comparison, cell, of_size=of_size)}" for cell in cells
    ]
    return f"{boxes_title(comparison, epsilon, of_size=of_size)}, from smallest to largest: {'; '.join(lines)}."


def size_axis(comparison: Comparison) -> str:
    """Return the title of an axis of mean sizes."""
    if is_of_sets(comparison):
        return "Mean classes in a set"
    return say.axis("Mean width", comparison.result.target.unit)


def everything(comparison: Comparison) -> str:
    """Return what an interval or a set is at its largest."""
    return "every class" if is_of_sets(comparison) else "the whole range"


def _chosen(methods: Iterable[str]) -> tuple[str, ...]:
    names = tuple(methods)
    return tuple(name for name in names if name != DRAWN_BESIDE) or names


def _bins(bins: int | str) -> str:
    return f"bins by {option_title('bins', bins)}" if isinstance(bins, str) else say.count(bins, "bin")


def _failure(result: SweepResult, problem: str, cells: Sequence[CellResult]) -> str:
    among = tuple(sorted(result.plan.axes.get("epsilon", (result.plan.settings.epsilon,))))
    by_method: dict[str, list[float]] = {}
    for cell in cells:
        by_method.setdefault(cell.settings.method, []).append(cell.settings.epsilon)
    named = [f"“{option_title('method', name)}” {where(sorted(at), among)}" for name, at in by_method.items()]
    shown = named[:3] + ([f"{say.count(len(named) - 3, 'other method')}"] if len(named) > 3 else [])
    return (
        f"{say.count(len(cells), 'cell')} of {say.whole(result.plan.n_cells)} could not be computed "
        f"({listed(shown)}): {problem}"
    )


def _repetitions(comparison: Comparison) -> str:
    return say.count(comparison.result.plan.settings.repetitions, "repetition")


def _mean_size(comparison: Comparison, name: str, epsilon: float) -> str:
    cell = comparison.cell(name, epsilon)
    assert cell is not None
    return size_words(comparison, cell.size_mean, 2)


def _ends(comparison: Comparison, name: str, text: Callable[[CellResult], str]) -> str:
    """Return a method with its value at the smallest and at the largest epsilon."""
    line = comparison.line(name)
    if not line:
        return ""
    ends = (line[0], line[-1]) if len(line) > 1 else line
    values = [f"{text(cell)} at ε = {say.short(cell.settings.epsilon)}" for cell in ends]
    return f"{option_title('method', name)} {', '.join(values)}"


def _range(comparison: Comparison, cell: CellResult, *, of_size: bool) -> str:
    if not of_size:
        return f"{say.percent(cell.coverage.min())} to {say.percent(cell.coverage.max())}"
    low, high = float(cell.size.min()), float(cell.size.max())
    return f"{say.short(low, 3)} to {size_words(comparison, high)}"
