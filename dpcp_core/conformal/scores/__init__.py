"""Conformity scores by name; a new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from dpcp_core.conformal.scores.absolute import AbsoluteResidual
from dpcp_core.conformal.scores.cumulative import APS, RANDOMIZED_APS
from dpcp_core.conformal.scores.normalized import NormalizedResidual
from dpcp_core.conformal.scores.probability import ClassProbability
from dpcp_core.conformal.scores.protocol import Score
from dpcp_core.training.protocol import Task

SCORES: Mapping[str, Score] = {
    score.name: score for score in (AbsoluteResidual(), NormalizedResidual(), ClassProbability(), APS, RANDOMIZED_APS)
}

DEFAULT_SCORES: Mapping[Task, str] = {"regression": "absolute", "classification": "probability"}
"""What is taken where nobody chooses."""
