"""LandSelector and LandSelectorCV keep scikit-learn's conventions."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import land
from land import LandSelector, LandSelectorCV


@parametrize_with_checks(
    [
        LandSelector(),
        LandSelector(n_features_to_select=2, missing="ignore", method="mr-nhsic"),
        LandSelectorCV(LogisticRegression(max_iter=1000), LandSelector(2), cv=2),
        LandSelectorCV(Ridge(), LandSelector(2), cv=2),
    ]
)
def test_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True, as_frame=True)


def test_is_land_select(cancer):
    X, y = cancer
    selector = LandSelector(n_features_to_select=5).fit(X, y)
    found = land.select(X, y, n_features=5)
    assert selector.selection_.names == found.names
    assert selector.n_features_ == 5
    assert list(selector.get_feature_names_out()) == [name for name in X.columns if name in found.names]
    np.testing.assert_array_equal(selector.transform(X), X.to_numpy()[:, selector.support_])
    restored = selector.inverse_transform(selector.transform(X))
    np.testing.assert_array_equal(restored[:, selector.support_], X.to_numpy()[:, selector.support_])


def test_in_pipelines(cancer):
    X, y = cancer
    pipeline = make_pipeline(StandardScaler(), LandSelector(n_features_to_select=6), LogisticRegression())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(pipeline, {"landselector__n_features_to_select": [2, 6]}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_params_["landselector__n_features_to_select"] in (2, 6)
    assert clone(pipeline).get_params()["landselector__n_features_to_select"] == 6


def test_set_output(cancer):
    X, y = cancer
    selector = LandSelector(n_features_to_select=4)
    frame = clone(selector).set_output(transform="pandas").fit(X, y).transform(X)
    assert isinstance(frame, pd.DataFrame) and frame.shape == (569, 4)
    assert set(frame.columns) <= set(X.columns)
    frame = clone(selector).set_output(transform="polars").fit(X, y).transform(X)
    assert isinstance(frame, pl.DataFrame) and frame.shape == (569, 4)


def test_pickling_and_cloning(cancer):
    X, y = cancer
    selector = LandSelector(n_features_to_select=4, sigma=0.8).fit(X, y)
    again = pickle.loads(pickle.dumps(selector))
    assert again.selection_ == selector.selection_
    assert clone(selector).get_params() == selector.get_params()
    assert not hasattr(clone(selector), "selection_")


def test_sparse(cancer):
    X, y = cancer
    few = X.to_numpy() * (X.to_numpy() > X.to_numpy().mean(axis=0))
    dense = LandSelector(n_features_to_select=4).fit(few, y)
    for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_array):
        selector = LandSelector(n_features_to_select=4).fit(form(few), y)
        np.testing.assert_array_equal(selector.support_, dense.support_)
        assert scipy.sparse.issparse(selector.transform(form(few)))


def test_frames_with_categories_and_missing_values(cancer):
    X, y = cancer
    X = X.iloc[:, :4].copy()
    X["group"] = pd.Categorical(np.where(y, "a", np.where(X.iloc[:, 0] > 15, "b", "c")))
    X["count"] = pd.array([None, *range(568)], dtype="Int64")
    selector = LandSelector(n_features_to_select=3, missing="ignore").fit(X, y)
    assert "group" in selector.get_feature_names_out()
    with pytest.raises(ValueError, match="missing"):
        LandSelector(n_features_to_select=3).fit(X, y)
    same = LandSelector(n_features_to_select=3, missing="ignore").fit(pl.from_pandas(X), y)
    assert same.selection_.names == selector.selection_.names


def test_more_features_than_there_are(cancer):
    X, y = cancer
    assert 1 <= LandSelector(n_features_to_select=1000).fit(X, y).n_features_ <= 30


def test_truncate(cancer):
    X, y = cancer
    whole = LandSelector(n_features_to_select=12).fit(X, y)
    for count in (1, 5, 12):
        fewer = whole.truncate(count)
        alone = LandSelector(n_features_to_select=count).fit(X, y)
        np.testing.assert_array_equal(fewer.support_, alone.support_)
        np.testing.assert_array_equal(fewer.selection_.coefficients, alone.selection_.coefficients)
        assert fewer.get_params() == alone.get_params()
        assert fewer.transform(X).shape == (569, count)
    assert whole.n_features_ == 12  # untouched
    changed = whole.set_params(n_features_to_select=3)
    assert changed.n_features_ == 12 and changed.transform(X).shape[1] == 12  # until it is fitted


def test_one_path_per_fold(cancer, monkeypatch):
    X, y = cancer
    fits = []
    original = LandSelector.fit
    monkeypatch.setattr(LandSelector, "fit", lambda self, *a: fits.append(self) or original(self, *a))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    chosen = LandSelectorCV(model, LandSelector(n_features_to_select=8), cv=4).fit(X, y)
    assert len(fits) == 4 + 1
    results = chosen.cv_results_
    assert results["n_features"].tolist() == list(range(1, 9))
    assert results["mean_test_score"].argmax() + 1 == chosen.n_features_
    assert chosen.transform(X).shape[1] == chosen.n_features_ == len(chosen.selection_)
    assert results["mean_test_score"].max() > 0.93
    # Every score is the one of a fresh fit.
    train, test = next(iter(StratifiedKFold(4).split(X, y)))
    alone = make_pipeline(LandSelector(n_features_to_select=3), clone(model)).fit(X.iloc[train], y.iloc[train])
    assert alone.score(X.iloc[test], y.iloc[test]) == results["split0_test_score"][2]


def test_folds_have_all_classes(cancer):
    X, y = cancer
    order = np.argsort(y, kind="stable")  # unshuffled halves of these would have one class each
    X, y = X.iloc[order], y.iloc[order]
    chosen = LandSelectorCV(Ridge(), LandSelector(4), cv=2).fit(X, y)
    assert chosen.selection_.task == "classification" and chosen.cv_results_["mean_test_score"].max() > 0.5
    with pytest.raises(ValueError, match="fold 0 of cv .*one class only"):
        LandSelectorCV(Ridge(), LandSelector(4), cv=KFold(2)).fit(X, y)
    as_numbers = LandSelectorCV(Ridge(), LandSelector(4, task="regression"), cv=KFold(2, shuffle=True, random_state=0))
    assert as_numbers.fit(X, y).selection_.task == "regression"


def test_cv_takes_its_own_numbers_and_scoring(cancer):
    X, y = cancer
    chosen = LandSelectorCV(RandomForestClassifier(20, random_state=0), LandSelector(10), n_features=[2, 10],
                            scoring="roc_auc", cv=3, n_jobs=2).fit(X, y)
    assert chosen.cv_results_["n_features"].tolist() == [2, 10]
    assert chosen.n_features_ in (2, 10)
    with pytest.raises(ValueError, match="numbers from 1 on"):
        LandSelectorCV(LogisticRegression(), n_features=[0]).fit(X, y)
