"""Data frames of pandas, polars and pyarrow, and the files they come in."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import land


@pytest.fixture(scope="module")
def frame(numbers):
    X, y = numbers
    frame = pd.DataFrame(X[:, :12], columns=[f"g{k}" for k in range(12)])
    frame["count"] = np.round(3 * X[:, 13]).astype("int16")
    frame["flag"] = X[:, 14] > 0
    frame["narrow"] = X[:, 15].astype("float32")
    frame["group"] = pd.Categorical(np.where(X[:, 16] > 0.5, "a", np.where(X[:, 16] < -0.5, "b", "c")))
    frame["y"] = y + np.where(frame["group"] == "c", 3.0, 0.0)
    return frame


def essence(selection):
    return {key: selection.document[key] for key in ("selected", "path", "redundancy", "stopped")}


def test_all_frames_agree(frame):
    expected = land.select(frame, "y", n_features=8)
    assert expected.document["target"]["name"] == "y"
    assert "group" in expected.names
    assert "y" not in expected.names
    for other in (pl.from_pandas(frame), pa.Table.from_pandas(frame), pa.RecordBatch.from_pandas(frame)):
        found = land.select(other, "y", n_features=8)
        assert found.names == expected.names
        np.testing.assert_allclose(found.coefficients, expected.coefficients, rtol=1e-12)
    for y in (frame["y"], frame["y"].to_numpy(), pl.Series("y", frame["y"]), pa.array(frame["y"])):
        assert essence(land.select(frame.drop(columns="y"), y, n_features=8)) == essence(expected)


def test_chunks_and_offsets_of_arrow(frame):
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pieces = pa.concat_tables([table.slice(0, 7), table.slice(7, 100), table.slice(107)])
    assert pieces.column(0).num_chunks == 3
    assert essence(land.select(pieces, "y", n_features=8)) == essence(land.select(table, "y", n_features=8))
    middle = land.select(table.slice(50, 100), "y", n_features=5)
    assert middle.names == land.select(frame.iloc[50:150], "y", n_features=5).names


def test_categories_take_the_class_kernel(frame):
    numbered = frame.assign(group=frame["group"].cat.codes)
    assert land.score(frame, "y", refine=True).relevance[15] != land.score(numbered, "y", refine=True).relevance[15]
    for other in (numbered, pl.from_pandas(numbered)):
        same = land.score(other, "y", refine=True, nominal=["group"])
        np.testing.assert_allclose(same.relevance[15], land.score(frame, "y", refine=True).relevance[15], rtol=1e-12)
    text = frame.assign(group=frame["group"].astype(str))
    for other in (text, pl.from_pandas(text), pa.Table.from_pandas(text)):
        with pytest.raises(ValueError, match="'group' .*nominal"):
            land.select(other, "y")
        assert "group" in land.select(other, "y", n_features=8, nominal=["group"]).names
        assert "group" in land.select(other, "y", n_features=8, nominal=[15]).names  # by its place among the features
        with pytest.raises(ValueError, match="nominal='grup': no such feature; did you mean 'group'"):
            land.select(other, "y", nominal=["grup"])


def test_text_of_every_arrow_type(frame):
    text = frame.assign(group=frame["group"].astype(str) + " and a long text")
    table = pa.Table.from_pandas(text, preserve_index=False)
    expected = land.select(frame, "y", n_features=8).names
    at = table.schema.get_field_index("group")
    kinds = [pa.string(), pa.large_string()] + ([pa.string_view()] if hasattr(pa, "string_view") else [])
    columns = [table.column("group").cast(kind) for kind in kinds] + [table.column("group").dictionary_encode()]
    for column in columns:
        other = table.set_column(at, "group", column)
        assert land.select(other, "y", n_features=8, nominal=["group"]).names == expected


def test_missing_values_follow_the_option(frame):
    holes = frame.copy()
    holes["count"] = holes["count"].astype("Int16")
    holes.loc[3, "count"] = pd.NA
    holes.loc[5, "group"] = np.nan
    holes.loc[7, "g1"] = np.nan
    kinds = {"pandas": holes, "polars": pl.from_pandas(holes), "pyarrow": pa.Table.from_pandas(holes)}
    for other in kinds.values():
        with pytest.raises(ValueError, match="missing"):
            land.select(other, "y")
    for missing in ("ignore", "level"):
        found = {kind: land.select(other, "y", n_features=6, missing=missing) for kind, other in kinds.items()}
        assert found["pandas"].document["data"]["missing_values"] == 3
        assert found["pandas"].names == found["polars"].names == found["pyarrow"].names
    with pytest.raises(ValueError, match="categories have no mean"):
        land.select(holes, "y", missing="mean")
    assert land.select(holes.drop(columns="group"), "y", n_features=3, missing="mean").certificate["valid"]


def test_ids_join_the_target(frame):
    named = frame.set_axis([f"s{k:03}" for k in range(200)], axis=0)
    X, y = named.drop(columns="y"), named["y"]
    expected = essence(land.select(X, y, n_features=5))
    shuffled = y.sample(frac=1.0, random_state=1)
    assert essence(land.select(X, shuffled, n_features=5)) == expected
    with pytest.raises(ValueError, match="'s007' is not in y"):
        land.select(X, y.rename({"s007": "s999"}))
    with pytest.raises(ValueError, match="199 values"):
        land.select(X, y.iloc[:-1])


def test_sparse_columns_of_pandas(numbers):
    X, y = numbers
    few = X * (X > 1)
    sparse = pd.DataFrame(few).astype(pd.SparseDtype("float64", 0.0)).add_prefix("g")
    assert essence(land.select(sparse, y, n_features=5)) == essence(
        land.select(few, y, n_features=5, feature_names=[f"g{k}" for k in range(60)])
    )


def test_wide_types_and_refused_ones(frame):
    wide = frame.assign(huge=np.arange(200, dtype="uint64") + 2**40, half=np.arange(200).astype("float16"))
    expected = land.select(wide, "y", n_features=3).names
    assert land.select(pa.Table.from_pandas(wide), "y", n_features=3).names == expected
    for other in (frame.assign(when=pd.Timestamp("2020-01-01")), pl.from_pandas(frame).with_columns(a=pl.lit([1, 2]))):
        with pytest.raises(ValueError, match="'(when|a)'"):
            land.select(other, "y")
    for other in (frame, pl.from_pandas(frame)):
        with pytest.raises(ValueError, match="X: y='grop': no such column; did you mean 'group'?"):
            land.select(other, "grop")
    twice = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=["a", "a", "b"])
    with pytest.raises(ValueError, match="both called 'a'"):
        land.select(twice, "a")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_columnar_files(frame, tmp_path, ending):
    named = frame.set_axis([f"s{k:03}" for k in range(200)], axis=0)
    path = tmp_path / f"data.{ending}"
    if ending == "parquet":
        named.to_parquet(path, row_group_size=64)
    else:
        pa.feather.write_feather(pa.Table.from_pandas(named), str(path))
    expected = land.select(frame, "y", n_features=6)
    found = land.select(path, "y", n_features=6)
    assert found.names == expected.names  # the ids of the samples are no feature
    np.testing.assert_allclose(found.coefficients, expected.coefficients, rtol=1e-12)
    with pytest.raises(ValueError, match="data.*'z'"):
        land.select(path, "z")
    if ending == "parquet":  # the end, with what stands where, is sound
        path.write_bytes(path.read_bytes()[:4] + bytes(3000) + path.read_bytes()[3004:])
        with pytest.raises(ValueError, match="data.parquet: cannot be read"):
            land.select(path, "y")
        with pytest.raises(ValueError, match="data.parquet: cannot be read"):
            land.convert(path, tmp_path / "data.h5", "y")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match=f"data.{ending}: cannot be read"):
        land.select(path, "y")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_columnar_files_larger_than_memory_go_to_a_store(numbers, tmp_path, monkeypatch, ending):
    X, y = numbers
    frame = pd.DataFrame(X, columns=[f"g{k}" for k in range(60)]).assign(y=y)
    frame.loc[4, "g3"] = np.nan
    frame["group"] = pd.Categorical(np.where(X[:, 16] > 0.5, "a", np.where(X[:, 16] < -0.5, "b", "c")))
    frame["word"] = np.where(X[:, 17] > 0, "left", "right")
    frame["y"] += np.where(frame["group"] == "c", 3.0, 0.0)
    path = tmp_path / f"data.{ending}"
    frame.to_parquet(path) if ending == "parquet" else frame.to_feather(path)
    with pytest.raises(ValueError, match="'word' holds no numbers"):
        land.convert(path, tmp_path / "data.h5", "y", missing="mean")
    expected = essence(land.select(frame, "y", n_features=6, missing="mean", nominal=["word"]))
    assert "group" in [feature["name"] for feature in expected["selected"]]
    land.convert(path, tmp_path / "data.h5", "y", missing="mean", nominal=["word"])
    assert essence(land.select(tmp_path / "data.h5", n_features=6, missing="mean")) == expected
    from land import windows

    stores = []
    original = windows._stored
    monkeypatch.setattr(windows, "_stored", lambda *given: stores.append(given) or original(*given))
    monkeypatch.setattr(windows, "_free_memory", lambda: 0)
    found = land.select(path, "y", n_features=6, missing="mean", nominal=["word"])
    assert essence(found) == expected
    assert found.document["data"]["path"] == str(path)
    with pytest.raises(ValueError, match=f"data.{ending}: 1 missing values, the first in feature g3"):
        land.select(path, "y", n_features=6, nominal=["word"])
    assert len(stores) == 2


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_memory_is_that_of_a_few_columns(tmp_path, ending):
    """A file of 160 MB in float32: one array of that in memory, or less on the way to a store."""
    path = tmp_path / f"data.{ending}"
    rows = np.random.default_rng(0).random((2001, 20000), dtype="float32")
    table = pa.Table.from_arrays(list(rows), names=[*(f"g{k}" for k in range(2000)), "y"])
    if ending == "parquet":
        pa.parquet.write_table(table, path, compression="none", use_dictionary=False)
    else:
        pa.feather.write_feather(table, str(path), compression="uncompressed")
    code = f"""
import pathlib, sys, numpy as np, pyarrow.parquet, land
def growth(work):
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # forget the peak
    status = lambda key: next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith(key))
    before = status("VmRSS")
    work()
    return status("VmHWM") - before
path = {str(path)!r}
land.score(np.random.default_rng(0).random((20000, 20)), np.arange(20000.0))
print(growth(lambda: land.convert(path, path + ".h5", "y", memory=64 << 20)))
print(growth(lambda: land.score(path, "y")))
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    converted, scored = map(float, run.stdout.split())
    mapped = 160 if ending == "feather" else 0  # pages of the file, which are no one's
    assert converted < 80 + mapped and scored < 160 + 80 + mapped


class Bare:
    """Nothing but Arrow's stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_streams_of_arrow(frame):
    table = pa.Table.from_pandas(frame, preserve_index=False)
    expected = essence(land.select(table, "y", n_features=6, nominal=["count"]))
    for make in (table.to_reader, lambda: Bare(table), lambda: Bare(pl.from_pandas(frame))):
        assert essence(land.select(make(), "y", n_features=6, nominal=["count"])) == expected
        with pytest.raises(ValueError, match="X: y='grop': no such column; did you mean 'group'?"):
            land.select(make(), "grop")
    with pytest.raises(ValueError, match="X: (one column .* where a table of columns|has 1 dimensions, needs 2)"):
        land.select(table.column("g0"), frame["y"])
    named = pa.Table.from_pandas(frame.set_axis([f"s{k:03}" for k in range(200)], axis=0))
    assert essence(land.select(named.to_reader(), "y", n_features=6, nominal=["count"])) == expected


def test_frames_that_are_not_read_say_what_to_give(frame):
    import dask.dataframe

    with pytest.raises(ValueError, match=r"X: a LazyFrame of polars cannot be read as it is; give X.collect\(\)"):
        land.select(pl.from_pandas(frame).lazy(), "y")
    with pytest.raises(ValueError, match=r"X: a DataFrame of dask.* give X.compute\(\)"):
        land.select(dask.dataframe.from_pandas(frame, npartitions=2), "y")


def test_arrays_of_xarray_and_dask(numbers):
    import dask.array
    import xarray

    X, y = numbers
    expected = land.select(X, y, n_features=4)
    plain = xarray.DataArray(X, dims=("sample", "gene"))
    assert land.select(plain, xarray.DataArray(y), n_features=4).names == expected.names
    labelled = plain.assign_coords(gene=[f"g{k}" for k in range(60)])
    assert land.select(labelled, y, n_features=4).names == [f"g{k}" for k in expected.indices]
    assert land.select(labelled.chunk(), y, n_features=4).names == [f"g{k}" for k in expected.indices]
    assert land.select(dask.array.from_array(X, chunks=50), y, n_features=4) == expected
    with pytest.raises(ValueError, match=r"X: is an xarray Dataset; give one of its arrays, .* of 'expression'"):
        land.select(xarray.Dataset({"expression": plain}), y)
    with pytest.raises(ValueError, match="X: has 3 dimensions"):
        land.select(xarray.DataArray(X[:, :, None]), y)
