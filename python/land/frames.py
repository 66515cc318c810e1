"""Data frames as tables: pandas by its own columns, polars, pyarrow and others through Arrow's C stream."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _land
from .arrays import array_table, sparse_table
from .land_warning import warn
from .lookups import Features, find_all, find_one
from .targets import How, Survival, set_targets


def is_pandas(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "pandas" and hasattr(X, "columns")


def is_xarray(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "xarray"


def is_arrow(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") and not is_xarray(X)  # whose stream has a row per value


def is_frame(X: Any) -> bool:
    return is_pandas(X) or is_arrow(X)


def refuse_frame(X: Any) -> None:
    """Of frames that are none of the above: what to give instead."""
    package = type(X).__module__.split(".")[0]
    if package == "polars":
        older = "" if hasattr(X, "collect") else ", or polars 1.3 or later"
        raise ValueError(
            f"X: a {type(X).__name__} of polars cannot be read as it is; give "
            f"X.{'collect' if hasattr(X, 'collect') else 'to_arrow'}(){older}"
        )
    if hasattr(X, "columns") and hasattr(X, "compute"):
        raise ValueError(f"X: a {type(X).__name__} of {package} cannot be read as it is; give X.compute()")


# --- pandas ---------------------------------------------------------------------------------------------------------


def column_values(series: Any, nominal: bool, taken: bool) -> tuple[np.ndarray, bool]:
    """The values of a column as numbers, NaN where they are missing, and whether its type says they are categories.
    One that is not taken is not looked at."""
    if not taken:
        return np.full(len(series), np.nan, dtype=np.float32), False
    categorical = hasattr(series, "cat")
    numeric = series.dtype.kind in "biuf"
    if categorical or (nominal and not numeric):
        codes = series.cat.codes.to_numpy() if categorical else series.factorize()[0]
        return np.where(codes < 0, np.nan, codes), categorical
    if not numeric:
        raise ValueError(
            f"X: column {series.name!r} is of type {series.dtype}; name it in nominal (or make it categorical) "
            "if its values are classes, or leave it out with exclude"
        )
    if isinstance(series.dtype, np.dtype):
        return series.to_numpy(), False
    return series.to_numpy(dtype=np.float64, na_value=np.nan), False


def pandas_table(X: Any, y: Any, nominal: Features | None, choice: dict[str, Any]) -> _land.Table:
    target = None
    how: How = "table"
    if isinstance(y, str):
        at = find_one("X", "target", y, [str(name) for name in X.columns])
        target = X.iloc[:, at]
        X = X.iloc[:, np.arange(X.shape[1]) != at]
    elif y is not None:
        target, how = _aligned(y, X)
    names = [str(name) for name in X.columns]
    categories = set(find_all("X", "nominal", nominal, names))
    if names and all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in X.dtypes):
        table = array_table(X.to_numpy())
    elif names and all(hasattr(dtype, "fill_value") for dtype in X.dtypes):
        table = sparse_table(X.sparse.to_coo())
    else:
        # One array of features by samples.
        taken = _land.chosen(names, choice)
        columns = [column_values(X.iloc[:, k], k in categories, taken[k]) for k in range(X.shape[1])]
        types = [values.dtype for values, _ in columns]
        matrix = np.empty((len(columns), len(X)), dtype=np.result_type(np.float32, *types))
        for row, (values, _) in zip(matrix, columns):
            row[:] = values
        table = array_table(matrix.T)
        categories.update(k for k, (_, is_categorical) in enumerate(columns) if is_categorical)
    table.add_nominal(sorted(categories))
    table.feature_names = names
    if not is_range(X.index):
        table.sample_ids = [str(label) for label in X.index]
    if target is not None:
        set_targets(table, target, how)
    return table


def is_range(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex"


def _aligned(y: Any, X: Any) -> tuple[Any, How]:
    """The target, or each of several, in the order of X, and how that was found."""
    if isinstance(y, Survival):
        time, how = _aligned(y.time, X)
        event, _ = _aligned(y.event, X)
        return Survival(time, event, y.names), how
    if isinstance(y, dict):
        columns = {name: _aligned(values, X) for name, values in y.items()}
        return {name: values for name, (values, _) in columns.items()}, next(iter(columns.values()))[1]
    joined = hasattr(y, "iloc") and not is_range(X.index) and len(y) == len(X)
    return align(y, X), "ids" if joined else "order"


def align(y: Any, X: Any, argument: str = "y") -> Any:
    """A Series is joined on the index if its labels are those of X in another order."""
    if not hasattr(y, "index") or not hasattr(y, "iloc") or y.index.equals(X.index):
        return y
    if len(y) != len(X):
        return y  # the library says so, with both sizes
    for side, other, name in ((X.index, y.index, argument), (y.index, X.index, "X")):
        lost = side.difference(other)
        if len(lost):
            raise ValueError(
                f"{argument}: its index is not that of X: {lost[0]!r} is not in {name}; align them, or give "
                f"{argument}.to_numpy() if the order of the samples is the same"
            )
    if not X.index.is_unique:
        raise ValueError(
            f"{argument}: its index is that of X in another order, and labels repeat; give {argument}.to_numpy()"
        )
    return y.reindex(X.index)


def check_order(X: Any, y: Any) -> None:
    """For those who go by position: labels that say otherwise. A plain count of the rows says nothing."""
    if not is_pandas(X) or not hasattr(y, "iloc") or len(X) != len(y) or X.index.equals(y.index):
        return
    if len(X.index.symmetric_difference(y.index)) == 0:
        raise ValueError(
            "y: its index has the labels of X in another order, and samples are matched by position here; give "
            "y.loc[X.index], or y.to_numpy() if the order is right as it is"
        )
    if not (is_range(X.index) or is_range(y.index)):
        warn(["y: its index has other labels than that of X; the samples were matched by position"])


# --- Arrow ----------------------------------------------------------------------------------------------------------


def pandas_index(X: Any) -> str | None:
    """The column in which pandas has kept an index of one level, if pyarrow says so."""
    metadata = getattr(getattr(X, "schema", None), "metadata", None) or {}
    if b"pandas" not in metadata:
        return None
    columns = [c for c in json.loads(metadata[b"pandas"]).get("index_columns", []) if isinstance(c, str)]
    return columns[0] if len(columns) == 1 else None


def arrow_table(
    X: Any, y: str | None, nominal: Features | None, choice: dict[str, Any], name: str = "X"
) -> _land.Table:
    stream = X.__arrow_c_stream__(None)
    names = _land.arrow_columns(stream, name)
    target = "" if y is None else names[find_one(name, "target", y, names)]
    ids = pandas_index(X) or ""
    features = [one for one in names if one not in (target, ids)]
    categories = [features[at] for at in find_all(name, "nominal", nominal, features)]
    unread = [one for one, taken in zip(features, _land.chosen(features, choice)) if not taken]
    return _land.table_of_arrow(stream, name, target, ids, categories, unread)
