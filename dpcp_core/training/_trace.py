"""Recording how training goes, at some of its steps; never part of what is released."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpcp_core.training.protocol import Matrix, TrainingTrace

_MOST_POINTS = 50


@dataclass
class TraceRecorder:
    """Collects up to 50 points of a training curve.

    Attributes
    ----------
    steps : int
        How many steps training has.

    Notes
    -----
    **Privacy.** None: what it holds is computed from the rows without noise, so it is for simulations only.

    Examples
    --------
    >>> recorder = TraceRecorder(1000)
    >>> for step in range(1, 1001):
    ...     if recorder.wants(step):
    ...         recorder.add(step, loss=1 / step, clipped_share=0.5, gradient_norm=0.1)
    >>> trace = recorder.trace()
    >>> len(trace.step), int(trace.step[0]), int(trace.step[-1])
    (50, 1, 1000)
    """

    steps: int
    _points: list[tuple[int, float, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = min(self.steps, _MOST_POINTS)
        self._wanted = frozenset(np.linspace(1, self.steps, count).round().astype(int).tolist())

    def wants(self, step: int) -> bool:
        """Whether this step (from 1) is one of those that are kept."""
        return step in self._wanted

    def add(self, step: int, *, loss: float, clipped_share: float, gradient_norm: float) -> None:
        """Keep a point."""
        self._points.append((step, loss, clipped_share, gradient_norm))

    def add_rows(self, step: int, *, losses: Matrix, norms: Matrix, max_grad_norm: float) -> None:
        """Keep a point from the rows' losses and their gradients' lengths before clipping, each of shape (n,)."""
        self.add(
            step,
            loss=float(np.mean(losses)),
            clipped_share=float(np.mean(norms > max_grad_norm)),
            gradient_norm=float(np.median(norms)),
        )

    def trace(self) -> TrainingTrace:
        """Return what was kept."""
        step, loss, clipped, norm = np.array(self._points, dtype=np.float64).reshape(-1, 4).T
        return TrainingTrace(step.astype(np.int64), loss, clipped, norm)
