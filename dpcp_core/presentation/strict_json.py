"""JSON that every reader takes: no NaN and no bare infinity."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def strict_json(values: Mapping[str, Any], indent: int | None = None) -> str:
    """Return values as strict JSON: infinity is the word "infinity", what is not a number is null.

    >>> strict_json({"epsilon": math.inf, "coverage": math.nan, "widths": (1.5, 2)})
    '{"epsilon": "infinity", "coverage": null, "widths": [1.5, 2]}'
    """
    return json.dumps(_strict(values), allow_nan=False, ensure_ascii=False, indent=indent)


def _strict(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _strict(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("infinity" if value > 0 else "-infinity")
    return value
