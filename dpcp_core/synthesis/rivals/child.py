"""The process that a rival runs in: ``python -m dpcp_core.synthesis.rivals.child FOLDER``.

Reads ``rows.npy`` and ``request.json``, writes ``drawn.npy`` and ``answer.json``.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.synthesis.rivals.protocol import CodedRows
from dpcp_core.synthesis.rivals.registry import RIVALS

_LONGEST = 200
_ERROR_LINE = re.compile(r"\w*(Error|Exception): \S")


def main(folder: Path) -> None:
    """Run what the folder asks for, and leave the answer in it; an error is an answer."""
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    started = time.perf_counter()
    problem = ""
    try:
        np.save(folder / "drawn.npy", _drawn(request, np.load(folder / "rows.npy")))
    except Exception as error:  # a library may raise anything
        problem = _said(error)
    answer = {"seconds": time.perf_counter() - started, "problem": problem}
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")


def _end_with_parent(parent: int) -> None:
    """End this process when the one that started it is gone: nobody would read the answer."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _drawn(request: dict[str, Any], codes: Any) -> Any:
    rows = CodedRows(
        codes,
        names=tuple(request["names"]),
        sizes=tuple(request["sizes"]),
        has_missing=tuple(request["has_missing"]),
        target=request["target"],
    )
    budget = PrivacyBudget(request["epsilon"], request["delta"])
    return RIVALS[request["rival"]].draw(rows, budget, request["n"], np.random.default_rng(request["seed"]))


def _said(error: Exception) -> str:
    """Return what went wrong in one line: of a trace that a library passed on as text, the error at its end."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    inner = [line for line in lines if _ERROR_LINE.match(line)]
    said = inner[-1] if inner else f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return said[:_LONGEST].rstrip(" .:")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
