"""Targets that are columns of the data: taken out of a frame, so that they are no features."""

from __future__ import annotations

import os
from typing import Any

from . import _land
from .anndata_tables import is_anndata
from .frames import is_arrow, is_pandas
from .lookups import find_one
from .targets import Survival


def column_names(X: Any, y: Any) -> list[str] | None:
    """Names of several columns of X: texts that are all different, which no classes of samples are. None of values."""
    if not isinstance(y, (list, tuple)) or not y or not all(isinstance(one, str) for one in y):
        return None
    if not (isinstance(X, (str, os.PathLike)) or is_pandas(X) or is_arrow(X) or is_anndata(X)):
        return None
    return list(y) if len(set(y)) == len(y) else None


def survival_names(survival: Any) -> list[str] | None:
    """Names of the columns of time and event; None if these are values."""
    if isinstance(survival, str):
        names = survival.split(",")
    elif isinstance(survival, (list, tuple)) and all(isinstance(one, str) for one in survival):
        names = list(survival)
    elif isinstance(survival, (list, tuple)) and len(survival) == 2:
        return None
    else:
        raise ValueError("survival: give (time, event): two arrays, or the names of two columns")
    if len(names) != 2:
        raise ValueError(f"survival={survival!r}: {len(names)} columns; name two, the time and the event")
    return names


def take_columns(X: Any, names: list[str], option: str) -> tuple[Any, dict[str, Any]]:
    """X without these columns, and their values. Those of AnnData stand in obs."""
    if is_pandas(X):
        known = [str(name) for name in X.columns]
        places = [find_one("X", option, name, known) for name in names]
        rest = X.iloc[:, [k for k in range(X.shape[1]) if k not in places]]
        return rest, {known[at]: X.iloc[:, at] for at in places}
    if is_arrow(X):
        known = _land.arrow_columns(X.__arrow_c_stream__(None), "X")
        taken = [known[find_one("X", option, name, known)] for name in names]
        return X.drop(taken), {name: X[name] for name in taken}
    if is_anndata(X):
        known = [str(name) for name in X.obs.columns]
        places = [find_one("X: obs", option, name, known) for name in names]
        return X, {known[at]: X.obs.iloc[:, at] for at in places}
    raise ValueError(f"{option}={names!r}: {type(X).__name__} has no columns by name; give the values")


def as_target(columns: dict[str, Any], is_survival: bool) -> Any:
    if not is_survival:
        return columns
    time, event = columns
    return Survival(columns[time], columns[event], (time, event))
