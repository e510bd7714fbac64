"""A simulation of a synthesis as plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dpcp_core.experiments.synthesis.measured import Measured

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis.result import RivalResult, SynthesisResult


def summary(result: SynthesisResult) -> dict[str, Any]:
    """Return means over the repetitions, and standard deviations under ``_sd`` where there are several."""
    seconds, settings = result.part_seconds(), result.settings
    return {
        "epsilon": settings.epsilon,
        "delta": settings.delta,
        "n_train": result.runs[0].n_train,
        "n_test": result.runs[0].n_test,
        "repetitions": len(result.runs),
        **_by_measure(result, lambda found: found.mean),
        **(_by_measure(result, lambda found: found.sd, "_sd") if len(result.runs) > 1 else {}),
        "majority": {measure: result.majority(measure).mean for measure in result.measures},
        "task_model": {measure: result.task_model(measure).mean for measure in result.measures},
        **_labels(result),
        **{name: result.fidelity(name).mean for name in ("column_shapes", "column_pairs")},
        "n_dropped": result.report.n_dropped,
        **{f"seconds_{part}": found.mean for part, found in seconds.items()},
        "rivals": {rival.name: _rival(result, rival) for rival in result.rivals},
        "receipt": result.receipt.to_dict(),
    }


def _by_measure(result: SynthesisResult, number: Callable[[Measured], float], ending: str = "") -> dict[str, Any]:
    return {
        f"{measure}{ending}": {
            model: {
                "real": number(result.score(model, measure, "real")),
                "synthetic": number(result.score(model, measure)),
            }
            for model in result.models
        }
        for measure in result.measures
    }


def _labels(result: SynthesisResult) -> dict[str, Any]:
    rates = result.label_rates
    if rates is None:
        return {}
    both = {"real": rates.real, "synthetic": rates.synthetic}
    return {"label_rate": {of: dict(zip(rates.classes, shares, strict=True)) for of, shares in both.items()}}


def _rival(result: SynthesisResult, rival: RivalResult) -> dict[str, Any]:
    scores = {
        measure: {model: rival.score(model, measure).mean for model in result.models} for measure in result.measures
    }
    made = scores if rival.scores else {}
    return {**made, "seconds": rival.making_seconds.mean, "problem": rival.problem}
