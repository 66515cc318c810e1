"""The ranks behind kinds/mpi.py: rank 0 takes selections from a socket, and sends back what comes out."""

import pickle
import socket
import sys
import warnings

import land.mpi
from mpi4py import MPI

import land
import land.remote

comm = MPI.COMM_WORLD
warnings.simplefilter("ignore", land.LandWarning)
if comm.rank == 0:
    asked = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb")


def next_task():
    """What rank 0 is asked for; None: to end."""
    try:
        return pickle.load(asked)
    except EOFError:
        return None


while (task := land.mpi.tell(comm, next_task() if comm.rank == 0 else None)) is not None:
    path, y, parts, options = task
    ranks = comm.Split(0 if comm.rank < parts else 1)
    if comm.rank > 0:
        if comm.rank < parts:
            land.mpi.serve(ranks)
    else:
        try:
            cells = land.remote.BlockFile(path)
        except Exception as error:
            land.mpi.tell(ranks, None)
            answer = error
        else:
            try:
                answer = land.mpi.select(ranks, cells, y, **options).dumps()
            except Exception as error:
                answer = error
        pickle.dump(answer, asked)
        asked.flush()
    ranks.Free()
