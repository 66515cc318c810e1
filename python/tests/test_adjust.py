"""Covariates: the same from whatever holds them."""

import anndata
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import land
from land import remote

GENES = [f"g{k}" for k in range(12)]


@pytest.fixture
def frame():
    """y follows site and age most, and g9 besides; g0 to g4 follow the site, g5 the age, g11 is a site in numbers."""
    rng = np.random.default_rng(3)
    site = rng.integers(0, 3, 180)
    age = rng.normal(size=180)
    X = rng.normal(size=(180, 12))
    X[:, :5] = 0.4 * X[:, :5] + 2.0 * site[:, None]
    X[:, 5] = 0.4 * X[:, 5] + 2.0 * age
    X[:, 11] = np.array([1.5, 0.25, 7.0])[site]
    y = 2.0 * site + age + X[:, 9] + 0.2 * rng.normal(size=180)
    index = pd.Index([f"s{i}" for i in range(180)], name="id")
    return pd.DataFrame(X, columns=GENES, index=index).assign(y=y, age=age, site=np.array(list("ABC"))[site])


@pytest.fixture
def expected(frame):
    with pytest.warns(land.LandWarning, match="explained by the covariates and was left out: 'g11'"):
        return land.select(frame, "y", adjust=["age", "site"], n_features=3)


def same(selection, expected):
    assert selection.names == expected.names
    np.testing.assert_array_equal(selection.relevance, expected.relevance)
    ours, theirs = selection.document["adjustment"], expected.document["adjustment"]
    for key in ("covariates", "columns", "strata", "target_left", "explained"):
        assert ours[key] == theirs[key]


def test_what_follows_covariates_is_not_selected(frame, expected):
    assert land.select(frame.drop(columns=["age", "site"]), "y", n_features=1).names[0] in GENES[:6]
    assert expected.names[0] == "g9"
    assert expected.certificate["valid"]
    adjustment = expected.document["adjustment"]
    assert adjustment["covariates"] == [
        {"name": "age", "kind": "numeric", "levels": None},
        {"name": "site", "kind": "nominal", "levels": 3},
    ]
    assert adjustment["explained"] == [{"index": 11, "name": "g11"}]
    assert adjustment["matched"]["how"] == "table"


@pytest.mark.filterwarnings("ignore::land.LandWarning")
def test_every_kind_of_covariate_gives_the_same(frame, expected, tmp_path):
    genes, y, clinical = frame[GENES], frame["y"], frame[["age", "site"]]
    shuffled = clinical.sample(frac=1.0, random_state=1)
    same(land.select(genes, y, adjust=clinical, n_features=3), expected)
    same(land.select(genes, y, adjust=shuffled, n_features=3), expected)
    same(land.select(genes, y, adjust=pl.from_pandas(clinical), n_features=3), expected)
    same(
        land.select(genes, y, adjust=clinical.assign(site=clinical["site"].astype("category")), n_features=3), expected
    )
    same(land.select(frame, "y", adjust="age,site", n_features=3), expected)
    same(land.select(pl.from_pandas(frame), "y", adjust=["age", "site"], n_features=3), expected)
    same(land.select(pa.Table.from_pandas(frame), "y", adjust=["age", "site"], n_features=3), expected)
    shuffled.to_csv(tmp_path / "clinical.csv")
    frame.to_csv(tmp_path / "all.csv")
    genes.assign(y=y).to_csv(tmp_path / "genes.csv")
    same(land.select(genes, y, adjust=tmp_path / "clinical.csv", n_features=3), expected)
    same(land.select(tmp_path / "genes.csv", "y", adjust=tmp_path / "clinical.csv", n_features=3), expected)
    same(land.select(tmp_path / "genes.csv", "y", adjust=f"{tmp_path}/clinical.csv:age,site", n_features=3), expected)
    same(land.select(tmp_path / "all.csv", "y", adjust=["age", "site"], n_features=3), expected)
    adata = anndata.AnnData(genes.to_numpy(), obs=frame[["y", "age", "site"]], var=pd.DataFrame(index=GENES))
    same(land.select(adata, "y", adjust=["age", "site"], n_features=3), expected)
    adata.write_h5ad(tmp_path / "adata.h5ad")
    same(land.select(tmp_path / "adata.h5ad", "y", adjust=["age", "site"], n_features=3), expected)
    land.pp.select(adata, "y", adjust=["age", "site"], n_features=3)
    assert adata.uns["land"]["names"].tolist() == expected.names
    assert np.isnan(adata.var["land_relevance"]["g11"])


@pytest.mark.filterwarnings("ignore::land.LandWarning")
def test_arrays_are_taken_in_order(frame, expected):
    X, y = frame[GENES].to_numpy(), frame["y"].to_numpy()
    clinical = np.column_stack([frame["age"], frame["site"].factorize()[0]])
    assert land.select(X, y, adjust=clinical, n_features=3).indices.tolist() == expected.indices.tolist()
    one = land.select(X, y, adjust=frame["site"].to_numpy(), n_features=3)
    assert one.document["adjustment"]["strata"] == 3
    mask = np.arange(len(y)) % 4 > 0
    part = land.select(X, y, adjust=clinical, samples=mask, n_features=3)
    alone = land.select(X[mask], y[mask], adjust=clinical[mask], n_features=3)
    assert part.indices.tolist() == alone.indices.tolist()
    np.testing.assert_array_equal(part.relevance, alone.relevance)
    with pytest.raises(ValueError, match="X: 180 samples, but the covariate adjust has 9 values"):
        land.select(X, y, adjust=clinical[:9, 0])
    assert land.select(X, y, adjust=11, n_features=3).document["adjustment"]["covariates"][0]["name"] == "f11"


def test_scores_leave_out_what_is_explained(frame):
    with pytest.warns(land.LandWarning, match="explained by the covariates"):
        scores = land.score(frame, "y", adjust=["age", "site"])
    assert scores.names[:12] == GENES and len(scores.names) == 12
    assert np.flatnonzero(np.isnan(scores.relevance)).tolist() == [11]
    assert scores.names[int(np.nanargmax(scores.relevance))] == "g9"


@pytest.mark.filterwarnings("ignore::land.LandWarning")
def test_block_tables_take_values_or_files(frame, expected, tmp_path):
    frame[GENES].assign(y=frame["y"]).to_csv(tmp_path / "genes.csv")
    frame[["age", "site"]].iloc[::-1].to_csv(tmp_path / "clinical.csv")
    land.convert(tmp_path / "genes.csv", tmp_path / "blocks.parquet", "y")
    cluster = remote.SerialCluster(remote.BlockFile(str(tmp_path / "blocks.parquet")), 2)
    same(remote.select(cluster, adjust=frame[["age", "site"]].iloc[::-1], n_features=3), expected)
    same(remote.select(cluster, adjust=tmp_path / "clinical.csv", n_features=3), expected)
    with pytest.raises(ValueError, match='adjust="g3": the features of a block table cannot be covariates'):
        remote.select(cluster, adjust="g3")


def test_mistakes_are_named(frame):
    with pytest.raises(ValueError, match="X: adjust='sites': no such column; did you mean 'site'"):
        land.select(frame, "y", adjust="sites")
    gap = frame.copy()
    gap.loc["s7", "age"] = np.nan
    with pytest.raises(ValueError, match="X: covariate 'age' has no value for sample 's7'; give it one, or leave such"):
        land.select(gap, "y", adjust=["age", "site"])
    assert land.select(gap, "y", adjust=["age"], exclude=["site"], exclude_samples=["s7"], n_features=1)
    with pytest.raises(ValueError, match="adjust: its index is not that of X"):
        land.select(frame[GENES], frame["y"], adjust=frame["age"].rename(index={"s0": "t0"}))
    with pytest.raises(ValueError, match="covariates \\('site'\\) determine the target 'copy'"):
        land.select(frame[GENES], frame["site"].rename("copy"), adjust=frame["site"])


def test_stability_takes_covariates_out_of_each_half(frame):
    found = land.stability(frame, "y", adjust=["age", "site"], n_features=2, pairs=5)
    assert found.names[0] == "g9"
    assert found.document["options"]["adjust"] == ["age", "site"]
    plain = land.stability(frame.drop(columns=["age", "site"]), "y", n_features=2, pairs=5)
    assert plain.names[0] != "g9"
    assert plain.document["options"]["adjust"] == []


def test_evaluate_takes_covariates_out_of_each_training_part(frame):
    found = land.evaluate(frame, "y", adjust=["age", "site"], n_features=1, folds=3)
    chosen = [fold["methods"][0]["sets"][0]["indices"] for fold in found.document["folds"]]
    assert chosen == [[9], [9], [9]]
    with pytest.raises(ValueError, match="adjust: a selection that is made is judged as it is"):
        land.evaluate(frame, "y", adjust=["age"], selection=land.select(frame[[*GENES, "y"]], "y", n_features=1))


def test_the_estimator_takes_values_of_covariates(frame, expected):
    selector = land.LandSelector(3)
    with pytest.warns(land.LandWarning, match="explained by the covariates"):
        selector.fit(frame[GENES], frame["y"], adjust=frame[["age", "site"]])
    np.testing.assert_array_equal(selector.selection_.relevance, expected.relevance)


def test_neighbors_have_what_is_left_in_common(frame):
    genes, clinical = frame[GENES], frame[["site"]]
    assert set(land.neighbors(genes, "g0", 5).names) == {"g1", "g2", "g3", "g4", "g11"}
    adjusted = land.neighbors(genes, "g0", adjust=clinical)
    assert len(adjusted.names) == 10
    assert "g11" not in adjusted.names
    assert adjusted.redundancy.max() < 0.1
    with pytest.raises(ValueError, match="adjust: feature 'g11' is explained by the covariates"):
        land.neighbors(genes, "g11", adjust=clinical)
