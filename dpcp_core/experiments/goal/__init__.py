"""Which epsilon does a goal take? Start with ``find`` (``find_epsilon``), ``wish`` (``Goal``) and ``answer``."""

from __future__ import annotations

from dpcp_core.experiments.goal.answer import REASONS, GoalAnswer, RowsNeeded
from dpcp_core.experiments.goal.find import find_epsilon
from dpcp_core.experiments.goal.look import Look
from dpcp_core.experiments.goal.wish import Goal

__all__ = ["REASONS", "Goal", "GoalAnswer", "Look", "RowsNeeded", "find_epsilon"]
