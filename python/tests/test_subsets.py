"""What is left out: in Python as in the command line, of objects as of files."""

import json
import subprocess

import anndata
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import land

NAMES = [f"g{k}" for k in range(60)]


@pytest.fixture
def frame(numbers):
    X, y = numbers
    index = pd.Index([f"s{i}" for i in range(len(X))], name="id")
    return pd.DataFrame(X, columns=NAMES, index=index).assign(y=y)


@pytest.fixture
def clinical(frame, tmp_path):
    """A table of text, and a file with the target of some of its samples and of others, in another order."""
    frame.drop(columns="y").to_csv(tmp_path / "X.csv")
    target = frame[["y"]].iloc[::-1].iloc[:190].assign(word="a")
    target.iloc[3, 0] = np.nan
    target.loc["stranger"] = [1.5, "b"]
    target.to_csv(tmp_path / "clinical.csv")
    return tmp_path


def left_out(selection):
    return [(one["what"], one["reason"], one["count"]) for one in selection.document["data"]["left_out"]]


def test_indices_count_what_is_left_out(numbers):
    X, y = numbers
    found = land.select(X, y, n_features=5, exclude=["f0", "f4*"])
    assert "f0" not in found and len(found) == 5
    kept = [k for k in range(60) if k not in (0, 4, *range(40, 50))]
    alone = land.select(X[:, kept], y, n_features=5)
    assert found.indices.tolist() == [kept[k] for k in alone.indices]
    assert found.names == [f"f{k}" for k in found.indices]
    np.testing.assert_array_equal(found.relevance, alone.relevance)
    assert X[:, found.indices].shape == (200, 5)
    assert land.select(X[:, found.indices], y).certificate["valid"]
    assert left_out(found) == [("features", "by exclude", 12)]
    assert repr(found).endswith("; left out 12 features by exclude)")
    assert "<p>left out 12 features by exclude</p>" in found._repr_html_()


def test_every_kind_of_object_leaves_out_the_same(frame, numbers):
    X, y = numbers
    mask = np.arange(200) % 3 > 0
    expected = land.select(X[mask][:, 5:], y[mask], n_features=6)
    names = [f"g{k + 5}" for k in expected.indices]
    adata = anndata.AnnData(scipy.sparse.csr_matrix(X), obs=frame[["y"]], var=pd.DataFrame(index=NAMES))
    kinds = {
        "array": (X, y, {"feature_names": NAMES}),
        "sparse": (scipy.sparse.csc_matrix(X), y, {"feature_names": NAMES}),
        "pandas": (frame, "y", {}),
        "polars": (pl.from_pandas(frame), "y", {}),
        "arrow": (pa.Table.from_pandas(frame), "y", {}),
        "anndata": (adata, "y", {}),
    }
    options = {"n_features": 6, "exclude": ["g[0-4]"]}
    for kind, (data, target, more) in kinds.items():
        for samples in (mask, np.flatnonzero(mask), mask.tolist()):
            found = land.select(data, target, samples=samples, **options, **more)
            assert found.names == names, kind
            assert found.indices.tolist() == [k + 5 for k in expected.indices]
            assert left_out(found) == [("samples", "not listed in samples", 67), ("features", "by exclude", 5)]
        assert land.select(data, target, exclude_samples=~mask, **options, **more).names == names
    ids = [f"s{i}" for i in np.flatnonzero(mask)]
    for kind in ("pandas", "arrow", "anndata"):
        data, target, _ = kinds[kind]
        assert land.select(data, target, samples=ids, **options).names == names
        assert land.select(data, target, exclude_samples=pd.Index(ids), **options).document["data"]["samples"] == 67


def test_files_are_as_in_the_program(program, clinical):
    given = [
        (
            ["--match", "common", "--drop-missing-target", "--exclude", "g1,g2*", "--min-distinct", "3"],
            dict(match="common", drop_missing_target=True, exclude=["g1", "g2*"], min_distinct=3),
        ),
        (
            ["--target-id", "id", "--match", "common", "--drop-missing-target", "--include", "g?"],
            dict(target_id="id", match="common", drop_missing_target=True, include="g?"),
        ),
    ]
    target = f"{clinical / 'clinical.csv'}:y"
    for words, options in given:
        out = clinical / "out.json"
        subprocess.run(
            [
                program,
                "select",
                clinical / "X.csv",
                "--target",
                target,
                "-m",
                "6",
                "--neighbors",
                "2",
                "-q",
                "-o",
                out,
                *words,
            ],
            check=True,
        )
        found = land.select(clinical / "X.csv", target, n_features=6, neighbors=2, **options)
        assert found == land.Selection.load(out)
        assert found.document["data"]["matched"] == json.loads(out.read_text())["data"]["matched"]
        assert ("samples", "without a target", 1) in left_out(found)
        assert "joined on ids: 190 of 200 samples, 190 of 191 values of the target" in repr(found)


def test_targets_in_files_want_ids_or_order(clinical, numbers):
    target = f"{clinical / 'clinical.csv'}:y"
    with pytest.raises(ValueError, match='190 of its 200 samples .* match="common" uses those in common'):
        land.select(clinical / "X.csv", target)
    with pytest.raises(ValueError, match="clinical.csv: sample 's[0-9]+'.*leave such .* with drop_missing_target"):
        land.select(clinical / "X.csv", target, match="common")
    found = land.select(
        clinical / "X.csv", target, n_features=3, match="common", samples=np.arange(200) < 196, drop_missing_target=True
    )
    assert left_out(found) == [
        ("samples", "not listed in samples", 4),
        ("samples", f"not in {clinical / 'clinical.csv'}", 10),
    ]
    np.save(clinical / "y.npy", numbers[1])
    with pytest.raises(ValueError, match="by_position"):
        land.select(clinical / "X.csv", clinical / "y.npy", n_features=3)
    found = land.select(clinical / "X.csv", clinical / "y.npy", n_features=3, by_position=True)
    assert found.names == land.select(numbers[0], numbers[1], n_features=3, feature_names=NAMES).names


def test_words_in_text(tmp_path, frame):
    path = tmp_path / "words.csv"
    words = frame.assign(site=np.where(frame["g0"] > 0, "left", "right"), note=[f"text {i}" for i in range(200)])
    words.iloc[5, 7] = np.nan
    words.to_csv(path, sep=";", na_rep="gone")
    options = dict(na=["gone"], delimiter=";", missing="drop-feature", exclude="note", n_features=5)
    found = land.select(path, "y", nominal="auto", **options)
    assert found.document["data"]["nominal_features"] == 1
    assert left_out(found) == [("features", "by exclude", 1), ("features", "that lack values", 1)]
    for nominal in ("site", ["site"], [60], [k == 60 for k in range(62)]):
        if isinstance(nominal, list) and nominal[0] is False:
            with pytest.raises(ValueError, match="site"):  # a mask comes too late for words
                land.select(path, "y", nominal=nominal, **options)
        else:
            assert land.select(path, "y", nominal=nominal, **options) == found
    np.save(tmp_path / "X.npy", frame.drop(columns="y").to_numpy())
    (tmp_path / "names.txt").write_text("\n".join(NAMES))
    named = land.select(tmp_path / "X.npy", frame["y"].to_numpy(), names=tmp_path / "names.txt", n_features=3)
    assert set(named.names) <= set(NAMES)


def test_a_place_that_names_another_feature_is_refused(tmp_path, numbers):
    X, y = numbers
    pd.DataFrame(X[:, :4], columns=["a", "0", "b", "c"]).assign(y=y).to_csv(tmp_path / "X.csv", index=False)
    with pytest.raises(ValueError, match="nominal=0: another feature has that name"):
        land.score(tmp_path / "X.csv", "y", nominal=[0])
    pd.DataFrame(X[:, :4], columns=["a", "1", "b", "c"]).round().assign(y=y).to_csv(tmp_path / "X.csv", index=False)
    assert land.select(tmp_path / "X.csv", "y", nominal=[1, 2]).document["data"]["nominal_features"] == 2


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "parquet", "feather"])
def test_what_is_left_out_may_hold_anything(kind, frame, tmp_path):
    other = frame.assign(note=[f"text {i}" for i in range(200)], day=pd.Timestamp("2020-01-01"), hole=np.nan)
    other = other[["note", *NAMES, "day", "hole", "y"]]
    expected = [k + 1 for k in land.select(frame, "y", n_features=4).indices]
    if kind == "polars":
        other = pl.from_pandas(other)
    elif kind == "arrow":
        other = pa.Table.from_pandas(other)
    elif kind in ("parquet", "feather"):
        path = tmp_path / f"data.{kind}"
        other.to_parquet(path) if kind == "parquet" else other.reset_index(drop=True).to_feather(path)
        other = path
    found = land.select(other, "y", n_features=4, exclude=["note", "day", "hole"])
    assert found.indices.tolist() == expected
    assert land.select(other, "y", n_features=4, include="g*").indices.tolist() == expected
    with pytest.raises(ValueError, match="note"):
        land.select(other, "y", n_features=4)


def test_missing_targets_may_go(numbers, frame):
    X, y = numbers
    holes = y.copy()
    holes[[3, 50]] = np.nan
    expected = land.select(np.delete(X, [3, 50], axis=0), np.delete(y, [3, 50]), n_features=4)
    gaps = frame.assign(y=holes)
    for data, target in ((X, holes), (gaps, "y"), (pl.from_pandas(gaps), "y"), (gaps[NAMES], gaps["y"])):
        found = land.select(data, target, n_features=4, drop_missing_target=True)
        assert found.indices.tolist() == expected.indices.tolist()
        assert left_out(found) == [("samples", "without a target", 2)]
        with pytest.raises(ValueError, match=r"sample 3 \(counted from 0\).* 1 more of 200 .*drop_missing_target"):
            land.select(data, target)
    words = np.where(y > 0, "high", "low").astype(object)
    words[7] = None
    assert land.select(X, words, n_features=2, drop_missing_target=True).document["data"]["samples"] == 199
    # A sample that is not used needs no target.
    assert land.select(X, holes, n_features=2, exclude_samples=[3, 50]).document["data"]["samples"] == 198


def test_features_that_lack_values_may_go(numbers, frame):
    X, y = numbers
    holes = X.copy()
    holes[4, 0] = np.nan
    holes[:150, 2] = np.nan
    gaps = pd.DataFrame(holes, columns=NAMES)
    expected = land.select(X, y, n_features=4, exclude=["f0", "f2"])
    for data in (holes, np.asfortranarray(holes), gaps, pl.from_pandas(gaps), scipy.sparse.csc_matrix(holes)):
        found = land.select(data, y, n_features=4, missing="drop-feature")
        assert found.indices.tolist() == expected.indices.tolist()
        assert left_out(found) == [("features", "that lack values", 2)]
    assert left_out(land.select(holes, y, n_features=4, missing="mean", geno=0.1)) == [("features", "by geno", 1)]
    assert left_out(land.select(holes.T[:60].T, y, n_features=4, missing="mean", mind=0.02)) == [
        ("samples", "by mind", 1)
    ]
    selector = land.LandSelector(4, missing="drop-feature").fit(holes, y)
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), np.sort(expected.indices))
    assert np.isnan(selector.scores_[[0, 2]]).all() and np.isnan(selector.scores_).sum() == 2
    assert sorted(selector.ranking_[[0, 2]]) == [59, 60]


def test_features_of_few_values_may_go(numbers):
    X, y = numbers
    rare = X.copy()
    rare[:, 0] = X[:, 0] > 0
    found = land.select(rare, y, n_features=4, min_distinct=3)
    assert 0 not in found.indices
    assert left_out(found) == [("features", "by min_distinct", 1)]


def test_scores_and_neighbors_of_a_part(numbers):
    X, y = numbers
    whole = land.score(X, y, refine=True)
    part = land.score(X, y, refine=True, exclude=["f0", "f7"])
    assert part.indices.tolist() == [k for k in range(60) if k not in (0, 7)]
    assert part.names == [f"f{k}" for k in part.indices]
    np.testing.assert_array_equal(part.relevance, whole.relevance[part.indices])
    assert whole.indices.tolist() == list(range(60))
    assert part.to_frame()["index"].tolist() == part.indices.tolist()
    near = land.neighbors(X, 41, 3, exclude=["f0", "f7"])
    assert near.feature == "f41" and near.names[0] == "f1" and near.indices[0] == 1
    assert land.neighbors(X, "41", 3, exclude=["f0", "f7"]).names == near.names
    assert land.neighbors(X, "f41", 3, exclude=["f0", "f7"]).names == near.names
    assert land.neighbors(X, "f41", 3, exclude=["f1"]).names[0] != "f1"
    with pytest.raises(ValueError, match="feature=7: no such feature, or it is left out"):
        land.neighbors(X, 7, exclude=["f0", "f7"])


def test_a_store_of_a_part(numbers, tmp_path):
    X, y = numbers
    land.convert(X, tmp_path / "part.h5", y, exclude=["f0"], samples=range(150))
    expected = land.select(X, y, n_features=4, exclude=["f0"], samples=range(150))
    assert land.select(tmp_path / "part.h5", n_features=4).names == expected.names


def test_neighbors_and_copies_of_the_selected(numbers):
    X, y = numbers
    twins = np.column_stack([X, -2.0 * X[:, 0] + 1.0])
    found = land.select(twins, y, n_features=4, neighbors=3)
    at = found.names.index("f0")
    assert found.identical[at] == ["f60"]
    for name, near in zip(found.names, found.neighbors):
        alone = land.neighbors(twins, name, 3)
        assert near.feature == name and near.names == alone.names and near.indices.tolist() == alone.indices.tolist()
        np.testing.assert_allclose(near.redundancy, alone.redundancy, rtol=1e-12)
    assert land.Selection.loads(found.dumps()) == found
    fewer = found.truncate(2)
    assert [near.names for near in fewer.neighbors] == [
        found.neighbors[found.names.index(name)].names for name in fewer.names
    ]
    assert land.select(twins, y, n_features=2).neighbors is None
    ranked = land.select(twins, y, n_features=2, method="mr-nhsic", neighbors=1)
    assert ranked.identical is None and len(ranked.neighbors) == 2


def test_how_samples_were_matched(frame, numbers):
    X, y = numbers
    shuffled = frame["y"].sample(frac=1.0, random_state=0)
    for data, target, how in (
        (X, y, "order"),
        (frame, "y", "table"),
        (frame[NAMES], shuffled, "ids"),
        (frame[NAMES], y, "order"),
        (pl.from_pandas(frame), "y", "table"),
    ):
        assert land.select(data, target, n_features=2).document["data"]["matched"]["how"] == how


def test_files_that_python_reads(frame, numbers, tmp_path):
    X, y = numbers
    expected = land.select(frame, "y", n_features=4, exclude="g0", exclude_samples=["s1", "s2"])
    frame.to_parquet(tmp_path / "data.parquet")
    anndata.AnnData(X, obs=frame[["y"]], var=pd.DataFrame(index=NAMES)).write_h5ad(tmp_path / "data.h5ad")
    for name in ("data.parquet", "data.h5ad"):
        found = land.select(tmp_path / name, "y", n_features=4, exclude="g0", exclude_samples=["s1", "s2"])
        assert found.names == expected.names and left_out(found) == left_out(expected)
        land.convert(tmp_path / name, tmp_path / "part.h5", "y", exclude="g0", exclude_samples=["s1", "s2"])
        assert land.select(tmp_path / "part.h5", n_features=4).names == expected.names


def test_genes_of_a_part(numbers, frame):
    X, y = numbers
    adata = anndata.AnnData(X.astype("float32"), obs=frame[["y"]], var=pd.DataFrame(index=NAMES))
    land.pp.select(adata, "y", n_features=4, exclude=["g0"], samples=adata.obs["y"] > -5)
    assert np.isnan(adata.var.loc["g0", "land_relevance"]) and adata.var["land_relevance"].isna().sum() == 1
    assert adata.var["land_rank"].notna().sum() == 4
    best = adata.var["land_rank"].idxmin()
    assert best == adata.uns["land"]["names"][0]


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(include=["f0", "g1"]), "X: include='g1': no such feature"),
        (dict(exclude="f99"), "X: exclude='f99': no such feature"),
        (dict(include=[]), "include: an empty list leaves nothing"),
        (dict(exclude="*"), "no feature is left of 60: exclude leaves out all of them"),
        (dict(samples=[200]), "X: samples=200: no such sample; samples are numbered 0 to 199"),
        (dict(samples=[True] * 199), "samples: a mask must have .* each of the 200 samples; found 199"),
        (dict(samples=[]), "samples: an empty list"),
        (dict(samples=[False] * 200), "X: no sample is left of 200"),
        (dict(samples=["s1"]), "samples: the samples have no ids; give their places or a mask"),
        (dict(min_distinct=1000), "^min_distinct=1000: give a number of values from 2 to 256"),
        (dict(geno=2.0), "^geno=2: give a share between 0 and 1"),
        (dict(y=np.zeros(3), exclude_samples=[1]), "200 samples, but the target y has 3 values"),
    ],
)
def test_mistakes_are_one_clear_line(numbers, options, message):
    X, y = numbers
    with pytest.raises(ValueError, match=message) as caught:
        land.select(**{"X": X, "y": y, **options})
    assert "\n" not in str(caught.value) and "--" not in str(caught.value)


def test_what_cannot_apply_is_refused_by_name(numbers, frame, tmp_path):
    X, y = numbers
    for name, value in dict(match="common", by_position=True, target_id="id", maf=0.1, na="x", delimiter=",").items():
        with pytest.raises(TypeError, match=f"^{name}: for files only"):
            land.select(X, y, **{name: value})
    frame.to_parquet(tmp_path / "data.parquet")
    with pytest.raises(TypeError, match="^maf: not for .*data.parquet"):
        land.select(tmp_path / "data.parquet", "y", maf=0.1)
    np.save(tmp_path / "X.npy", X)
    with pytest.raises(ValueError, match="X.npy: maf: "):
        land.select(tmp_path / "X.npy", y, maf=0.1)
    with pytest.raises(TypeError, match="exclude=.*: a text or a sequence of texts is needed"):
        land.select(X, y, exclude=[3])
    with pytest.raises(TypeError, match="samples: ids as text, places or a mask are needed"):
        land.select(X, y, samples=[1.5])
    with pytest.raises(ValueError, match="samples: the mask has other labels than the samples"):
        land.select(frame, "y", samples=(frame["g0"] > 0).sort_values())
