"""Sets of classes of the non-private split are MAPIE's on the same probabilities, for LAC and for APS.

MAPIE's APS always randomises the scores of the ranked rows, and then takes in the class at which a new row's sum passes
the threshold. In our terms: its coins are 1 minus ours for the ranked rows, and 0 for the new ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from dpcp_core import ConformalSettings, load_sample
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.thresholds import exact_threshold
from dpcp_core.data.target import ClassTarget
from dpcp_core.experiments.run import calibrate, prepare, train

mapie_classification = pytest.importorskip("mapie.classification")

LEVELS = (0.5, 0.8, 0.9, 0.95)
THEIR_NAMES = {"probability": "lac", "aps_randomized": "aps"}
SEED = 12
by_score = pytest.mark.parametrize("score", list(THEIR_NAMES))


def rows(n: int, seed: int, n_classes: int = 4) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 4))
    logits = features @ rng.normal(size=(4, n_classes)) + rng.gumbel(size=(n, n_classes))
    return features, logits.argmax(axis=1)


def our_sets(score: str, ranked: Any, truth: Any, new: Any, level: float) -> npt.NDArray[np.bool_]:
    """Return members of shape (n, K) from probabilities alone."""
    ours, target = SCORES[score], ClassTarget(tuple(f"class {code}" for code in range(new.shape[1])))
    coins = 1 - np.random.RandomState(SEED).uniform(size=(len(truth), 1))
    scores = np.sort(ours.scores(truth[:, None], ranked[:, None], target, coins), axis=0)
    threshold = exact_threshold(scores, 1 - level, ours.bound(target))
    return ours.region(new[:, None], threshold, target, np.zeros((len(new), 1))).members[:, 0]


def their_sets(score: str, model: Any, features: Any, truth: Any, new: Any, level: float) -> npt.NDArray[np.bool_]:
    theirs = mapie_classification.SplitConformalClassifier(
        model, confidence_level=level, prefit=True, conformity_score=THEIR_NAMES[score], random_state=SEED
    )
    theirs.conformalize(features, truth)
    options = {"conformity_score_params": {"include_last_label": True}} if score != "probability" else {}
    return theirs.predict_set(new, **options)[1][:, :, 0]


@by_score
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [150, 151, 199])
def test_sets_are_those_of_mapie(score: str, level: float, n: int) -> None:
    model = LogisticRegression().fit(*rows(300, seed=1))
    (features, truth), new = rows(n, seed=n), rows(60, seed=5)[0]
    ours = our_sets(score, model.predict_proba(features), truth, model.predict_proba(new), level)
    np.testing.assert_array_equal(ours, their_sets(score, model, features, truth, new, level))
    assert 0 < ours.sum() < ours.size or level == 0.95


def test_sets_are_those_of_mapie_where_probabilities_tie() -> None:
    """A forest of few trees gives many equal scores."""
    model = RandomForestClassifier(n_estimators=8, random_state=0).fit(*rows(400, seed=2, n_classes=3))
    (features, truth), new = rows(180, seed=3, n_classes=3), rows(60, seed=6)[0]
    ranked, others = model.predict_proba(features), model.predict_proba(new)
    ours = our_sets("probability", ranked, truth, others, 0.9)
    theirs = their_sets("probability", model, features, truth, new, 0.9)
    np.testing.assert_array_equal(ours, theirs)


@by_score
def test_the_comparison_notices_the_neighbouring_score(score: str) -> None:
    model = LogisticRegression().fit(*rows(300, seed=1))
    (features, truth), new = rows(150, seed=4), rows(400, seed=5)[0]
    ranked, others = model.predict_proba(features), model.predict_proba(new)
    theirs = their_sets(score, model, features, truth, new, 0.9)
    bolder = our_sets(score, ranked, truth, others, 0.9 - 2 / 151)
    assert (bolder != theirs).any()


@pytest.mark.parametrize("score", ["probability", "aps"])
def test_the_split_of_a_simulation_draws_these_sets(score: str) -> None:
    settings = ConformalSettings(method="split", score=score, repetitions=2, allow_empty=True)
    runs = train(prepare(load_sample("breast_cancer")), settings.training_key())
    result = calibrate(runs, settings)
    ours, target = SCORES[score], runs.prepared.goal
    threshold = exact_threshold(runs.scores, settings.alpha, ours.bound(target))
    np.testing.assert_array_equal(result.thresholds, threshold)
    members = ours.region(runs.test_predicted, threshold, target, None).members
    np.testing.assert_array_equal(result.rows.members, members[:100, 0])
