"""A private synthetic table that serves a task: DPDSyn, with scikit-learn's conventions.

What does a private copy of my table look like?

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> age = rng.integers(20, 70, 3000)
>>> rows = pd.DataFrame({"age": age, "ill": np.where(age + rng.normal(0, 10, 3000) > 50, "yes", "no")})
>>> ill = Column("ill", "boolean", role="target")
>>> schema = Schema((Column("age", "integer", bounds=(18, 90)), ill), one_row_is="one patient")
>>> model = DPDSyn(epsilon=1.0, schema=schema, task_model="logistic", random_state=0).fit(rows)
>>> table = model.sample(1000)
>>> table.shape, list(table.columns), str(model.receipt_.total)
((1000, 2), ['age', 'ill'], 'epsilon = 1, delta = 1e-05')
"""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.schema_check import named
from dpcp_core.errors import InputError
from dpcp_core.privacy.leaks import file_leaks, silent_about_rows, speak_of
from dpcp_core.privacy.randomness import estimator_generator, refuse_seed
from dpcp_core.synthesis.domain import made_columns
from dpcp_core.synthesis.drawing import Source, at_their_rates
from dpcp_core.synthesis.labels import class_rates, fit_labels
from dpcp_core.synthesis.plan import SynthesisPlan, plan_synthesis, targets_of
from dpcp_core.synthesis.public_table import read_public
from dpcp_core.synthesis.randomised import checked_columns, randomised_frame
from dpcp_core.synthesis.reading import curators_view, read_rows, refuse_hopeless_target, refuse_unsuited_bins
from dpcp_core.synthesis.receipts import leaks_of, write_receipt
from dpcp_core.synthesis.report import SynthesisReport
from dpcp_core.synthesis.rule_check import refuse_contradictions
from dpcp_core.synthesis.rules import Rule
from dpcp_core.synthesis.settings import MOST_ROWS, SynthesisSettings

__all__ = ["Column", "DPDSyn"]

_FIT, _SAMPLE = 0, 1


class DPDSyn(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A differentially private synthetic table, made for a prediction task.

    1. Divide the budget between the attributes and a model of the task.
    2. Release the attributes privately: noisy histograms of columns or groups, a tree of pairs, or none at all.
    3. Train the task model privately on all rows.
    4. Draw attributes, let the model label them, and drop what breaks the public rules.

    Parameters
    ----------
    epsilon, delta : float
        Total privacy budget; epsilon above 0, delta in (0, 1).
    target : str, sequence of str, optional
        Columns to label. Several have a model each, with equal parts of the budget; the later ones know the earlier.
        None takes the schema's target; a schema without one gives a table without labels.
    schema : Schema, optional
        What is publicly known about the columns. Without one it is drafted from the rows, which is not private.
    attributes, task_model, labels, training_share, groups, bins, rules, randomised_response, max_draws
        See :class:`dpcp_core.synthesis.settings.SynthesisSettings`.
    steps, step_size, max_grad_norm, penalty, noise_multiplier, sampling_rate, batch_size, epochs, warmup_share, decay
        Public hyper-parameters of training, see :class:`dpcp_core.training.protocol.TrainingChoices`.
    mode : str
        ``simulation`` (seeded, never private) or ``release`` (the operating system's randomness, no seed).
    random_state : int, optional
        Seed of a simulation; a release refuses one.

    Attributes
    ----------
    receipt_ : PrivacyReceipt
    schema_ : Schema
        What the rows were read by, the first target marked.
    report_ : SynthesisReport
        Of the fit, and of the last sample.

    Raises
    ------
    InputError
        A value out of range, or data that cannot be used.
    NotPrivateError
        In release mode: something that is not private, such as ``attributes="shuffle"``.

    Notes
    -----
    **Privacy.** (epsilon, delta) for attributes and models together; neighbours differ in one row being there or
    empty, the number of rows is public. Samples cost nothing more. With ``attributes="shuffle"``, as first published,
    nothing is private.

    **Guarantee.** None on how close the table is to the real one.

    References
    ----------
    DPDSyn (2026), arXiv 2604.15660, for the method; docs/synthesis.md for what is different here.
    """

    _source: Source
    _chance: np.random.Generator

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        target: Any = None,
        schema: Schema | None = None,
        attributes: str = "marginals",
        task_model: str = "mlp",
        labels: str = "argmax",
        training_share: float = 0.8,
        groups: Any = (),
        bins: Any = "auto",
        rules: Any = (),
        randomised_response: Any = None,
        max_draws: int = 100,
        steps: int | None = None,
        step_size: float | None = None,
        max_grad_norm: float | None = None,
        penalty: float | None = None,
        noise_multiplier: float | None = None,
        sampling_rate: float | None = None,
        batch_size: int | None = None,
        epochs: float | None = None,
        warmup_share: float = 0.0,
        decay: str = "constant",
        mode: str = "simulation",
        random_state: int | None = None,
    ) -> None:
        given = locals()
        self.__dict__.update({name: value for name, value in given.items() if name not in ("self", "__class__")})

    def fit(self, frame: Any, y: None = None, *, public: pd.DataFrame | None = None) -> Self:  # noqa: ARG002
        """Read the rows, privately.

        Parameters
        ----------
        frame : DataFrame or Dataset of n rows
            With the schema's columns, the target among them.
        y : None
            Ignored; scikit-learn's convention.
        public : DataFrame, optional
            Public rows that ``attributes="public"`` draws from; they cost nothing.

        Returns
        -------
        DPDSyn
            Itself, fitted.

        Warns
        -----
        PrivacyLeakWarning
            In a simulation, for what a release would refuse.
        """
        started = time.perf_counter()
        refuse_seed(self.mode, self.random_state)
        settings = self._settings()
        schema, rows = read_rows(frame, self.schema, settings)
        speak_of(file_leaks(schema.from_file), self.mode, stacklevel=2)
        checked_columns(settings.randomised_response, schema)
        rules = tuple(Rule.of(rule, schema) for rule in settings.rules)
        refuse_contradictions(rules)
        refuse_unsuited_bins(settings.bins, schema, targets_of(settings, schema))
        public, notes = read_public(public, schema, settings)
        plan = plan_synthesis(settings, schema, len(rows), public)
        speak_of((plan.maker.leak,) if plan.maker.leak else (), self.mode, stacklevel=2)
        rng = estimator_generator(self.mode, self.random_state, _FIT)
        with silent_about_rows(self.mode):
            refuse_hopeless_target(rows, plan.targets, self.mode)
            source = self._fitted(plan, rows, rules, rng)
            report = self._reported(plan, source, rows, notes)
        # All at the end: a fit that fails leaves the last one whole.
        self._source, self._chance = source, estimator_generator(self.mode, self.random_state, _SAMPLE)
        self.schema_, self.receipt_ = schema, write_receipt(plan, self.mode)
        self.report_ = dataclasses.replace(report, seconds_fit=time.perf_counter() - started)
        return self

    def sample(self, n: int | None = None) -> pd.DataFrame:
        """Return synthetic rows; drawing them costs nothing.

        Parameters
        ----------
        n : int, optional
            How many; as many as were read by default.

        Returns
        -------
        DataFrame of shape (n, columns)
            The schema's columns that are not ignored, in its order.

        Raises
        ------
        InputError
            A number that is none, more than fit a computer, or rules that too few rows satisfy.
        """
        self._require_fitted()
        started = time.perf_counter()
        wanted = self.report_.n_rows if n is None else check.whole(at_most=MOST_ROWS, n=n)
        drawn = self._source.draw(wanted, self._chance)
        labels = self._source.labels
        first = labels[0].plan.column if labels else None
        self.report_ = dataclasses.replace(
            self.report_,
            n_sampled=wanted,
            n_drawn=drawn.n_drawn,
            n_dropped=drawn.n_dropped,
            dropped_by=tuple(zip((rule.text for rule in self._source.rules), drawn.broken, strict=True)),
            label_rate=() if first is None else class_rates(drawn.frame[first.name], first),
            seconds_sample=time.perf_counter() - started,
        )
        return drawn.frame

    def predict(self, frame: pd.DataFrame) -> Any:
        """Return what the private task model says of rows: the first target's likeliest class, or its number.

        Parameters
        ----------
        frame : DataFrame of n rows with the features

        Returns
        -------
        array of shape (n,)
            Classes as the schema writes them, or numbers in target units.
        """
        outputs, column = self._outputs(frame), self._source.labels[0].plan.column
        if column.is_numeric:
            return outputs[:, 0]
        return np.array(column.categories, dtype=object)[np.argmax(outputs, axis=1)]

    def predict_proba(self, frame: pd.DataFrame) -> Floats:
        """Return the private task model's probabilities of the first target's classes, shape (n, classes)."""
        outputs = self._outputs(frame)
        if self._source.labels[0].plan.column.is_numeric:
            raise InputError("The target is a number, which has no class probabilities; use predict.")
        return outputs

    def _outputs(self, frame: pd.DataFrame) -> Floats:
        self._require_fitted()
        if not self._source.labels:
            raise InputError("There is no target, so there is no task model to predict with.")
        model = self._source.labels[0]
        return model.outputs(named([column.name for column in model.plan.schema.features], frame))

    def _fitted(
        self, plan: SynthesisPlan, rows: pd.DataFrame, rules: tuple[Rule, ...], rng: np.random.Generator
    ) -> Source:
        settings = plan.settings
        rows = randomised_frame(rows, plan.schema, settings.randomised_response, rng)
        attributes = plan.maker.fit(rows, plan.attributes, rng)
        labels = tuple(fit_labels(rows, label, rng) for label in plan.labels)
        columns = tuple(plan.schema.column(name) for name in made_columns(plan.schema))
        labels = at_their_rates(attributes, labels, rng)
        return Source(attributes, labels, columns, rules, settings.max_draws)

    def _reported(
        self, plan: SynthesisPlan, source: Source, rows: pd.DataFrame, notes: tuple[str, ...]
    ) -> SynthesisReport:
        report = SynthesisReport(
            n_rows=plan.n_rows,
            columns=tuple(column.name for column in source.columns),
            ignored=tuple(column.name for column in plan.schema.columns if column.role == "ignore"),
            targets=plan.targets,
            cells=source.attributes.cells,
            notes=(*leaks_of(plan), *notes),
        )
        return report if self.mode == "release" else curators_view(report, rows, plan.schema)

    def _settings(self) -> SynthesisSettings:
        names = {field.name for field in dataclasses.fields(SynthesisSettings)}
        return SynthesisSettings(**{name: value for name, value in vars(self).items() if name in names})

    def _require_fitted(self) -> None:
        if not hasattr(self, "receipt_"):
            raise NotFittedError("This DPDSyn has read no table yet; call fit before you use it.")
