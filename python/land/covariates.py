"""Covariates, whatever holds them: columns of X by their names, a file, or values of every sample."""

from __future__ import annotations

import operator
import os
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _land
from ._running import Running
from .anndata_tables import is_anndata, open_h5ad
from .frames import align, is_arrow, is_pandas, is_range
from .joining import joined
from .lookups import find_one
from .targets import values_of


class Covariates(NamedTuple):
    words: list[str]  #: as the command line has them: features by name, or a file
    columns: list[tuple[str, Any]]  #: or names and values, one for each
    how: Literal["table", "ids", "order"] = "table"  #: the values came to the samples


def covariates_of(X: Any, adjust: Any) -> tuple[Any, Covariates]:
    """X without the columns that are covariates, and these."""
    words = _words(adjust)
    if words is None:
        return X, _of_values(X, adjust)
    if not words or _land.is_covariates_file(words):
        return X, Covariates(words, [])
    if is_pandas(X):
        places = [find_one("X", "adjust", word, [str(name) for name in X.columns]) for word in words]
        columns = [(str(X.columns[at]), X.iloc[:, at]) for at in places]
        return X.iloc[:, np.setdiff1d(np.arange(X.shape[1]), places)], Covariates([], columns)
    if is_anndata(X):
        return X, of_obs(X, words)
    if isinstance(X, (str, os.PathLike)) and os.fspath(X).endswith(".h5ad"):
        return X, of_obs(open_h5ad(os.fspath(X)), words, os.fspath(X))
    if is_arrow(X) and hasattr(X, "drop"):
        names = list(getattr(X, "column_names", None) or X.columns)
        names = [names[find_one("X", "adjust", word, names)] for word in words]
        columns = [(name, X[name]) for name in names]
        return X.drop(list(dict.fromkeys(names))), Covariates([], columns)
    return X, Covariates(words, [])


def of_obs(adata: Any, adjust: Any, name: str = "adata") -> Covariates:
    names = [str(column) for column in adata.obs.columns]
    places = [find_one(f"{name}: obs", "adjust", word, names) for word in _words(adjust) or []]
    return Covariates([], [(names[at], adata.obs.iloc[:, at]) for at in places])


def add_covariates(
    table: _land.Table, covariates: Covariates, run: Running, joining: dict[str, Any], by_labels: bool = False
) -> None:
    """`joining`: how a file is joined on ids. `by_labels`: values with an index are joined on it."""
    if covariates.words:
        table.take_covariates(covariates.words, joining, run.threads, run.report)
    for name, column in covariates.columns:
        how = covariates.how
        if by_labels and how == "order":
            column, how = joined(table, column, "adjust")
        values, categorical = values_of(column, "adjust")
        if values.dtype.kind == "f":
            table.add_covariate_numbers(name, np.ascontiguousarray(values), how)
        else:
            table.add_covariate_text(name, [str(value) for value in values], categorical, how)


def _words(adjust: Any) -> list[str] | None:
    """As the command line has them; None of values."""
    if adjust is None:
        return []
    if isinstance(adjust, str):
        return adjust.split(",")
    if isinstance(adjust, os.PathLike):
        return [os.fspath(adjust)]
    if isinstance(adjust, (int, np.integer)):
        return [str(operator.index(adjust))]
    if isinstance(adjust, (list, tuple)) and all(isinstance(one, str) for one in adjust):
        return list(adjust)
    return None


def _of_values(X: Any, adjust: Any) -> Covariates:
    how: Literal["ids", "order"] = "order"
    if hasattr(adjust, "iloc") and is_pandas(X):
        how = "order" if is_range(X.index) else "ids"
        adjust = align(adjust, X, "adjust")
    if hasattr(adjust, "columns"):
        if hasattr(adjust, "iloc"):
            return Covariates([], [(str(name), adjust.iloc[:, at]) for at, name in enumerate(adjust.columns)], how)
        names = list(getattr(adjust, "column_names", None) or adjust.columns)
        return Covariates([], [(name, adjust[name]) for name in names], how)
    values = adjust if hasattr(adjust, "name") or hasattr(adjust, "to_pylist") else np.asarray(adjust)
    if getattr(values, "ndim", 1) == 2:
        return Covariates([], [(f"adjust{at}", values[:, at]) for at in range(values.shape[1])], how)
    return Covariates([], [(str(getattr(values, "name", None) or "adjust"), values)], how)
