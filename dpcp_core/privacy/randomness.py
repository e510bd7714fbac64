"""Where chance comes from: seeded for a simulation, the operating system's for a release.

The two share nothing, so that neither can stand in for the other by default.

>>> bool(simulation_generator(1).random() == simulation_generator(1).random())
True
>>> bool(release_generator().random() == release_generator().random())
False
"""

from __future__ import annotations

import secrets
from typing import Any, NoReturn

import numpy as np

from dpcp_core import _validate
from dpcp_core.errors import InputError

_KEY_BITS = 256
_CHACHA_ROUNDS = 20
_NORMALS_SUMMED = 4


def simulation_generator(seed: int, *stream: int) -> np.random.Generator:
    """Return a repeatable generator, one of a family of independent streams.

    Parameters
    ----------
    seed
        Whole number, 0 or more.
    *stream
        Whole numbers that name the stream, for instance a repetition and a purpose. Different names give
        independent streams; no name is a stream of its own.

    Returns
    -------
    numpy.random.Generator

    Notes
    -----
    **Privacy**: none. Whoever knows the seed can take the noise off again.

    Examples
    --------
    >>> a, b = simulation_generator(0, 1), simulation_generator(0, 2)
    >>> bool(a.random() == b.random())
    False
    """
    root = _validate.whole(at_least=0, seed=seed)
    names = tuple(_validate.whole(at_least=0, stream=name) for name in stream)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(root, spawn_key=names)))


def require_generator(rng: object) -> None:
    """Refuse what is no numpy generator, so that no draw falls back on a hidden one.

    Raises
    ------
    InputError
        Anything but a ``numpy.random.Generator``.
    """
    if not isinstance(rng, np.random.Generator):
        raise InputError("rng must be a numpy Generator, for instance simulation_generator(0).")


class ReleaseGenerator(np.random.Generator):
    """A generator whose normal numbers are sums of four, and which cannot be copied.

    A normal number from one draw is one of about ``2**52`` floats, with holes between them. A sum with noise then lies
    where one table could have put it and its neighbour could not. Half the sum of four draws is as normal, and whoever
    looks for the holes has ``2**159`` sums to try.

    Notes
    -----
    **Privacy.** Hardens the Gaussian mechanism against floating-point attacks; it is no proof that none is left. See
    ``docs/floating-point.md``.

    References
    ----------
    Mironov, On Significance of the Least Significant Bits for Differential Privacy (2012); Holohan and Braghin, Secure
    Random Sampling in Differential Privacy (2021), section 5.1; Opacus, ``secure_mode``, does the same.

    Examples
    --------
    >>> release_generator().standard_normal((2, 3)).shape
    (2, 3)
    """

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Return half the sum of four normal numbers, drawn in double precision whatever ``dtype`` is asked for."""
        if out is not None:
            raise InputError("out must be left out: a release's normal numbers come in an array of their own.")
        total = sum(super(ReleaseGenerator, self).standard_normal(size) for _ in range(_NORMALS_SUMMED))
        return total / 2 if np.dtype(dtype) == np.float64 else np.asarray(total / 2, dtype=dtype)[()]

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Return the same with another mean and standard deviation."""
        shape = np.broadcast(loc, scale).shape or None if size is None else size
        return loc + scale * self.standard_normal(shape)

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied: two copies would draw the same noise, and their difference would be bare."""
        raise TypeError("A release's generator cannot be copied or sent elsewhere; make another.")


def release_generator() -> np.random.Generator:
    """Return a generator for a private release: ChaCha20, keyed afresh by the operating system.

    It takes no seed, by design: noise that can be drawn again protects nobody. Its normal numbers are summed from
    four draws, see :class:`ReleaseGenerator`.

    Returns
    -------
    numpy.random.Generator

    References
    ----------
    Garfinkel and Leclerc, Randomness Concerns When Deploying Differential Privacy (2020).
    """
    from randomgen import ChaCha

    return ReleaseGenerator(ChaCha(key=secrets.randbits(_KEY_BITS), rounds=_CHACHA_ROUNDS))


def estimator_generator(mode: str, random_state: object, stream: int) -> np.random.Generator:
    """Return what an estimator draws from: the system's chance in a release, else that of its seed, if it has one.

    Parameters
    ----------
    mode
        ``"simulation"`` or ``"release"``.
    random_state
        Seed of a simulation; None draws differently each time.
    stream
        Names the purpose, so that two of them do not share their chance.
    """
    if mode == "release":
        return release_generator()
    if random_state is None:
        return np.random.default_rng()
    return simulation_generator(_validate.whole(at_least=0, random_state=random_state), stream)


def refuse_seed(mode: str, random_state: object) -> None:
    """Raise if a release was given a seed.

    Parameters
    ----------
    mode
        ``"simulation"`` or ``"release"``.
    random_state
        What the caller gave; only None goes with a release.

    Raises
    ------
    InputError
        If the mode is unknown, or a release comes with a seed.

    Examples
    --------
    >>> refuse_seed("simulation", 0)
    >>> refuse_seed("release", 0)
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: random_state is 0, but a release takes no seed: leave it out, or use mode="simulation".
    """
    _validate.one_of(("simulation", "release"), mode=mode)
    if mode == "release" and random_state is not None:
        raise InputError(
            f'random_state is {random_state!r}, but a release takes no seed: leave it out, or use mode="simulation".'
        )
