"""Gradient-boosted trees (LightGBM): what judges selected features on held-out samples of large sets."""

from __future__ import annotations

from typing import Any

import numpy as np


def auc_of_trees(
    X_train: Any,
    y_train: np.ndarray,
    X_test: Any,
    y_test: np.ndarray,
    *,
    trees: int,
    leaves: int,
    seed: int,
    threads: int,
) -> float:
    """Of held-out samples; with more than two classes the mean of one against the others. The tables are dense or
    sparse. The same arguments give the same value, whatever `threads` is. NaN where the held-out samples have one class
    only."""
    from lightgbm import LGBMClassifier
    from scipy.sparse import issparse

    model = LGBMClassifier(
        n_estimators=trees,
        num_leaves=leaves,
        random_state=seed,
        n_jobs=threads,
        deterministic=True,
        force_col_wise=True,
        enable_bundle=not issparse(X_train),  # of a hundred thousand columns it takes as long as the first 20 trees
        verbosity=-1,
    )
    model.fit(_without_names(X_train), y_train)
    return mean_auc(np.asarray(model.predict_proba(_without_names(X_test))), np.asarray(model.classes_), y_test)


def mean_auc(scores: np.ndarray, classes: np.ndarray, y: np.ndarray) -> float:
    """`scores` has a column for each of the classes. Of two classes the second counts, of more those that can be told
    apart in y."""
    from sklearn.metrics import roc_auc_score

    if len(classes) == 2:
        classes, scores = classes[1:], scores[:, 1:]
    values = [
        roc_auc_score(y == one, scores[:, column])
        for column, one in enumerate(classes)
        if np.any(y == one) and np.any(y != one)
    ]
    return float(np.mean(values)) if values else np.nan


def _without_names(X: Any) -> Any:
    """As LightGBM takes it: sparse by rows, or an array of floats, in double unless they are single already."""
    from scipy.sparse import csr_matrix, issparse

    if issparse(X):
        return csr_matrix(X, dtype=np.float64)
    X = np.asarray(X)
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
