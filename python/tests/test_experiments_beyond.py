"""What the experiments on independence and beyond the paper conclude from their rows."""

import numpy as np
import pandas as pd
import pytest
from land.experiments import beyond_findings, proposition1
from land.experiments.beyond_findings import compared, is_clear
from land.experiments.beyond_methods import VARIANTS
from land.experiments.beyond_tables import KINDS, make


def found(**counts):
    """Rows of one kind: of each method the true features found in each table."""
    return pd.DataFrame(
        {"split": str(split), "method": method.replace("_", "-"), "found": count, "score": 0.5}
        for method, own in counts.items()
        for split, count in enumerate(own)
    )


def test_tables_are_compared_by_a_paired_test():
    from scipy.stats import ttest_rel

    lasso, land = [5, 6, 4, 7, 5, 6], [4, 4, 4, 5, 5, 3]
    test = compared(found(lasso=lasso, land=land), "found", "lasso", "land")
    assert test.difference == pytest.approx(4 / 3)
    assert test.p_corrected == pytest.approx(ttest_rel(lasso, land, alternative="greater").pvalue, rel=1e-9)
    assert is_clear(test, 1) == (test.p_corrected <= 0.05)
    assert not is_clear(test, 100)
    assert not is_clear(compared(found(lasso=lasso, land=land), "found", "land", "lasso"), 1)


@pytest.mark.parametrize("tables, comparisons, clear", [(1, 1, False), (3, 1, False), (20, 1, True), (20, 100, True)])
def test_few_tables_that_all_differ_alike_show_nothing(tables, comparisons, clear):
    """A t-test has no p for them: half to the power of the number of tables is that of a sign test."""
    rows = found(lasso=[4] * tables, land=[3] * tables)
    better, worse = compared(rows, "found", "lasso", "land"), compared(rows, "found", "land", "lasso")
    assert better == (1.0, 0.5**tables, 0.5**tables)
    assert is_clear(better, comparisons) == clear
    assert worse.p_corrected == 1.0 and not is_clear(worse, comparisons)


def test_tables_without_a_difference_show_nothing():
    test = compared(found(lasso=[4] * 20, land=[4] * 20), "found", "lasso", "land")
    assert np.isnan(test.p_corrected) and not is_clear(test, 1)


def test_options_are_compared_in_both_directions(monkeypatch):
    """More and fewer are two comparisons each: the level is shared by all of them."""
    shared = []
    monkeypatch.setattr(beyond_findings, "is_clear", lambda test, comparisons: shared.append(comparisons))
    counts = {name: [3, 4, 5] for name in ("land", *VARIANTS)}
    rows = pd.concat(found(**counts).assign(set=kind.name) for kind in KINDS)
    beyond_findings._variants(beyond_findings.with_useful(rows))
    assert set(shared) == {len(shared)}


def test_true_features_that_repeat_each_other_are_those_that_depend_on_each_other():
    random = np.random.default_rng(3)
    for kind in KINDS:
        made = make(kind, 200, kind.features, random)
        X = np.log(made.X) if kind.name == "heavy tails" else made.X
        assert np.linalg.matrix_rank(X[:, made.true], tol=1e-6 * np.linalg.norm(X[:, made.true], 2)) == kind.enough
        some = random.choice(made.true, kind.enough, replace=False)
        assert np.linalg.matrix_rank(X[:, some], tol=1e-6 * np.linalg.norm(X[:, some], 2)) == kind.enough


@pytest.mark.parametrize("land, weak", [([5, 6, 5, 7, 6, 5], "not shown"), ([2, 3, 2, 1, 2, 3], "weak")])
def test_who_does_not_repeat_what_is_told_is_not_weak(land, weak):
    """Of the 20 true features of `madelon-like` any five tell all: 15 are sums of the others."""
    many, few = [18, 19, 20, 18, 19, 17], [1, 1, 1, 1, 1, 1]
    rows = pd.concat(
        found(land=land, jmi=many if kind.name == "madelon-like" else few).assign(set=kind.name) for kind in KINDS
    )
    text = beyond_findings._weak(beyond_findings.with_useful(rows))
    line = next(line for line in text.splitlines() if line.startswith("| madelon-like"))
    assert line.endswith(f"| {weak} |")
    assert "jmi: 5.0 ± 0.0 of 5" in line


def test_orders_part_where_the_loss_is_more_than_two_standard_errors():
    assert proposition1.is_clear(pd.Series([0.2, 0.0, 0.2, 0.2, 0.0, 0.2]))
    assert not proposition1.is_clear(pd.Series([0.2, 0.0, 0.0, 0.0, 0.0, 0.0]))
    assert not proposition1.is_clear(pd.Series([0.0, 0.0, 0.0]))
    assert not proposition1.is_clear(pd.Series([0.2]))


def orders(overlaps):
    """Rows of six tables of 100 and of 400 samples: `overlaps` by correlation and rho."""
    rows = []
    for (correlation, rho), own in overlaps.items():
        for n in (100, 400):
            for m in (5, 20):
                for repeat, overlap in enumerate(own):
                    rows.append(
                        {
                            "part": "order",
                            "correlation": correlation,
                            "rho": rho,
                            "n": n,
                            "repeat": repeat,
                            "m": m,
                            "overlap": overlap,
                            "same": int(overlap == 1.0),
                            "tau": 1.0,
                            "redundancy": 1.0 / n,
                            "planted_land": 1.0,
                            "planted_screening": 1.0,
                        }
                    )
    return pd.DataFrame(rows)


def test_it_is_said_from_which_correlation_on_the_orders_part():
    same, part = [1.0] * 6, [0.8, 0.6, 0.8, 0.8, 0.6, 0.8]
    rows = orders(
        {
            ("none", 0.0): same,
            ("all alike", 0.2): same,
            ("all alike", 0.5): part,
            ("all alike", 0.9): part,
            ("in blocks of 10", 0.2): same,
            ("in blocks of 10", 0.9): same,
        }
    )
    text = " ".join(proposition1._dependent(rows).split())
    assert "**confirmed** (clearly less at a rho of 0.5, 0.9); with" in text
    assert "**not confirmed** (nowhere clearly less)." in text
