"""AnnData, in memory, backed and as a file."""

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import land


@pytest.fixture
def adata():
    random = np.random.default_rng(0)
    counts = random.poisson(0.3, size=(300, 120)).astype("float32")
    kind = random.integers(0, 3, 300)
    for gene in range(6):
        counts[:, gene] += (kind == gene % 3) * random.poisson(2.0, 300)
    counts[:, 50] = 1.0
    return anndata.AnnData(
        scipy.sparse.csr_matrix(counts),
        obs=pd.DataFrame(
            {"cell_type": pd.Categorical(np.array(["B", "NK", "T"])[kind]), "score": kind * 1.0},
            index=[f"c{k}" for k in range(300)],
        ),
        var=pd.DataFrame(index=[f"gene{k}" for k in range(120)]),
        layers={"dense": counts * 2.0},
    )


def test_writes_into_the_object(adata, tmp_path):
    assert land.pp.select(adata, target="cell_type", n_features=10) is None
    expected = land.select(adata.X.toarray(), adata.obs["cell_type"].astype(str).to_numpy(), n_features=10)
    rank = adata.var["land_rank"]
    chosen = rank.dropna().sort_values().index
    assert [name for name in chosen] == [f"gene{k}" for k in expected.indices]
    relevance = adata.var["land_relevance"].to_numpy()
    np.testing.assert_allclose(relevance[expected.indices], expected.relevance, rtol=1e-9)
    assert np.isnan(relevance[50]) and np.isfinite(np.delete(relevance, 50)).all()
    back = land.Selection.loads(adata.uns["land"]["json"])
    assert list(back.names) == list(chosen)
    assert adata.uns["land"]["certified"]
    assert scipy.sparse.issparse(adata.X)
    adata.write_h5ad(tmp_path / "out.h5ad")
    assert anndata.read_h5ad(tmp_path / "out.h5ad").uns["land"]["json"] == adata.uns["land"]["json"]


def test_layers_and_copies(adata):
    done = land.pp.select(adata, target="cell_type", n_features=5, layer="dense", copy=True)
    assert "land_rank" in done.var and "land_rank" not in adata.var
    assert done.uns["land"]["layer"] == "dense"
    with pytest.raises(TypeError, match="'sigmas'"):
        land.pp.select(adata, target="cell_type", sigmas=2.0)
    with pytest.raises(ValueError, match="no layer 'raw'; it has 'dense'"):
        land.pp.select(adata, target="cell_type", layer="raw")
    with pytest.raises(ValueError, match="adata: obs: target='cell_typ': no such column; did you mean 'cell_type'"):
        land.pp.select(adata, target="cell_typ")


def test_relevances_are_those_of_a_pass_by_itself(adata):
    land.pp.select(adata, target="cell_type", n_features=5)
    alone = land.select(adata, "cell_type", n_features=5)
    assert land.Selection.loads(adata.uns["land"]["json"]).document["path"] == alone.document["path"]
    bounds = land.score(adata, "cell_type").relevance
    bounds[alone.indices] = alone.relevance
    np.testing.assert_array_equal(adata.var["land_relevance"], bounds)


@pytest.mark.parametrize("form", ["csr", "csc", "dense", "in chunks"])
def test_files_and_backed_mode(adata, tmp_path, form):
    expected = land.select(adata, "cell_type", n_features=8)
    if form != "csr":
        adata.X = adata.X.tocsc() if form == "csc" else adata.X.toarray()
    path = tmp_path / "cells.h5ad"
    adata.write_h5ad(path, compression="gzip" if form == "in chunks" else None)
    found = land.select(path, "cell_type", n_features=8)
    assert found.names == expected.names and found.names[0].startswith("gene")
    assert found.document["data"]["path"] == str(path)
    backed = anndata.read_h5ad(path, backed="r")
    land.pp.select(backed, target="cell_type", n_features=8)
    assert backed.var["land_rank"].dropna().sort_values().index.tolist() == expected.names
    land.convert(path, tmp_path / "cells.h5", "cell_type")
    assert land.select(tmp_path / "cells.h5", n_features=8).names == expected.names
    del adata.X
    adata.write_h5ad(tmp_path / "none.h5ad")
    for nothing in (adata, tmp_path / "none.h5ad"):
        with pytest.raises(ValueError, match="has no X; land.pp.select takes a layer"):
            land.select(nothing, "cell_type")
    (tmp_path / "bad.h5ad").write_text("nothing")
    with pytest.raises(ValueError, match="bad.h5ad"):
        land.select(tmp_path / "bad.h5ad", "cell_type")


def test_dask_in_anndata(adata):
    import dask.array

    expected = land.select(adata, "cell_type", n_features=8)
    dense = dask.array.from_array(adata.X.toarray(), chunks=(100, 120))
    adata.layers["lazy"] = dense
    adata.X = dense.map_blocks(scipy.sparse.csr_matrix)
    assert land.select(adata, "cell_type", n_features=8).names == expected.names
    land.pp.select(adata, target="cell_type", layer="lazy", n_features=8)
    assert adata.var["land_rank"].dropna().sort_values().index.tolist() == expected.names
