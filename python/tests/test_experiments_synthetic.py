"""What the experiments on made-up data rest on: planted tables, fitted exponents, verdicts, and rows that are kept."""

import numpy as np
import pytest
from land.experiments import growth
from land.experiments.complexity import Exponent, fitted_exponent
from land.experiments.experiment import Scale
from land.experiments.kept_rows import KeptRows
from land.experiments.planted import correlated, graded_target, paper_example, two_classes
from land.experiments.synthetic import stands_for, true_come_first
from land.experiments.timing import best_of

import land


@pytest.mark.parametrize(
    "index, name",
    [(0, "X1"), (2, "X3"), (3, "noise"), (999, "noise"), (1000, "X1 (copy)"), (1002, "X3 (copy)"), (1003, "noise")],
)
def test_a_feature_stands_for_itself_or_for_what_it_copies(index, name):
    assert stands_for(index, 2000) == name


def test_the_true_features_come_first_in_any_order_and_once_each():
    assert true_come_first(["X3 (copy)", "X1", "X2", "noise", "X1 (copy)"])
    assert not true_come_first(["X1", "X1 (copy)", "X2", "X3"])  # a copy beside its original is no second feature
    assert not true_come_first(["X1", "noise", "X2", "X3"])
    assert not true_come_first(["X1", "X2"])


def test_an_exponent_of_exact_powers_is_exact():
    sizes = np.array([100, 200, 400, 1600])
    found = fitted_exponent(sizes, 3e-9 * sizes**1.7)
    assert found.value == pytest.approx(1.7, abs=1e-12)
    assert found.error == pytest.approx(0.0, abs=1e-12)
    assert np.isnan(fitted_exponent([1, 2], [1.0, 4.0]).error)


def test_an_exponent_and_its_error_are_those_of_a_regression():
    from scipy.stats import linregress

    random = np.random.default_rng(0)
    sizes = np.array([50, 100, 200, 400, 800])
    seconds = 1e-6 * sizes**2 * np.exp(0.2 * random.standard_normal(5))
    line = linregress(np.log(sizes), np.log(seconds))
    found = fitted_exponent(sizes, seconds)
    assert found == pytest.approx((line.slope, line.stderr), rel=1e-12)


def test_an_exponent_is_judged_with_its_error():
    assert growth.judged(Exponent(1.3, 0.01), 1) == "above"
    assert growth.judged(Exponent(1.09, 0.0), 1) == "as counted"
    assert growth.judged(Exponent(0.85, 0.05), 1) == "as counted"
    assert growth.judged(Exponent(0.7, 0.05), 1) == "below"


def test_a_rough_fit_confirms_no_exponent():
    assert growth.judged(Exponent(1.3, 0.2), 1) == "unclear"  # it may well be above
    assert growth.judged(Exponent(1.0, 0.2), 1) == "unclear"
    assert growth.judged(Exponent(0.5, 0.15), 1) == "below"  # not above, however rough


def test_one_size_is_varied_at_a_time():
    scale = Scale()
    start = growth.base("nystrom", scale)
    for size in growth.THEORY["nystrom"]:
        points = growth.varied(start, size, scale)
        assert start in points
        assert len({getattr(point, size) for point in points}) == len(points)
        assert {point._replace(**{size: getattr(start, size)}) for point in points} == {start}


@pytest.mark.parametrize("quick", [True, False])
def test_all_bases_of_a_fit_add_a_column(quick):
    """Where more bases change nothing, there is no exponent to be fitted."""
    scale = Scale(quick=quick)
    points = growth.varied(growth.base("nystrom", scale), "b", scale)
    X, y = paper_example(1000, 20, [1])
    for point in points:
        assert land.select(X, y, n_features=5, bases=point.b).document["factor"]["mean_columns"] >= 0.95 * point.b
    assert max(point.b for point in points) == 20  # the paper's


def test_methods_of_growth_are_the_same_problem():
    """Naive and land solve it exactly; 20 bases come close."""
    chosen = {
        method: growth.timed(growth.Point(method, 60, 80, 20 if method == "nystrom" else 0, 3), seed=1)[0]
        for method in growth.METHODS
    }
    assert chosen["naive"]["features"] == chosen["land"]["features"]
    assert chosen["nystrom"]["columns"] <= 20 and chosen["naive"]["all_pairs"] == 60 * 3
    assert chosen["land"]["full_pairs"] < chosen["naive"]["full_pairs"]


def test_the_example_of_the_paper_is_its_formula():
    X, y = paper_example(5000, 20, [1])
    rest = y - X[:, 0] * np.exp(X[:, 1]) - X[:, 2]
    assert rest.std() == pytest.approx(0.1, rel=0.05)
    assert np.abs(np.corrcoef(rest, X.T)[0, 1:]).max() < 0.06
    assert (X[:, 10:] - X[:, :10]).std() == pytest.approx(0.01, rel=0.05)
    assert np.array_equal(X, paper_example(5000, 20, [1])[0])
    assert not np.array_equal(X, paper_example(5000, 20, [2])[0])


def test_planted_correlations_are_within_blocks_only():
    X = correlated(20_000, 12, 5, 0.6, np.random.default_rng(1))
    block = np.arange(12) // 5
    expected = np.where(block[:, None] == block, 0.6, 0.0)
    np.fill_diagonal(expected, 1.0)
    assert np.abs(np.corrcoef(X.T) - expected).max() < 0.03
    assert np.abs(X.std(axis=0) - 1.0).max() < 0.03


def test_a_graded_target_has_weights_that_fall():
    random = np.random.default_rng(2)
    X = random.standard_normal((50_000, 6))
    y = graded_target(X, (1, 3, 5), 0.8, random)
    terms = np.column_stack([X[:, 1], (X[:, 3] ** 2 - 1.0) / np.sqrt(2.0), X[:, 5]])
    weights = np.linalg.lstsq(terms, y, rcond=None)[0]
    assert weights == pytest.approx([1.0, 0.8, 0.64], abs=0.02)
    assert (y - terms @ weights).std() == pytest.approx(0.5, rel=0.02)


def test_planted_features_tell_classes_apart_by_mean_or_by_variance():
    X, y = two_classes(20_000, 6, 4, [3])
    means = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    ratios = X[y == 1].var(axis=0) / X[y == 0].var(axis=0)
    assert means == pytest.approx([0.8, 0.0, 0.8, 0.0, 0.0, 0.0], abs=0.06)
    assert ratios == pytest.approx([1.0, 2.0, 1.0, 2.0, 1.0, 1.0], abs=0.12)


def test_counts_are_bytes_with_the_spread_of_their_mean():
    X, y = two_classes(20_000, 40, 0, [4], counts=True)
    assert X.dtype == np.uint8
    means, variances = X.mean(axis=0, dtype=float), X.var(axis=0, dtype=float)
    large = means > 10.0  # a small one is cut off at 0
    assert large.any() and not large.all()
    assert variances[large] == pytest.approx(means[large], rel=0.1)
    assert set(y) == {0, 1}


def test_the_best_run_is_the_last_once_enough_time_has_passed():
    runs = []
    assert best_of(3, lambda: runs.append(None)).cpu >= 0.0 and len(runs) == 3
    best_of(3, lambda: runs.append(None), enough=0.0)
    assert len(runs) == 4


def test_kept_rows_go_on_from_what_is_done(tmp_path):
    path = tmp_path / "rows.csv"
    kept = KeptRows(path, Scale(quick=True, seed=3))
    assert kept.frame().empty and kept.done == set()
    kept.add("one", 0.5, [{"value": 0.1 + 0.2}, {"value": 2.0}])
    kept.add("two", 1.25, [{"value": 3.0, "more": "text"}])

    again = KeptRows(path, Scale(quick=True, seed=3))
    assert again.done == {"one", "two"}
    assert list(again.frame()["value"]) == [0.1 + 0.2, 2.0, 3.0]  # to the bit
    assert again.seconds() == 1.75  # of each piece once
    again.add("three", 1.0, [{"value": 4.0}])
    assert KeptRows(path, Scale(quick=True, seed=3)).done == {"one", "two", "three"}


@pytest.mark.parametrize("other, word", [(Scale(quick=True, seed=4), "seed 3"), (Scale(seed=3), "scale quick")])
def test_kept_rows_of_another_experiment_are_refused(tmp_path, other, word):
    path = tmp_path / "rows.csv"
    KeptRows(path, Scale(quick=True, seed=3)).add("one", 0.5, [{"value": 1.0}])
    with pytest.raises(ValueError, match=word):
        KeptRows(path, other)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no CSV of an experiment"):
        KeptRows(path, other)
