"""Features chosen from the training part of a split: by LAND's methods, and by what they are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import evaluate


class Chosen(NamedTuple):
    method: str
    m: int  #: asked for; there may be fewer
    indices: np.ndarray  #: in the order in which they were chosen
    independence: float  #: the independence rate, on training samples
    nhsic: float  #: of the set and the target, on held-out samples
    seconds: float  #: of the method's largest m, its share of reading and scoring included


class Split(NamedTuple):
    name: str  #: repeat and fold: "3.1"
    train: np.ndarray  #: numbers of samples
    test: np.ndarray
    chosen: list[Chosen]


def judged_splits(
    X: Any,
    y: Any,
    *,
    methods: Sequence[str],
    n_features: Sequence[int],
    folds: int,
    repeat: int,
    seed: int,
    **options: Any,
) -> Iterator[Split]:
    """A repeat of `folds` stratified splits, by land.evaluate: all methods see the same training samples and no others.

    `folds=5` holds out a fifth each time, and every sample once in a repeat."""
    found = evaluate(
        X, y, methods=methods, n_features=sorted(n_features), folds=folds, seed=1000 * seed + repeat, **options
    )
    samples = found.document["data"]["samples"]
    for fold in found.document["folds"]:
        test = np.array(fold["held_out"], dtype=np.int64)
        chosen = [
            Chosen(
                run["method"],
                one["m"],
                np.array(one["indices"], dtype=np.int64),
                _number(one["independence"]),
                _number(one["nhsic"]),
                run["seconds"],
            )
            for run in fold["methods"]
            for one in run["sets"]
        ]
        yield Split(f"{repeat}.{fold['fold']}", np.setdiff1d(np.arange(samples), test), test, chosen)


def random_choice(features: int, m: int, seed: Sequence[int]) -> np.ndarray:
    """m of all features, the same for the same seed; those of fewer are the first ones."""
    return np.random.default_rng(seed).permutation(features)[:m]


def forest_choice(X: np.ndarray, y: np.ndarray, m: int, *, classes: bool, seed: int) -> np.ndarray:
    """The m features that matter most to a random forest of 500 trees (scikit-learn), best first."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestClassifier if classes else RandomForestRegressor
    forest = kind(500, random_state=seed, max_features="sqrt").fit(X, y)
    return np.argsort(-forest.feature_importances_, kind="stable")[:m]


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
