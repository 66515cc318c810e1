"""Selections by the ranks of an MPI program: rank 0 solves, all ranks score.

``mpirun -n 8 python -m land.mpi BLOCKS.parquet --target FILE`` needs no code; ``python -m land.mpi --help`` says more.
"""

from .cluster import MpiCluster, select, serve, tell

__all__ = ["MpiCluster", "select", "serve", "tell"]
