"""Four ranks of MPI, which stay for all selections."""

import pathlib
import pickle
import socket
import subprocess

from mpirun import mpirun

import land

RANKS = 4


class Kind:
    name = "mpi"

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(60)
            script = pathlib.Path(__file__).parents[1] / "mpi_ranks.py"
            command, environment = mpirun(RANKS, script, server.getsockname()[1])
            self._ranks = subprocess.Popen(command, env=environment)
            try:
                self._connection = server.accept()[0]
            except TimeoutError:
                self._ranks.terminate()
                raise
        self._connection.settimeout(60)  # ranks that hang are a failure
        self._file = self._connection.makefile("rwb")
        return self

    def __exit__(self, *_):
        try:
            self._file.close()
            self._connection.close()
            self._ranks.wait(30)
        finally:
            self._ranks.terminate()

    def select(self, path, y, *, parts, source=None, **options):
        """`parts`: ranks, as far as there are so many."""
        pickle.dump((str(path), y, min(parts, RANKS), options), self._file)
        self._file.flush()
        answer = pickle.load(self._file)
        if isinstance(answer, Exception):
            raise answer
        return land.Selection.loads(answer)
