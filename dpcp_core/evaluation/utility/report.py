"""What a synthetic table is worth to whoever trains on it."""

from __future__ import annotations

from dataclasses import dataclass

from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility.scores import Scores
from dpcp_core.training.problem import Task


@dataclass(frozen=True)
class ModelUtility:
    """One kind of model, trained on synthetic rows and on real rows, both scored on held-out real rows.

    Attributes
    ----------
    name, title : str
    on_synthetic, on_real : Scores
    seconds : float
        Training on the synthetic rows.
    is_constant : bool
        The synthetic rows were of one class, so that nothing was trained and that class is what is predicted.
    """

    name: str
    title: str
    on_synthetic: Scores
    on_real: Scores
    seconds: float
    is_constant: bool = False


@dataclass(frozen=True)
class UtilityReport:
    """Models trained on a synthetic table, beside what they have to be compared with.

    Attributes
    ----------
    task : "classification" or "regression"
    target : str
    classes : tuple of str
        Empty for numbers.
    positive : str
        The class that F1 is of; "" where F1 is a mean over classes, or for numbers.
    n_synthetic, n_train, n_test : int
        Rows that models were trained on, synthetic and real, and real rows that they were scored on.
    models : tuple of ModelUtility
    majority : Scores
        Of the guess that looks at no feature: the most frequent class, or the mean, of the real training rows.
    task_model : Scores or None
        Of the private model that labelled the synthetic table.
    notes : tuple of str
        What was left out or could not be trained, a sentence each.

    Notes
    -----
    **Privacy.** Curator's view: every number was measured on real rows.
    """

    task: Task
    target: str
    classes: tuple[str, ...]
    positive: str
    n_synthetic: int
    n_train: int
    n_test: int
    models: tuple[ModelUtility, ...]
    majority: Scores
    task_model: Scores | None = None
    notes: tuple[str, ...] = ()

    def model(self, name: str) -> ModelUtility:
        """Return what was measured with one kind of model.

        Raises
        ------
        InputError
            If it was not among those asked for.
        """
        for found in self.models:
            if found.name == name:
                return found
        known = ", ".join(found.name for found in self.models)
        raise InputError(f"Model {name!r} was not evaluated; the report has: {known}.")
