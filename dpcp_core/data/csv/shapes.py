"""What looks like numbers and is something else: telephone numbers, codes around a letter E, grades.

>>> import pyarrow as pa
>>> code_shape(pa.chunked_array([["2E10", "417"]])), code_shape(pa.chunked_array([["2-", "3"]]))
('exponents', 'grades')
>>> code_shape(pa.chunked_array([["2e10", "4.17"]])), code_shape(pa.chunked_array([["20-", "3"]]))
('', '')
"""

from __future__ import annotations

from typing import Any, Literal

import pyarrow.compute as pc

_SAMPLE = 1_000
_TELEPHONE = r"^\+[0-9]{8,}$"
# Programs write 1e+05 or 1.0E5 for a number; so do people, but these may as well be codes.
_AROUND_E, _MAY_BE_AROUND_E = "^[0-9]+[eE][0-9]+$", "^[0-9]+([eE][0-9]+)?$"
_GRADE, _MAY_BE_GRADE = "^[0-9][-+\u2013\u2212]$", "^[0-9][-+\u2013\u2212]?$"


def code_shape(cells: Any) -> Literal["", "plus", "exponents", "grades"]:
    """Return what else than numbers a column of text may hold, null where a cell is missing.

    ``plus``: telephone numbers. ``exponents``: codes such as ``2E10``. ``grades``: ``2-`` and the like; an account
    would have a number of two digits.
    """
    if are_telephones(cells):
        return "plus"
    if are_around_e(cells):
        return "exponents"
    first = _all(pc.match_substring_regex(cells.slice(0, _SAMPLE), _MAY_BE_GRADE))
    return "grades" if first and _some_of(cells, _GRADE, _MAY_BE_GRADE) else ""


def are_telephones(cells: Any) -> bool:
    """Whether all cells are many digits behind a plus."""
    # Most columns are settled by their first cell.
    return _all(pc.match_substring(cells.slice(0, 1), "+")) and _all(pc.match_substring_regex(cells, _TELEPHONE))


def are_around_e(cells: Any) -> bool:
    """Whether some cells are digits around a letter E, and all others digits alone."""
    if _any(pc.match_substring(cells.slice(0, _SAMPLE), ".")):
        return False
    return _some_of(cells, _AROUND_E, _MAY_BE_AROUND_E)


def _some_of(cells: Any, pattern: str, otherwise: str) -> bool:
    return _any(pc.match_substring_regex(cells, pattern)) and _all(pc.match_substring_regex(cells, otherwise))


def _any(mask: Any) -> bool:
    return bool(pc.any(mask).as_py())


def _all(mask: Any) -> bool:
    return bool(pc.all(mask).as_py())
