from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import numpy as np
import pytest

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.readouts import coverage_readout, privacy_readout, readouts, size_readout
from dpcp_core.presentation.wording.regions import size_cost
from dpcp_core.privacy.budget import PrivacyBudget

ResultOf = Callable[[str], SimulationResult]


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


def with_coverage(result: SimulationResult, coverage: list[float]) -> SimulationResult:
    return dataclasses.replace(result, coverage=np.asarray(coverage))


def with_widths(result: SimulationResult, width: float, without: float) -> SimulationResult:
    n = len(result.size)
    return dataclasses.replace(result, size=np.full(n, width), reference_size=np.full(n, without))


def test_coverage_is_compared_with_its_target_and_its_uncertainty(result_of: ResultOf) -> None:
    readout = coverage_readout(with_coverage(result_of("default"), [0.900, 0.905, 0.910]))
    assert plain(readout.value) == "90.5 %"
    assert plain(readout.comparison) == "0.5 points above the 90 % target, ± 1.2"
    assert "800 held-out patients" in plain(readout.sentence)
    assert "over 3 repetitions" in readout.sentence


def test_repetitions_that_all_agree_claim_no_certainty(result_of: ResultOf) -> None:
    readout = coverage_readout(with_coverage(result_of("default"), [1.0, 1.0, 1.0]))
    assert plain(readout.comparison) == "10.0 points above the 90 % target, in every repetition"
    assert "±" not in readout.sentence


def test_coverage_on_the_target_is_neither_above_nor_below(result_of: ResultOf) -> None:
    readout = coverage_readout(with_coverage(result_of("default"), [0.89, 0.90, 0.91]))
    assert plain(readout.comparison).startswith("just the 90 % target, ± ")


def test_only_coverage_surely_below_its_target_asks_for_attention(result_of: ResultOf) -> None:
    result = result_of("default")
    assert coverage_readout(with_coverage(result, [0.88, 0.90, 0.91])).tone == "plain"
    low = coverage_readout(with_coverage(result, [0.860, 0.865, 0.870]))
    assert low.tone == "attention"
    assert plain(low.comparison).startswith("3.5 points below the 90 % target")


def test_one_repetition_owns_up_to_the_number_of_rows(result_of: ResultOf) -> None:
    readout = coverage_readout(result_of("once"))
    assert "number of held-out rows" in readout.sentence
    assert "repetitions" not in readout.sentence


@pytest.mark.parametrize(
    ("width", "without", "words"),
    [
        (38.0, 36.5, "4 % (1.5 mmHg) wider than without privacy"),
        (36.0, 37.5, "4 % (1.5 mmHg) narrower than without privacy"),
        (36.55, 36.5, "as wide as without privacy"),
        (100.0, 20.0, "5.0 times as wide as without privacy (80 mmHg more)"),
    ],
)
def test_width_is_compared_in_percent_and_in_the_unit(
    result_of: ResultOf, width: float, without: float, words: str
) -> None:
    assert plain(size_cost(with_widths(result_of("default"), width, without))) == words


def test_width_is_placed_in_the_range_of_the_target(result_of: ResultOf) -> None:
    readout = size_readout(with_widths(result_of("default"), 40.0, 36.0))
    assert plain(readout.value) == "40 mmHg"
    assert "25 % of the range 70 to 230 mmHg" in plain(readout.sentence)


def test_a_range_without_news_is_called_what_it_is(result_of: ResultOf) -> None:
    assert size_readout(result_of("nothing")).comparison == "the whole range"


def test_privacy_is_told_in_odds_of_the_total_on_the_receipt(result_of: ResultOf) -> None:
    readout = privacy_readout(result_of("default"))
    assert readout.value == "at most 73.2 in 100"
    assert readout.comparison == "from 50 in 100: odds grow at most 2.72 times"
    assert "1 in 100,000" in plain(readout.sentence)
    assert "1 in 3,200, the number of patients" in plain(readout.sentence)


def test_strong_privacy_never_looks_like_a_warning(result_of: ResultOf) -> None:
    assert privacy_readout(result_of("strong")).tone == "plain"


@pytest.mark.parametrize("case", ["naive", "oracle"])
def test_what_is_not_private_says_so_and_asks_for_attention(result_of: ResultOf, case: str) -> None:
    readout = privacy_readout(result_of(case))
    assert (readout.value, readout.tone) == ("no bound", "attention")


def test_a_leak_on_the_receipt_undoes_the_bound(result_of: ResultOf) -> None:
    result = result_of("default")
    leaky = dataclasses.replace(result, receipt=result.receipt.with_leak("The bounds of age were read off the rows."))
    assert privacy_readout(leaky).value == "no bound"


def test_a_delta_above_one_in_the_rows_asks_for_attention(result_of: ResultOf) -> None:
    result = result_of("default")
    loose = dataclasses.replace(result.receipt, total=PrivacyBudget(1.0, 1e-3))
    assert privacy_readout(dataclasses.replace(result, receipt=loose)).tone == "attention"


def test_labels_stay_on_one_line_and_every_number_has_its_sentence(any_result: SimulationResult) -> None:
    for readout in readouts(any_result):
        assert len(readout.label.split()) <= 3
        assert readout.sentence.endswith(".")
        assert readout.hint.endswith(".")
        assert readout.comparison
        assert not re.search(r"\bnan\b|\binf\b", " ".join(dataclasses.astuple(readout)))
