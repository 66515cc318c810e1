"""Values with an index are joined on the ids of the samples, whatever holds these."""

import anndata
import numpy as np
import pandas as pd
import pytest

import land


@pytest.fixture
def genes():
    rng = np.random.default_rng(8)
    index = pd.Index([f"s{i}" for i in range(90)], name="id")
    return pd.DataFrame(rng.normal(size=(90, 20)), columns=[f"g{k}" for k in range(20)], index=index)


@pytest.fixture
def clinical(genes):
    """In another order than the samples."""
    rng = np.random.default_rng(9)
    table = pd.DataFrame({"y": genes["g3"] + genes["g7"] ** 2, "x": genes["g5"], "age": rng.normal(size=90)})
    table["time"] = np.exp(-genes["g4"])
    table["event"] = rng.random(90) < 0.8
    return table.sample(frac=1.0, random_state=2)


@pytest.fixture(params=["frame", "file", "compressed", "store", "anndata"])
def holder(genes, request, tmp_path):
    """The same samples, and what holds them."""
    if request.param == "frame":
        return genes
    if request.param == "anndata":
        return anndata.AnnData(genes.to_numpy(), obs=pd.DataFrame(index=genes.index))
    path = str(tmp_path / {"file": "x.csv", "compressed": "x.csv.gz", "store": "all.csv"}[request.param])
    genes.to_csv(path)
    if request.param == "store":
        land.convert(path, str(tmp_path / "x.h5"))
        return str(tmp_path / "x.h5")
    return path


def indices(selection):
    return selection.indices.tolist()


def test_targets(holder, genes, clinical):
    ordered = clinical.loc[genes.index]
    expected = land.select(genes.to_numpy(), ordered["y"].to_numpy(), n_features=3)
    found = land.select(holder, clinical["y"], n_features=3)
    assert indices(found) == indices(expected)
    np.testing.assert_array_equal(found.relevance, expected.relevance)
    assert found.document["data"]["matched"]["how"] == "ids"
    several = land.select(holder, clinical[["y", "x"]], n_features=3)
    assert indices(several["y"]) == indices(expected)
    assert several["x"].indices[0] == 5


def test_survival(holder, genes, clinical):
    ordered = clinical.loc[genes.index]
    expected = land.select(genes.to_numpy(), survival=(ordered["time"].to_numpy(), ordered["event"].to_numpy()))
    assert indices(land.select(holder, survival=(clinical["time"], clinical["event"]))) == indices(expected)


def test_covariates(holder, genes, clinical):
    ordered = clinical.loc[genes.index]
    expected = land.select(genes.to_numpy(), ordered["y"].to_numpy(), n_features=3, adjust=ordered["age"].to_numpy())
    found = land.select(holder, clinical["y"], n_features=3, adjust=clinical[["age"]])
    assert indices(found) == indices(expected)
    np.testing.assert_array_equal(found.relevance, expected.relevance)
    assert found.document["adjustment"]["matched"]["how"] == "ids"


def test_other_ids_are_refused(holder, clinical):
    with pytest.raises(ValueError, match="ids of y; they must be the same|'s0' is not in y"):
        land.select(holder, clinical["y"].rename({"s0": "other"}))


def test_the_order_of_a_file_without_ids_is_unknown(genes, clinical, tmp_path):
    path = str(tmp_path / "x.npy")
    np.save(path, genes.to_numpy())
    y = clinical["y"].loc[genes.index]
    with pytest.raises(ValueError, match=r"y has an index, but the samples of the table have no ids; give y.to_numpy"):
        land.select(path, y)
    assert indices(land.select(path, y.to_numpy())) == indices(land.select(genes.to_numpy(), y))
    assert indices(land.select(path, y, by_position=True)) == indices(land.select(path, y.reset_index(drop=True)))
