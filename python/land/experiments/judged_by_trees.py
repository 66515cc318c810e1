"""Features selected from the training part of a split, judged by boosted trees on the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import land

from .boosted_trees import auc_of_trees
from .choosing import random_choice
from .experiment import Row
from .set_measures import independence_rate

#: The methods of land.select.
SELECTED = ("land", "mr-nhsic", "mrmr", "lasso")
RANDOM, ALL = "random", "all"


class Judging(NamedTuple):
    sizes: Sequence[int] = range(10, 101, 10)  #: how many features are asked for, rising
    trees: int = 100
    leaves: int = 20


class Split(NamedTuple):
    number: int
    train: np.ndarray  #: numbers of samples, in order
    test: np.ndarray


def stratified_split(y: np.ndarray, held_out: int, seed: int, number: int) -> Split:
    """At random, with the shares of the classes kept."""
    from sklearn.model_selection import train_test_split

    train, test = train_test_split(np.arange(len(y)), test_size=held_out, stratify=y, random_state=1000 * seed + number)
    return Split(number, np.sort(train), np.sort(test))


def select(X: Any, y: np.ndarray | None, train: np.ndarray, method: str, judging: Judging) -> dict[int, np.ndarray]:
    """Of every size, by the training samples alone. X is a table or a store, whose own target is taken without y; it is
    not copied."""
    found = land.select(
        X, y, n_features=judging.sizes[-1], method=method, samples=train, task="classification", seed=1, threads=1
    )
    return {m: np.asarray(found.truncate(m).indices, dtype=np.int64) for m in judging.sizes}


def first_of(order: np.ndarray, judging: Judging) -> dict[int, np.ndarray]:
    return {m: order[:m] for m in judging.sizes}


def random_features(features: int, seed: int, split: Split, judging: Judging) -> dict[int, np.ndarray]:
    return first_of(random_choice(features, judging.sizes[-1], (seed, split.number)), judging)


def judge_choices(
    columns: Callable[[np.ndarray], np.ndarray],
    y: np.ndarray,
    split: Split,
    choices: Mapping[str, Mapping[int, np.ndarray]],
    seed: int,
    judging: Judging,
) -> list[Row]:
    """A row for each method and size. `columns` gives features of all samples. Redundancy is that of the training
    samples."""
    rows = []
    for method, of_sizes in choices.items():
        for m, indices in of_sizes.items():
            chosen = columns(indices)
            own = chosen[split.train]
            measured = {"distinct": len(np.unique(own, axis=1).T), "independence": independence_rate(own)}
            rows.append(judge_table(chosen, y, split, method, seed, judging) | {"m": m} | measured)
    return rows


def judge_table(
    X: Any, y: np.ndarray, split: Split, method: str, seed: int, judging: Judging, *, threads: int = 1
) -> Row:
    """Of all columns of a table, dense or sparse by rows."""
    auc = auc_of_trees(
        X[split.train],
        y[split.train],
        X[split.test],
        y[split.test],
        trees=judging.trees,
        leaves=judging.leaves,
        seed=seed,
        threads=threads,
    )
    return _row(split, method, X.shape[1], auc)


def judge_number(x: np.ndarray, y: np.ndarray, split: Split, method: str) -> Row:
    """Of one number as it is, without learning: the larger, the likelier is class 1."""
    from sklearn.metrics import roc_auc_score

    return _row(split, method, 1, float(roc_auc_score(y[split.test], x[split.test])))


def _row(split: Split, method: str, selected: int, auc: float) -> Row:
    """Of features that are there without asking: m is NaN."""
    return {
        "part": "split",
        "split": split.number,
        "method": method,
        "m": np.nan,
        "train": len(split.train),
        "test": len(split.test),
        "selected": selected,
        "auc": auc,
    }
