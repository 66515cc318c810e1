"""LandSelector and LandSelectorCV keep scikit-learn's conventions."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold, cross_val_score
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


def test_samples_go_together_by_position(cancer):
    X, y = cancer
    X = X.set_axis([f"s{k}" for k in range(len(X))])
    named = y.set_axis(X.index)
    expected = LandSelector(3).fit(X, named).support_
    for same in (y, y.to_numpy(), list(y)):  # a count of the rows is no label
        np.testing.assert_array_equal(LandSelector(3).fit(X, same).support_, expected)
    shuffled = named.sample(frac=1.0, random_state=0)
    for estimator in (LandSelector(3), LandSelectorCV(LogisticRegression(), LandSelector(2), cv=2)):
        with pytest.raises(ValueError, match=r"labels of X in another order.* y.loc\[X.index\]"):
            estimator.fit(X, shuffled)
    np.testing.assert_array_equal(LandSelector(3).fit(X, shuffled.loc[X.index]).support_, expected)
    with pytest.warns(land.LandWarning, match="other labels than that of X"):
        LandSelector(3).fit(X, named.add_prefix("t"))


def test_scores_and_ranking(cancer):
    X, y = cancer
    X = X.assign(constant=1.0)
    selector = LandSelector(n_features_to_select=5).fit(X, y)
    selection = selector.selection_
    np.testing.assert_array_equal(selector.ranking_[selection.indices], np.arange(1, 6))
    assert sorted(selector.ranking_) == list(range(1, 32))
    np.testing.assert_array_equal(selector.scores_[selection.indices], selection.relevance)
    assert np.isnan(selector.scores_[-1]) and selector.ranking_[-1] == 31
    others = np.argsort(selector.ranking_)[5:-1]
    assert (np.diff(selector.scores_[others]) <= 0).all()
    exact = land.score(X, y, refine=True).relevance
    assert (selector.scores_[:-1] >= exact[:-1] * (1 - 1e-6)).all()  # 5e-7: what a factor may be off by
    fewer, alone = selector.truncate(3), LandSelector(n_features_to_select=3).fit(X, y)
    np.testing.assert_array_equal(fewer.scores_, alone.scores_)
    np.testing.assert_array_equal(fewer.ranking_, alone.ranking_)
    chosen = LandSelectorCV(LogisticRegression(max_iter=5000), selector, cv=2).fit(X, y)
    np.testing.assert_array_equal(np.flatnonzero(chosen.ranking_ <= chosen.n_features_), chosen.get_support(True))
    assert chosen.scores_.shape == (31,)


def test_folds_do_not_warn_again(cancer):
    X, y = cancer
    with pytest.warns(land.LandWarning) as caught:
        LandSelectorCV(LogisticRegression(max_iter=5000), LandSelector(2), cv=3).fit(X.assign(constant=1.0), y)
    assert [str(one.message) for one in caught if one.category is land.LandWarning] == [
        "1 constant feature was left out"
    ]


class Weighted(LogisticRegression):
    """Remembers what it was given."""

    seen = []

    def fit(self, X, y, sample_weight=None):
        self.seen.append(sample_weight)
        return super().fit(X, y, sample_weight)


def test_groups_and_weights_go_where_they_belong(cancer):
    X, y = cancer
    groups = np.arange(len(y)) // 100
    splits = []

    class Splitter(GroupKFold):
        def split(self, X, y=None, groups=None):
            for train, test in super().split(X, y, groups):
                splits.append((train, test))
                yield train, test

    weights = np.linspace(1.0, 2.0, len(y))
    model = Weighted(max_iter=5000)
    Weighted.seen.clear()
    LandSelectorCV(model, LandSelector(1), cv=Splitter(3)).fit(X, y, groups=groups, sample_weight=weights)
    assert all(not set(groups[train]) & set(groups[test]) for train, test in splits)
    np.testing.assert_array_equal(Weighted.seen[0], weights[splits[0][0]])
    with pytest.raises(ValueError, match="groups"):
        LandSelectorCV(model, LandSelector(1), cv=GroupKFold(3)).fit(X, y)
    with sklearn.config_context(enable_metadata_routing=True):
        search = LandSelectorCV(Weighted(max_iter=5000), LandSelector(1), cv=Splitter(3))
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
            search.fit(X, y, groups=groups, sample_weight=weights)
        Weighted.seen.clear()
        splits.clear()
        asking = Weighted(max_iter=5000).set_fit_request(sample_weight=True)
        asking.set_score_request(sample_weight=True)
        search.set_params(estimator=asking).fit(X, y, groups=groups, sample_weight=weights)
        assert all(not set(groups[train]) & set(groups[test]) for train, test in splits)
        np.testing.assert_array_equal(Weighted.seen[2], weights[splits[2][0]])
        # From a pipeline that ends in it, too.
        make_pipeline(StandardScaler().set_fit_request(sample_weight=False), search).fit(
            X, y, groups=groups, sample_weight=weights
        )


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
    original = LandSelector._fit_quietly
    monkeypatch.setattr(LandSelector, "_fit_quietly", lambda self, *a: fits.append(self) or original(self, *a))
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
    classes = LandSelector(4, task="classification")
    chosen = LandSelectorCV(Ridge(), classes, cv=2).fit(X, y)
    assert chosen.selection_.task == "classification" and chosen.cv_results_["mean_test_score"].max() > 0.5
    with pytest.raises(ValueError, match="fold 0 of cv .*one class only"):
        LandSelectorCV(Ridge(), classes, cv=KFold(2)).fit(X, y)
    assert LandSelectorCV(Ridge(), LandSelector(4), cv=2).fit(X, y).selection_.task == "regression"


class Neither(BaseEstimator):
    """Neither a classifier nor a regressor."""

    def fit(self, X, y):
        return self

    def score(self, X, y):
        return float(X.shape[1])


def tasks_of_folds(monkeypatch, *given):
    tasks = []
    original = LandSelector._fit_quietly
    monkeypatch.setattr(LandSelector, "_fit_quietly", lambda self, *a: tasks.append(self.task) or original(self, *a))
    found = LandSelectorCV(*given[:-2], cv=KFold(3, shuffle=True, random_state=0)).fit(*given[-2:])
    return found.selection_.task, set(tasks[1:])


def test_the_task_is_decided_once(cancer, monkeypatch):
    X, y = cancer
    regression, classification = ("regression", {"regression"}), ("classification", {"classification"})
    assert tasks_of_folds(monkeypatch, Ridge(), LandSelector(2), X, y) == regression
    assert tasks_of_folds(monkeypatch, LogisticRegression(max_iter=10000), LandSelector(2), X, y) == classification
    assert tasks_of_folds(monkeypatch, Ridge(), LandSelector(2, task="classification"), X, y) == classification
    # 11 whole numbers in all, one of them in a single sample: every fold without it has 10.
    eleven = np.where(np.arange(len(y)) == 7, 10, np.arange(len(y)) % 10)
    assert tasks_of_folds(monkeypatch, Neither(), LandSelector(2), X, eleven) == regression
    assert tasks_of_folds(monkeypatch, RandomForestClassifier(3), LandSelector(2), X, eleven) == classification
    assert tasks_of_folds(monkeypatch, Neither(), LandSelector(2), X, y.astype("category")) == classification
    many = pd.Series(np.arange(len(y)) % 12).astype("category")
    assert tasks_of_folds(monkeypatch, Neither(), LandSelector(2), X, many) == classification
    assert LandSelector(2).fit(X, many).selection_.task == "classification"
    assert LandSelector(2).fit(X.to_numpy(), many.astype(str)).selection_.task == "classification"


def test_cv_takes_its_own_numbers_and_scoring(cancer):
    X, y = cancer
    chosen = LandSelectorCV(
        RandomForestClassifier(20, random_state=0),
        LandSelector(10),
        n_features=[2, 10],
        scoring="roc_auc",
        cv=3,
        n_jobs=2,
    ).fit(X, y)
    assert chosen.cv_results_["n_features"].tolist() == [2, 10]
    assert chosen.n_features_ in (2, 10)
    with pytest.raises(ValueError, match="numbers from 1 on"):
        LandSelectorCV(LogisticRegression(), n_features=[0]).fit(X, y)
