"""Whatever holds features and a target -> a table of the library."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any

from . import _land
from ._running import Running
from .anndata_tables import anndata_table, is_anndata, open_h5ad
from .arrays import array_table, is_sparse, sparse_table
from .columnar_files import columnar_table, is_columnar
from .covariates import Covariates, add_covariates, covariates_of
from .frames import arrow_table, is_arrow, is_pandas, is_xarray, pandas_table, refuse_frame
from .joining import joined
from .labelled_arrays import labelled_table
from .lookups import Features, as_words, check_places, find_all
from .reading import Reading, check_reading, choice_of, for_files_only
from .subsets import leave_out
from .target_columns import as_target, column_names, survival_names, take_columns
from .targets import How, Survival, set_targets


def make_table(
    X: Any,
    y: Any = None,
    *,
    run: Running,
    survival: Any = None,
    nominal: Features | None = None,
    feature_names: Sequence[str] | None = None,
    missing: str | None = None,
    reading: Reading | None = None,
    adjust: Any = None,
    in_passing: bool = False,
) -> _land.Table:
    """Without what `reading` leaves out. `in_passing`: for one pass over the features, which need not be gathered
    first."""
    reading = reading or {}
    check_reading(reading)
    if "names" in reading:
        reading = {**reading, "names": os.fspath(reading["names"])}
    X, covariates = covariates_of(X, adjust)
    table = _whole_table(X, y, survival, run, nominal, feature_names, reading, in_passing, covariates)
    leave_out(table, reading, missing, run, index_of(X))
    return table


def _whole_table(
    X: Any,
    y: Any,
    survival: Any,
    run: Running,
    nominal: Features | None,
    feature_names: Sequence[str] | None,
    reading: Reading,
    in_passing: bool,
    covariates: Covariates,
) -> _land.Table:
    table = _plain_table(X, y, survival, run, nominal, feature_names, reading, in_passing, covariates)
    if covariates.words and _is_read_by_library(X):  # the reader has looked at the words
        covariates = covariates._replace(words=[])
    add_covariates(table, covariates, run, {}, _joins_on_labels(X, table, reading))
    return table


def _joins_on_labels(X: Any, table: _land.Table, reading: Reading) -> bool:
    """Whether values with an index are joined on it. A file may say nothing of the order of its samples; an array has
    that of the values. Those of a DataFrame are in its order by now."""
    is_file = isinstance(X, (str, os.PathLike))
    return not is_pandas(X) and not reading.get("by_position", False) and (is_file or bool(table.sample_ids))


def _is_read_by_library(X: Any) -> bool:
    return isinstance(X, (str, os.PathLike)) and not is_columnar(os.fspath(X)) and not os.fspath(X).endswith(".h5ad")


def _plain_table(
    X: Any,
    y: Any,
    survival: Any,
    run: Running,
    nominal: Features | None,
    feature_names: Sequence[str] | None,
    reading: Reading,
    in_passing: bool,
    covariates: Covariates,
) -> _land.Table:
    if survival is not None and y is not None:
        raise ValueError("y and survival: survival is the target; give one of the two")
    is_survival = survival is not None
    columns = survival_names(survival) if is_survival else column_names(X, y)
    if is_survival and columns is None:
        y = Survival(*survival)
    how: How = "order" if columns is None else "table"
    option = "survival" if is_survival else "target"
    column = y if isinstance(y, str) else None  # a target by its name
    # What is left out need not be read, and may be anything; other names are known when all is read.
    choice = choice_of(reading) if feature_names is None else {}
    if isinstance(X, (str, os.PathLike)):
        path = os.fspath(X)
        if is_columnar(path) or path.endswith(".h5ad"):
            _check_file(path, reading)
        if is_columnar(path):
            if columns is not None:
                raise ValueError(
                    f"{path}: {option}: several columns of such a file cannot be targets; read it with pandas"
                )
            table = columnar_table(path, column, nominal, choice, run, in_passing)
            return _finished(table, y, None, feature_names, by_labels=_joins_on_labels(X, table, reading))
        if path.endswith(".h5ad"):
            adata = open_h5ad(path)
            if columns is not None:
                y = as_target(take_columns(adata, columns, option)[1], is_survival)
            table = anndata_table(adata, column, run, name=path, in_passing=in_passing)
        else:
            named = survival if isinstance(survival, str) else ",".join(columns) if columns is not None else y
            return _file_table(path, named, is_survival, run, nominal, feature_names, reading, choice, covariates.words)
        return _finished(table, y, nominal, feature_names, how, _joins_on_labels(X, table, reading))
    if refused := for_files_only(reading):
        raise TypeError(f"{', '.join(refused)}: for files only")
    if columns is not None:
        X, taken = take_columns(X, columns, option)
        y = as_target(taken, is_survival)
    if is_pandas(X):
        given = y if columns is None else None
        return _finished(
            pandas_table(X, given, nominal, choice), y if given is None else None, None, feature_names, how
        )
    if is_arrow(X):
        return _finished(arrow_table(X, column, nominal, choice), y, None, feature_names, how)
    if is_anndata(X):
        table = anndata_table(X, column, run, in_passing=in_passing)
        return _finished(table, y, nominal, feature_names, how, _joins_on_labels(X, table, reading))
    refuse_frame(X)
    if column is not None:
        raise ValueError(f"y={column!r}: an array has no columns by name; give the values")
    if is_xarray(X):
        table = labelled_table(X)
        return _finished(table, y, nominal, feature_names, by_labels=_joins_on_labels(X, table, reading))
    return _finished(sparse_table(X) if is_sparse(X) else array_table(X), y, nominal, feature_names)


def _check_file(path: str, reading: Reading) -> None:
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: cannot read the file: No such file or directory")
    if refused := for_files_only(reading):
        raise TypeError(f"{', '.join(refused)}: not for {path}")


def _file_table(
    path: str,
    y: Any,
    is_survival: bool,
    run: Running,
    nominal: Features | None,
    feature_names: Sequence[str] | None,
    reading: Reading,
    choice: dict[str, Any],
    adjust: list[str],
) -> _land.Table:
    """Of a file that the library reads."""
    options: dict[str, Any] = {key: reading[key] for key in for_files_only(reading)}  # type: ignore[literal-required]
    options.update(choice, memory=run.memory, adjust=adjust)
    if isinstance(y, (str, os.PathLike)):
        options["target"] = os.fspath(y)
        options["is_survival"] = is_survival
        y = None
    if run.memory:  # text that needs more goes through a temporary file
        options["scratch_folder"] = tempfile.gettempdir()
    words = as_words(nominal) if feature_names is None else None
    options["nominal"] = words
    table = _land.table_of_file(path, options, run.threads, run.report)
    if words is not None:  # the reader has looked at them: it takes words for categories
        check_places(path, "nominal", nominal, table)
    by_labels = _joins_on_labels(path, table, reading)
    return _finished(table, y, nominal if words is None else None, feature_names, by_labels=by_labels)


def index_of(X: Any) -> Any:
    """The labels of the samples, where a mask may have labels of its own."""
    return X.index if is_pandas(X) else X.obs_names if is_anndata(X) else None


def _finished(
    table: _land.Table,
    y: Any,
    nominal: Features | None,
    names: Sequence[str] | None,
    how: How = "order",
    by_labels: bool = False,
) -> _land.Table:
    """With a target that is not in the data already, names and nominal features."""
    if y is not None and not isinstance(y, str):
        if by_labels and how == "order":
            y, how = joined(table, y)
        set_targets(table, y, how)
    if names is not None:
        table.feature_names = [str(name) for name in names]
    if nominal is not None:
        table.add_nominal(find_all(table.path, "nominal", nominal, table.feature_names, table.features))
    return table
