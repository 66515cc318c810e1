"""The linear lasso, against scikit-learn on the same standardised data."""

import numpy as np
import pytest

import land

linear_model = pytest.importorskip("sklearn.linear_model")


def standardised(values):
    values = np.asarray(values, dtype=np.float64)
    return (values - values.mean(axis=0)) / values.std(axis=0)


def correlated(seed, samples=60, features=40):
    random = np.random.default_rng(seed)
    X = random.normal(size=(samples, features)) @ (np.eye(features) + 0.3 * random.normal(size=(features, features)))
    weights = random.normal(size=features) * (random.random(features) < 0.4)
    return X, X @ weights + random.normal(size=samples)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("classes", [False, True])
def test_knots_are_those_of_lars_path(seed, classes):
    X, y = correlated(seed)
    if classes:
        y = (y > np.median(y)).astype(int)
    found = land.select(X, y, n_features=20, method="lasso", task="classification" if classes else "regression")
    assert found.certificate["valid"]
    target = standardised(np.where(y == 1, 1.0, -1.0) if classes else y)
    alphas, _, coefs = linear_model.lars_path(standardised(X), target, method="lasso")
    # Knots of the path, from the first on; scikit-learn goes on to lambda = 0.
    for t, knot in enumerate(found.path):
        assert knot.lambda_ == pytest.approx(alphas[t], abs=1e-8)
        expected = np.zeros(X.shape[1])
        expected[knot.indices] = knot.coefficients
        np.testing.assert_allclose(expected, coefs[:, t], atol=1e-8)


def test_groups_are_those_of_multi_task_lasso():
    X, y = correlated(3)
    labels = np.digitize(y, np.quantile(y, [0.3, 0.7]))
    found = land.select(X, labels, n_features=12, method="lasso", task="classification")
    assert found.certificate["valid"]
    Y = np.eye(3)[labels]
    Y -= Y.mean(axis=0)
    for knot in found.path[1:]:
        model = linear_model.MultiTaskLasso(alpha=knot.lambda_, fit_intercept=False, tol=1e-14, max_iter=200_000)
        norms = np.linalg.norm(model.fit(standardised(X), Y).coef_, axis=0)
        expected = np.zeros(X.shape[1])
        expected[knot.indices] = knot.coefficients
        np.testing.assert_allclose(expected, norms, atol=1e-7)


def test_prefixes_are_selections_of_their_own():
    X, y = correlated(5)
    whole = land.select(X, y, n_features=25, method="lasso")
    for count in (1, 7, 20):
        prefix = whole.truncate(count)
        alone = land.select(X, y, n_features=count, method="lasso")
        for key in ("selected", "redundancy", "dropped", "lambda", "path", "stopped"):
            assert prefix.document[key] == alone.document[key], (count, key)
