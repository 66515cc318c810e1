"""What is left out of a table: samples and features, by their names or by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _land
from ._running import Running
from .reading import Subset

_REASONS = {"samples": "not listed in samples", "exclude_samples": "by exclude_samples"}


def leave_out(table: _land.Table, subset: Subset, missing: str | None, run: Running, index: Any = None) -> None:
    """To be called when target, names and nominal features are set. `index`: the samples' labels, if X has any."""
    options: dict[str, Any] = {**subset, "missing": missing, "memory": run.memory}
    for key in ("include", "samples"):
        if options.get(key) is not None and not isinstance(options[key], str) and len(options[key]) == 0:
            raise ValueError(f"{key}: an empty list leaves nothing; leave the argument out to use all")
    kept = np.arange(table.samples)
    for key, reason in _REASONS.items():
        mask = _mask(table, key, options.get(key), index)
        if mask is None:
            continue
        inside = mask[kept] if key == "samples" else ~mask[kept]
        table.keep_samples(np.flatnonzero(inside).tolist(), reason)
        kept = kept[inside]
        del options[key]
    table.leave_out(options, run.threads, run.report)


def _mask(table: _land.Table, key: str, wanted: Any, index: Any) -> np.ndarray | None:
    """Over all samples, of places or a mask; None of ids, which the library looks up."""
    if wanted is None:
        return None
    values = np.asarray(wanted)
    if values.dtype.kind == "O" and values.size and all(isinstance(one, (bool, np.bool_)) for one in values):
        values = values.astype(bool)
    if values.size and values.dtype.kind not in "biu":
        if values.dtype.kind not in "UOT" or not all(isinstance(one, str) for one in values.ravel()):
            raise TypeError(f"{key}: ids as text, places or a mask are needed")
        if not table.sample_ids:
            raise ValueError(
                f"{table.path}: {key}: the samples have no ids; give their places or a mask, or for a file of text the "
                "column of ids with id"
            )
        return None
    if values.ndim != 1:
        raise ValueError(f"{key}: has {values.ndim} dimensions, needs 1")
    if values.dtype.kind == "b":
        _check_mask(table, key, wanted, values, index)
        return values
    places = values.astype(np.int64)
    outside = places[(places < 0) | (places >= table.samples)]
    if outside.size:
        raise ValueError(
            f"{table.path}: {key}={outside[0]}: no such sample; samples are numbered 0 to {table.samples - 1}"
        )
    mask = np.zeros(table.samples, dtype=bool)
    mask[places] = True
    return mask


def _check_mask(table: _land.Table, key: str, wanted: Any, mask: np.ndarray, index: Any) -> None:
    if len(mask) != table.samples:
        raise ValueError(
            f"{table.path}: {key}: a mask must have True or False for each of the {table.samples} samples; found "
            f"{len(mask)} values"
        )
    if hasattr(wanted, "iloc") and hasattr(index, "equals") and not wanted.index.equals(index):
        raise ValueError(
            f"{table.path}: {key}: the mask has other labels than the samples, or another order; give "
            "mask.to_numpy() if the order of the samples is the same"
        )


def over_all(values: np.ndarray, table: _land.Table, count: int) -> np.ndarray:
    """Values of the features that are used, at their places among all `count`; NaN for those left out."""
    spread = np.full(count, np.nan)
    spread[table.feature_numbers] = values
    return spread
