"""Predict new rows from a released bundle. Needs Python and numpy, nothing else.

Unpack the bundle, and in its folder:  python predict.py NEW.csv OUT.csv
NEW.csv has a line of column names, commas between cells and points in numbers; cells that are missing are empty, and
no word such as NA stands for one. Blanks around a cell do not count.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Arrays = Mapping[str, Any]
Model = Mapping[str, Any]


def cells(column: Model, texts: Sequence[str]) -> Any:
    """Turn the cells of one column into the numbers that the model reads."""
    missing = np.array([text == "" for text in texts], dtype=bool)
    if column["refuses_missing"] and missing.any():
        raise SystemExit(f"Column {column['name']} has missing cells; fill them.")
    if "places" in column:
        places, last = column["places"], len(column["vectors"])
        codes = [places.get(text, places.get(text.removesuffix(".0"), last - 1)) for text in texts]
        return np.array(column["vectors"])[np.where(missing, last - 2, codes)]
    numbers = np.array([number(text, column["name"], row) if text else np.nan for row, text in enumerate(texts, 1)])
    scaled = np.clip(numbers, *column["bounds"]) - column["centre"]
    scaled = np.where(missing, 0.0, np.clip(scaled / column["half"], -column["furthest"], column["furthest"]))
    return np.column_stack([scaled, missing] if column["marks_missing"] else [scaled])


def number(text: str, name: str, row: int) -> float:
    """Read a finite number; stop with one sentence, which names the place and not the cell, if there is none."""
    try:
        found = float(text)
    except ValueError:
        found = np.nan
    if not np.isfinite(found) or "_" in text:
        raise SystemExit(f"Column {name} has no number in row {row}; write it with a point, or leave the cell empty.")
    return found


def text_of(row: Mapping[str, str | None], name: str) -> str:
    """Return a cell without blanks around it; a row that is too short has empty cells at its end."""
    return (row[name] or "").strip()


def encoded(rows: Sequence[Mapping[str, str | None]], model: Model) -> Any:
    """Turn rows of text into the matrix that the model was trained on: float32, no row longer than 1."""
    blocks = [cells(column, [text_of(row, column["name"]) for row in rows]) for column in model["columns"]]
    matrix = (np.hstack([np.ones((len(rows), 1)), *blocks]) * model["size"]).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    matrix /= np.maximum(norms / (1 - 1e-6), 1.0)[:, None].astype(np.float32)
    return matrix.astype(np.float64)


def network(matrix: Any, arrays: Arrays, name: str) -> Any:
    """Send rows through dense layers, rectified between them."""
    layers = [key for key in arrays if key.startswith(f"{name}-") and key.endswith("-matrix")]
    for layer in range(len(layers)):
        matrix = matrix @ arrays[f"{name}-{layer}-matrix"] + arrays[f"{name}-{layer}-constants"]
        matrix = matrix if layer == len(layers) - 1 else np.maximum(matrix, 0)
    return matrix


def predicted(matrix: Any, model: Model, arrays: Arrays) -> Any:
    """Return a number, or a number and its spread, or the probability of each class; shape (rows, w)."""
    raw = network(matrix, arrays, "model")
    if "classes" in model:
        powers = np.exp(raw - raw.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
    target = model["target"]
    number = np.clip(raw * target["spread"] + target["centre"], target["lower"], target["upper"])
    if model["score"] != "normalized":
        return number
    spread = np.clip(network(matrix, arrays, "spread") * target["spread"], 0.0, target["upper"] - target["lower"])
    return np.hstack([number, spread])


def intervals(outputs: Any, thresholds: Any, model: Model) -> Any:
    """Return lower and upper ends, shape (rows, 2)."""
    target, centre = model["target"], outputs[:, 0]
    reach = thresholds * np.maximum(outputs[:, 1], model["floor"]) if outputs.shape[1] == 2 else thresholds
    slack = 4 * np.spacing(np.maximum(np.abs(centre), reach))
    everything = thresholds >= model["bound"]
    lower = np.where(everything, target["lower"], np.maximum(centre - reach - slack, target["lower"]))
    upper = np.where(everything, target["upper"], np.minimum(centre + reach + slack, target["upper"]))
    return np.column_stack([lower, upper])


def sets(outputs: Any, thresholds: Any, model: Model) -> Any:
    """Return which classes each set holds, shape (rows, classes)."""
    if model["score"] == "probability":
        scores = np.clip(1.0 - outputs, 0.0, 1.0)
    else:
        order = np.argsort(-outputs, axis=1, kind="stable")
        falling = np.take_along_axis(outputs, order, axis=1)
        scores = np.empty_like(outputs)
        # Added up as it was when the threshold was drawn, to the last bit.
        summed = np.cumsum(falling, axis=1) - falling + falling
        np.put_along_axis(scores, order, np.clip(summed, 0.0, 1.0), axis=1)
    members = scores <= thresholds[:, None]
    likeliest = outputs.argmax(axis=1)[:, None] == np.arange(outputs.shape[1])
    return members if model["allow_empty"] else members | (likeliest & ~members.any(axis=1, keepdims=True))


def thresholds_of(groups: Sequence[str], model: Model) -> Any:
    """Return each row's threshold: one for all, or that of its public group."""
    if "group" not in model:
        return np.full(len(groups), model["threshold"])
    unknown = sorted({group for group in groups if group not in model["thresholds"]})
    if unknown:
        raise SystemExit(f"Column {model['group']} has groups without a threshold: {', '.join(unknown[:5])}.")
    return np.array([model["thresholds"][group] for group in groups])


def answers(outputs: Any, thresholds: Any, model: Model) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the columns of the answer, and its rows."""
    if "classes" not in model:
        ends = intervals(outputs, thresholds, model)
        return ["prediction", "lower", "upper"], np.column_stack([outputs[:, 0], ends]).tolist()
    names = model["classes"]
    held = sets(outputs, thresholds, model)
    likeliest = [names[place] for place in outputs.argmax(axis=1)]
    texts = [" | ".join(name for name, inside in zip(names, row, strict=True) if inside) for row in held]
    rows = [[one, text, *row] for one, text, row in zip(likeliest, texts, outputs.tolist(), strict=True)]
    return ["prediction", "set", *(f"probability of {name}" for name in names)], rows


def table(path: str, needed: Sequence[str]) -> list[dict[str, str | None]]:
    """Read rows that have the columns that are needed; stop with one sentence if that cannot be done."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as source:
            reader = csv.DictReader(source)
            rows, names = list(reader), list(reader.fieldnames or [])
    except (OSError, ValueError, csv.Error):
        raise SystemExit(f"{path} cannot be read as a CSV file in UTF-8.") from None
    missing = [name for name in needed if names.count(name) != 1]
    if missing:
        raise SystemExit(f"{path} has no column {missing[0]}, or has it twice.")
    if not rows:
        raise SystemExit(f"{path} has no rows.")
    return rows


def parts(folder: Path) -> tuple[Model, Arrays]:
    """Read the model and its weights; stop with one sentence if a part is missing, or is not as it was released."""
    try:
        lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
        read = {name: (folder / name).read_bytes() for name in sums if name == "model.json" or name.endswith(".npy")}
        if any(hashlib.sha256(content).hexdigest() != sums[name] for name, content in read.items()):
            raise ValueError
        # Sums that were cut short name no weights, and without a layer everybody gets the same prediction.
        weights = {f"weights/{file.name}" for file in (folder / "weights").glob("[!.]*.npy")}
        if not weights or weights != {*read} - {"model.json"}:
            raise ValueError
        model = json.loads(read.pop("model.json"))
        return model, {Path(name).stem: np.load(io.BytesIO(npy), allow_pickle=False) for name, npy in read.items()}
    except (OSError, KeyError, ValueError):
        raise SystemExit(f"{folder} holds no whole bundle, or a part was changed; unpack all of it again.") from None


def main(new: str, out: str) -> None:
    """Read a bundle's own folder and a table, and write the answers."""
    model, arrays = parts(Path(__file__).parent)
    rows = table(new, [column["name"] for column in model["columns"]] + ([model["group"]] if "group" in model else []))
    groups = [text_of(row, model["group"]) if "group" in model else "" for row in rows]
    outputs = predicted(encoded(rows, model), model, arrays)
    names, found = answers(outputs, thresholds_of(groups, model), model)
    try:
        with open(out, "w", newline="", encoding="utf-8") as target:
            csv.writer(target).writerows([names, *found])
    except OSError as problem:
        raise SystemExit(f"{out} cannot be written: {problem.strerror}.") from None


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("Use: python predict.py NEW.csv OUT.csv")
    main(sys.argv[1], sys.argv[2])
