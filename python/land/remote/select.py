"""The selection from a cluster."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

from .. import _land
from .._running import DEFAULTS, Progress, Running, options_in, running
from ..covariates import add_covariates, covariates_of
from ..joining import joined
from ..land_warning import warn
from ..selection import Selection
from ..targets import set_targets
from .cluster import Cluster


def select(
    cluster: Cluster,
    y: Any = None,
    *,
    n_features: int | Literal["auto"] = DEFAULTS["n_features"],
    task: str = DEFAULTS["task"],
    adjust: Any = None,
    method: str = DEFAULTS["method"],
    measure: str = DEFAULTS["measure"],
    kernel: str = DEFAULTS["kernel"],
    sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
    transform: str = DEFAULTS["transform"],
    ridge: float = DEFAULTS["ridge"],
    landmarks: int = DEFAULTS["landmarks"],
    bases: int | None = None,
    basis: Sequence[float] | None = None,
    exact: bool = DEFAULTS["exact"],
    plain_path: bool = DEFAULTS["plain_path"],
    bins: int | Sequence[float] = DEFAULTS["bins"],
    neighbors: int = DEFAULTS["neighbors"],
    permutations: int = DEFAULTS["permutations"],
    seed: int = DEFAULTS["seed"],
    alpha: float = DEFAULTS["alpha"],
    missing: str | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    by_position: bool = False,
    target_id: str | None = None,
) -> Selection:
    """Select features that a cluster holds: the result is that of :func:`land.select`, to the bit.

    Nominal features, and what is left out, are decided when the block table is made. What is not said here is as in
    :func:`land.select`.

    Parameters
    ----------
    cluster : Cluster
        Where the features are.
    y : array, Series, or str, optional
        The target: a value for every sample, in the order of the block table; by default the one that the table was
        made with. A pandas Series whose index has the
        table's sample ids is joined on them. A str is a file, or ``"FILE:COLUMN"``, which is joined as
        :func:`land.select` does.
    adjust : path, array, Series or DataFrame, optional
        Covariates: a file, or ``"FILE:COLUMN,..."``, or values of every sample, which are joined as ``y`` is. The
        features of a block table cannot be covariates.
    by_position, target_id
        How such a file is joined: see :class:`land.Reading`. Every sample must have a target.
    memory, threads
        Of this process.
    """
    if missing == "drop-feature":
        raise ValueError(
            "missing='drop-feature': features cannot be left out of a block table; leave them out when it is made"
        )
    options = options_in(locals(), "select")
    with running(threads, progress, memory) as run:
        table = _land.table_of_blocks(cluster.table)
        joining = {"by_position": by_position, "target_id": target_id}
        _join(table, y, joining, run)
        _add_covariates(table, adjust, joining, run)
        selection = Selection.loads(_land.select_on_cluster(table, cluster, options, run.threads, run.report))
    warn(selection.warnings)
    return selection


def _join(table: _land.Table, y: Any, joining: dict[str, Any], run: Running) -> None:
    if y is None:
        return
    if isinstance(y, (str, os.PathLike)):
        _land.read_target(table, os.fspath(y), joining, run.threads, run.report)
        return
    set_targets(table, *joined(table, y))
    table.leave_out({}, run.threads, run.report)  # a target that lacks values is refused


def _add_covariates(table: _land.Table, adjust: Any, joining: dict[str, Any], run: Running) -> None:
    if adjust is None:
        return
    _, covariates = covariates_of(None, adjust)
    add_covariates(table, covariates, run, joining, True)
    table.leave_out({}, run.threads, run.report)  # a covariate that lacks values is refused
