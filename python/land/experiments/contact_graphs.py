"""Graphs of residues that touch, as text (docs/graphlets.md): those of Dobson and Doig, or made-up ones."""

from __future__ import annotations

import zipfile

import numpy as np

from .data_sets import path_of

DOBSON_DOIG, MADE_UP = "D&D", "made up"
#: The class of enzymes, in both. D&D is known to have 691 enzymes and 487 others, and so many are of class 0.
ENZYMES = 0

_GRAPHS = 120
_RESIDUES = 20
#: A chain of every made-up enzyme passes this triangle several times: His, Asp, Ser.
_SITE = (8, 3, 15)


def as_text(source: str, seed: int) -> bytes:
    """`seed` is that of made-up graphs."""
    if source == MADE_UP:
        return _made_up(seed)
    with zipfile.ZipFile(path_of("D&D")) as held:
        return held.read("DD/DD.txt")


def _made_up(seed: int) -> bytes:
    """Chains with contacts between residues near each other in the chain. Enzymes are larger, and have sites."""
    random = np.random.default_rng(seed)
    lines = [str(_GRAPHS)]
    for number in range(_GRAPHS):
        enzyme = number % 12 < 7
        size = int(random.integers(20, 50)) + (10 if enzyme else 0)
        labels = random.integers(_RESIDUES, size=size)
        contacts = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
        near = (contacts == 1) | ((contacts < 8) & (random.random((size, size)) < 0.12))
        for place in random.choice(size // 3, size=3, replace=False) * 3 if enzyme else ():
            labels[place : place + 3] = _SITE
            near[place, place + 2] = True
        near |= near.T
        lines.append(f"{size} {ENZYMES if enzyme else 1}")
        for label, touched in zip(labels, near):
            others = np.flatnonzero(touched)
            lines.append(" ".join(map(str, (label, len(others), *others))))
    return "\n".join(lines).encode()
