"""Kernel logistic and kernel ridge regression with a Gaussian kernel: what judges selected features.

Features are standardised by the training samples, and the kernel is exp(-|x - x'|^2 / (2 width^2)). Classes, or
numbers, are predicted from f(x) + b, which minimises

    sum_i loss(y_i, f(x_i) + b) + penalty / 2 |f|^2

with |f| the kernel's own norm; the loss is the multinomial log-loss, with an f and a b for each class, or half the
squared error. scikit-learn's StandardScaler, Nystroem with all samples and LogisticRegression(C=1 / penalty) come to
the same.

Width and penalty are those with the smallest error over three folds of the training samples, stratified by class.
Several often share it: then the smallest log-loss over the same folds decides. It comes from the same predictions, and
leans to neither end of the grid, as taking the largest penalty or the first in a list would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

#: Times the median distance of two training samples. Wide kernels are almost straight, which suits some numbers.
CLASS_WIDTHS = (0.25, 0.5, 1.0, 2.0)
NUMBER_WIDTHS = (0.5, 1.0, 2.0, 4.0, 8.0)
#: From smooth to flexible: each fit begins at the one before.
PENALTIES = (10.0, 1.0, 0.1, 0.01, 0.001)

_FOLDS = 3


class Predicted(NamedTuple):
    values: np.ndarray  #: of the held-out samples
    width: float  #: times the median distance
    penalty: float


def predict_classes(X: np.ndarray, y: np.ndarray, held_out: np.ndarray, *, seed: int) -> Predicted:
    """Kernel logistic regression from X, samples by features, and the classes y. `seed`: which folds."""
    from sklearn.model_selection import StratifiedKFold

    classes, numbers = np.unique(y, return_inverse=True)
    one_hot = np.eye(len(classes))[numbers]

    def judge(features: KernelFeatures, train: np.ndarray, others: np.ndarray, test: np.ndarray) -> np.ndarray:
        model = LogisticModel(features, one_hot[train])
        found = []
        for penalty in PENALTIES:
            model.fit(penalty)
            scores = model.scores(others)
            found.append((np.sum(scores.argmax(axis=1) != numbers[test]), _log_loss(scores, one_hot[test])))
        return np.array(found)

    squares = squared_distances(X, X)
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed).split(X, numbers)
    width, penalty = _cross_validated(squares, CLASS_WIDTHS, folds, judge)
    features = KernelFeatures(gaussian(squares, width))
    model = LogisticModel(features, one_hot)
    model.fit(penalty)
    scores = model.scores(features.of(gaussian(squared_distances(X, held_out), width)))
    return Predicted(classes[scores.argmax(axis=1)], width, penalty)


def predict_numbers(X: np.ndarray, y: np.ndarray, held_out: np.ndarray, *, seed: int) -> Predicted:
    """Kernel ridge regression from X, samples by features, and the numbers y. `seed`: which folds."""
    from sklearn.model_selection import KFold

    def judge(features: KernelFeatures, train: np.ndarray, others: np.ndarray, test: np.ndarray) -> np.ndarray:
        errors = [ridge_prediction(features, y[train], penalty, others) - y[test] for penalty in PENALTIES]
        return np.array([(np.sum(one**2), 0.0) for one in errors])

    squares = squared_distances(X, X)
    folds = KFold(_FOLDS, shuffle=True, random_state=seed).split(X)
    width, penalty = _cross_validated(squares, NUMBER_WIDTHS, folds, judge)
    features = KernelFeatures(gaussian(squares, width))
    others = features.of(gaussian(squared_distances(X, held_out), width))
    return Predicted(ridge_prediction(features, y, penalty, others), width, penalty)


# --- models -------------------------------------------------------------------------------------------------------


class KernelFeatures:
    """Features of samples whose inner products are the centred kernel, along its principal axes. (Since b is free,
    centring changes no prediction.)"""

    def __init__(self, kernel: np.ndarray) -> None:
        self._means = kernel.mean(axis=0)
        centred = kernel - self._means - self._means[:, None] + self._means.mean()
        values, axes = np.linalg.eigh(centred)
        kept = values > 1e-12 * len(kernel)  # the others are rounding
        self.values = values[kept]
        self.own = axes[:, kept] * np.sqrt(self.values)
        self._map = axes[:, kept] / np.sqrt(self.values)

    def of(self, kernel: np.ndarray) -> np.ndarray:
        """Of other samples, from their kernels with the first ones."""
        return np.asarray((kernel - self._means) @ self._map)


class LogisticModel:
    """Multinomial logistic regression. `fit` goes on from the fit before, by L-BFGS.

    Coefficients are scaled so that the Hessian is about the identity: it is where all classes are equally likely. That
    halves the steps."""

    def __init__(self, features: KernelFeatures, one_hot: np.ndarray) -> None:
        self._features = features
        self._one_hot = one_hot
        self.coefficients = np.zeros((len(features.values), one_hot.shape[1]))
        self.constants = np.zeros(one_hot.shape[1])

    def fit(self, penalty: float) -> None:
        from scipy.optimize import minimize

        one_hot = self._one_hot
        samples, classes = one_hot.shape
        curvature = 1.0 / classes
        scale = 1.0 / np.sqrt(curvature * self._features.values + penalty)[:, None]
        constant_scale = 1.0 / np.sqrt(curvature * samples)
        scaled = self._features.own * scale.T
        ridge = penalty * scale**2
        size = self.coefficients.size

        def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
            w = x[:size].reshape(-1, classes)
            scores = scaled @ w + constant_scale * x[size:]
            scores -= scores.max(axis=1, keepdims=True)
            grown = np.exp(scores)
            sums = grown.sum(axis=1, keepdims=True)
            value = np.log(sums).sum() - np.vdot(scores, one_hot) + 0.5 * np.vdot(ridge * w, w)
            rest = grown / sums - one_hot
            return value, np.concatenate([(scaled.T @ rest + ridge * w).ravel(), constant_scale * rest.sum(axis=0)])

        begin = np.concatenate([(self.coefficients / scale).ravel(), self.constants / constant_scale])
        options = {"gtol": 1e-3, "ftol": 0.0, "maxiter": 10_000, "maxfun": 20_000}
        x = minimize(objective, begin, jac=True, method="L-BFGS-B", options=options).x
        self.coefficients = x[:size].reshape(-1, classes) * scale
        self.constants = x[size:] * constant_scale

    def scores(self, features: np.ndarray) -> np.ndarray:
        """Of every class the logarithm of its probability, up to a constant per sample."""
        return features @ self.coefficients + self.constants


def ridge_prediction(features: KernelFeatures, y: np.ndarray, penalty: float, others: np.ndarray) -> np.ndarray:
    """Of samples with the features `others`."""
    mean = y.mean()
    return np.asarray(others @ (features.own.T @ (y - mean) / (features.values + penalty)) + mean)


def _log_loss(scores: np.ndarray, one_hot: np.ndarray) -> float:
    scores = scores - scores.max(axis=1, keepdims=True)
    return float(np.log(np.exp(scores).sum(axis=1)).sum() - np.vdot(scores, one_hot))


# --- kernels, and which -------------------------------------------------------------------------------------------


def squared_distances(X: np.ndarray, others: np.ndarray) -> np.ndarray:
    """From `others` to the training samples X, standardised by X, in units of X's squared median distance. Features
    that are constant in X have no part in it. Where most samples are equal, the unit is the mean of what is not 0."""
    from scipy.spatial.distance import cdist, pdist

    deviation = X.std(axis=0)
    varying = X.max(axis=0, initial=-np.inf) > X.min(axis=0, initial=np.inf)
    X, others, deviation = X[:, varying], others[:, varying], deviation[varying]
    X, others = (X - X.mean(axis=0)) / deviation, (others - X.mean(axis=0)) / deviation
    distances = pdist(X)
    unit = np.median(distances)
    if unit == 0.0:
        unit = distances[distances > 0.0].mean() if distances.any() else 1.0
    return np.asarray(cdist(others, X, "sqeuclidean") / unit**2)


def gaussian(squares: np.ndarray, width: float) -> np.ndarray:
    return np.exp(squares / (-2.0 * width**2))


def _cross_validated(
    squares: np.ndarray,
    widths: Sequence[float],
    folds: Iterable[tuple[np.ndarray, np.ndarray]],
    judge: Callable[[KernelFeatures, np.ndarray, np.ndarray, np.ndarray], np.ndarray],
) -> tuple[float, float]:
    """Width and penalty. `judge(features, train, others, test)`: of each penalty the error of a fold, and what decides
    between equal ones."""
    losses = np.zeros((len(widths), len(PENALTIES), 2))
    for train, test in folds:
        for own, width in zip(losses, widths):
            kernel = gaussian(squares[:, train], width)
            features = KernelFeatures(kernel[train])
            own += judge(features, train, features.of(kernel[test]), test)
    flat = losses.reshape(-1, 2)
    best = int(np.lexsort((flat[:, 1], flat[:, 0]))[0])
    return widths[best // len(PENALTIES)], PENALTIES[best % len(PENALTIES)]
