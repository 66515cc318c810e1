"""Arrays of xarray as tables: samples by features, with the labels of their dimensions as ids and names."""

from __future__ import annotations

from typing import Any

from . import _land
from .arrays import array_table


def labelled_table(X: Any) -> _land.Table:
    if not hasattr(X, "dims") or not hasattr(X, "dtype"):
        names = ", ".join(repr(name) for name in getattr(X, "data_vars", ()))
        raise ValueError(
            f"X: is an xarray {type(X).__name__}; give one of its arrays, samples by features"
            + (f": X[...] of {names}" if names else "")
        )
    table = array_table(X.values)
    samples, features = X.dims
    if features in X.coords:
        table.feature_names = [str(label) for label in X.coords[features].values]
    if samples in X.coords:
        table.sample_ids = [str(label) for label in X.coords[samples].values]
    return table
