"""What the experiment beyond the paper compares: options of LAND, other methods, and trivial choices."""

from __future__ import annotations

from typing import Any

import numpy as np

import land

from .choosing import forest_choice, random_choice
from .kernel_machines import predict_classes, predict_numbers

#: Of `-m auto`: enough for the 5% that it goes by.
PERMUTATIONS = 200

#: Other kernels and steps for the same task: options of land.select.
OPTIONS: dict[str, dict[str, Any]] = {
    "land": {},
    "mix": {"sigma": "mix"},
    "rank": {"transform": "rank"},
    "mix, rank": {"sigma": "mix", "transform": "rank"},
    "conditional": {"method": "conditional"},
}
OTHERS = ("mr-nhsic", "mrmr", "jmi", "lasso")
RANKING, FOREST, BACKWARD, THINNED, AUTO = "F ranking", "forest", "bahsic", "land, thinned", "auto"
RANDOM, ALL, TRUE = "random", "all", "the true ones"
#: In the order of tables.
METHODS = (*OPTIONS, THINNED, AUTO, *OTHERS, BACKWARD, RANKING, FOREST, RANDOM, ALL, TRUE)
VARIANTS = tuple(name for name in OPTIONS if name != "land")
#: What selects m features as land does.
RIVALS = (*VARIANTS, THINNED, *OTHERS, BACKWARD, RANKING, FOREST)
#: For backward elimination (bahsic) a table has at most so many values.
_BACKWARD_VALUES = 20_000


def select(X: np.ndarray, y: np.ndarray, m: int, *, classes: bool, **options: Any) -> np.ndarray:
    task = "classification" if classes else "regression"
    return np.asarray(land.select(X, y, n_features=m, task=task, **options).indices, dtype=np.int64)


def select_auto(X: np.ndarray, y: np.ndarray, *, classes: bool, seed: int) -> np.ndarray:
    """As many features as chance does not explain; maybe none."""
    task = "classification" if classes else "regression"
    found = land.select(X, y, n_features="auto", task=task, permutations=PERMUTATIONS, seed=seed)
    return np.asarray(found.indices, dtype=np.int64)


def f_ranking(X: np.ndarray, y: np.ndarray, m: int, *, classes: bool) -> np.ndarray:
    """The m features with the largest F statistic: straight effects, each by itself."""
    from sklearn.feature_selection import f_classif, f_regression

    values = (f_classif if classes else f_regression)(X, y)[0]
    return np.argsort(-np.nan_to_num(values, nan=-1.0), kind="stable")[:m]


def selections(
    X: np.ndarray, y: np.ndarray, m: int, *, classes: bool, seed: int, forest: bool
) -> dict[str, np.ndarray]:
    """Of all methods whose choice does not need the truth. bahsic is for small tables only, THINNED for uneven classes;
    without `forest` there is none."""
    chosen = {name: select(X, y, m, classes=classes, **options) for name, options in OPTIONS.items()}
    chosen[AUTO] = select_auto(X, y, classes=classes, seed=seed)
    for name in OTHERS:
        chosen[name] = select(X, y, m, classes=classes, method=name)
    if X.size <= _BACKWARD_VALUES:
        chosen[BACKWARD] = select(X, y, m, classes=classes, method=BACKWARD)
    chosen[RANKING] = f_ranking(X, y, m, classes=classes)
    if forest:
        chosen[FOREST] = forest_choice(X, y, m, classes=classes, seed=seed)
    if classes and is_uneven(y):
        few = thinned(y, np.random.default_rng(seed))
        chosen[THINNED] = select(X[few], y[few], m, classes=classes)
    chosen[RANDOM] = random_choice(X.shape[1], m, (seed, m))
    chosen[ALL] = np.arange(X.shape[1])
    return chosen


def held_out_score(
    X: np.ndarray, y: np.ndarray, held_out_X: np.ndarray, held_out_y: np.ndarray, *, classes: bool, seed: int
) -> float:
    """Accuracy, or R2, of the kernel machine on held-out samples. Without features it knows y alone."""
    if classes:
        if X.shape[1] == 0:
            values, counts = np.unique(y, return_counts=True)
            return float(np.mean(held_out_y == values[counts.argmax()]))
        return float(np.mean(predict_classes(X, y, held_out_X, seed=seed).values == held_out_y))
    predicted = predict_numbers(X, y, held_out_X, seed=seed).values if X.shape[1] else y.mean()
    return float(1.0 - np.mean((held_out_y - predicted) ** 2) / held_out_y.var())


def is_uneven(y: np.ndarray) -> bool:
    """One class is more than four times as large as another."""
    counts = np.unique(y, return_counts=True)[1]
    return bool(counts.max() > 4 * counts.min())


def thinned(y: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Samples with as many of every class as of the rarest, in order."""
    classes, numbers, counts = np.unique(y, return_inverse=True, return_counts=True)
    own = [random.permutation(np.flatnonzero(numbers == k))[: counts.min()] for k in range(len(classes))]
    return np.sort(np.concatenate(own))
