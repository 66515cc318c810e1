"""Whatever holds features and a target -> a table of the library."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Optional, Sequence

from . import _land
from .anndata_tables import anndata_table, is_anndata, open_h5ad
from .arrays import array_table, is_sparse, sparse_table
from .columnar_files import columnar_table, is_columnar
from .frames import arrow_table, is_arrow, is_pandas, pandas_table
from .targets import set_target

# What tells how to read a file, as in the command line: --rows, --id, --array, --target-array, --zero-based.
READING = ("rows", "id", "array", "target_array", "zero_based")


def make_table(
    X: Any,
    y: Any = None,
    *,
    nominal: Optional[Iterable[Any]] = None,
    feature_names: Optional[Sequence[str]] = None,
    reading: Optional[Dict[str, Any]] = None,
    threads: int = 1,
    progress: Any = None,
) -> _land.Table:
    reading = reading or {}
    for key in reading:
        if key not in READING:
            raise TypeError(f"unexpected keyword argument {key!r}")
    nominal = [] if nominal is None else list(nominal)
    if isinstance(X, (str, os.PathLike)):
        table = _file_table(os.fspath(X), y, nominal, reading, threads, progress)
        y = None if isinstance(y, (str, os.PathLike)) else y
    else:
        if reading:
            raise TypeError(f"{', '.join(reading)}: for files only")
        if is_anndata(X):
            table, y, nominal = anndata_table(X, y), None, nominal
        elif is_pandas(X):
            return _named(pandas_table(X, y, nominal), feature_names)
        elif is_arrow(X):
            return _named(arrow_table(X, y, nominal), feature_names)
        else:
            table = sparse_table(X) if is_sparse(X) else array_table(X)
    if y is not None:
        set_target(table, y)
    _named(table, feature_names)
    if nominal:
        table.nominal = list(table.nominal) + [_position(table, feature) for feature in nominal]
    return table


def _file_table(path: str, y: Any, nominal: list, reading: Dict[str, Any], threads: int, progress: Any) -> _land.Table:
    if is_columnar(path) or path.endswith(".h5ad"):
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path}: cannot read the file: No such file or directory")
        if reading:
            raise TypeError(f"{', '.join(reading)}: not for {path}")
        if path.endswith(".h5ad"):
            return anndata_table(open_h5ad(path), y if isinstance(y, str) else None, name=path)
        table = columnar_table(path, y if isinstance(y, str) else None, nominal, threads, progress)
        nominal.clear()
        return table
    options = dict(reading)
    if isinstance(y, (str, os.PathLike)):
        options["target"] = os.fspath(y)
    return _land.table_of_file(path, options, threads, progress)


def _named(table: _land.Table, names: Optional[Sequence[str]]) -> _land.Table:
    if names is not None:
        table.feature_names = [str(name) for name in names]
    return table


def _position(table: _land.Table, feature: Any) -> int:
    if isinstance(feature, str):
        return table.find_feature(feature)
    if not 0 <= int(feature) < table.features:
        raise ValueError(f"nominal: there is no feature {feature}: they are numbered 0 to {table.features - 1}")
    return int(feature)
