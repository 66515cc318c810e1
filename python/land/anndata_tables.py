"""AnnData as a table: sparse matrices stay sparse, backed dense ones are read column by column."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _land
from .arrays import array_table, is_sparse, sparse_table
from .targets import set_target


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


def anndata_table(adata: Any, target: Optional[str], layer: Optional[str] = None, name: str = "adata") -> _land.Table:
    matrix = adata.X if layer is None else _layer(adata, layer, name)
    if matrix is None:
        raise ValueError(f"{name}: has no X; say which layer to use")
    if hasattr(matrix, "to_memory"):  # backed and sparse
        matrix = matrix.to_memory()
    if is_sparse(matrix):
        table = sparse_table(matrix, name)
    elif isinstance(matrix, np.ndarray):
        table = array_table(matrix, name)
    else:
        table = _backed(matrix, [str(gene) for gene in adata.var_names], name)
    table.feature_names = [str(gene) for gene in adata.var_names]
    table.sample_ids = [str(cell) for cell in adata.obs_names]
    if target is not None:
        if target not in adata.obs:
            raise ValueError(f"{name}: obs has no column {target!r}; it has {', '.join(map(repr, adata.obs.columns))}")
        set_target(table, adata.obs[target], target)
    return table


def _layer(adata: Any, layer: str, name: str) -> Any:
    if layer not in adata.layers:
        raise ValueError(f"{name}: has no layer {layer!r}; it has {', '.join(map(repr, adata.layers)) or 'none'}")
    return adata.layers[layer]


def _backed(dataset: Any, names: list, name: str) -> _land.Table:
    """A dense array in an HDF5 file, of which a few columns are in memory at a time."""

    def read(first: int, count: int) -> np.ndarray:
        block = np.asarray(dataset[:, first : first + count])
        return np.ascontiguousarray(block.T, dtype=np.float32 if block.dtype == np.float32 else np.float64)

    return _land.table_of_columns(read, names, dataset.shape[0], name)
