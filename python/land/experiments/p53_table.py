"""Mutants of p53: the table of the UCI repository, or a made-up one of its shape."""

from __future__ import annotations

import pathlib

import numpy as np

SAMPLES, FEATURES, ACTIVE = 31_420, 5_408, 151
#: Neighbours among the dense features that follow a common value, with this correlation to it.
_BLOCK, _LOADING = 20, 0.9
#: Blocks that tell the classes apart: by their mean, and by their variance.
_SHIFTED, _WIDENED = (0, 10, 20, 30, 40), (5, 15, 25, 35, 45)
#: How often a sparse feature is not 0; and how often in active mutants, if it is one of the first.
_RATE, _ACTIVE_RATE, _TELLING = 0.05, 0.3, 5

IN_WORDS = f"""Four fifths of the features are dense, as energies and distances are: N(0, 1), in blocks of {_BLOCK}
neighbours with a correlation of {_LOADING**2:.2f}. A fifth is sparse, as surface features are: 0 but in {_RATE:.0%} of
the mutants, exponential there. Active mutants differ in {len(_SHIFTED)} blocks, whose common value is 0.8 deviations
higher, in {len(_WIDENED)} blocks, whose common value has twice the variance, and in {_TELLING} sparse features, which
are not 0 in {_ACTIVE_RATE:.0%} of them."""


def read(path: pathlib.Path) -> tuple[np.ndarray, np.ndarray]:
    """X in float32, and y, 1 for active, of the mutants that have no missing value. A line may end with a comma."""
    import pandas

    with path.open(encoding="ascii") as file:
        features = file.readline().rstrip(", \r\n").count(",")
    tables, classes = [], []
    with pandas.read_csv(path, header=None, na_values="?", skipinitialspace=True, chunksize=2000) as chunks:
        for chunk in chunks:
            whole = chunk.iloc[:, : features + 1].dropna()
            tables.append(whole.iloc[:, :features].to_numpy(np.float32))
            classes.append(whole[features].to_numpy(str))
    names = np.concatenate(classes)
    unknown = sorted(set(names) - {"active", "inactive"})
    if unknown:
        raise ValueError(f"{path}: the last column has the class {str(unknown[0])!r}; it should be active or inactive")
    return np.asfortranarray(np.concatenate(tables)), (names == "active").astype(np.int64)


def make(samples: int, features: int, active: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """What IN_WORDS says. The features that differ stand in the first 46 blocks and among the first sparse ones."""
    random = np.random.default_rng([seed, samples, features])
    y = np.zeros(samples, dtype=np.int64)
    y[random.choice(samples, active, replace=False)] = 1
    table = np.empty((features, samples), dtype=np.float32)
    dense = features - features // 5
    for block, first in enumerate(range(0, dense, _BLOCK)):
        common = random.standard_normal(samples, dtype=np.float32)
        if block in _SHIFTED:
            common[y == 1] += 0.8
        elif block in _WIDENED:
            common[y == 1] *= np.sqrt(2.0)
        own = table[first : min(first + _BLOCK, dense)]
        random.standard_normal(own.shape, dtype=np.float32, out=own)
        own *= np.sqrt(1.0 - _LOADING**2)
        own += _LOADING * common
    for place in range(dense, features):
        rate = np.where((y == 1) & (place < dense + _TELLING), _ACTIVE_RATE, _RATE)
        values = random.exponential(size=samples)
        table[place] = np.where(random.random(samples) < rate, values, 0.0)
    return table.T, y
