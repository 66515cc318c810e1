"""Mutants of p53: AUC and independence rate of selected features, where active ones are rare."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from . import p53_table
from .data_sets import available, missing_note, path_of
from .experiment import Experiment, Piece, Report, Row, Scale
from .judged_by_trees import (
    ALL,
    RANDOM,
    SELECTED,
    Judging,
    judge_choices,
    judge_table,
    random_features,
    select,
    stratified_split,
)
from .judged_findings import draw, findings

if TYPE_CHECKING:
    import pandas

_ORDER = (*SELECTED, RANDOM, ALL)
_JUDGING = Judging()
_SHOWN = (10, 50, 100)
#: So that 26,120 of 31,420 mutants are left to train with, as in the paper.
_HELD_OUT = 5_300 / 31_420
_QUICK = (3000, 1200, 60)


@functools.lru_cache(maxsize=1)
def _table(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    if kind == "real":
        return p53_table.read(path_of("p53"))
    sizes = _QUICK if kind == "small" else (p53_table.SAMPLES, p53_table.FEATURES, p53_table.ACTIVE)
    return p53_table.make(*sizes, seed)


def _split(kind: str, seed: int, number: int) -> list[Row]:
    X, y = _table(kind, seed)
    split = stratified_split(y, round(_HELD_OUT * len(y)), seed, number)
    judging = _JUDGING._replace(sizes=_SHOWN) if kind == "small" else _JUDGING
    choices = {method: select(X, y, split.train, method, judging) for method in SELECTED}
    choices[RANDOM] = random_features(X.shape[1], seed, split, judging)
    rows = judge_choices(lambda indices: X[:, indices], y, split, choices, seed, judging)
    rows.append(judge_table(X, y, split, ALL, seed, judging))
    about = {"data": kind, "samples": len(y), "features": X.shape[1], "active": int(y.sum())}
    return [row | about for row in rows]


def _pieces(scale: Scale) -> list[Piece]:
    """Reading a gigabyte of text is not for the small version: that has generated data always."""
    kind = "small" if scale.quick else "real" if available("p53") else "generated"
    return [Piece(f"{kind}, split {k}", _split, (kind, scale.seed, k)) for k in range(scale.count(20, 2))]


def _report(rows: pandas.DataFrame, scale: Scale) -> Report:
    text = f"{_data(rows)}\n\n{_protocol(rows)}\n\n{findings(rows, _ORDER, _SHOWN)}"
    return Report(text, draw(rows, _ORDER))


def _data(rows: pandas.DataFrame) -> str:
    first = rows.iloc[0]
    shape = f"{first['samples']:,} mutants, {first['active']} of them active, and {first['features']:,} features"
    if first["data"] == "real":
        return f"The data are those of the UCI repository, without mutants that have missing values: {shape}."
    absent = "" if available("p53") else f"\n\n{missing_note(['p53']).strip()}"
    return f"""**All data are generated**, and say nothing about p53: they have the shape of the real table, and
planted differences. There are {shape}. {p53_table.IN_WORDS}{absent}"""


def _protocol(rows: pandas.DataFrame) -> str:
    first = rows.iloc[0]
    return f"""Each method selects from {first["train"]:,} mutants; {first["test"]:,}, with the same share of active
ones, are held out. Trees are those of LightGBM: {_JUDGING.trees} of {_JUDGING.leaves} leaves, and otherwise its
defaults. "random" is as many features at random, "all" is all of them. The importance of a random forest was left out:
500 trees on such a table take longer than everything else here."""


EXPERIMENT = Experiment(
    name="p53",
    title="p53: AUC and independence rate against the number of features",
    paper="AUC and independence rate of 10 to 100 features selected from 5,408, over 20 splits of 31,420 mutants, "
    "judged by gradient-boosted trees (100 trees, 20 leaves).",
    pieces=_pieces,
    report=_report,
)
