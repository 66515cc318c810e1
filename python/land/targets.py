"""The target, whatever holds it: numbers or text, one value per sample. The library decides on classes or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _land


def values_of(y: Any) -> np.ndarray:
    """A one-dimensional array: float64 of numbers, or text with "" where a value is missing."""
    if hasattr(y, "to_pylist"):  # pyarrow
        y = y.to_pylist()
    elif hasattr(y, "cat") and hasattr(y, "astype"):  # a categorical Series of pandas
        y = y.astype(object)
    if isinstance(y, np.ma.MaskedArray):
        y = np.where(np.ma.getmaskarray(y), np.array(None), y.data)
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.ndim != 1:
        raise ValueError(f"y: has {values.ndim} dimensions, needs 1: a value for every sample")
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    if values.dtype.kind == "S":
        return values.astype(str)
    if values.dtype.kind == "U":
        return values
    if values.dtype.kind != "O":
        raise ValueError(f"y: values of type {values.dtype} are neither numbers nor text; convert them")
    missing = np.array([value is None or value != value for value in map(_plain, values)], dtype=bool)
    present = values[~missing]
    if all(isinstance(value, (bool, int, float, np.number, np.bool_)) for value in present):
        numbers = np.full(len(values), np.nan)
        numbers[~missing] = present.astype(np.float64)
        return numbers
    return np.array(["" if gone else str(value) for gone, value in zip(missing, values)], dtype=object)


def _plain(value: Any) -> Any:
    # pandas.NA has no truth value, not even in comparisons.
    return None if type(value).__name__ == "NAType" else value


def set_target(table: _land.Table, y: Any, name: str = "y") -> None:
    values = values_of(y)
    name = str(getattr(y, "name", None) or name)
    if values.dtype.kind == "f":
        table.set_target_numbers(name, np.ascontiguousarray(values))
    else:
        table.set_target_text(name, [str(value) for value in values])
