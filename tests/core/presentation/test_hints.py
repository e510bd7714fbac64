from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.hints import bins_hint, noise_price, split_hint
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.quantile import certified_target

ResultOf = Callable[[str], SimulationResult]


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


def test_the_price_of_noise_is_what_the_certificate_takes_off_the_level(result_of: ResultOf) -> None:
    result = result_of("default")
    certificate = result.certificate
    price = noise_price(result)
    assert price is not None
    assert certificate.quantile_epsilon is not None
    assert certificate.bins is not None
    loss = result.settings.loss
    free = certified_target(certificate.n, certificate.level, math.inf, certificate.bins, loss=loss)
    paid = certified_target(certificate.n, certificate.level, certificate.quantile_epsilon, certificate.bins, loss=loss)
    assert price == pytest.approx((free - paid) / (certificate.n + 1))


def test_more_bins_make_finer_steps_and_cost_more(result_of: ResultOf) -> None:
    coarse, default = result_of("coarse"), result_of("default")
    assert noise_price(coarse) < noise_price(default)  # type: ignore[operator]
    assert plain(bins_hint(coarse)).startswith("10 bins")
    assert plain(bins_hint(default)).startswith("100 bins")


def test_steps_are_those_of_the_grid_at_the_drawn_threshold(result_of: ResultOf) -> None:
    result = result_of("default")
    assert result.distribution is not None
    edges = result.distribution.edges
    at = int(np.argmin(np.abs(edges - result.drawn)))
    down, up = say.quantity(edges[at] - edges[at - 1], "mmHg"), say.quantity(edges[at + 1] - edges[at], "mmHg")
    assert f"next smaller one is {down} away, the next larger {up}." in bins_hint(result)


def test_the_last_candidate_has_no_larger_one(result_of: ResultOf) -> None:
    assert "there is no larger one" in bins_hint(result_of("nothing"))


@pytest.mark.parametrize("case", ["naive", "oracle"])
def test_methods_without_bins_say_so(result_of: ResultOf, case: str) -> None:
    assert bins_hint(result_of(case)) == "This method uses no bins."


def test_rows_that_are_split_may_each_spend_the_whole_budget(result_of: ResultOf) -> None:
    hint = plain(split_hint(result_of("split_rows")))
    assert hint.startswith("1,600 patients train the model at ε = 1, 1,600 others are ranked at ε = 1:")
    assert "no more than the larger" in hint


def test_budgets_that_the_papers_add_are_not_called_parallel(result_of: ResultOf) -> None:
    assert "the two are added, as published" in split_hint(result_of("pscp"))


def test_one_table_used_twice_states_its_joint_cost(result_of: ResultOf) -> None:
    hint = plain(split_hint(result_of("default")))
    assert "0.5 draws the threshold" in hint
    assert "together they cost 1." in hint


@pytest.mark.parametrize("case", ["bought", "search", "histogram"])
def test_no_price_is_named_that_was_not_worked_out(result_of: ResultOf, case: str) -> None:
    assert noise_price(result_of(case)) is None
    assert "of coverage" not in bins_hint(result_of(case))


def test_two_models_share_the_cost_of_training(result_of: ResultOf) -> None:
    models = result_of("relative").receipt.entries[:2]
    costs = [entry.epsilon for entry in models]
    told = float(split_hint(result_of("relative")).removeprefix("ε = ").split(" ")[0])
    assert max(costs) < told < sum(costs)
    together = math.hypot(*(mu_of(entry.epsilon, entry.delta) for entry in models))
    assert told == pytest.approx(GaussianProfile(together).epsilon(1e-5), abs=0.005)


def mu_of(epsilon: float, delta: float) -> float:
    return float(brentq(lambda mu: GaussianProfile(mu).epsilon(delta) - epsilon, 1e-3, 10))


def test_steps_are_told_in_the_unit_of_the_score(result_of: ResultOf) -> None:
    assert "times the usual distance away" in plain(bins_hint(result_of("relative")))
    assert re.search(r"at 0\.\d+ the next smaller one is 0\.\d+ away", plain(bins_hint(result_of("classes"))))
    assert "larger sets" in bins_hint(result_of("classes"))


def test_every_hint_is_a_sentence_without_gaps(any_result: SimulationResult) -> None:
    for hint in (bins_hint(any_result), split_hint(any_result)):
        assert hint.endswith(".")
        assert "nan" not in hint.split()
        assert "None" not in hint
