"""Made-up tables of which it is known what matters in them. The same seed gives the same table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: How many columns are drawn at a time: what is drawn does not depend on anything else.
_COLUMNS = 4096


def paper_example(samples: int, features: int, seed: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Y = X1 exp(X2) + X3 + 0.1 E, all N(0, 1); the second half of the features are near copies of the first half."""
    random = np.random.default_rng(seed)
    half = features // 2
    X = np.empty((samples, 2 * half), order="F")
    X[:, :half] = random.standard_normal((samples, half))
    X[:, half:] = X[:, :half] + 0.01 * random.standard_normal((samples, half))
    y = X[:, 0] * np.exp(X[:, 1]) + X[:, 2] + 0.1 * random.standard_normal(samples)
    return X, y


def correlated(samples: int, features: int, block: int, rho: float, random: np.random.Generator) -> np.ndarray:
    """N(0, 1): the features of a block of `block` neighbours have a correlation of `rho`, others have none."""
    own = random.standard_normal((samples, features))
    common = random.standard_normal((samples, -(-features // block)))
    return np.asarray(np.sqrt(rho) * np.repeat(common, block, axis=1)[:, :features] + np.sqrt(1.0 - rho) * own)


def graded_target(X: np.ndarray, places: Sequence[int], fall: float, random: np.random.Generator) -> np.ndarray:
    """The features at `places`, straight and squared in turn, each with `fall` times the weight of the one before, and
    noise with half the weight of the first."""
    y = 0.5 * random.standard_normal(len(X))
    for t, place in enumerate(places):
        x = X[:, place]
        y += fall**t * (x if t % 2 == 0 else (x * x - 1.0) / np.sqrt(2.0))
    return y


def two_classes(
    samples: int, features: int, planted: int, seed: Sequence[int], *, counts: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Noise in float32, or counts of a byte, in which the first `planted` features tell two classes apart.

    Of these every other one has a mean that is 0.8 standard deviations higher in class 1, the others a variance that is
    twice as large there. A count of mean mu is round(mu + sqrt(mu) x), at least 0, with mu from 0.5 to 64."""
    # A feature's values are neighbours in memory.
    table = np.empty((features, samples), dtype=np.uint8 if counts else np.float32)
    return table.T, fill_two_classes(table, planted, seed, counts=counts)


def fill_two_classes(table: np.ndarray, planted: int, seed: Sequence[int], *, counts: bool = False) -> np.ndarray:
    """The same into `table`, features by samples, which may be a mapped file. Returns the classes."""
    features, samples = table.shape
    random = np.random.default_rng(seed)
    y = np.arange(samples) % 2
    means = 0.5 * np.exp2(7.0 * random.random(features))
    for first in range(0, features, _COLUMNS):
        last = min(first + _COLUMNS, features)
        x = random.standard_normal((last - first, samples), dtype=np.float32)
        for k in range(first, min(last, planted)):
            if k % 2 == 0:
                x[k - first, y == 1] += 0.8
            else:
                x[k - first, y == 1] *= np.sqrt(2.0)
        if counts:
            mu = means[first:last, None].astype(np.float32)
            x = np.clip(np.rint(mu + np.sqrt(mu) * x), 0, 255)
        table[first:last] = x
    return y
