"""Block tables: what land.convert writes, and what is read back."""

import numpy as np
import pandas as pd
import pytest

import land
from land import remote

parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Dense, few-valued, sparse and nominal columns, with names and ids."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.normal(size=(90, 40)), index=[f"patient{i}" for i in range(90)]).add_prefix("gene")
    for k in range(40):
        frame[f"count{k}"] = random.poisson(1.0, 90)
        frame[f"rare{k}"] = np.where(random.random(90) < 0.05, random.normal(size=90), 0.0)
    frame["stage"] = pd.Categorical(random.choice(["I", "II", "III"], 90))
    y = pd.Series(frame["gene3"] ** 2 + frame["count5"], index=frame.index, name="outcome")
    path = tmp_path_factory.mktemp("blocks") / "blocks.parquet"
    land.convert(frame, path, y, threads=2)
    return frame, y, str(path)


def cluster(path):
    return remote.SerialCluster(remote.BlockFile(path), 2)


def test_selects_what_the_frame_does(table):
    frame, y, path = table
    expected = land.select(frame, y, n_features=8)
    for target in (y, y.sample(frac=1, random_state=0)):  # joined on ids
        found = remote.select(cluster(path), target, n_features=8)
        assert found == expected
        assert found.document["data"]["matched"]["how"] == "ids"
    assert remote.select(cluster(path), n_features=8).names == expected.names  # the target is in the table


def test_targets_in_files(table, tmp_path):
    frame, y, path = table
    clinical = tmp_path / "clinical.csv"
    y.sample(frac=1, random_state=1).to_frame().assign(age=50).to_csv(clinical, index_label="patient_id")
    found = remote.select(cluster(path), f"{clinical}:outcome", n_features=8)
    assert found.names == land.select(frame, y, n_features=8).names
    y[:-1].to_frame().to_csv(clinical, index_label="patient_id")
    with pytest.raises(ValueError, match="89 of its 90 samples are among the 89 ids"):
        remote.select(cluster(path), f"{clinical}:outcome")
    with pytest.raises(ValueError, match="no such file"):
        remote.select(cluster(path), "clinical.tsv:outcome")


def test_ids_must_be_the_same(table):
    _, y, path = table
    with pytest.raises(ValueError, match="89 of its 90 samples are among the 89 ids of y"):
        remote.select(cluster(path), y[1:])
    with pytest.raises(ValueError, match="'patient0' occurs more than once"):
        remote.select(cluster(path), pd.concat([y[:1], y]))
    cells = remote.CellList.of(table[0].to_numpy(dtype=object)[:, :40].astype(float))
    with pytest.raises(ValueError, match="the samples of the table have no ids"):
        remote.select(remote.SerialCluster(cells), y)


def test_a_row_in_every_group(tmp_path):
    X = np.random.default_rng(0).normal(size=(500, 9000))
    path = tmp_path / "blocks.parquet"
    land.convert(X, path)
    file = parquet.ParquetFile(path)
    assert file.schema_arrow.names == ["first", "count", "head", "cell"]
    assert file.num_row_groups == file.metadata.num_rows > 3
    rows = file.read().to_pylist()
    assert [row["head"] is not None for row in rows] == [True] + [False] * (len(rows) - 1)
    first = 0
    for group, row in enumerate(rows):
        assert row["first"] == first
        statistics = file.metadata.row_group(group).column(0).statistics
        assert (statistics.min, statistics.max) == (first, first)
        first += row["count"]
    assert first == 9000
    # All threads, and any memory, write the same.
    for options in ({"threads": 1}, {"threads": 2}):
        land.convert(X, tmp_path / "again.parquet", **options)
        assert (tmp_path / "again.parquet").read_bytes() == path.read_bytes()


def test_missing_values_are_refused_or_kept(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 60))
    X[3, 17] = np.nan
    path = tmp_path / "blocks.parquet"
    with pytest.raises(ValueError, match="the value is missing"):
        land.convert(X, path)
    assert not list(tmp_path.iterdir())
    land.convert(X, path, missing="mean")
    y = X[:, 3]
    assert remote.select(cluster(path), y, missing="mean", n_features=3) == land.select(
        X, y, missing="mean", n_features=3
    )
    with pytest.raises(ValueError, match="drop-feature"):
        remote.select(cluster(path), y, missing="drop-feature")


def test_what_is_no_block_table(tmp_path, table):
    with pytest.raises(ValueError, match="a block table is for clusters"):
        land.select(table[2], table[1])
    with pytest.raises(FileNotFoundError):
        remote.BlockFile(tmp_path / "absent.parquet")
    other = tmp_path / "other.parquet"
    pd.DataFrame({"a": [1.0]}).to_parquet(other)
    with pytest.raises(ValueError, match="not a block table"):
        remote.BlockFile(other)
    other.write_bytes(b"PAR1 no more")
    with pytest.raises(ValueError, match="other.parquet: cannot be read"):
        remote.BlockFile(other)
    with pytest.raises(ValueError, match="no .parquet in this folder"):
        (tmp_path / "empty").mkdir()
        remote.BlockFile(tmp_path / "empty")
    with pytest.raises(ValueError, match="must end in .h5, that of a block table in .parquet"):
        land.convert(table[0], tmp_path / "blocks.csv")


class Interrupted(remote.SerialCluster):
    def fetch(self, ids):
        raise KeyboardInterrupt


class Failing(remote.SerialCluster):
    def score(self, order):
        yield next(super().score(order))
        raise OSError("the network is gone")


def test_what_a_cluster_raises_comes_out(table):
    _, y, path = table
    with pytest.raises(OSError, match="the network is gone"):
        remote.select(Failing(remote.BlockFile(path)), y)
    # What the certificate draws is never among the likeliest.
    X = np.random.default_rng(0).normal(size=(30, 5000))
    with pytest.raises(KeyboardInterrupt):
        remote.select(Interrupted(remote.CellList.of(X)), X[:, 0], n_features=2)
