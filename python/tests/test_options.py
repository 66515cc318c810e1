"""One table of options: what the package says of them is what it holds, and messages are in the words of Python."""

import inspect
import pathlib
import runpy
import warnings

import numpy as np
import pandas as pd
import pytest

import land
from land import _land, pp

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def table(command):
    return {option["name"]: option for option in _land.options_of(command)}


@pytest.mark.parametrize("command", ["select", "score", "neighbors", "convert", "evaluate", "stability"])
def test_signatures_are_those_of_the_table(command):
    parameters = inspect.signature(getattr(land, command)).parameters
    for name, option in table(command).items():
        if name in land.Reading.__annotations__ or name == "y":  # land.neighbors has no target
            continue
        assert name in parameters, f"land.{command} lacks {name}"
        lists = command == "evaluate" and name in ("methods", "n_features")  # of which the table has no default
        if not lists and name not in ("missing", "feature"):  # what is missing is refused, except in genotypes
            assert parameters[name].default == option["default"], name


def test_estimator_and_scanpy_take_the_options_of_select():
    names = (
        set(table("select")) - set(land.Reading.__annotations__) - {"y", "survival", "nominal", "threads", "n_features"}
    )
    assert set(pp.Options.__annotations__) - set(land.Subset.__annotations__) == names
    parameters = inspect.signature(land.LandSelector).parameters
    # values_as there; covariates are no part of what fit() is given
    assert names - set(parameters) == {"plain_path", "neighbors", "memory", "transform", "adjust"}
    for name in names & set(parameters):
        assert parameters[name].default == table("select")[name]["default"], name


def test_every_way_of_reading_is_in_the_table():
    assert set(land.Reading.__annotations__) <= set(table("select"))


def test_descriptions_are_those_of_the_table():
    for path, text in runpy.run_path(str(REPOSITORY / "scripts" / "python_options"))["written"]().items():
        assert path.read_text() == text, "run scripts/python_options, then scripts/python_reference"


@pytest.fixture
def data(tmp_path, numbers):
    """Files that a user may get wrong."""
    X, y = numbers
    frame = pd.DataFrame(X[:40, :4], columns=list("abcd"))
    frame["y"] = y[:40]
    frame.to_csv(tmp_path / "plain.csv", index=False)
    frame.assign(word=[f"w{i % 3}" for i in range(40)], other="o").to_csv(tmp_path / "words.csv", index=False)
    frame.assign(id=[f"s{i}" for i in range(40)]).set_index("id").to_csv(tmp_path / "ids.csv")
    holes = frame.copy()
    holes.iloc[3, 1] = np.nan
    holes.to_csv(tmp_path / "holes.csv", index=False)
    slip = frame.astype(object)
    slip.iloc[5, 2] = "missing"
    slip.to_csv(tmp_path / "slip.csv", index=False)
    gap = frame.copy()
    gap.iloc[2, 4] = np.nan
    gap.to_csv(tmp_path / "gap.csv", index=False)
    frame["y"].to_csv(tmp_path / "target.csv", index=False)
    frame.assign(id=[f"s{i + 1}" for i in range(40)])[["id", "y"]].to_csv(tmp_path / "shifted.csv", index=False)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "short.npy", y[:9])
    (tmp_path / "zero.svm").write_text("1 0:4\n2 1:5\n")
    (tmp_path / "names.txt").write_text("a\n")
    (tmp_path / "empty.txt").write_text("\n")
    land.convert(tmp_path / "plain.csv", tmp_path / "store.h5", "y")
    return tmp_path


MISTAKES = [
    (dict(n_features=0), "n_features=0: ask for at least 1 feature"),
    (dict(n_features=10**13), "n_features=10000000000000: no table has so many"),
    (dict(sigma=0.0), "sigma=0: the width of the kernel must be between 0.001 and 1000 standard"),
    (dict(sigma=np.nan), "sigma=nan: the width"),
    (dict(sigma="wide"), "sigma='wide': give a number, several, or"),
    (dict(sigma=(1.0, 1.0)), "sigma: the width 1 is given more than once"),
    (dict(sigma="mix", measure="hsic"), "several widths are normalised before"),
    (dict(sigma="mix", method="hsic-lasso"), "several widths are normalised before"),
    (dict(ridge=-1.0), "ridge=-1: must be a finite number, 0 or above"),
    (dict(neighbors=-1), "neighbors=-1: must be a number of features"),
    (dict(bases=1), "raise bases or add points to basis"),
    (dict(kernel="cosine"), "kernel='cosine': choose one of gaussian, laplace, distance, linear"),
    (dict(kernel="distance", bases=10), 'kernel="distance": bases and basis approximate the Gaussian kernel'),
    (dict(bases=10**6), "bases=1000000: at most 10000 points"),
    (dict(basis=[0.0, 0.0]), "basis: the point 0 is given more than once"),
    (dict(method="best"), 'method="best": choose one of land, hsic-lasso'),
    (dict(geno=2.0), "geno=2: give a share between 0 and 1"),
    (dict(min_distinct=-1), "min_distinct=-1: give a number of values from 2 to 256"),
    (dict(memory=1 << 20), "memory=1048576: too little for"),
    (dict(nominal="zz"), "X: nominal='zz': no such feature"),
    (dict(include="zz"), "X: include='zz': no such feature"),
    (dict(exclude="*"), "exclude leaves out all of them"),
    (dict(X="plain.csv", y="z"), "plain.csv: y='z': no such column"),
    (dict(X="plain.csv", y="y", id="z"), "plain.csv: id='z': no such column"),
    (dict(X="plain.csv", y="y", id="y"), "id='y' and y='y' are the same column"),
    (dict(X="plain.csv", y="y", delimiter="ab"), "delimiter='ab': give one character"),
    (dict(X="plain.csv", y="y", rows="columns"), "rows='columns': choose one of"),
    (dict(X="plain.csv", y="y", samples=["s1"]), "samples: the samples have no ids"),
    (dict(X="plain.csv", y="y", names="names.txt"), 'names="names.txt": plain.csv has names of its own; leave names'),
    (dict(X="plain.csv", y="y", maf=0.1), "plain.csv: maf: feature 'a' is no genotype"),
    (
        dict(X="words.csv", y="y"),
        'with nominal=["word", "other"] (or nominal="auto"), leave them out with '
        'exclude=["word", "other"], or name the ids with id',
    ),
    (dict(X="holes.csv", y="y"), 'choose missing="mean", "ignore" or "level"'),
    (dict(X="holes.csv", y="y", missing="error"), 'choose missing="mean", "ignore" or "level"'),
    (dict(X="slip.csv", y="y"), 'add na="missing" if it means that the value is missing'),
    (dict(X="gap.csv", y="y"), "leave such samples out with drop_missing_target=True"),
    (dict(X="ids.csv", y="target.csv"), "or say by_position=True if both are in the same order"),
    (dict(X="ids.csv", y="shifted.csv"), '; match="common" uses those in common'),
    (dict(X="ids.csv", y="shifted.csv", target_id="z"), "shifted.csv: target_id='z': no such column"),
    (dict(X="X.npy", y="short.npy"), 'they must match (or is rows="features" meant?)'),
    (dict(X="X.npy", y="short.npy", id="z"), "X.npy: id='z': arrays have no column of ids; leave id out"),
    (dict(X="zero.svm"), "say zero_based=True"),
    (dict(X="store.h5", rows="features"), 'store.h5: rows="features": a store has no rows; leave rows out'),
    (dict(X="plain.csv", y="y", exclude="@empty.txt"), 'exclude="empty.txt": the file holds no names'),
    (dict(y=[f"w{i}" for i in range(200)]), 'or say task="regression" if they are numbers'),
    (dict(y=np.array([*np.arange(199.0), "6,5"], dtype=object)), 'correct it, or say task="classification"'),
]


@pytest.mark.parametrize("change, message", MISTAKES)
def test_mistakes_are_in_the_words_of_python(numbers, data, monkeypatch, change, message):
    monkeypatch.chdir(data)
    X, y = numbers
    given = {"X": X, **({} if isinstance(change.get("X"), str) else {"y": y}), **change}
    with pytest.raises(ValueError) as caught:
        land.select(**given)
    said = str(caught.value)
    assert message in said
    assert "--" not in said and said.isprintable()


def test_warnings_and_reasons_are_in_the_words_of_python(numbers, data):
    X, y = numbers
    outlier = y.copy()
    outlier[7] = 1e4
    (data / "some.txt").write_text("f1\nzz\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = land.select(X, outlier, n_features=2, exclude=f"@{data / 'some.txt'}", samples=np.arange(150))
        land.score(X, np.arange(200) % 11)
    said = [str(one.message) for one in caught if one.category is land.LandWarning]
    assert any("try sigma=3" in one and "with exclude_samples" in one for one in said)
    assert any(one.startswith("exclude: 1 of 2 names") for one in said)
    assert any('say task="classification" if they are, task="regression" if not' in one for one in said)
    assert "by exclude" in repr(found) and "not listed in samples" in repr(found)
    for text in (*said, found.dumps().replace("\n", "")):
        assert "--" not in text and text.isprintable()


def test_a_function_calls_options_by_its_own_names(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="^n_features_to_select=0: ask for at least 1 feature"):
        land.LandSelector(n_features_to_select=0).fit(X, y)
    with pytest.raises(ValueError, match="^k=0: ask for at least 1 neighbour"):
        land.neighbors(X, "f0", k=0)
    with pytest.raises(ValueError, match="^n_features=0: "):
        land.select(X, y, n_features=0)
