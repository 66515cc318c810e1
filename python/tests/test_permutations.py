"""p-values, q-values and n_features="auto", against NumPy."""

import numpy as np
import pytest

import land


def noise(n=60, d=80, signals=0, shift=1.5, seed=3):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.arange(n) % 2
    X[:, :signals] += shift * y[:, None]
    return X, y


def centred(K):
    K = K - K.mean(0)
    K = K - K.mean(1, keepdims=True)
    return K / np.linalg.norm(K)


def gaussian(x):
    u = (x - x.mean()) / x.std()
    return centred(np.exp(-0.5 * (u[:, None] - u) ** 2))


def classes(y):
    return centred((y[:, None] == y) / np.bincount(y)[y][:, None])


def test_columns_are_those_of_the_document():
    X, y = noise(signals=3)
    selection = land.select(X, y, n_features=5, permutations=100)
    assert selection.permutations["made"] == 100
    assert len(selection.permutations["largest"]) == 100
    largest = np.array(selection.permutations["largest"])
    for f, p in zip(selection.relevance, selection.p_fwer, strict=True):
        assert p == (1 + (largest >= f * (1 - 1e-9)).sum()) / 101
    assert (selection.p_fwer[:3] == 1 / 101).all()
    assert (selection.q[:3] <= 0.05).all()
    assert list(selection.to_frame().columns[-3:]) == ["p_fwer", "expected_by_chance", "q"]
    plain = land.select(X, y, n_features=5)
    assert plain.permutations is None and plain.q is None
    assert plain.names == selection.names


def test_four_against_four_are_all_splits_by_full_kernels():
    X, y = noise(n=8, d=12)
    with pytest.warns(land.LandWarning, match="69 permutations of 8 samples"):
        selection = land.select(X, y, n_features=12, permutations=1000, exact=True)
    from itertools import combinations

    kernels = [gaussian(x) for x in X.T]
    largest = []
    for ones in combinations(range(8), 4):
        split = np.zeros(8, dtype=int)
        split[list(ones)] = 1
        L = classes(split)
        largest.append(max((K * L).sum() for K in kernels))
    assert len(largest) == 70
    found = np.sort(selection.permutations["largest"])
    observed = max((K * classes(y)).sum() for K in kernels)
    expected = np.sort(largest)
    # The target as it is belongs to the 70, not to the 69.
    expected = np.delete(expected, np.argmin(np.abs(expected - observed)))
    np.testing.assert_allclose(found, expected, atol=1e-9)
    for f, p in zip(selection.relevance, selection.p_fwer, strict=True):
        assert p == pytest.approx((np.array(largest) >= f * (1 - 1e-9)).sum() / 70)


def test_scores_have_the_chance_of_every_feature():
    X, y = noise(signals=3)
    X[:, 70] = 1.0
    scores = land.score(X, y, permutations=100)
    selection = land.select(X, y, n_features=5, permutations=100)
    np.testing.assert_array_equal(scores.q[selection.indices], selection.q)
    np.testing.assert_array_equal(scores.p_fwer[selection.indices], selection.p_fwer)
    assert np.isnan(scores.p_fwer[70]) and np.isnan(scores.q[70])
    assert "q" in scores.to_frame()
    assert land.score(X, y).q is None


def test_auto_keeps_what_chance_does_not_explain():
    X, y = noise(n=100, d=200, signals=4)
    selection = land.select(X, y, n_features="auto", permutations=200)
    assert selection.stopped == "lambda_reached"
    assert 2 <= len(selection) <= 4 and set(selection.indices) <= set(range(4))
    assert selection.lambda_ == selection.permutations["least_lambda"]
    assert selection.document["options"]["features"] == "auto"
    assert len(selection.truncate(1)) == 1


def test_auto_may_keep_nothing():
    X, y = noise(seed=8)
    selection = land.select(X, y, n_features="auto")
    assert len(selection) == 0 and selection.certificate["valid"]
    assert selection.permutations["p_of_largest"] > 0.05
    selector = land.LandSelector("auto", permutations=200).fit(X, y)
    assert selector.n_features_ == 0 and not selector.support_.any()


def test_other_words_are_refused():
    X, y = noise()
    with pytest.raises(ValueError, match="n_features='many': give a whole number, or \"auto\""):
        land.select(X, y, n_features="many")
    with pytest.raises(ValueError, match="alpha=0.05: 10 permutations cannot show so little chance: 19 at least"):
        land.select(X, y, n_features="auto", permutations=10)
    with pytest.raises(ValueError, match='n_features="auto": only a path of kernels'):
        land.select(X, y, n_features="auto", method="mrmr")


def test_within_batches_when_all_covariates_are_nominal():
    X, y = noise(n=120, signals=3)
    batch = np.repeat(["a", "b", "c"], 40)
    selection = land.select(X, y, n_features=4, permutations=50, adjust=batch)
    assert selection.permutations["within_strata"] and not selection.permutations["approximate"]
    age = np.random.default_rng(0).normal(size=120)
    selection = land.select(X, y, n_features=4, permutations=50, adjust=age)
    assert selection.permutations["approximate"] and not selection.permutations["within_strata"]
