"""One private model with all that a person is told by it: made once, asked for any number of people."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpcp_core._arrays import Booleans, Codes, Floats
from dpcp_core.conformal.fitting import Fitted, fit_exactly
from dpcp_core.conformal.private_schema import buy_bounds
from dpcp_core.conformal.procedure import finished
from dpcp_core.conformal.regions import Region
from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.coverage import wilson_interval
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.dividing import divide, included, shuffled_rows
from dpcp_core.experiments.drawing import Drawn, draw
from dpcp_core.experiments.person.shape import N_BINS, ErrorShape, error_shape
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.streams import Stream
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.noisy_distribution import histogram_entry, typical_shift
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.receipt import COMPOSITION_SENTENCES, PrivacyReceipt

MOST_SHIFT = 0.1
"""Where noise moves more of the rows than this, a histogram would show noise and not how the model errs."""


@dataclass(frozen=True)
class Subgroup:
    """Held-out rows of one public group, and how many of their intervals or sets held the truth.

    Attributes
    ----------
    column, name : str
    hits, n : int
    """

    column: str
    name: str
    hits: int
    n: int

    @property
    def share(self) -> float:
        """Share of them; NaN if none was held out."""
        return self.hits / self.n if self.n else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of that share; everything is possible if none was held out."""
        return wilson_interval(hits=self.hits, total=self.n) if self.n else (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class PersonModel:
    """What one run would release, with what is measured beside it.

    Attributes
    ----------
    schema : Schema
        How people are read.
    runs : TrainedRuns
    fitted : Fitted
        The model of the first repetition, and of the others if there are any.
    result : SimulationResult
        What the same settings give over all held-out rows.
    thresholds : array of shape (1,) or (G,)
        Released threshold, or one for each public group.
    rows : int array of shape (n_test,)
        Numbers of the rows held out in the first repetition.
    shape : ErrorShape or None
        How the model errs; None for classes, if nobody asked for it, or where noise would drown it.
    shift : float
        About what share of the rows noise moves in it, from public numbers; NaN for classes.
    receipt : PrivacyReceipt
        Of model, threshold and shape together.
    everybody : Subgroup
        All held-out rows.
    subgroups : tuple of Subgroup
        One for each public group.

    Notes
    -----
    **Privacy.** ``rows``, ``everybody``, ``subgroups`` and ``result`` are the curator's view of a simulation; the rest
    would be released for what the receipt says.
    """

    schema: Schema
    runs: TrainedRuns
    fitted: Fitted
    result: SimulationResult
    thresholds: Floats
    rows: Codes
    shape: ErrorShape | None
    shift: float
    receipt: PrivacyReceipt
    everybody: Subgroup
    subgroups: tuple[Subgroup, ...]

    @property
    def settings(self) -> ConformalSettings:
        """Settings of the run, with nothing left automatic."""
        return self.result.settings

    @property
    def dots_epsilon(self) -> float:
        """What the shape costs on top of model and threshold; 0 without one."""
        return self.shape.epsilon if self.shape else 0.0


def person_model(
    data: Dataset,
    runs: TrainedRuns,
    settings: ConformalSettings,
    result: SimulationResult | None = None,
    *,
    dots: bool = True,
) -> PersonModel:
    """Make what people are asked of; trains nothing.

    Parameters
    ----------
    data : Dataset
        The table that the runs were trained on.
    runs : TrainedRuns
        Of these settings; the first repetition is what people are told by.
    settings : ConformalSettings
    result : SimulationResult, optional
        What ``calibrate(runs, settings)`` gives, where it is at hand.
    dots : bool
        For a number: also count with noise how the model errs, which costs as much as the threshold once more.

    Raises
    ------
    InputError
        The runs are of another table or of other settings.

    Notes
    -----
    **Privacy.** Threshold and histogram read the same rows, so the cost of the second is added to the first.
    """
    if data.digest != runs.prepared.digest:
        raise InputError("These runs were trained on another table; train again on this one.")
    result = result or calibrate(runs, settings)
    settings, drawn, fitted = result.settings, draw(runs, result.settings), runs.fitted or _reference(runs)
    epsilon = settings.allocation.quantile_epsilon or math.inf
    is_number = not runs.prepared.goal.n_classes
    shift = typical_shift(N_BINS, runs.n_calibration, epsilon) if is_number else math.nan
    shape = None
    if dots and is_number and shift <= MOST_SHIFT:
        shape = error_shape(runs, fitted, epsilon, simulation_generator(settings.seed, Stream.DOTS))
    covered = _covered(runs, settings, drawn)
    return PersonModel(
        schema=_schema(data, settings),
        runs=runs,
        fitted=fitted,
        result=result,
        thresholds=drawn.shown.widened[:1] if drawn.groups is None else drawn.groups.widened[0],
        rows=divide(shuffled_rows(runs.prepared.n_rows, runs.task), runs.task).test[:, 0],
        shape=shape,
        shift=shift,
        receipt=result.receipt if shape is None else _with_shape(result.receipt, shape),
        everybody=Subgroup("", "", int(covered.sum()), len(covered)),
        subgroups=_subgroups(runs, covered),
    )


def _schema(data: Dataset, settings: ConformalSettings) -> Schema:
    """Return the schema that the rows were encoded by, bought bounds included: the same seed buys the same."""
    schema = data.schema.with_target(settings.target) if settings.target else data.schema
    if not settings.bounds_epsilon:
        return schema
    rng = simulation_generator(settings.seed, Stream.BOUNDS)
    return buy_bounds(schema, data.frame, epsilon=settings.bounds_epsilon, rng=rng)[0]


def _reference(runs: TrainedRuns) -> Fitted:
    """Return the models without privacy once more: runs of theirs keep only what they predict."""
    prepared, task = runs.prepared, runs.task
    rows = divide(shuffled_rows(prepared.n_rows, task), task).all_rows
    return fit_exactly(runs.plan, prepared.features, prepared.truth, included(rows, prepared.n_rows))


def _covered(runs: TrainedRuns, settings: ConformalSettings, drawn: Drawn) -> Booleans:
    """Return whether the interval or set of each held-out row of the first repetition holds the truth."""
    predicted, coins = runs.test_predicted, runs.test_coins
    region: Region = SCORES[settings.score].region(predicted, drawn.of_rows, runs.prepared.goal, coins)
    return finished(region, predicted, settings).covers(runs.test_truth)[:, 0]


def _subgroups(runs: TrainedRuns, covered: Booleans) -> tuple[Subgroup, ...]:
    groups = runs.prepared.groups
    if groups is None or runs.test_groups is None:
        return ()
    codes = runs.test_groups[:, 0]
    return tuple(
        Subgroup(groups.column.title, name, int(covered[codes == code].sum()), int((codes == code).sum()))
        for code, name in enumerate(groups.column.categories)
    )


def _with_shape(receipt: PrivacyReceipt, shape: ErrorShape) -> PrivacyReceipt:
    words = COMPOSITION_SENTENCES.get(receipt.composition, receipt.composition)
    entry = histogram_entry("signed scores", len(shape.shares), shape.n, shape.epsilon)
    return replace(
        receipt,
        entries=(*receipt.entries, entry),
        composition="The cost of the histogram, which the dots are made from, is added to that of the other parts. Of "
        f"those: {words[0].lower()}{words[1:]}",
        total=receipt.total + PrivacyBudget(shape.epsilon),
    )
