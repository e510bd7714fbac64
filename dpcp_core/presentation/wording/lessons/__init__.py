"""The words of the five lessons, in the order to take them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpcp_core.presentation.wording.lessons import budget, coverage, noise, odds, synthetic
from dpcp_core.presentation.wording.lessons.lesson import Lesson, Option, Question

__all__ = ["LESSONS", "Lesson", "Option", "Question"]

LESSONS: Mapping[str, Lesson] = MappingProxyType(
    {lesson.name: lesson for lesson in (noise.LESSON, odds.LESSON, coverage.LESSON, budget.LESSON, synthetic.LESSON)}
)
