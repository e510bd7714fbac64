"""What the private conformal estimators share: parameters, one fit, predictions of new rows."""

from __future__ import annotations

import dataclasses
from types import MethodType
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.columns import FittedColumns, TargetReader, fit_columns
from dpcp_core.conformal.linter import Leak, lint, unpaid_steps
from dpcp_core.conformal.procedure import FittedProcedure, run_procedure
from dpcp_core.conformal.regions import Region
from dpcp_core.conformal.shift import Shift, refuse_shift
from dpcp_core.conformal.start import public_start
from dpcp_core.data.encoding import encode
from dpcp_core.data.target import Floats, target_of
from dpcp_core.errors import InputError, NotPrivateError
from dpcp_core.privacy.leaks import silent_about_rows
from dpcp_core.privacy.randomness import estimator_generator, refuse_seed
from dpcp_core.training.protocol import Task

# Streams of their own: a table is often drawn with the same seed by numpy's default generator, which is the stream
# without a name, and noise or coins must not repeat what the rows were made from.
_FIT, _COINS = 0, 1


class ScoreParameter:
    """Lets the parameter ``score`` live beside scikit-learn's method ``score``.

    Assigning stores the parameter, ``get_params`` returns it, and reading the attribute gives the method.
    """

    def __init__(self, mixin: Any) -> None:
        self._mixin = mixin

    def __set__(self, estimator: Any, value: Any) -> None:
        estimator.__dict__["score"] = value

    def __get__(self, estimator: Any, owner: type) -> Any:
        return self._mixin.score if estimator is None else MethodType(self._mixin.score, estimator)


class ConformalEstimator(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Parameters, fit and encoding of new rows; see the regressor and the classifier."""

    _task: ClassVar[Task]
    _always_splits: ClassVar[bool] = False
    _columns: FittedColumns
    _procedure: FittedProcedure
    _coins: np.random.Generator

    def _keep(self, given: dict[str, Any]) -> None:
        """Store the arguments of ``__init__`` under their own names, as scikit-learn asks."""
        self.__dict__.update({name: value for name, value in given.items() if name not in ("self", "__class__")})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        params: dict[str, Any] = super().get_params(deep)
        return params | {"score": vars(self)["score"]} if "score" in params else params

    def _fit(
        self, X: Any, y: Any, public: Any, read_target: TargetReader | None = None, *, shift: Shift | None = None
    ) -> None:
        refuse_seed(self.mode, self.random_state)
        choices, rng = self._checked_choices(shift), estimator_generator(self.mode, self.random_state, _FIT)
        with silent_about_rows(self.mode):
            columns, frame = fit_columns(self, X, y, read_target, bounds_epsilon=choices.bounds_epsilon, rng=rng)
        refuse_leaks(lint(choices, columns.schema), self.mode)
        choices = self._settled(choices, columns)
        with silent_about_rows(self.mode):
            table = encode(frame, columns.schema, columns.target)
            groups = columns.groups(X) if choices.by_group else None
        start, public_rows = None, 0
        if public is not None:
            known = self._public_rows(columns, public)
            start, public_rows = public_start(known, columns.schema, choices), len(known)
        if shift is not None:
            shift.require_rows(len(frame))
        procedure = run_procedure(
            table,
            columns.schema,
            choices,
            rng,
            mode=self.mode,
            start=start,
            public_rows=public_rows,
            groups=groups,
            shift=shift,
            bounds=columns.bought,
        )
        # All at the end: a fit that fails leaves the last one whole.
        self._learn(columns, procedure)

    def _checked_choices(self, shift: Shift | None) -> ConformalChoices:
        """Return the choices, or refuse what does not suit the task or a release before any row is read."""
        choices = self._choices()
        choices.resolved(self._task)
        if shift is not None:
            refuse_shift(choices)
        refuse_leaks(unpaid_steps(choices.recipe), self.mode)
        return choices

    def _settled(self, choices: ConformalChoices, columns: FittedColumns) -> ConformalChoices:
        """Return the choices with what suits the target in place of what was left open."""
        target = columns.schema.target
        assert target is not None
        settled = choices.resolved(self._task, target_of(target).n_classes)
        # Where every column has public bounds, what was meant for them is for the rest.
        return settled if columns.bought else settled.replace(bounds_epsilon=0.0)

    def _learn(self, columns: FittedColumns, procedure: FittedProcedure) -> None:
        """Keep what a fit found."""
        self._columns, self._procedure, self.schema_ = columns, procedure, columns.schema
        # One stream for all predictions: starting anew with each call would give its first row the same coin each time.
        self._coins = estimator_generator(self.mode, self.random_state, _COINS)
        self.threshold_ = procedure.threshold
        self.receipt_ = procedure.receipt
        self.certificate_ = procedure.certificate
        self.group_thresholds_ = procedure.group_thresholds
        self.group_certificates_ = procedure.group_certificates

    @property
    def procedure_(self) -> FittedProcedure:
        """Everything that a fit releases: model, threshold, receipt and certificate."""
        check_is_fitted(self, "threshold_")
        return self._procedure

    def _public_rows(self, columns: FittedColumns, public: Any) -> Any:
        try:
            X, y = public
            frame = columns.read(self, X)
        except (TypeError, ValueError) as error:
            told = str(error).partition("\n")[0].removesuffix(".")
            raise InputError(f"public must be a pair (X, y) of public rows like the private ones: {told}.") from None
        if len(frame) != len(y):
            raise InputError(f"public has {len(frame)} rows of X but {len(y)} values of y; give one value per row.")
        return frame.assign(**{columns.target: y})

    def _outputs(self, X: Any) -> Floats:
        """Return the model's outputs for new rows, shape (n, w)."""
        check_is_fitted(self, "threshold_")
        table = encode(self._columns.read(self, X), self.schema_)
        return self._procedure.predict(table.features)

    def _region(self, X: Any, outputs: Floats) -> Region:
        """Return the regions of new rows, from their outputs."""
        groups = self._columns.groups(X) if self._procedure.choices.by_group else None
        coins = self._coins if self._procedure.needs_coins else None
        return self._procedure.region(outputs, coins, groups)

    def _choices(self) -> ConformalChoices:
        # The attributes themselves: a subclass may fix a parameter and leave it out of its signature.
        names = {field.name for field in dataclasses.fields(ConformalChoices)} - {"method"}
        given = {name: vars(self)[name] for name in names if name in vars(self)}
        return ConformalChoices(**given | ({"stability": "split"} if self._always_splits else {}))


def refuse_leaks(leaks: tuple[Leak, ...], mode: str) -> None:
    """Refuse to release what is not private.

    Parameters
    ----------
    leaks : tuple of Leak
        What the linter found.
    mode : str
        ``simulation`` or ``release``.

    Raises
    ------
    NotPrivateError
        In release mode, for the first leak that a release refuses.
    """
    refused = [leak for leak in leaks if leak.refused_in_release]
    if mode == "release" and refused:
        fix = refused[0].fix
        raise NotPrivateError(f"{refused[0].sentence.removesuffix('.')}; {fix[0].lower()}{fix[1:]}")
