"""Which kinds of clusters the contract runs on.

A kind is a module of kinds/ with a class Kind: entered once, it gives selections from a block table (or, like batch
jobs, from the table that it was made of) in so many parts. LAND_KINDS names those to try, by default those that start
in seconds.
"""

import importlib
import os
import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER))

#: what each needs, if it is not the package alone
NEEDS = {"spark": "pyspark", "dask": "distributed", "ray": "ray", "mpi": "mpi4py"}
ALWAYS = ("threads", "serial", "processes", "batch", "spark", "dask")


def kinds():
    known = sorted(path.stem for path in (FOLDER / "kinds").glob("*.py"))
    wanted = os.environ.get("LAND_KINDS", ",".join(kind for kind in ALWAYS if kind in known)).split(",")
    unknown = set(wanted) - set(known)
    assert not unknown, f"LAND_KINDS: {unknown} are none of {known}"
    return wanted


@pytest.fixture(scope="session", params=kinds())
def kind(request):
    if module := NEEDS.get(request.param):
        pytest.importorskip(module)
    with importlib.import_module(f"kinds.{request.param}").Kind() as entered:
        yield entered
