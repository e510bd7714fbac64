"""The picture of membership attacks says the result's own numbers, in its sentence, its lines and its table."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpcp_core.data.samples import load_sample
from dpcp_core.experiments.membership import MembershipResult, membership_attack
from dpcp_core.experiments.prepare import prepare
from dpcp_core.presentation.figures.membership import ATTACKS, membership_picture
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.membership import ATTACK_NAMES


@lru_cache(maxsize=1)
def result() -> MembershipResult:
    return membership_attack(prepare(load_sample("diabetes")), epsilon=4.0, delta=1e-5, n_models=32, n_rows=100)


def test_each_line_is_a_curve_of_the_result() -> None:
    figure = membership_picture(result()).figure
    lines = {trace.name: trace for trace in figure.data}
    assert set(lines) == set(ATTACK_NAMES.values())
    for name in ATTACKS:
        curve, line = getattr(result(), name), lines[ATTACK_NAMES[name]]
        shown = (curve.fpr >= 1e-3) & (curve.tpr >= 1e-3)
        np.testing.assert_allclose(10.0 ** np.array(line.y), curve.tpr[shown])
    limit = lines[ATTACK_NAMES["bound"]]
    np.testing.assert_allclose(10.0 ** np.array(limit.x[-1]), 1.0)


def test_sentence_and_table_hold_the_numbers_with_their_intervals() -> None:
    picture = membership_picture(result(), dark=True)
    worst = result().worst_row.advantage
    assert say.number(100 * worst.low) in picture.alt
    assert say.number(100 * result().largest_advantage) in picture.title
    assert "32 models" in picture.alt
    table = picture.table.set_index("attack")
    assert table.loc[ATTACK_NAMES["worst_row"], "advantage"] == worst.value
    assert table.loc[ATTACK_NAMES["worst_row"], "advantage_high"] == worst.high
    assert table.loc[ATTACK_NAMES["bound"], "advantage"] == result().largest_advantage
    assert len(table) == 5
