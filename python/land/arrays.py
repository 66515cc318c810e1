"""NumPy arrays and scipy's sparse matrices as tables: used where they lie if their layout allows."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from . import _land


def array_table(X: Any, name: str = "X") -> _land.Table:
    array = _numbers(X, name)
    # In the machine's own byte order, at addresses that are multiples of the item's size, and in whole items apart.
    if not array.dtype.isnative or not array.flags.aligned or any(s % array.itemsize for s in array.strides):
        array = np.array(array, dtype=array.dtype.newbyteorder("="))
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return _land.table_of_array(array, name)


def _numbers(X: Any, name: str) -> np.ndarray:
    """Of a type that the library has; NaN where a masked array has no value."""
    try:
        array = np.ma.filled(X.astype(np.float64), np.nan) if isinstance(X, np.ma.MaskedArray) else np.asarray(X)
        if array.dtype.kind in "OSU":
            array = array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {type(X).__name__} with values that are no numbers: {error}") from None
    check_kind(array.dtype, name)
    return array.astype(np.float64) if array.dtype in (np.float16, np.longdouble) else array


def check_kind(dtype: np.dtype, name: str) -> None:
    if dtype.kind not in "fiub":
        raise ValueError(f"{name}: values of type {dtype} cannot be used; convert them to numbers")


def sparse_table(X: Any, name: str = "X") -> _land.Table:
    """CSC is used in place; what has another order is brought into it."""
    matrix = X.tocsc() if X.format != "csc" else X
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is X else matrix
        matrix.sum_duplicates()
    values = matrix.data
    check_kind(values.dtype, name)
    if values.dtype not in (np.float32, np.float64):
        small = values.dtype.kind in "iub" and values.dtype.itemsize <= 2
        values = values.astype(np.float32 if small else np.float64)
    return _land.table_of_csc(
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        np.ascontiguousarray(values),
        matrix.shape[0],
        name,
    )


def is_sparse(X: Any) -> bool:
    return bool(scipy.sparse.issparse(X))
