"""Data for the tests, and the program `land` to compare with."""

import os
import pathlib

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
os.environ.setdefault("SCIPY_ARRAY_API", "1")  # read when scipy is imported: without it scikit-learn leaves a check out

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    path = pathlib.Path(os.environ.get("LAND_PROGRAM", REPOSITORY / "build" / "land"))
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return str(path)


@pytest.fixture(scope="session")
def numbers():
    """200 x 60, of which the first three explain y, and 20 repeat the first 20."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 60))
    X[:, 40:] = X[:, :20] + 0.2 * random.normal(size=(200, 20))
    y = X[:, 0] * np.exp(X[:, 1]) + X[:, 2] + 0.1 * random.normal(size=200)
    return X, y


@pytest.fixture(scope="session")
def dropping():
    """A factor model on whose path features drop."""
    random = np.random.default_rng(2)
    factors = random.normal(size=(60, 4))
    X = factors @ random.normal(size=(4, 80)) + 0.5 * random.normal(size=(60, 80))
    return X, factors[:, 0] + factors[:, 1] ** 2
