"""Rooted graphlets in words: what names such as 7.5.5:01-02 mean (docs/graphlets.md)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

#: What the labels 0 to 19 of D&D are taken for, and the share of each in Swiss-Prot in per cent (PROSITE, PS50324). The
#: file does not say what its labels mean: these are in the usual order, that of the alphabet of full names.
RESIDUES: Mapping[str, float] = {
    "Ala": 7.55,
    "Arg": 5.15,
    "Asn": 4.52,
    "Asp": 5.30,
    "Cys": 1.69,
    "Gln": 4.02,
    "Glu": 6.32,
    "Gly": 6.84,
    "His": 2.24,
    "Ile": 5.72,
    "Leu": 9.33,
    "Lys": 5.93,
    "Met": 2.35,
    "Phe": 4.07,
    "Pro": 4.92,
    "Ser": 7.22,
    "Thr": 5.74,
    "Trp": 1.25,
    "Tyr": 3.19,
    "Val": 6.52,
}
_NAMES = tuple(RESIDUES)


class _Shape(NamedTuple):
    edges: str  #: as in a name, of places in `listing`
    words: str
    listing: str
    roots: Mapping[int, str]  #: where the root may be, one place for each kind


#: All connected graphs of 2 to 4 vertices.
_SHAPES = (
    _Shape("01", "a pair", "{} - {}", {0: "first"}),
    _Shape("01-12", "a path of three", "{} - {} - {}", {0: "at an end", 1: "in the middle"}),
    _Shape("01-02-12", "a triangle", "{}, {}, {}", {0: "first"}),
    _Shape("01-12-23", "a path of four", "{} - {} - {} - {}", {0: "at an end", 1: "next to an end"}),
    _Shape("01-02-03", "a star of four", "{} with {}, {}, {}", {0: "in the centre", 1: "at a tip"}),
    _Shape("01-03-12-23", "a ring of four", "{} - {} - {} - {} - the first", {0: "first"}),
    _Shape(
        "01-12-13-23",
        "a triangle with a tail",
        "tail {}, at the corner {} of the triangle with {}, {}",
        {0: "in the tail", 1: "where the tail begins", 2: "away from the tail"},
    ),
    _Shape(
        "01-02-03-12-13",
        "two triangles that share an edge",
        "edge {} - {}, tips {}, {}",
        {0: "on the edge", 2: "at a tip"},
    ),
    _Shape("01-02-03-12-13-23", "four that all touch", "{}, {}, {}, {}", {0: "first"}),
)


def in_words(name: str) -> str:
    """The same for all names of a graphlet, and for no other graphlet. Of a single vertex its label."""
    text, _, edges = name.partition(":")
    labels = [int(label) for label in text.split(".")]
    if not edges:
        return residue(labels[0])
    given = _edges(edges)
    fits = (
        (shape, place, tuple(labels[vertex] for vertex in order))
        for shape in _SHAPES
        if shape.listing.count("{}") == len(labels)
        for place in shape.roots
        for order in itertools.permutations(range(len(labels)))
        if order[place] == 0 and {frozenset(order[end] for end in edge) for edge in _edges(shape.edges)} == given
    )
    # Symmetries fit as well: the lowest labels come first. Shape and place are the same for all that fit.
    shape, place, listed = min(fits, key=lambda fit: fit[2])
    return f"{shape.words}, the root {shape.roots[place]}: {shape.listing.format(*map(residue, listed))}"


def residue(label: int) -> str:
    return _NAMES[label] if label < len(_NAMES) else f"label {label}"


def fit_of_residues(counts: np.ndarray) -> float:
    """The correlation of the shares of the residues, from counts of the labels 0 to 19, with those in Swiss-Prot."""
    return float(np.corrcoef(counts, list(RESIDUES.values()))[0, 1])


def _edges(text: str) -> set[frozenset[int]]:
    return {frozenset((int(pair[0]), int(pair[1]))) for pair in text.split("-")}
