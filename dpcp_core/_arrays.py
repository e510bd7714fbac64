"""Names for the kinds of arrays that go from room to room; shapes stand in the docstrings."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = NDArray[np.int64]
"""Places in a public list, such as a column's categories."""

Counts: TypeAlias = NDArray[Any]
"""How many scores lie somewhere: whole numbers, or floats where they are means."""
