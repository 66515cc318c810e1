"""The numbers of docs/evaluate.md, of sets of features that LAND did not choose."""

from __future__ import annotations

import numpy as np


def independence_rate(X: np.ndarray) -> float:
    """1 less the sum of |correlation| over pairs of columns, divided by twice the number of pairs. A constant column is
    correlated with none."""
    m = X.shape[1]
    if m < 2:
        return 1.0
    unit = _standardised(X) / np.sqrt(len(X))
    sizes = np.abs(unit.T @ unit)
    return float(1.0 - np.triu(sizes, 1).sum() / (m * (m - 1)))


def nhsic_of_set(X: np.ndarray, y: np.ndarray, *, classes: bool) -> float:
    """Of all columns together and the target, whose numbers have a Gaussian kernel of width 1 as well. NaN if all
    values of the target, or all samples, are the same."""
    kernel = _centred(_gaussian(_standardised(X)))
    if classes:
        _, numbers, counts = np.unique(y, return_inverse=True, return_counts=True)
        target = _centred((numbers[:, None] == numbers) / counts[numbers])
    else:
        target = _centred(_gaussian(_standardised(y[:, None])))
    norms = np.linalg.norm(kernel) * np.linalg.norm(target)
    return float(np.vdot(kernel, target) / norms) if norms > 1e-12 else np.nan


def _standardised(X: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and deviation 1, in double; constant ones are 0."""
    X = np.asarray(X, dtype=np.float64)
    deviation = np.where(np.ptp(X, axis=0) > 0.0, X.std(axis=0), np.inf)
    return np.asarray((X - X.mean(axis=0)) / deviation)


def _gaussian(X: np.ndarray) -> np.ndarray:
    from scipy.spatial.distance import pdist, squareform

    return np.asarray(np.exp(squareform(pdist(X, "sqeuclidean")) / (-2.0 * X.shape[1])))


def _centred(kernel: np.ndarray) -> np.ndarray:
    means = kernel.mean(axis=0)
    return np.asarray(kernel - means - means[:, None] + means.mean())
