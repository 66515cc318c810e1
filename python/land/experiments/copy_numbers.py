"""Copy numbers of genes in tumours: those of prostate cancer in TCGA, or made-up ones."""

from __future__ import annotations

import numpy as np

from .data_sets import path_of

#: A Gleason score from here on is high.
HIGH = 8
#: Genes of the made-up genomes that matter by themselves.
_LOST = (0.2, 0.6)


def read() -> tuple[np.ndarray, np.ndarray]:
    """X, from -2 to 2, and y, 1 where the Gleason score is 8 or more."""
    with np.load(path_of("PRAD")) as held:
        return np.asfortranarray(held["X"]), (held["y"] >= HIGH).astype(np.int64)


def make(samples: int, genes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Tumours whose genome is lost or gained in segments, some tumours in many and some in few. The more is altered,
    the likelier is class 1; the loss of the genes at 20% and 60% of the genome makes it likelier still."""
    random = np.random.default_rng([seed, samples, genes])
    X = np.zeros((samples, genes), dtype=np.int8, order="F")
    for own, segments in zip(X, random.poisson(random.gamma(1.0, 8.0, samples))):
        begins = random.integers(genes, size=segments)
        ends = begins + 1 + random.geometric(50.0 / genes, size=segments)
        for begin, end, value in zip(begins, ends, random.choice([-2, -1, 1, 2], segments, p=[0.1, 0.5, 0.35, 0.05])):
            own[begin:end] = value
    altered = altered_fraction(X)
    score = (altered - altered.mean()) / altered.std()
    for place in _LOST:
        score = score + (X[:, int(place * genes)] < 0)
    likely = 1.0 / (1.0 + np.exp(0.5 - 1.5 * score))
    return X, (random.random(samples) < likely).astype(np.int64)


def altered_fraction(X: np.ndarray) -> np.ndarray:
    """Of each sample the share of genes whose copy number is not 0."""
    return np.asarray(np.count_nonzero(X, axis=1) / X.shape[1])
