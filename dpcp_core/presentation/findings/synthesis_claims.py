"""What the source text claims of DPDSyn, and what we claim, each with the check that it is held against.

Its places are named by section.
"""

from __future__ import annotations

from dpcp_core.experiments.reproduce_synthesis import checks
from dpcp_core.experiments.reproduce_synthesis.evidence import SynthesisEvidence
from dpcp_core.experiments.reproduce_synthesis.methods import FITTED_RIVALS, LITERAL
from dpcp_core.presentation.findings.claims import Claim

SynthesisClaim = Claim[SynthesisEvidence]

SOURCES = (
    "Places: sections of the article “DPDSyn: task-oriented synthesis of data with differential privacy”, in Chinese. "
    "The claims are told in our words. The article does not say at which epsilon its tables were made; where a claim "
    "needs one, it is 1. “As published” shuffles the real columns."
)

PUBLISHED_ACCURACY, PUBLISHED_F1 = 0.8398, 0.8245
_HALF_POINT, _POINT = 0.005, 0.01
_RIVALS = checks.RIVAL_NAMES
_OVER_RIVAL = "published minus rival"

OF_THE_TEXT: tuple[SynthesisClaim, ...] = (
    Claim(
        f"On Adult, a linear SVM on both sides reaches an accuracy of {PUBLISHED_ACCURACY} (.8452 without privacy).",
        "3.1",
        checks.reaches(
            "accuracy", PUBLISHED_ACCURACY, LITERAL, table="adult", task_model="linear_svm", models=("svm",)
        ),
        "share",
        "accuracy as published",
    ),
    Claim(
        "Models lose almost nothing (less than a point of accuracy) against the same models on real rows.",
        "2.1, 3.1",
        checks.close_to_real(LITERAL, _POINT),
        "points",
        "accuracy on the synthetic table minus that on real rows",
    ),
    Claim(
        "DPDSyn is ahead of other private methods in accuracy.",
        "3.1",
        checks.better("accuracy", LITERAL, _RIVALS),
        "points",
        f"accuracy, {_OVER_RIVAL}",
    ),
    Claim(
        "DPDSyn is ahead of other private methods in F1.",
        "3.1",
        checks.better("f1", LITERAL, _RIVALS),
        "points",
        f"F1, {_OVER_RIVAL}",
    ),
    Claim(
        "It is ahead by more in F1 than in accuracy.",
        "3.1",
        checks.gains_more_in_f1(LITERAL, _RIVALS),
        "points",
        "lead in F1 minus lead in accuracy",
    ),
    Claim(
        f"On LPD, an F1 of {PUBLISHED_F1} shows that what tells the classes apart is kept: it is above that of calling "
        "everybody a patient.",
        "3.1",
        checks.beats_the_guess(LITERAL, "lpd"),
        "points",
        "F1 minus that of calling everybody a patient",
    ),
    Claim(
        "A table is made ten times as fast or faster than by methods that choose marginals and fit them (MST, AIM).",
        "2.1, 3.2",
        checks.quicker(LITERAL, FITTED_RIVALS, 10.0),
        "ratio",
        "time of the rival over that of DPDSyn",
    ),
    Claim(
        "It is the fastest of all that are compared.",
        "3.2",
        checks.quicker(LITERAL, _RIVALS),
        "ratio",
        "time of the rival over that of DPDSyn",
    ),
    Claim(
        "Nobody is both more accurate and faster.",
        "3.4, figure 4",
        checks.never_beaten_in_both(LITERAL, _RIVALS),
        "points",
        f"accuracy, {_OVER_RIVAL}",
    ),
    Claim(
        "With two and three times as many rows, accuracy stays (within half a point) or rises.",
        "3.3, table 6",
        checks.holds_with_more_rows(LITERAL, _HALF_POINT),
        "points",
        "accuracy with more rows minus that with the rows themselves",
    ),
    Claim(
        "It holds its ground where the budget is tight: below epsilon 1 it loses less than a point of accuracy.",
        "5",
        checks.holds_at_small_epsilon(LITERAL, _POINT),
        "points",
        "accuracy minus that at epsilon 1",
    ),
    Claim(
        "Each feature keeps its distribution (total variation below .01).",
        "2.2.2",
        checks.close_in("feature_error", LITERAL, 0.01),
        "share",
        "mean total variation of the features",
    ),
    Claim(
        "The whole table costs no more than the (epsilon, delta) of its model, as shuffling looks at rows no more.",
        "2.3",
        checks.costs_a_finite_epsilon(LITERAL),
        "share",
        "releases whose receipt names a finite epsilon",
    ),
)

OUR_OWN: tuple[SynthesisClaim, ...] = (
    Claim(
        "Private histograms in place of shuffled columns cost less than half a point of accuracy.",
        "",
        checks.better("accuracy", "marginals", (LITERAL,), by=-_HALF_POINT),
        "points",
        "accuracy, private histograms minus as published",
    ),
    Claim(
        "On Adult they reach an accuracy of .835 at epsilon 1, with a linear SVM and a network.",
        "",
        checks.reaches("accuracy", 0.835, "marginals", table="adult", task_model="mlp", models=("svm", "mlp")),
        "share",
        "accuracy with private histograms",
    ),
    Claim(
        "On Adult they reach an F1 of .60 at epsilon 1, with a linear SVM and a network.",
        "",
        checks.reaches("f1", 0.60, "marginals", table="adult", task_model="mlp", models=("svm", "mlp")),
        "share",
        "F1 with private histograms",
    ),
    Claim(
        "The likeliest label for each row moves the share of labels by more than 5 points.",
        "",
        checks.label_rate_off(LITERAL, 0.05),
        "points",
        "share of labels, synthetic minus real",
    ),
    Claim(
        "Drawn labels keep the share of labels within 3 points.",
        "",
        checks.label_rate_within("sample", 0.03),
        "points",
        "share of labels, synthetic minus real",
    ),
    Claim(
        "A private tree of pairs is closer to the real pairs of columns than private histograms are.",
        "",
        checks.closer_in("two_way_error", "tree", "marginals"),
        "ratio",
        "error of pairs, tree over histograms",
    ),
    Claim(
        "Drawn labels cost less than two points of accuracy.",
        "",
        checks.better("accuracy", "sample", ("marginals",), by=-0.02),
        "points",
        "accuracy, drawn labels minus the likeliest ones",
    ),
    Claim(
        "Where a table holds copies of rows (LPD, Smoking), rows dealt out as they come flatter models.",
        "",
        checks.leaks_through_copies(("lpd", "smoking")),
        "points",
        "accuracy of models on real rows, plain split minus copies kept together",
    ),
)
