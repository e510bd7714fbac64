"""Nothing in the library holds on to a table once its answer is there: whoever forgets a table has forgotten it."""

from __future__ import annotations

import gc
import weakref

import pytest

from dpcp_core import ConformalSettings, Dataset, Goal, find_epsilon, load_sample, simulate, sweep
from dpcp_core.experiments.comparison import Comparison

QUICK = ConformalSettings(repetitions=5)


def stop_at_once() -> bool:
    return True


ANSWERS = {
    "simulate": lambda data: simulate(data, QUICK).summary(),
    "sweep": lambda data: Comparison(sweep(data, QUICK, methods=["dpcp", "pscp"], epsilons=[1.0])).standings(),
    "find_epsilon": lambda data: find_epsilon(data, QUICK, goal=Goal(width=225), should_stop=stop_at_once),
}


@pytest.mark.parametrize("ask", list(ANSWERS.values()), ids=list(ANSWERS))
def test_a_table_is_gone_once_nobody_holds_it(ask) -> None:
    sample = load_sample("diabetes")
    mine = Dataset.from_frame(sample.frame.copy(), sample.schema, name="mine")
    table, rows = weakref.ref(mine), weakref.ref(mine.frame)
    answer = ask(mine)
    del mine
    gc.collect()
    assert answer
    assert table() is None
    assert rows() is None
