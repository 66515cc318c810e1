"""land.evaluate: the program's folds and metrics, learners on the same splits, tests between methods."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import scipy.stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score

import land

METHODS = ("land", "mr-nhsic")


@pytest.fixture(scope="module")
def classes(numbers):
    X, y = numbers
    return X, (y > np.median(y)).astype(int)


@pytest.fixture(scope="module")
def judged(classes):
    return land.evaluate(
        *classes, methods=METHODS, n_features=(2, 5), folds=4, repeats=2, seed=3, learner=LogisticRegression()
    )


def outcome(evaluation):
    """Without times."""
    document = json.loads(evaluation.dumps())
    for fold in document["folds"] or []:
        for method in fold["methods"]:
            del method["seconds"]
    for one in document["summary"] or []:
        del one["seconds"]
    return {key: value for key, value in document.items() if key not in ("command", "seconds", "data", "learner")}


def test_import_of_land_leaves_scikit_learn_alone():
    code = "import sys, land; assert 'sklearn' not in sys.modules; land.evaluate; assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_folds_and_metrics_are_those_of_the_program(program, numbers, tmp_path):
    X, y = numbers
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    words = [
        "--methods",
        "land,mr-nhsic",
        "-m",
        "3,6",
        "--folds",
        "4",
        "--repeats",
        "2",
        "--seed",
        "5",
        "-o",
        "out.json",
    ]
    subprocess.run([program, "evaluate", "X.npy", "--target", "y.npy", *words], check=True, cwd=tmp_path)
    theirs = land.Evaluation.load(tmp_path / "out.json")
    ours = land.evaluate(X, y, methods=METHODS, n_features=[3, 6], folds=4, repeats=2, seed=5)
    a, b = outcome(theirs), outcome(ours)
    a["target"] = b["target"] = None  # names
    assert a == b


def test_selections_are_those_of_the_training_part(judged, classes):
    X, y = classes
    for fold, held_out in zip(judged.document["folds"], judged.held_out):
        train = np.setdiff1d(np.arange(len(y)), held_out)
        for method in fold["methods"]:
            for one in method["sets"]:
                found = land.select(X, y, samples=train, n_features=one["m"], method=method["method"])
                assert found.indices.tolist() == one["indices"]


def test_scores_are_those_of_the_learner(judged, classes):
    X, y = classes
    for fold, held_out in zip(judged.document["folds"], judged.held_out):
        train = np.setdiff1d(np.arange(len(y)), held_out)
        one = fold["methods"][1]["sets"][1]
        columns = X[:, one["indices"]]
        fitted = LogisticRegression().fit(columns[train], y[train])
        assert one["scores"]["accuracy"] == fitted.score(columns[held_out], y[held_out])
        auc = roc_auc_score(y[held_out], fitted.decision_function(columns[held_out]))
        assert one["scores"]["auc"] == pytest.approx(auc)


def test_frame_has_means_and_errors(judged):
    frame = judged.to_frame()
    assert frame["method"].tolist() == ["land", "land", "mr-nhsic", "mr-nhsic"]
    assert frame["m"].tolist() == [2, 5, 2, 5]
    splits = judged.to_frame(splits=True)
    assert len(splits) == 8 * 4
    for _, row in frame.iterrows():
        mine = splits[(splits["method"] == row["method"]) & (splits["m"] == row["m"])]
        for metric in judged.metrics:
            assert row[metric] == pytest.approx(mine[metric].mean())
            assert row[f"{metric}_error"] == pytest.approx(mine[metric].sem())
    for one, (_, row) in zip(judged.document["summary"], frame.iterrows()):
        assert one["nhsic"]["mean"] == pytest.approx(row["nhsic"])
        assert one["nhsic"]["error"] == pytest.approx(row["nhsic_error"])
    assert judged.metrics == ["independence", "nhsic", "accuracy", "auc"]
    assert "accuracy_error" in judged.table().splitlines()[0] and len(judged.table().splitlines()) == 5
    assert "LogisticRegression" in repr(judged)


def test_tests_between_methods(judged):
    found = judged.tests("accuracy").set_index(["m", "method", "against"])
    a, b = (judged.values("accuracy", method, 5) for method in METHODS)
    row = found.loc[5, "land", "mr-nhsic"]
    assert row["difference"] == pytest.approx(np.mean(a - b))
    assert row["p_naive"] == pytest.approx(scipy.stats.ttest_rel(a, b, alternative="greater").pvalue)
    t = np.mean(a - b) / np.sqrt(np.var(a - b, ddof=1) * (1 / 8 + 50 / 150))  # a quarter of 200 is held out
    assert row["p_corrected"] == pytest.approx(scipy.stats.t.sf(t, 7))
    other = found.loc[5, "mr-nhsic", "land"]
    assert other["p_naive"] + row["p_naive"] == pytest.approx(1.0)
    assert abs(row["p_corrected"] - 0.5) < abs(row["p_naive"] - 0.5)
    assert judged.tests().equals(judged.tests("accuracy"))


def test_errors_of_regression_are_better_when_small(numbers):
    X, y = numbers
    found = land.evaluate(X, y, methods=METHODS, n_features=3, folds=5, learner=LinearRegression())
    assert found.metrics == ["independence", "nhsic", "mse"]
    for fold, held_out in zip(found.document["folds"], found.held_out):
        one = fold["methods"][0]["sets"][0]
        train = np.setdiff1d(np.arange(len(y)), held_out)
        columns = X[:, one["indices"]]
        predicted = LinearRegression().fit(columns[train], y[train]).predict(columns[held_out])
        assert one["scores"]["mse"] == pytest.approx(np.mean((predicted - y[held_out]) ** 2))
    a, b = (found.values("mse", method, 3) for method in METHODS)
    row = found.tests().set_index("method").loc["land"]
    assert row["difference"] == pytest.approx(np.mean(b - a))
    same = land.evaluate(X, y, methods=["land", "mr-nhsic"], n_features=1, folds=3, learner=LinearRegression())
    assert same.tests()["p_corrected"].isna().all()  # the most relevant feature is the first of both


def test_more_classes_have_the_mean_auc(numbers):
    X, y = numbers
    labels = np.array(["low", "mid", "high"])[np.digitize(y, np.quantile(y, [0.3, 0.7]))]
    found = land.evaluate(X, labels, n_features=4, folds=3, learner=LogisticRegression())
    fold = found.document["folds"][0]
    held_out = found.held_out[0]
    train = np.setdiff1d(np.arange(len(y)), held_out)
    one = fold["methods"][0]["sets"][0]
    columns = X[:, one["indices"]]
    fitted = LogisticRegression().fit(columns[train], labels[train])
    auc = roc_auc_score(labels[held_out], fitted.predict_proba(columns[held_out]), multi_class="ovr", average="macro")
    assert one["scores"]["auc"] == pytest.approx(auc)
    assert found.document["target"]["classes"] == ["high", "low", "mid"]


@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_learners_of_lightgbm(numbers, kind):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = numbers
    few = {"n_estimators": 5, "min_child_samples": 5, "n_jobs": 1, "verbose": -1}
    if kind == "numbers":
        learner = lightgbm.LGBMRegressor(**few)
    else:
        learner = lightgbm.LGBMClassifier(**few)
        cuts = [0.5] if kind == "two classes" else [0.3, 0.7]
        y = np.array(["low", "mid", "up"])[np.digitize(y, np.quantile(y, cuts))]
    found = land.evaluate(X, y, n_features=4, folds=3, learner=learner)
    held_out = found.held_out[1]
    train = np.setdiff1d(np.arange(len(y)), held_out)
    one = found.document["folds"][1]["methods"][0]["sets"][0]
    columns = X[:, one["indices"]]
    fitted = clone(learner).fit(columns[train], y[train])
    if kind == "numbers":
        assert one["scores"] == {"mse": pytest.approx(np.mean((fitted.predict(columns[held_out]) - y[held_out]) ** 2))}
        return
    sure = fitted.predict_proba(columns[held_out])
    sure = sure[:, 1] if kind == "two classes" else sure
    auc = roc_auc_score(y[held_out], sure, multi_class="ovr", average="macro")
    accuracy = np.mean(fitted.predict(columns[held_out]) == y[held_out])
    assert one["scores"] == {"accuracy": accuracy, "auc": pytest.approx(auc)}


class Silent(ClassifierMixin, BaseEstimator):
    """Predicts, and says nothing of how sure it is."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)


def test_a_learner_without_scores_has_no_auc(classes):
    learner = Silent()
    found = land.evaluate(*classes, n_features=2, folds=2, learner=learner)
    assert np.isnan(found.values("auc", "land", 2)).all() and found.to_frame()["auc"].isna().all()
    assert not hasattr(learner, "classes_") and clone(learner) is not learner
    assert land.Evaluation.loads(found.dumps()).document == found.document


def test_held_out_samples_have_no_part_in_it(classes):
    X, y = classes
    options = {"methods": METHODS, "n_features": (2, 4), "folds": 4, "seed": 1}
    before = land.evaluate(X, y, **options)
    changed = X.copy()
    changed[before.held_out[0]] = np.random.default_rng(7).normal(scale=1e5, size=changed[before.held_out[0]].shape)
    after = land.evaluate(changed, y, **options)
    for was, now in zip(before.document["folds"][0]["methods"], after.document["folds"][0]["methods"]):
        assert [one["indices"] for one in was["sets"]] == [one["indices"] for one in now["sets"]]
        assert [one["independence"] for one in was["sets"]] == [one["independence"] for one in now["sets"]]
        assert [one["nhsic"] for one in was["sets"]] != [one["nhsic"] for one in now["sets"]]
    assert before.document["folds"][1]["methods"] != after.document["folds"][1]["methods"]


def test_whatever_holds_the_data(classes, tmp_path):
    X, y = classes
    X = np.where(np.abs(X) < 1.2, 0.0, X)
    frame = pd.DataFrame(X).add_prefix("f").assign(y=y)
    frame.to_csv(tmp_path / "data.csv", index=False)
    options = {"n_features": 3, "folds": 3, "learner": LogisticRegression()}
    whole = outcome(land.evaluate(X, y, **options))
    for given in (
        (scipy.sparse.csc_matrix(X), y),
        (scipy.sparse.csr_matrix(X), y),
        (frame, "y"),
        (tmp_path / "data.csv", "y"),
        (str(tmp_path / "data.csv"), "y"),
    ):
        found = outcome(land.evaluate(*given, **options))
        found["target"] = whole["target"]
        assert found == whole
    anndata = pytest.importorskip("anndata")
    cells = anndata.AnnData(X, obs=pd.DataFrame({"y": y.astype(str)}, index=[f"s{i}" for i in range(len(y))]))
    found = outcome(land.evaluate(cells, "y", **options))
    assert [fold["held_out"] for fold in found["folds"]] == [fold["held_out"] for fold in whole["folds"]]


def test_numbers_count_all_samples_and_features(classes):
    X, y = classes
    kept = np.arange(20, 180)
    inside = land.evaluate(X[kept], y[kept], n_features=3, folds=3, learner=LogisticRegression())
    outside = land.evaluate(
        X, y, samples=kept, exclude="f59", n_features=3, folds=3, learner=LogisticRegression(), feature_names=None
    )
    for a, b in zip(inside.held_out, outside.held_out):
        assert np.array_equal(a + 20, b)
    assert len(outside.tests("nhsic")) == 0
    without = land.evaluate(X[kept][:, :59], y[kept], n_features=3, folds=3, learner=LogisticRegression())
    assert without.to_frame()["accuracy"].tolist() == outside.to_frame()["accuracy"].tolist()


def test_selections_that_are_given(classes, tmp_path, program):
    X, y = classes
    first = land.select(X, y, n_features=4)
    second = land.select(X, y, n_features=6, method="mr-nhsic")
    second.save(tmp_path / "second.json")
    found = land.evaluate(X, y, selection=[first, tmp_path / "second.json"])
    frame = found.to_frame()
    assert frame["source"].tolist() == ["selection 1", str(tmp_path / "second.json")]
    assert frame["selected"].tolist() == [4, 6]
    for row, selection in zip(frame.to_dict("records"), (first, second)):
        rho = np.abs(np.corrcoef(X[:, selection.indices].T))
        m = len(selection)
        assert row["independence"] == pytest.approx(1 - np.tril(rho, -1).sum() / (m * (m - 1)))
        assert row["reduction"] == pytest.approx(1 - m / 60)
        assert row["nhsic"] == pytest.approx(plain_nhsic(X[:, selection.indices], y))
    named = land.evaluate(X, y, selection={"a": first, "b": second})
    assert named.to_frame()["source"].tolist() == ["a", "b"]
    one = land.evaluate(X, y, selection=first)
    assert one.kind == "selections" and one.document["selections"][0]["same_table"]
    assert "selection 1" in repr(one)
    with pytest.raises(ValueError, match="there are no splits"):
        one.tests()
    with pytest.raises(ValueError, match="there are no splits"):
        one.plot()

    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    words = ["evaluate", "X.npy", "-t", "y.npy", "--selection", "second.json", "-o", "out.json", "-q"]
    subprocess.run([program, *words], check=True, cwd=tmp_path)
    theirs = json.loads((tmp_path / "out.json").read_text())["selections"][0]
    ours = found.document["selections"][1]
    assert {**theirs, "source": None} == {**ours, "source": None}


def plain_nhsic(X, y):
    """One Gaussian kernel of all features against that of the classes."""
    n, m = X.shape
    U = (X - X.mean(axis=0)) / X.std(axis=0)
    K = np.exp(-((U[:, None] - U[None]) ** 2).sum(axis=2) / (2 * m))
    L = (y[:, None] == y[None]) / np.array([np.sum(y == one) for one in y])
    H = np.eye(n) - 1 / n
    K, L = H @ K @ H, H @ L @ H
    return np.sum(K * L) / np.sqrt(np.sum(K * K) * np.sum(L * L))


def test_a_selection_of_another_table(classes):
    X, y = classes
    names = [f"g{k}" for k in range(60)]
    selection = land.select(pd.DataFrame(X, columns=names), y, n_features=3)
    with pytest.warns(land.LandWarning, match="was selected from other values"):
        found = land.evaluate(pd.DataFrame(X[:, ::-1], columns=names[::-1]), y, selection=selection)
    assert found.document["selections"][0]["indices"] == (59 - selection.indices).tolist()
    with pytest.raises(ValueError, match="has no feature"):
        land.evaluate(pd.DataFrame(2.0 * X), y, selection=selection)


def test_saved_and_loaded(judged, tmp_path):
    judged.save(tmp_path / "judged.json")
    again = land.Evaluation.load(tmp_path / "judged.json")
    assert again.document == judged.document
    assert again.to_frame().equals(judged.to_frame())
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ValueError, match=r"bad\.json: this is no evaluation"):
        land.Evaluation.load(tmp_path / "bad.json")


def test_pictures(judged, classes):
    ax = judged.plot()
    assert ax.get_ylabel().startswith("accuracy")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(METHODS)
    assert len(ax.containers) == 2 and all(one.has_yerr for one in ax.containers)
    for metric in (*judged.metrics, "stability"):
        judged.plot(metric)
    assert judged.plot("nhsic", ax=ax) is ax
    with pytest.raises(ValueError, match="not measured"):
        judged.plot("mse")


@pytest.mark.parametrize(
    "change, error, message",
    [
        (dict(folds=1), ValueError, "folds=1: take at least 2 folds"),
        (dict(folds=201), ValueError, "folds=201: there are 200 samples only"),
        (dict(methods="best"), ValueError, 'methods="best": choose one of land'),
        (dict(methods=[]), ValueError, "methods: the list is empty"),
        (dict(n_features=0), ValueError, "n_features=0: ask for at least 1 feature"),
        (dict(n_features=(3, 3)), ValueError, "n_features: 3 is given more than once"),
        (dict(seed=-1), ValueError, "seed=-1: give a whole number"),
        (dict(learner=LinearRegression()), ValueError, "a regressor, but the target has classes"),
        (dict(learner="best"), TypeError, "an estimator with fit and predict is needed"),
        (dict(selection="none.json"), FileNotFoundError, "none.json"),
        (dict(repeats=0), ValueError, "repeats=0: take at least 1 repeat"),
    ],
)
def test_mistakes(classes, change, error, message):
    with pytest.raises(error) as caught:
        land.evaluate(*classes, **{"n_features": 2, "folds": 3, **change})
    assert message in str(caught.value) and "--" not in str(caught.value)


def test_learners_and_selections_do_not_go_together(classes, numbers):
    selection = land.select(*classes, n_features=2)
    with pytest.raises(ValueError, match="has seen all samples"):
        land.evaluate(*classes, selection=selection, learner=LogisticRegression())
    with pytest.raises(ValueError, match="a classifier, but the target has numbers"):
        land.evaluate(*numbers, n_features=2, learner=LogisticRegression())
    auto = land.evaluate(*classes, n_features=2, folds=2, learner="auto")
    assert auto.metrics == ["independence", "nhsic"] and len(auto.tests()) == 0


def test_progress_is_told(classes):
    stages = set()
    land.evaluate(
        *classes,
        n_features=2,
        folds=2,
        learner=LogisticRegression(),
        progress=lambda stage, done, total: stages.add(stage),
    )
    assert "learning" in stages
