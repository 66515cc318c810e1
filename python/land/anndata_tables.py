"""AnnData as a table: sparse matrices stay sparse, backed dense ones are mapped or read a few columns at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _land
from ._running import Running
from .arrays import array_table, is_sparse, sparse_table
from .lookups import find_one
from .targets import set_target
from .windows import Windows


def is_anndata(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "anndata" and hasattr(X, "obs") and hasattr(X, "var")


def open_h5ad(path: str) -> Any:
    try:
        import anndata
    except ImportError as error:
        raise ImportError(f"{path}: .h5ad files are read by anndata: pip install anndata") from error
    try:
        return anndata.read_h5ad(path, backed="r")
    except Exception as error:  # of h5py or anndata, of many kinds
        raise ValueError(f"{path}: cannot be read as .h5ad: {str(error).splitlines()[0]}") from error


def anndata_table(
    adata: Any,
    target: str | None,
    run: Running,
    *,
    layer: str | None = None,
    name: str = "adata",
    in_passing: bool = False,
) -> _land.Table:
    matrix = _x(adata, name) if layer is None else _layer(adata, layer, name)
    if hasattr(matrix, "to_memory"):  # backed and sparse
        matrix = matrix.to_memory()
    elif hasattr(matrix, "compute"):  # of dask
        matrix = matrix.compute()
    if is_sparse(matrix):
        table = sparse_table(matrix, name)
    elif isinstance(matrix, np.ndarray):
        table = array_table(matrix, name)
    else:
        table = _backed(matrix, [str(gene) for gene in adata.var_names], name, run, in_passing)
    table.feature_names = [str(gene) for gene in adata.var_names]
    table.sample_ids = [str(cell) for cell in adata.obs_names]
    if target is not None:
        column = find_one(f"{name}: obs", "target", target, [str(column) for column in adata.obs.columns])
        set_target(table, adata.obs.iloc[:, column], target, "table")
    return table


def _x(adata: Any, name: str) -> Any:
    try:
        matrix = adata.X
    except KeyError:  # of a backed file without one
        matrix = None
    if matrix is None:
        raise ValueError(f"{name}: has no X; land.pp.select takes a layer")
    return matrix


def _layer(adata: Any, layer: str, name: str) -> Any:
    if layer not in adata.layers:
        raise ValueError(f"{name}: has no layer {layer!r}; it has {', '.join(map(repr, adata.layers)) or 'none'}")
    return adata.layers[layer]


def _backed(dataset: Any, names: list[str], name: str, run: Running, in_passing: bool) -> _land.Table:
    """A dense array in an HDF5 file: mapped if it lies there in one piece."""
    offset = dataset.id.get_offset()  # None: in chunks
    if offset is not None:
        dataset.file.flush()
        return array_table(np.memmap(dataset.file.filename, dataset.dtype, "r", offset, dataset.shape), name)
    dtype = np.float32 if dataset.dtype == np.float32 else np.float64

    def read(first: int, count: int) -> np.ndarray:
        return np.ascontiguousarray(dataset[:, first : first + count].T, dtype=dtype)

    return Windows(read, names, dataset.shape[0], dtype, name).table(run, in_passing)
