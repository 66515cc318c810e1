"""What holds on every kind of cluster: the bits of land.select, and its errors."""

import numpy as np
import pytest
from marked_blocks import flip_bit, wide_data, write_blocks

import land
from land.remote import CellList

SAMPLES = 120


class Table:
    """A table in a file, its cells, and a block table of them."""

    def __init__(self, folder, name, X, **options):
        self.folder = folder
        self.name = name
        self.source = str(folder / f"{name}.npy")
        np.save(self.source, X)
        self.cells = CellList.of(self.source, cell_bytes=1 << 14, **options)
        self.path = self.write("blocks")

    def write(self, name, rows=None):
        return write_blocks(self.folder / f"{self.name}.{name}.parquet", self.cells, rows)


@pytest.fixture(scope="module")
def dense(tmp_path_factory):
    """Noise, of which some features make the target, and copies, also mirrored."""
    random = np.random.default_rng(1)
    X = random.normal(size=(SAMPLES, 700))
    X[:, 400:410] = -X[:, :10]
    X[:, 500:520] = np.round(X[:, 500:520])
    return Table(tmp_path_factory.mktemp("dense"), "dense", X)


@pytest.fixture(scope="module")
def numbers(dense):
    X = np.load(dense.source)
    return X[:, 3] ** 2 + np.tanh(X[:, 7]) + 0.5 * X[:, 300] + 0.1 * X[:, 2]


@pytest.fixture(scope="module")
def classes(dense):
    X = np.load(dense.source)
    return np.array(["low", "middle", "high"])[(X[:, 3] > 0).astype(int) + (np.abs(X[:, 7]) > 1)]


@pytest.fixture(scope="module")
def gappy(tmp_path_factory):
    """Few values each, a tenth of them missing."""
    random = np.random.default_rng(2)
    X = random.integers(0, 4, size=(SAMPLES, 300)).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    return Table(tmp_path_factory.mktemp("gappy"), "gappy", X, missing="ignore")


OPTIONS = {
    "default": {},
    "ridge": {"ridge": 0.05},
    "hsic": {"measure": "hsic"},
    "relevance": {"method": "mr-nhsic"},
    "neighbors": {"neighbors": 3},
    "exact": {"exact": True},
    "bases": {"bases": 15},
    "laplace": {"kernel": "laplace"},
    "distance": {"kernel": "distance", "neighbors": 2},
    "linear": {"kernel": "linear"},
    "wide": {"sigma": 2.5},
    "plain": {"plain_path": True},
    "permutations": {"permutations": 40, "seed": 3},
    "automatic": {"n_features": "auto", "permutations": 40},
}


@pytest.mark.parametrize("options", OPTIONS)
def test_options(kind, dense, numbers, options):
    given = {"n_features": 8, **OPTIONS[options]}
    assert kind.select(dense.path, numbers, parts=3, source=dense.source, **given) == land.select(
        dense.source, numbers, **given
    )


def test_classes(kind, dense, classes):
    found = kind.select(dense.path, classes, parts=2, source=dense.source, n_features=8)
    assert found == land.select(dense.source, classes, n_features=8)
    assert found.certificate["valid"]


@pytest.mark.parametrize("missing", ["mean", "ignore", "level"])
def test_missing_values(kind, gappy, numbers, missing):
    given = {"n_features": 6, "missing": missing}
    assert kind.select(gappy.path, numbers, parts=2, source=gappy.source, **given) == land.select(
        gappy.source, numbers, **given
    )


@pytest.mark.parametrize("parts", [1, 2, 7, 64])
def test_parts(kind, dense, numbers, parts):
    assert kind.select(dense.path, numbers, parts=parts, source=dense.source, n_features=12) == land.select(
        dense.source, numbers, n_features=12
    )


def test_rows_in_any_order_and_twice(kind, dense, numbers):
    if kind.name in ("threads", "batch"):
        pytest.skip("reads no block table")
    rows = [*reversed(range(len(dense.cells.cells))), 5, 0]
    path = dense.write("disorder", rows)
    assert kind.select(path, numbers, parts=3, source=dense.source, n_features=8) == land.select(
        dense.source, numbers, n_features=8
    )


def error_of(select, *given, **options):
    with pytest.raises(ValueError) as caught:
        select(*given, n_features=5, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def error_on(kind, path, y, source, **options):
    return error_of(kind.select, path, y, parts=2, source=source, **options)


def check_same_error(kind, table, y, **options):
    expected = error_of(land.select, table.source, y, **options)
    found = error_on(kind, table.path, y, table.source, **options)
    # The program spells options and counts samples in its own way.
    assert found == expected or kind.name == "batch"
    return found


def test_targets_that_do_not_fit(kind, dense, numbers):
    assert f"{SAMPLES - 1}" in check_same_error(kind, dense, numbers[1:])
    lacking = numbers.copy()
    lacking[4] = np.nan
    assert "the target has no value here" in check_same_error(kind, dense, lacking)
    assert "one class only" in check_same_error(kind, dense, np.ones(SAMPLES))


def test_values_that_are_missing_are_named(kind, gappy, numbers):
    # Where the values are not at hand the feature is named, but not the cell.
    message = error_on(kind, gappy.path, numbers, gappy.source, missing="error")
    assert "gappy.npy" in message
    assert "f0" in message or "column 0" in message


def test_options_out_of_range(kind, dense, numbers):
    assert "sigma" in check_same_error(kind, dense, numbers, sigma=-1.0)


def test_damage_is_named(kind, dense, numbers):
    if kind.name in ("threads", "batch"):
        pytest.skip("reads no block table")
    path = dense.write("damaged")
    flip_bit(path, dense.cells, 4)
    message = error_on(kind, path, numbers, dense.source)
    first, last = dense.cells.firsts[4:6]
    assert f"damaged.parquet: row 4 (features {first} to {last - 1}): a cell" in message


def test_a_missing_row_is_named(kind, dense, numbers):
    if kind.name in ("threads", "batch"):
        pytest.skip("reads no block table")
    path = dense.write("short", [row for row in range(len(dense.cells.cells)) if row != 3])
    first, last = dense.cells.firsts[3:5]
    assert f"{first} to {last - 1}" in error_on(kind, path, numbers, dense.source)


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wide")
    source, y, cells = wide_data(folder)
    return source, y, write_blocks(folder / "wide.parquet", cells)


def test_few_jobs_move_few_bytes(kind, wide):
    source, y, path = wide
    found = kind.select(path, y, parts=2, source=source, n_features=20)
    engine = found.document["engine"]
    if kind.name in ("threads", "batch"):
        assert engine["jobs"] == 0
        return
    assert engine["name"] == kind.name
    assert 2 <= engine["jobs"] <= 6
    samples, features = 200, 20000
    # The scores, and the features that the path may want: a fraction of the 16 MB there are.
    assert features * 28 < engine["bytes_moved"] < features * 60 + 3000 * (samples * 4 + 300)
