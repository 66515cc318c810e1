"""Selections from features that are held elsewhere: by other processes, or a cluster.

Features are the cells of a block table (:func:`land.convert` to a ``.parquet``, or :class:`CellList`). A cluster scores
cells and picks features out of them; the path is solved here. The result is that of :func:`land.select`, to the bit.
"""

from .block_file import BlockFile
from .cell_list import CellList
from .cluster import Cells, Cluster, Worker, pick, pick_cells, score_cells
from .processes import ProcessCluster
from .select import select
from .serial import SerialCluster

__all__ = [
    "BlockFile",
    "CellList",
    "Cells",
    "Cluster",
    "ProcessCluster",
    "SerialCluster",
    "Worker",
    "pick",
    "pick_cells",
    "score_cells",
    "select",
]
