"""What a synthetic table is worth: models trained on it, scored on real rows that were set aside.

How do I hold rows out?  ``split_for_synthesis(frame)`` does, and keeps equal rows on one side. What does a report hold?
Scores of models trained on synthetic rows, of the same models trained on real rows, and of a guess.
"""

from __future__ import annotations

from dpcp_core.evaluation.utility.downstream import DOWNSTREAM, Downstream
from dpcp_core.evaluation.utility.evaluate import MODELS, evaluate_utility
from dpcp_core.evaluation.utility.report import ModelUtility, UtilityReport
from dpcp_core.evaluation.utility.scores import ClassScores, NumberScores, Scores, score_classes, score_numbers
from dpcp_core.evaluation.utility.splitting import SyntheticSplit, split_for_synthesis

__all__ = [
    "DOWNSTREAM",
    "MODELS",
    "ClassScores",
    "Downstream",
    "ModelUtility",
    "NumberScores",
    "Scores",
    "SyntheticSplit",
    "UtilityReport",
    "evaluate_utility",
    "score_classes",
    "score_numbers",
    "split_for_synthesis",
]
