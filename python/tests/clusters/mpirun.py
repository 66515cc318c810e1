"""How the tests start ranks, on a machine with fewer processors than ranks, be it as root."""

import os
import shutil
import sys

import pytest


def mpirun(ranks, *arguments):
    """The command and its environment."""
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")
    start = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    command = [*start, sys.executable, *map(str, arguments)]
    environment = {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return command, environment
