"""Three accountants side by side: what each of them says that training on Poisson batches costs.

Noise is always chosen by PLD, the tightest that is on the private side; the others show what they would have said.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from dpcp_core import _validate as check
from dpcp_core.privacy.profile import SubsampledGaussianProfile

# Opacus's own orders, with smaller and larger ones, so that neither weak nor strong privacy runs out of them.
_ORDERS = (1.01, 1.02, 1.05, *(1 + x / 10 for x in range(1, 100)), *range(11, 64), *(2.0**k for k in range(6, 13)))
# What PRV may err by, as a share of epsilon and within limits: a finer answer takes longer.
_PRV_SHARE, _PRV_FINEST, _PRV_COARSEST = 0.005, 1e-3, 0.1


def accountant_comparison(
    noise_multiplier: float, sampling_rate: float, steps: int, delta: float
) -> Mapping[str, float]:
    """Return the epsilon of one training run by each accountant.

    Parameters
    ----------
    noise_multiplier : float
        Standard deviation of the noise on a clipped sum, over the clip norm; above 0.
    sampling_rate : float
        Chance of each row to be in a batch, in (0, 1].
    steps : int
        Number of batches.
    delta : float
        Strictly between 0 and 1.

    Returns
    -------
    mapping from ``"PLD"``, ``"PRV"`` and ``"RDP"`` to an epsilon of 0 or more

    Raises
    ------
    InputError
        A number out of its range.

    Notes
    -----
    **Privacy.** Each is an upper bound for neighbours by emptying one row. PLD is dp-accounting's pessimistic privacy
    loss distribution, within a fraction of a percent of the truth. PRV is Opacus's numerical composition, with its
    stated error (half a percent) added. RDP is Opacus's Renyi accountant, whose conversion to epsilon loses a tenth or
    more.

    References
    ----------
    Koskela, Jälkö and Honkela (2020), "Computing tight differential privacy guarantees using FFT"; Gopi, Lee and
    Wutschitz (2021), "Numerical composition of differential privacy"; Mironov, Talwar and Zhang (2019), "Renyi
    differential privacy of the sampled Gaussian mechanism".

    Examples
    --------
    >>> {name: round(epsilon, 2) for name, epsilon in accountant_comparison(0.86, 0.03, 300, 1e-5).items()}
    {'PLD': 4.7, 'PRV': 4.72, 'RDP': 5.37}
    """
    profile = SubsampledGaussianProfile(noise_multiplier, sampling_rate, steps)
    limit = check.share(delta=delta)
    return _compared(profile.noise_multiplier, profile.sampling_rate, profile.steps, limit)


@lru_cache(maxsize=128)
def _compared(noise_multiplier: float, sampling_rate: float, steps: int, delta: float) -> Mapping[str, float]:
    from opacus.accountants import PRVAccountant, RDPAccountant

    tight = SubsampledGaussianProfile(noise_multiplier, sampling_rate, steps).epsilon(delta)
    error = min(max(_PRV_SHARE * tight, _PRV_FINEST), _PRV_COARSEST) if math.isfinite(tight) else _PRV_COARSEST
    numerical, renyi = PRVAccountant(), RDPAccountant()
    run = (noise_multiplier, sampling_rate, steps)
    numerical.history, renyi.history = [run], [run]
    # Full batches make Opacus take the logarithm of 0, which is the right answer there.
    with warnings.catch_warnings(), np.errstate(divide="ignore"):
        # That an order at the end of the list is best is no error: the bound holds, if loosely.
        warnings.filterwarnings("ignore", message="Optimal order is", category=UserWarning)
        found = {
            "PLD": tight,
            "PRV": float(numerical.get_epsilon(delta, eps_error=error)),
            "RDP": float(renyi.get_epsilon(delta, alphas=list(_ORDERS))),
        }
    return MappingProxyType(found)
