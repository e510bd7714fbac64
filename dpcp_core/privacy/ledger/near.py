"""Which known table shares most of its rows with this one? Told from a few salted hashes of each.

>>> import numpy as np
>>> salt = b"known to this ledger only"
>>> one, other = np.arange(1000), np.arange(100, 1100)
>>> round(shared_share(sketch(one, salt), 1000, sketch(other, salt), 1000), 1)
0.9
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

N_HASHES = 256
"""Hashes kept of each table."""

MOST = 0.5
"""Share of the smaller table's rows from which two tables are called nearly the same."""


def sketch(row_hashes: NDArray[np.uint64] | NDArray[np.int64], salt: bytes) -> tuple[int, ...]:
    """Return the smallest salted hashes of the different rows of a table.

    Parameters
    ----------
    row_hashes : array of shape (n,)
        A 64-bit hash of each row.
    salt : bytes
        At most 64 of them; whoever does not know it cannot tell which row a hash is of.

    Notes
    -----
    **Privacy.** Not private: whoever holds both ledger and salt can test whether a row that they know in full is among
    the rows that the hashes are of. A ledger is to be protected like the tables.

    References
    ----------
    Cohen and Kaplan, Summarizing Data Using Bottom-k Sketches (2007).
    """
    rows = np.unique(np.asarray(row_hashes)).astype("<u8")
    salted = [hashlib.blake2b(row.tobytes(), digest_size=8, key=salt[:64]).digest() for row in rows]
    return tuple(sorted(int.from_bytes(digest, "big") for digest in salted)[:N_HASHES])


def shared_share(one: tuple[int, ...], n_one: int, other: tuple[int, ...], n_other: int) -> float:
    """Return about which share of the smaller table's different rows the larger one has too, in [0, 1].

    Parameters
    ----------
    one, other : tuples of int
        Sketches with the same salt.
    n_one, n_other : int
        Numbers of different rows.
    """
    union = sorted({*one, *other})[:N_HASHES]
    if not union:
        return 0.0
    likeness = len({*one} & {*other} & {*union}) / len(union)
    shared = likeness * (n_one + n_other) / (1 + likeness)
    return min(1.0, shared / min(n_one, n_other))
