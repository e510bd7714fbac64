"""A plotly figure that plotly checks when somebody looks into it: to send it to a browser, what it is made of will do.

Checking every property takes plotly longer than all else that a page does, and each figure is checked by the tests.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io

_BYTES = {"int8": "i1", "int16": "i2", "int32": "i4", "float64": "f8"}
"""Arrays that plotly's browser part reads as bytes, and what it calls them."""

_WHOLE = (np.int8, np.int16, np.int32)


class LazyFigure(go.Figure):  # type: ignore[misc]  # plotly has no types
    """A figure of traces and a layout that are plain dictionaries in plotly's own long form.

    Parameters
    ----------
    data : list of dict
        Traces; left as they are from now on, like the layout.
    layout : dict
        Names its template.
    more
        What else a figure takes; it is checked at once then.
    """

    def __init__(self, data: Any = None, layout: Any = None, **more: Any) -> None:
        self._asked: tuple[Any, Any] | None = (data, layout)
        if more or not (isinstance(data, list) and isinstance(layout, dict)):
            self._check(**more)

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as it is sent, arrays as bytes."""
        if self._asked is None:
            checked: dict[str, Any] = super().to_dict()
            return checked
        data, layout = self._asked
        template = plotly.io.templates[layout["template"]].to_plotly_json()
        layout = {key: value for key, value in _sent(layout).items() if value != []}
        return {"data": [_sent(trace) for trace in data], "layout": {**layout, "template": template}}

    def __getattr__(self, name: str) -> Any:
        """Become a checked figure at the first look at anything that only such a one has."""
        if self.__dict__.get("_asked") is None:
            raise AttributeError(name)
        self._check()
        return getattr(self, name)

    def _check(self, **more: Any) -> None:
        data, layout = self._asked or (None, None)
        self._asked = None
        super().__init__(data, layout, **more)


def _sent(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sent(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, np.ndarray):
        return _as_bytes(value)
    if isinstance(value, list | tuple) and value and not isinstance(value[0], str | float | int):
        return [_sent(inner) for inner in value]
    return value


def _as_bytes(values: np.ndarray[Any, Any]) -> Any:
    if values.size == 0:
        return []
    if values.dtype == np.int64:
        low, high = values.min(), values.max()
        smallest = next((kind for kind in _WHOLE if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max), np.int64)
        values = values.astype(smallest)
    if (short := _BYTES.get(str(values.dtype))) is None:
        return values.tolist()
    shape = {} if values.ndim == 1 else {"shape": str(values.shape)[1:-1]}
    return {"dtype": short, "bdata": base64.b64encode(values.tobytes()).decode("ascii"), **shape}
