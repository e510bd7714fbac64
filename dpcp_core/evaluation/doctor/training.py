"""What can ail the model: a clip norm far off, nothing learnt, a spread that says nothing. Seen in simulations only."""

from __future__ import annotations

import math

from dpcp_core._words import names_text, number_text, percent_text
from dpcp_core.evaluation.doctor.remedies import EVEN_SHARE, more_budget
from dpcp_core.evaluation.symptoms import Finding, Symptoms, TrainingSigns

FAR_OFF = 10.0
"""A clip norm this many times longer or shorter than gradients are is far off."""

NEARLY_ALL = 0.9
"""A clip norm is too short where at least this share of gradients is shortened."""

NOTHING_LEARNT, SOMETHING_TO_LEARN = 0.05, 0.1
"""A gain of at most the first is none; a model without privacy with at least the second shows that there was one."""

AT_FLOOR = 0.5
"""From this share of rows on, a spread at its floor is worth a word."""

_MORE_BUDGET = 3.0


def clip_norm_far_off(s: Symptoms) -> Finding | None:
    """Find that gradients are all shortened, or drowned in the noise of a far too long clip norm."""
    signs = s.training
    if signs is None or not signs.clip_norm or not signs.gradient_norm or not math.isfinite(signs.clip_norm):
        return None
    too_long, too_short = _too_long(signs), _too_short(signs)
    if not too_long and not too_short:
        return None
    better = round_number(signs.gradient_norm)
    off = signs.clip_norm / signs.gradient_norm if too_long else signs.gradient_norm / signs.clip_norm
    happens = (
        "Noise is in proportion to the clip norm, so it drowns such gradients."
        if too_long
        else f"{percent_text(signs.clipped_share)} of the gradients are shortened, so rows far off pull no harder."
    )
    return Finding(
        "clip_norm_far_off",
        f"Gradients are clipped at {number_text(signs.clip_norm)}, {number_text(off)} times "
        f"{'longer' if too_long else 'shorter'} than most of them are.",
        f"At the start the median gradient of a row has length {number_text(signs.gradient_norm)}. {happens}",
        f"Take a max_grad_norm of about {number_text(better)}; before a release, find it on public or simulated rows, "
        "as this was seen on these.",
        {"max_grad_norm": better},
    )


def _too_long(signs: TrainingSigns) -> bool:
    # Gradients at a good start are short, and clipping is not meant for them.
    return not signs.public_start and (signs.clip_norm or 0.0) > FAR_OFF * (signs.gradient_norm or 0.0)


def _too_short(signs: TrainingSigns) -> bool:
    far = (signs.clip_norm or 0.0) * FAR_OFF < (signs.gradient_norm or 0.0)
    return far and signs.clipped_share >= NEARLY_ALL


def round_number(value: float) -> float:
    """Return the nearest of 1, 2 and 5 times a power of ten.

    >>> round_number(0.475), round_number(13.0), round_number(0.036)
    (0.5, 10.0, 0.05)
    """
    power = math.floor(math.log10(value))
    candidates = [float(f"{digit}e{place}") for place in (power, power + 1) for digit in (1, 2, 5)]
    return min(candidates, key=lambda candidate: abs(math.log(candidate / value)))


def not_learning(s: Symptoms) -> Finding | None:
    """Find that the model is no better than a guess that reads no feature."""
    signs = s.training
    if signs is None or signs.gain > _too_little(signs) or clip_norm_far_off(s) is not None:
        return None
    guess = "naming the commonest class always" if s.classes else "guessing the mean"
    symptom = f"The model predicts hardly better than {guess}."
    if signs.reference_gain < SOMETHING_TO_LEARN:
        return _nothing_to_learn(s, symptom, signs)
    taken = "nothing" if signs.gain <= 0 else percent_text(signs.gain, 2)
    without = percent_text(signs.reference_gain, 2)
    cause = f"Without privacy it takes away {without} of that guess's error, here {taken}: "
    if signs.set_by_hand:
        cause += f"that may be due to what was set by hand ({names_text(signs.set_by_hand)})."
        return Finding("not_learning", symptom, cause, "Leave it to the public defaults.", _defaults(signs.set_by_hand))
    cause += "the noise of training drowns what the features say."
    return Finding("not_learning", symptom, cause, *_less_noise(s))


def _too_little(signs: TrainingSigns) -> float:
    # What a person set by hand is doubted sooner than the public defaults are.
    return max(NOTHING_LEARNT, signs.reference_gain / 2 if signs.set_by_hand else 0.0)


def _nothing_to_learn(s: Symptoms, symptom: str, signs: TrainingSigns) -> Finding | None:
    if s.classes is not None:
        # Where one class is far more common than the others, probabilities still tell rows apart.
        return None
    cause = f"Also without privacy, it takes away only {percent_text(max(signs.reference_gain, 0.0))} of its error."
    return Finding("not_learning", symptom, cause, "Bring features that say more about the target.")


def _defaults(names: tuple[str, ...]) -> dict[str, object]:
    unset: dict[str, object] = {"warmup_share": 0.0, "decay": "constant"}
    return {name: unset.get(name) for name in names}


def _less_noise(s: Symptoms) -> tuple[str, dict[str, object]]:
    if s.composition != "parallel" and s.training_share < EVEN_SHARE:
        return f"Give training {percent_text(EVEN_SHARE)} of ε.", {"training_share": EVEN_SHARE}
    return more_budget(s, _MORE_BUDGET, "more rows or fewer columns")


def spread_at_floor(s: Symptoms) -> Finding | None:
    """Find that the spread is the smallest one allowed for most rows."""
    if s.spread_floor_share is None or s.spread_floor_share < AT_FLOOR:
        return None
    return Finding(
        "spread_at_floor",
        "Most intervals are equally wide, although they should be wider where predictions are unsure.",
        f"For {percent_text(s.spread_floor_share)} of the rows the second model predicts no more than the smallest "
        "spread that is allowed.",
        f"Take the absolute score, which pays for one model only, or give {s.target_title} a narrower typical range.",
        {"score": "absolute"},
    )
