"""Made-up tables that NHSIC Lasso finds easy and hard, of which it is known what matters in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

#: Samples to judge by, drawn besides those that features are selected from.
HELD_OUT = 1000


class Made(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    held_out_X: np.ndarray
    held_out_y: np.ndarray
    true: np.ndarray  #: the features that matter


class Kind(NamedTuple):
    name: str
    classes: bool
    samples: int
    features: int
    true: int  #: how many matter
    words: str  #: what the target is
    weak: bool  #: whether NHSIC Lasso may be expected to be weak
    #: (random, samples, features, how many of the samples are to select from): X, of which the first ones matter, and y
    draw: Callable[[np.random.Generator, int, int, int], tuple[np.ndarray, np.ndarray]]
    repeated: int = 0  #: so many of those that matter can be told from the others that do

    @property
    def enough(self) -> int:
        """So many of those that matter, whichever, tell all that they tell together."""
        return self.true - self.repeated

    @property
    def asked_for(self) -> int:
        """Features to select."""
        return max(self.true, 10)


def make(kind: Kind, samples: int, features: int, random: np.random.Generator) -> Made:
    """The features that matter stand anywhere."""
    X, y = kind.draw(random, samples + HELD_OUT, features, samples)
    order = random.permutation(features)
    X = X[:, order]
    return Made(X[:samples], y[:samples], X[samples:], y[samples:], np.flatnonzero(order < kind.true))


def _normal(random: np.random.Generator, samples: int, features: int) -> np.ndarray:
    return random.standard_normal((samples, features))


def _bent(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    X = _normal(random, samples, features)
    y = X[:, :3].sum(axis=1) + (X[:, 3:6] ** 2 - 1.0).sum(axis=1) / np.sqrt(2.0)
    return X, y + 0.5 * random.standard_normal(samples)


def _sines(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    X = _normal(random, samples, features)
    return X, np.sin(4.0 * X[:, :2]).sum(axis=1) + 0.3 * random.standard_normal(samples)


def _lognormal(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    X = _normal(random, samples, features)
    return np.exp(2.0 * X), X[:, :10].sum(axis=1) + random.standard_normal(samples)


def _straight(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    X = _normal(random, samples, features)
    return X, X[:, :20].sum(axis=1) + 2.0 * random.standard_normal(samples)


def _suppressors(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    X = _normal(random, samples, features)
    y = X[:, :3].sum(axis=1) + 0.2 * random.standard_normal(samples)
    X[:, :3] += X[:, 3:6]
    return X, y


def _either_or(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    X = _normal(random, samples, features)
    return X, ((X[:, 0] > 0.0) != (X[:, 1] > 0.0)).astype(np.int64)


def _madelon(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import make_classification

    X, y = make_classification(
        samples,
        features,
        n_informative=5,
        n_redundant=15,
        n_clusters_per_class=16,
        class_sep=2.0,
        shuffle=False,
        random_state=int(random.integers(2**31)),
    )
    order = random.permutation(samples)
    return X[order], y[order]


def _rare(random: np.random.Generator, samples: int, features: int, own: int) -> tuple[np.ndarray, np.ndarray]:
    """Held-out samples are half of one class, half of the other."""
    y = np.arange(samples) % 2
    y[:own] = np.arange(own) < round(0.03 * own)
    X = _normal(random, samples, features)
    X[:, :10] += 0.6 * y[:, None]
    return X, y


def _noise(random: np.random.Generator, samples: int, features: int, _: int) -> tuple[np.ndarray, np.ndarray]:
    return _normal(random, samples, features), random.standard_normal(samples)


KINDS = (
    Kind("bent effects", False, 200, 1000, 6, "three features and the squares of three, plus noise", False, _bent),
    Kind("sines", False, 200, 1000, 2, "sin 4x of two features, plus noise", False, _sines),
    Kind("heavy tails", False, 200, 1000, 10, "logarithms of ten lognormal features, plus noise", False, _lognormal),
    Kind("weak linear", False, 200, 1000, 20, "20 features alike, and noise twice as wide as one", True, _straight),
    Kind("suppressors", False, 200, 1000, 6, "s1 + s2 + s3; the features are s + c and c of each", True, _suppressors),
    Kind("XOR", True, 200, 100, 2, "whether two features have different signs", True, _either_or),
    Kind(
        "madelon-like",
        True,
        400,
        500,
        20,
        "32 clusters in five dimensions, each of either class; 15 features are sums of the five",
        True,
        _madelon,
        repeated=15,
    ),
    Kind("3% of one class", True, 1000, 1000, 10, "ten features are 0.6 higher in 3% of the samples", True, _rare),
)

#: What `-m auto` should select nothing from.
NOISE = Kind("noise", False, 200, 1000, 0, "a target that has nothing to do with the features", False, _noise)
