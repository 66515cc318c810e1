"""Selections on a cluster of Dask: of block tables, of its arrays and of its data frames."""

from __future__ import annotations

import os
from typing import Any

from dask.base import is_dask_collection
from distributed import Client, default_client

from .. import remote
from ..lookups import Features
from ..selection import Selection
from .cluster import DaskCluster

__all__ = ["DaskCluster", "select"]


def select(
    source: Any,
    y: Any = None,
    client: Client | None = None,
    *,
    parts: int | None = None,
    missing: str | None = None,
    nominal: Features | None = None,
    **options: Any,
) -> Selection:
    """Select features that the workers of a Dask cluster hold: the result is that of :func:`land.select`, to the bit.

    What is not said here is as in :func:`land.remote.select`.

    Parameters
    ----------
    source : path, Cells, dask array or dask data frame
        A block table that every worker reaches; or samples by features. Of an array or a frame every worker encodes
        and keeps some columns, all samples of them. They are not gathered here. (Of 8-bit integers and booleans only
        the fingerprint of the data is another than that of :func:`land.select`.)
    y : array, Series, str, dask array or dask Series, optional
        The target: as in :func:`land.remote.select`; for a frame also the name of one of its columns.
    client : distributed.Client, optional
        By default the one made last.
    parts : int, optional
        Tasks that the features are spread over; by default one for each thread of a worker.
    nominal
        Of an array or a frame, as in :func:`land.select`. In a block table it is decided already.
    """
    client = client or default_client()
    if not is_dask_collection(source):
        if nominal is not None:
            raise ValueError("nominal: decided when a block table is made; give it to land.convert")
        cluster = DaskCluster(client, source, parts)
    else:
        if hasattr(source, "columns") and isinstance(y, str) and not os.path.exists(y) and y in source.columns:
            source, y = source.drop(columns=y), client.compute(source[y]).result()
            if not y.index.is_unique:  # then the samples have no ids, and y is in their order
                y = y.reset_index(drop=True)
        cluster = DaskCluster.of(client, source, parts, missing=missing, nominal=nominal)
    if is_dask_collection(y):
        y = client.compute(y).result()
    return remote.select(cluster, y, missing=missing, **options)
