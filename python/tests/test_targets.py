"""What is a class: the type of the values decides, not what they look like."""

import anndata
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import land

CLUSTERS = np.arange(200) % 11  # more than the whole numbers that are classes by themselves


def classes_of(X, y, **options):
    found = land.select(X, y, n_features=2, **options)
    assert found.task == "classification"
    return found.document["target"]["classes"]


KINDS = {
    "list of str": lambda c: [str(k) for k in c],
    "array of str": lambda c: c.astype(str),
    "array of bytes": lambda c: c.astype("S"),
    "array of objects": lambda c: c.astype(str).astype(object),
    "pandas text": lambda c: pd.Series(c.astype(str)),
    "pandas string": lambda c: pd.Series(c.astype(str), dtype="string"),
    "pandas category of text": lambda c: pd.Series(c.astype(str)).astype("category"),
    "pandas category of int": lambda c: pd.Series(c).astype("category"),
    "pandas category of float": lambda c: pd.Series(c.astype(float)).astype("category"),
    "pandas Categorical": lambda c: pd.Categorical(c),
    "pandas CategoricalIndex": lambda c: pd.CategoricalIndex(c),
    "pandas dictionary of Arrow": lambda c: pd.Series(pd.arrays.ArrowExtensionArray(pa.array(c).dictionary_encode())),
    "polars text": lambda c: pl.Series(c.astype(str)),
    "polars Categorical": lambda c: pl.Series(c.astype(str), dtype=pl.Categorical),
    "polars Enum": lambda c: pl.Series(c.astype(str), dtype=pl.Enum([str(k) for k in range(11)])),
    "pyarrow text": lambda c: pa.array(c.astype(str)),
    "pyarrow dictionary of int": lambda c: pa.array(c).dictionary_encode(),
    "pyarrow dictionary in chunks": lambda c: pa.chunked_array([c[:90], c[90:]]).dictionary_encode(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_types_of_classes(numbers, kind):
    X, _ = numbers
    assert classes_of(X, KINDS[kind](CLUSTERS)) == [str(k) for k in range(11)]


def test_categories_of_fractions_keep_their_names(numbers):
    X, _ = numbers
    dose = np.array([0.5, 1.0, 2.5])[CLUSTERS % 3]
    assert classes_of(X, pd.Categorical(dose)) == ["0.5", "1", "2.5"]
    assert land.select(X, dose, n_features=2).task == "regression"
    frame = pd.DataFrame(X).add_prefix("g").assign(dose=pd.Categorical(dose))
    for other in (frame, pa.Table.from_pandas(frame)):
        assert classes_of(other, "dose") == ["0.5", "1", "2.5"]


def test_columns_of_frames_and_files(numbers, tmp_path):
    X, _ = numbers
    frame = pd.DataFrame(X).add_prefix("g").assign(leiden=pd.Categorical(CLUSTERS.astype(str)))
    expected = land.select(frame, "leiden", n_features=2)
    names = [str(k) for k in range(11)]
    for other in (
        frame,
        pl.from_pandas(frame),
        pa.Table.from_pandas(frame),
        frame.astype({"leiden": str}),
        frame.assign(leiden=pd.Categorical(CLUSTERS)),
    ):
        assert classes_of(other, "leiden") == names
    frame.to_parquet(tmp_path / "a.parquet")
    assert classes_of(tmp_path / "a.parquet", "leiden") == names
    adata = anndata.AnnData(X.astype("float32"), obs=frame[["leiden"]].set_index(frame.index.astype(str)))
    land.pp.select(adata, "leiden", n_features=2)
    assert land.Selection.loads(adata.uns["land"]["json"]).document["target"]["classes"] == names
    land.convert(frame, tmp_path / "a.h5", "leiden")  # a store remembers
    assert classes_of(tmp_path / "a.h5", None) == names
    assert land.select(tmp_path / "a.h5", n_features=2).names == expected.names


def test_missing_categories_are_named_from_0(numbers):
    X, _ = numbers
    holes = pd.Series(CLUSTERS).astype("category")
    holes[4] = np.nan
    for y in (holes, pa.array([None if k == 4 else str(c) for k, c in enumerate(CLUSTERS)])):
        with pytest.raises(ValueError, match=r"sample 4 \(counted from 0\): the target has no value"):
            land.select(X, y)
    with pytest.raises(ValueError, match=r"sample 4 \(counted from 0\): the target has no value"):
        land.select(X, np.where(np.arange(200) == 4, np.nan, 1.0 * CLUSTERS))
    frame = pl.DataFrame(X).with_columns(y=pl.Series([None if k == 4 else 0.5 * k for k in range(200)]))
    with pytest.raises(ValueError, match=r"sample 4 \(counted from 0\): the target has no value"):
        land.select(frame, "y")


def test_a_slip_among_numbers_is_found(numbers):
    X, y = numbers
    slip = y.astype(object)
    slip[6] = "6,5"
    with pytest.raises(ValueError, match=r"'6,5' \(sample 6, counted from 0\) is not a number, but 199 of 200"):
        land.select(X, slip)


def test_labels_taken_for_numbers_are_warned_of(numbers):
    X, y = numbers
    with pytest.warns(land.LandWarning, match='11 distinct whole numbers .* say task="classification"'):
        found = land.select(X, CLUSTERS, n_features=2)
    assert found.task == "regression"
    with pytest.warns(land.LandWarning, match="look like labels"):
        land.score(X, CLUSTERS)


@pytest.mark.filterwarnings("error")
def test_a_task_silences_the_warning(numbers):
    X, y = numbers
    land.select(X, CLUSTERS, n_features=2, task="regression")
    land.select(X, CLUSTERS, n_features=2, task="classification")
    land.select(X, y, n_features=2)


def test_numbered_ids_are_no_target():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 5))).add_prefix("g")
    ids = pd.Series(np.arange(40) * 3 + 100, name="patient_id")
    with pytest.raises(ValueError, match="40 different whole numbers, headed as ids are"):
        land.select(frame, ids)
    assert land.select(frame, ids.rename("days"), n_features=1).task == "regression"
