"""The tables of the benchmarks: small sets of the paper, or generated ones like them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .data_sets import available, load_matlab, load_trim32
from .planted import correlated, graded_target

CLASSES = ("AR10P", "PIE10P", "PIX10P", "ORL10P", "TOX", "CLL-SUB")
NUMBERS = ("TRIM32",)
PAPER = (*CLASSES, *NUMBERS)
#: What a small run takes of them, and instead of them.
_QUICK = ("AR10P", "TRIM32")
GENERATED_CLASSES, GENERATED_NUMBERS = "generated classes", "generated numbers"
GENERATED = (GENERATED_CLASSES, GENERATED_NUMBERS)

_FEATURES, _BLOCK, _RHO = 600, 20, 0.8


class Table(NamedTuple):
    X: np.ndarray  #: samples by features
    y: np.ndarray
    classes: bool


def names(quick: bool) -> list[str]:
    """Those that can be run here."""
    found = [name for name in (_QUICK if quick else PAPER) if available(name)]
    return found or (list(GENERATED) if quick else [])


def load(name: str, seed: int) -> Table:
    """`seed` is that of a generated table."""
    if name == GENERATED_CLASSES:
        return _generated_classes(seed)
    if name == GENERATED_NUMBERS:
        return _generated_numbers(seed)
    return Table(*load_trim32(), classes=False) if name in NUMBERS else Table(*load_matlab(name), classes=True)


def _generated_classes(seed: int) -> Table:
    """Like pictures of six people, 15 of each: neighbours are alike, and some regions differ between people."""
    people, each, regions = 6, 15, 8
    random = np.random.default_rng((seed, 0))
    y = np.repeat(np.arange(people), each)
    X = correlated(people * each, _FEATURES, _BLOCK, _RHO, random)
    X[:, : regions * _BLOCK] += np.repeat(random.standard_normal((people, regions)), _BLOCK, axis=1)[y]
    return Table(X, y, classes=True)


def _generated_numbers(seed: int) -> Table:
    """Like the expression of genes in 80 animals: five explain the target, of which one value lies far out."""
    random = np.random.default_rng((seed, 1))
    X = correlated(80, _FEATURES, _BLOCK, _RHO, random)
    y = graded_target(X, tuple(range(0, 5 * _BLOCK, _BLOCK)), 0.8, random)
    y[0] = y.mean() + 7.0 * y.std()
    return Table(X, y, classes=False)
