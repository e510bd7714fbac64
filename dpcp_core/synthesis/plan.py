"""How one budget is divided among attributes and task models, and what they cost together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile
from dpcp_core.privacy.shared_budget import SharedBudget, joint_delta, joint_epsilon
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.attributes.protocol import AnyMaker, AttributeTask
from dpcp_core.synthesis.domain import made_columns
from dpcp_core.synthesis.labels import LabelPlan, label_schema, plan_labels, residual_plan
from dpcp_core.synthesis.parts import Part
from dpcp_core.synthesis.rates import rates_plan
from dpcp_core.synthesis.settings import SynthesisSettings

# Of what a target's model may spend (of mu squared), the scale of its residuals or the shares of its classes take this.
_BESIDE_SHARE = 0.05

# For the rounding of searches.
_SLACK = 1 + 1e-6


@dataclass(frozen=True, eq=False)
class SynthesisPlan:
    """All that is public about a synthesis.

    Attributes
    ----------
    settings : SynthesisSettings
    schema : Schema
    targets : tuple of str
    n_rows : int
    maker : Maker
    attributes : plan of the maker
    labels : tuple of LabelPlan
        One per target; each knows the targets before it.
    """

    settings: SynthesisSettings
    schema: Schema
    targets: tuple[str, ...]
    n_rows: int
    maker: AnyMaker
    attributes: Any
    labels: tuple[LabelPlan, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """Every mechanism, for the receipt."""
        return (*self.maker.parts(self.attributes), *(part for label in self.labels for part in label.parts()))

    @property
    def profiles(self) -> tuple[PrivacyProfile, ...]:
        """Privacy of every private mechanism."""
        return tuple(part.profile for part in self.parts if part.profile is not None)


def targets_of(settings: SynthesisSettings, schema: Schema) -> tuple[str, ...]:
    """Return the columns to label, in order.

    Raises
    ------
    InputError
        A target that the schema does not have.
    """
    if settings.target is None:
        return () if schema.target is None else (schema.target.name,)
    given = (settings.target,) if isinstance(settings.target, str) else settings.target
    return tuple(schema.column(name).name for name in given)


def plan_synthesis(
    settings: SynthesisSettings, schema: Schema, n_rows: int, public: pd.DataFrame | None = None
) -> SynthesisPlan:
    """Divide the budget and plan every part.

    Parameters
    ----------
    settings : SynthesisSettings
    schema : Schema
        With its targets marked as such by :func:`targets_of`; a second target has any role.
    n_rows : int
        Rows that are read.
    public : DataFrame, optional
        Public rows for ``attributes="public"``.

    Raises
    ------
    InputError
        What cannot be made or learnt; nothing has been read by then.

    Notes
    -----
    **Privacy.** All parts together keep to (epsilon, delta). Attributes get their share of ``mu`` squared, the models
    of several targets equal parts of the rest. Each part is calibrated beside the others: those planned already by
    their exact profile, those to come as Gaussian ones of their share; so the last is calibrated beside what the others
    really are, and the whole is within the budget.
    """
    targets = targets_of(settings, schema)
    maker = ATTRIBUTES[settings.attributes]
    whole = gaussian_mu(settings.epsilon, settings.delta)
    made = tuple(name for name in made_columns(schema) if name not in targets)
    if not made:
        raise InputError("There is no column to make beside the target; give the schema at least one feature.")
    training = (settings.training_share if not maker.is_free else 1.0) if targets else 0.0
    task = AttributeTask(schema, made, n_rows, settings.groups, settings.bins, public)
    attributes = maker.plan(task, _beside(settings, (), whole * math.sqrt(training)))
    spent = tuple(part.profile for part in maker.parts(attributes) if part.profile is not None)
    labels = _plan_labels(settings, schema, targets, n_rows, spent, whole * math.sqrt(training))
    return SynthesisPlan(settings, schema, targets, n_rows, maker, attributes, labels)


def _beside(settings: SynthesisSettings, known: tuple[PrivacyProfile, ...], to_come: float) -> SharedBudget:
    others = (*known, GaussianProfile(to_come)) if to_come > 0 else known
    return SharedBudget(settings.epsilon, settings.delta, others=others)


def _plan_labels(
    settings: SynthesisSettings,
    schema: Schema,
    targets: tuple[str, ...],
    n_rows: int,
    spent: tuple[PrivacyProfile, ...],
    training_mu: float,
) -> tuple[LabelPlan, ...]:
    """Plan the models in order; ``spent`` is what attributes cost, ``training_mu`` what all models may."""
    plans: list[LabelPlan] = []
    for place, name in enumerate(targets):
        left = len(targets) - place - 1
        each = training_mu / math.sqrt(len(targets))
        column, mu = schema.column(name), each * math.sqrt(_BESIDE_SHARE)
        draws = settings.labels != "argmax"
        residuals = residual_plan(column, n_rows, mu) if draws else None
        rates = rates_plan(column, mu) if settings.labels == "rate" else None
        known = (*spent, *(profile for plan in plans for profile in plan.profiles))
        known = (*known, *(bought.profile for bought in (residuals, rates) if bought is not None))
        plan = plan_labels(
            label_schema(schema, name, targets[:place], targets[place + 1 :]),
            _beside(settings, known, each * math.sqrt(left)),
            task_model=settings.task_model,
            choices=settings.training_choices,
            n_rows=n_rows,
            residuals=residuals,
            rates=rates,
            draws=draws,
        )
        plans.append(plan)
    _require_within(settings, (*spent, *(profile for plan in plans for profile in plan.profiles)))
    return tuple(plans)


def _require_within(settings: SynthesisSettings, profiles: tuple[PrivacyProfile, ...]) -> None:
    """Stop rather than overspend, should a trainer not keep to what it was given."""
    found = joint_delta(profiles, settings.epsilon)
    # Where costs can only be added, either question may find the better division of the budget.
    if found > settings.delta * _SLACK and joint_epsilon(profiles, settings.delta) > settings.epsilon * _SLACK:
        raise InputError(
            f"The parts cost delta = {found:.3g} at epsilon = {settings.epsilon:g}, more than {settings.delta:g}; "
            "choose another task model."
        )
