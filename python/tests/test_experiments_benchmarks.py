"""What the experiments on small sets rest on: kernel machines, measures of sets, and the verdicts on methods."""

import numpy as np
import pandas as pd
import pytest
from land.experiments import benchmark_report, kernel_machines
from land.experiments.choosing import judged_splits, random_choice
from land.experiments.kernel_machines import (
    KernelFeatures,
    LogisticModel,
    gaussian,
    predict_classes,
    predict_numbers,
    ridge_prediction,
    squared_distances,
)
from land.experiments.paired import comparisons
from land.experiments.set_measures import independence_rate, nhsic_of_set

import land


@pytest.fixture
def three_classes():
    random = np.random.default_rng(3)
    y = np.arange(60) % 3
    X = random.standard_normal((60, 4))
    X[:, 0] += 2.0 * (y == 1)
    X[:, 1] *= 1.0 + 2.0 * (y == 2)
    return X, np.array(["a", "b", "c"])[y]


def median_distance(X):
    from scipy.spatial.distance import pdist

    return np.median(pdist((X - X.mean(axis=0)) / X.std(axis=0)))


@pytest.mark.parametrize("width, penalty", [(0.5, 0.1), (1.0, 1.0), (2.0, 0.01)])
def test_kernel_logistic_regression_is_that_of_scikit_learn(three_classes, width, penalty):
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = three_classes
    train, test = np.arange(45), np.arange(45, 60)
    gamma = 1.0 / (2.0 * (width * median_distance(X[train])) ** 2)
    theirs = make_pipeline(
        StandardScaler(),
        Nystroem(gamma=gamma, n_components=len(train)),
        LogisticRegression(C=1.0 / penalty, tol=1e-8, max_iter=10_000),
    ).fit(X[train], y[train])
    features = KernelFeatures(gaussian(squared_distances(X[train], X[train]), width))
    model = LogisticModel(features, (y[train, None] == np.unique(y)).astype(float))
    model.fit(penalty)
    scores = model.scores(features.of(gaussian(squared_distances(X[train], X[test]), width)))
    likely = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(likely, theirs.predict_proba(X[test]), atol=2e-3)


def test_kernel_ridge_regression_is_that_of_scikit_learn(three_classes):
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.preprocessing import KernelCenterer

    X, _ = three_classes
    y = np.sin(X[:, 0]) + 5.0
    train, test = np.arange(45), np.arange(45, 60)
    own, others = (gaussian(squared_distances(X[train], X[part]), 1.5) for part in (train, test))
    centre = KernelCenterer().fit(own)
    theirs = KernelRidge(alpha=0.1, kernel="precomputed").fit(centre.transform(own), y[train] - y[train].mean())
    expected = theirs.predict(centre.transform(others)) + y[train].mean()
    features = KernelFeatures(own)
    np.testing.assert_allclose(ridge_prediction(features, y[train], 0.1, features.of(others)), expected, atol=1e-8)


def test_distances_are_in_units_of_the_median_and_constants_have_no_part():
    random = np.random.default_rng(1)
    X = random.standard_normal((22, 3)) * (1.0, 10.0, 0.1)  # an odd number of pairs
    squares = squared_distances(X, X)
    assert np.median(squares[np.triu_indices(22, 1)]) == pytest.approx(1.0)
    constant = np.column_stack([X, np.full(22, 7.0)])
    np.testing.assert_allclose(squared_distances(constant, constant), squares)
    # What is held out may differ where the training samples are all the same: that says nothing, either.
    moved = constant + (0.0, 0.0, 0.0, 100.0)
    np.testing.assert_allclose(squared_distances(constant, moved), squares)
    mostly_equal = np.repeat([0.0, 0.0, 0.0, 0.0, 1.0], 4)[:, None]
    assert np.isfinite(squared_distances(mostly_equal, mostly_equal)).all()


def test_equal_errors_are_decided_by_the_second_number(monkeypatch):
    """Not by the place in the grid."""
    asked = []

    def judge(features, train, others, test):
        asked.append(len(asked))
        losses = np.ones((len(kernel_machines.PENALTIES), 2))
        losses[:, 1] = 5.0
        if len(asked) == 2:  # of the second width
            losses[3, 1] = 4.0
        return losses

    squares = squared_distances(np.arange(6.0)[:, None], np.arange(6.0)[:, None])
    folds = [(np.arange(4), np.arange(4, 6))]
    found = kernel_machines._cross_validated(squares, (0.5, 1.0, 2.0), folds, judge)
    assert found == (1.0, kernel_machines.PENALTIES[3])
    assert len(asked) == 3


def test_kernel_machines_learn_what_is_there(three_classes):
    X, y = three_classes
    found = predict_classes(X[:45], y[:45], X[45:], seed=0)
    assert np.mean(found.values == y[45:]) > 0.6
    numbers = np.sin(2.0 * X[:, 2])
    assert np.corrcoef(predict_numbers(X[:45], numbers[:45], X[45:], seed=0).values, numbers[45:])[0, 1] > 0.8


@pytest.mark.parametrize("classes", [True, False])
def test_measures_of_sets_are_those_of_land_evaluate(classes):
    random = np.random.default_rng(2)
    X = random.standard_normal((50, 6))
    X[:, 4] = X[:, 0] + 0.3 * X[:, 4]
    y = (X[:, 1] > 0).astype(int) if classes else X[:, 1] ** 2 + X[:, 2]
    task = "classification" if classes else "regression"
    judged = land.evaluate(X, y, methods=["land"], n_features=[4], folds=2, seed=0, task=task)
    for fold in judged.document["folds"]:
        test = np.array(fold["held_out"])
        train = np.setdiff1d(np.arange(50), test)
        one = fold["methods"][0]["sets"][0]
        chosen = one["indices"]
        assert independence_rate(X[np.ix_(train, chosen)]) == pytest.approx(one["independence"], abs=1e-12)
        assert nhsic_of_set(X[np.ix_(test, chosen)], y[test], classes=classes) == pytest.approx(one["nhsic"], abs=1e-9)


def test_independence_rate_is_one_without_pairs_and_a_half_for_copies():
    column = np.arange(5.0)[:, None]
    assert independence_rate(column) == 1.0
    assert independence_rate(np.hstack([column, -column, 3.0 * column])) == pytest.approx(0.5)
    assert independence_rate(np.hstack([column, np.ones((5, 1))])) == 1.0


def test_splits_select_from_training_samples_alone():
    """Held-out values that are replaced by others change no selection."""
    random = np.random.default_rng(4)
    X = random.standard_normal((40, 12))
    y = np.arange(40) % 2
    X[:, 3] += y
    options = dict(methods=("land", "mrmr"), n_features=(2, 4), folds=5, repeat=0, seed=1, task="classification")
    before = list(judged_splits(X, y, **options))
    assert sorted(np.concatenate([split.test for split in before])) == list(range(40))
    split = before[0]
    assert not np.intersect1d(split.train, split.test).size and len(split.train) == 32
    X[split.test] = 1000.0 * random.standard_normal((8, 12))
    after = next(judged_splits(X, y, **options))
    assert [(one.method, one.m, list(one.indices)) for one in after.chosen] == [
        (one.method, one.m, list(one.indices)) for one in split.chosen
    ]


def test_fewer_random_features_are_the_first_of_more():
    assert list(random_choice(100, 5, (1, 2))) == list(random_choice(100, 50, (1, 2)))[:5]
    assert len(set(random_choice(100, 50, (1, 2)))) == 50


def rows_of(values):
    """`values`: of each method a metric for each split."""
    return pd.DataFrame(
        [
            {"set": "TOX", "method": method, "split": f"{k}", "m": 10, "accuracy": value}
            for method, own in values.items()
            for k, value in enumerate(own)
        ]
    )


def test_a_difference_counts_by_the_corrected_test_only():
    """0.02 better on average: that is clear if 20 splits are taken for independent, and not if they are not."""
    noise = 0.04 * np.random.default_rng(5).standard_normal(20)
    noise -= noise.mean()
    rows = rows_of(
        {"land": 0.82 + noise, "cmim": np.full(20, 0.80), "fcbf": np.full(20, 0.60), "jmi": 0.98 + noise / 10}
    )
    found = {one.other: one for one in comparisons(rows, "accuracy", 0.25)}
    assert found["cmim"].naive_better < 0.05 < found["cmim"].p_better
    outcome = {one.other: one.sign for one in benchmark_report.outcomes(rows, "TOX")}
    assert outcome == {"cmim": 0, "fcbf": 1, "jmi": -1}


def test_the_claim_holds_if_land_is_better_somewhere_and_worse_nowhere():
    def outcome(name, other, sign):
        return benchmark_report.Outcome(name, other, sign)

    better = [outcome("TOX", "cmim", 1), outcome("AR10P", "cmim", 0)]
    assert benchmark_report.holds(better, ["cmim"])
    assert not benchmark_report.holds([*better, outcome("PIE10P", "cmim", -1)], ["cmim"])
    assert not benchmark_report.holds([*better, outcome("TOX", "jmi", 0)], ["cmim", "jmi"])
