"""Preprocessing of AnnData in the style of scverse: results are written into the object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _land
from ._running import DEFAULTS, Progress, running
from .anndata_tables import anndata_table
from .covariates import add_covariates, of_obs
from .land_warning import warn
from .reading import Subset
from .selection import Selection
from .subsets import leave_out, over_all

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Options(Subset, total=False):
    """Of :func:`land.select`, where they are described, and :class:`Subset`."""

    task: str
    adjust: str | Sequence[str] | None
    method: str
    measure: str
    kernel: str
    sigma: float | Sequence[float] | str
    transform: str
    ridge: float
    landmarks: int
    bases: int | None
    basis: Sequence[float] | None
    exact: bool
    plain_path: bool
    bins: int | Sequence[float]
    neighbors: int
    permutations: int
    seed: int
    alpha: float
    missing: str | None
    memory: int | None


def select(
    adata: Any,
    target: str,
    *,
    n_features: int = DEFAULTS["n_features"],
    layer: str | None = None,
    copy: bool = False,
    threads: int | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Any:
    """Select the genes that best explain a column of ``adata.obs`` without repeating each other.

    Parameters
    ----------
    adata : AnnData
        Cells by genes; ``X`` (or the layer) may be dense, sparse or backed. A sparse matrix is never made dense.
    target : str
        The column of ``obs``: classes (cell types) or numbers.
    n_features : int
        How many genes.
    layer : str, optional
        The layer to use in place of ``X``.
    copy : bool
        Return a copy with the results instead of writing into ``adata``.
    threads, progress, **options
        As in :func:`land.select`.

    Returns
    -------
    AnnData or None
        ``var["land_rank"]`` (1 for the first gene to enter; NaN if not selected), ``var["land_relevance"]`` (exact for
        the selected, for the others an upper bound, mostly within half a per cent; NaN for constant genes and those
        left out), and ``uns["land"]`` with the selection as JSON (:meth:`land.Selection.loads` reads it) and its
        certificate.
    """
    for key in options:
        if key not in Options.__annotations__:
            raise TypeError(f"unexpected keyword argument {key!r}")
    if copy:
        adata = adata.copy()
    with running(threads, progress, options.get("memory"), {"target": "target"}) as run:
        table = anndata_table(adata, target, run, layer=layer)
        add_covariates(table, of_obs(adata, options.get("adjust")), run, {})
        subset: Subset = {key: options[key] for key in options if key in Subset.__annotations__}  # type: ignore
        leave_out(table, subset, options.get("missing"), run, adata.obs_names)
        text, relevance = _land.select_and_score(table, {**options, "n_features": n_features}, run.threads, run.report)
    selection = Selection.loads(text)
    warn(selection.warnings)
    relevance[relevance < 0.0] = np.nan
    relevance = over_all(relevance, table, adata.n_vars)
    relevance[selection.indices] = selection.relevance
    rank = np.full(adata.n_vars, np.nan)
    rank[selection.indices] = np.arange(1, len(selection) + 1)
    adata.var["land_rank"] = rank
    adata.var["land_relevance"] = relevance
    adata.uns["land"] = {
        "json": text,
        "names": np.array(selection.names, dtype=object),
        "target": target,
        "layer": layer or "X",
        "n_features": n_features,
        "certified": bool(selection.certificate and selection.certificate["valid"]),
    }
    return adata if copy else None
