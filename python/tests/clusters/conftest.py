"""Which kinds of clusters the contract runs on, and what of all this `make test` runs: the contract.

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
ALWAYS = ("threads", "serial", "processes", "spark", "dask")
WHOLE = "LAND_TEST_CLUSTER"


def kinds():
    known = sorted(path.stem for path in (FOLDER / "kinds").glob("*.py"))
    wanted = os.environ.get("LAND_KINDS", ",".join(ALWAYS)).split(",")
    unknown = set(wanted) - set(known)
    assert not unknown, f"LAND_KINDS: {unknown} are none of {known}"
    return wanted


@pytest.fixture(scope="session", params=kinds())
def kind(request):
    if module := NEEDS.get(request.param):
        pytest.importorskip(module)
    with importlib.import_module(f"kinds.{request.param}").Kind() as entered:
        yield entered


def pytest_collection_modifyitems(items):
    if os.environ.get(WHOLE) == "1":
        return
    for item in items:
        if FOLDER in item.path.parents and item.path.name != "test_contract.py":
            item.add_marker(pytest.mark.skip(reason=f"takes minutes: {WHOLE}=1, as `make test-cluster` has it"))
