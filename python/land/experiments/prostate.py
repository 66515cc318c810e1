"""Prostate cancer: what selected copy numbers say of the Gleason score, and what one number says; time at its shape."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from . import copy_numbers
from .choosing import forest_choice
from .data_sets import available, missing_note
from .experiment import Experiment, Piece, Report, Row, Scale
from .judged_by_trees import (
    ALL,
    RANDOM,
    SELECTED,
    Judging,
    first_of,
    judge_choices,
    judge_number,
    judge_table,
    random_features,
    select,
    stratified_split,
)
from .judged_findings import compared, draw, findings, held_out_share, means_of_sizes
from .markdown import table
from .planted import two_classes
from .selection_times import RUNS, selection_times

if TYPE_CHECKING:
    import pandas

_FOREST = "forest"
#: The one number: as the only feature of the same trees, and as it is.
_ALTERED, _NUMBER = "altered, trees", "altered, itself"
_ORDER = (*SELECTED, _FOREST, RANDOM, ALL, _ALTERED, _NUMBER)
_HELD_OUT = 0.2
_JUDGING = Judging()
#: The paper's number of features.
_FULL = 276_322
_PLANTED = 100


@functools.lru_cache(maxsize=1)
def _table(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return copy_numbers.read() if kind == "real" else copy_numbers.make(300, 3000, seed)


def _split(kind: str, seed: int, number: int) -> list[Row]:
    X, y = _table(kind, seed)
    split = stratified_split(y, round(_HELD_OUT * len(y)), seed, number)
    own, own_y, most = X[split.train], y[split.train], _JUDGING.sizes[-1]
    choices = {method: select(X, y, split.train, method, _JUDGING) for method in SELECTED}
    choices[_FOREST] = first_of(forest_choice(own, own_y, most, classes=True, seed=seed), _JUDGING)
    choices[RANDOM] = random_features(X.shape[1], seed, split, _JUDGING)
    altered = copy_numbers.altered_fraction(X)
    rows = [
        *judge_choices(lambda indices: X[:, indices], y, split, choices, seed, _JUDGING),
        judge_table(X, y, split, ALL, seed, _JUDGING),
        judge_table(altered[:, None], y, split, _ALTERED, seed, _JUDGING),
        judge_number(altered, y, split, _NUMBER),
    ]
    about = {
        "data": kind,
        "samples": len(y),
        "features": X.shape[1],
        "different": len(np.unique(X, axis=1).T),
        "high": int(y.sum()),
    }
    return [row | about for row in rows]


def _times(samples: int, features: int, seed: int) -> list[Row]:
    X, y = two_classes(samples, features, _PLANTED, [seed, samples, features])
    return selection_times(X, y, _JUDGING.sizes[-1])


def _pieces(scale: Scale) -> list[Piece]:
    """Without the real data there are the times, and in the small version a made-up table."""
    kind = "real" if available("PRAD") else "generated"
    times = Piece("times", _times, (302, 20_000 if scale.quick else _FULL, scale.seed))
    if kind == "generated" and not scale.quick:
        return [times]
    return [*(Piece(f"{kind}, split {k}", _split, (kind, scale.seed, k)) for k in range(scale.count(20, 2))), times]


def _report(rows: pandas.DataFrame, scale: Scale) -> Report:
    splits = rows[rows["part"] == "split"]
    times = _times_found(rows[rows["part"] == "time"])
    if splits.empty:
        return Report(f"{missing_note(['PRAD'])}\n{times}", draw(splits, _ORDER))
    judged = findings(splits, _ORDER, (10, 50, 100))
    text = f"{_data(splits)}\n\n{_protocol(splits)}\n\n{judged}\n{_one_number_found(splits)}\n{times}"
    return Report(text, draw(splits, _ORDER))


def _data(splits: pandas.DataFrame) -> str:
    first = splits.iloc[0]
    shape = f"""{first["samples"]:,.0f} tumours, {first["high"]:.0f} of them in class 1, and {first["features"]:,.0f}
genes, of which {first["different"]:,.0f} differ from each other: the rest are identical copies, since neighbours are
altered together."""
    if first["data"] == "real":
        return f"""The data are copy numbers from -2 to 2 of TCGA PRAD. Class 1 is a Gleason score of
{copy_numbers.HIGH} or more, the usual line between high grade and the rest. There are {shape}"""
    return f"""**All data are generated**, and say nothing about cancer: genomes altered in segments, where class 1 is
likelier the more is altered, and likelier still if one of two genes is lost. There are {shape}

{missing_note(["PRAD"]).strip()}"""


def _protocol(splits: pandas.DataFrame) -> str:
    first = splits.iloc[0]
    return f"""Each method selects from {first["train"]:.0f} tumours; {first["test"]:.0f}, with the same shares of the
classes, are held out. Trees are those of LightGBM: {_JUDGING.trees} of {_JUDGING.leaves} leaves, and otherwise its
defaults. "forest" is the importance in a random forest of 500 trees, "random" as many features at random, "all" all of
them. The one number is the share of the genome that is altered (copy numbers that are not 0): "{_ALTERED}" has it as
the only feature of the trees, "{_NUMBER}" is the AUC of the number as it is, without learning."""


def _one_number_found(splits: pandas.DataFrame) -> str:
    by_split = means_of_sizes(splits)
    share = held_out_share(splits)
    others = (*SELECTED, _FOREST, RANDOM, ALL)
    better = [name for name in others if compared(by_split, name, _NUMBER, "auc", share) == "better than"]
    worse = [name for name in others if compared(by_split, name, _NUMBER, "auc", share) == "worse than"]
    means = by_split.groupby("method")["auc"].mean()
    above = [name for name in others if means[name] > means[_NUMBER]]
    verdict = "confirmed" if "land" in better else "not confirmed"
    return f"""**The one number.** Copy numbers are worth selecting if they say more than how much of the genome is
altered, which has an AUC of {means[_NUMBER]:.3f} as it is. land does, by a corrected test of the mean over all m:
**{verdict}** ({means["land"]:.3f}). Of all, better by that test: {", ".join(better) or "none"}; worse:
{", ".join(worse) or "none"}; with a larger mean: {", ".join(above) or "none"}.
"""


def _times_found(times: pandas.DataFrame) -> str:
    first = times.iloc[0]
    lines = [
        (row.method, int(row.threads), float(row.wall_seconds), float(row.cpu_seconds), int(row.selected))
        for row in times.itertuples()
    ]
    head = ("method", "threads", "seconds", "of the processor", "selected")
    return f"""**Time** to select {first["m"]:.0f} of {first["features"]:,.0f} features from {first["samples"]:.0f}
samples, the least of {RUNS} runs. The table is generated: noise in float32, in which {_PLANTED} features tell two
classes apart. {"It has the shape that the paper took." if first["features"] == _FULL else ""}

{table(head, lines)}"""


EXPERIMENT = Experiment(
    name="prostate",
    title="Prostate cancer: AUC and independence rate against the number of features",
    paper="AUC and independence rate of 10 to 100 selected features, judged by gradient-boosted trees (100 trees, 20 "
    "leaves), and the time of a selection from 276,322 features of 302 samples.",
    pieces=_pieces,
    report=_report,
    timed=True,
)
