"""Features selected from the training part of a split, judged by boosted trees on the rest: what p53 and prostate share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import land

from ..paired_tests import paired_test
from .boosted_trees import auc_of_trees
from .choosing import random_choice
from .drawing import draw_means, figure, legend_below, style
from .experiment import Row
from .markdown import table
from .paired import paired_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

TREES, LEAVES = 100, 20
#: How many features are asked for.
SIZES = tuple(range(10, 101, 10))
#: The methods of land.select.
SELECTED = ("land", "mr-nhsic", "mrmr", "lasso")
RANDOM, ALL = "random", "all"
#: Of a corrected, one-tailed test.
_LEVEL = 0.05


class Split(NamedTuple):
    number: int
    train: np.ndarray  #: numbers of samples, in order
    test: np.ndarray


def stratified_split(y: np.ndarray, held_out: int, seed: int, number: int) -> Split:
    """At random, with the shares of the classes kept."""
    from sklearn.model_selection import train_test_split

    train, test = train_test_split(np.arange(len(y)), test_size=held_out, stratify=y, random_state=1000 * seed + number)
    return Split(number, np.sort(train), np.sort(test))


def select(X: np.ndarray, y: np.ndarray, train: np.ndarray, method: str) -> dict[int, np.ndarray]:
    """Of every size, by the training samples alone. X is not copied."""
    found = land.select(
        X, y, n_features=SIZES[-1], method=method, samples=train, task="classification", seed=1, threads=1
    )
    return {m: np.asarray(found.truncate(m).indices, dtype=np.int64) for m in SIZES}


def first_of(order: np.ndarray) -> dict[int, np.ndarray]:
    return {m: order[:m] for m in SIZES}


def random_features(features: int, seed: int, split: Split) -> dict[int, np.ndarray]:
    return first_of(random_choice(features, SIZES[-1], (seed, split.number)))


def judge(X: np.ndarray, y: np.ndarray, split: Split, method: str, m: float, indices: np.ndarray, seed: int) -> Row:
    """`m`: what was asked for; NaN where nothing was. Redundancy is that of the training samples, and not of all."""
    own, others = X[np.ix_(split.train, indices)], X[np.ix_(split.test, indices)]
    few = len(indices) <= SIZES[-1]
    return row_of(split, method, m, len(indices), auc_on(own, y[split.train], others, y[split.test], seed)) | {
        "distinct": len(np.unique(own, axis=1).T) if few else np.nan,
        "independence": independence_rate(own) if few else np.nan,
    }


def row_of(split: Split, method: str, m: float, selected: int, auc: float) -> Row:
    return {
        "part": "split",
        "split": split.number,
        "method": method,
        "m": m,
        "train": len(split.train),
        "test": len(split.test),
        "selected": selected,
        "auc": auc,
    }


def auc_on(X: np.ndarray, y: np.ndarray, others: np.ndarray, y_others: np.ndarray, seed: int) -> float:
    return auc_of_trees(X, y, others, y_others, trees=TREES, leaves=LEAVES, seed=seed, threads=1)


def judge_all(
    X: np.ndarray, y: np.ndarray, split: Split, choices: Mapping[str, Mapping[int, np.ndarray]], seed: int
) -> list[Row]:
    """A row for each method and size, and one for all features."""
    rows = [
        judge(X, y, split, method, m, indices, seed)
        for method, of_sizes in choices.items()
        for m, indices in of_sizes.items()
    ]
    return [*rows, judge(X, y, split, ALL, np.nan, np.arange(X.shape[1]), seed)]


def independence_rate(X: np.ndarray) -> float:
    """1 - sum over pairs of |rho| / (m (m - 1)), as land.evaluate has it: a constant feature has rho 0."""
    m = X.shape[1]
    if m < 2:
        return 1.0
    centred = X - X.mean(axis=0, dtype=np.float64)
    norms = np.sqrt(np.sum(centred**2, axis=0))
    unit = centred / np.where(X.max(axis=0) > X.min(axis=0), norms, np.inf)
    rho = np.abs(unit.T @ unit)
    return float(1.0 - np.triu(rho, 1).sum() / (m * (m - 1)))


# --- findings -----------------------------------------------------------------------------------------------------


def findings(rows: pandas.DataFrame, order: Sequence[str]) -> str:
    """Of AUC and independence: means, and tests of land against each other method."""
    share = float((rows["test"] / rows["train"]).mean())
    by_split = means_of_sizes(rows)
    return f"""**AUC** on held-out samples, with standard errors over {rows["split"].nunique()} splits. "All m" is the mean over m = {SIZES[0]}, {SIZES[1]}, ...,
{SIZES[-1]}. "Selected" is how many features a method returned when asked for {SIZES[-1]}, and "distinct" how many of their columns
differ from each other in the training samples.

{_means_table(rows, by_split, order)}
{_verdicts(by_split, order, "auc", share)} Best of the methods that select is {_best(by_split)}. The tests
are of the mean over all m:

{paired_table(by_split, "auc", share)}
**Independence rate** of the selected features, in the training samples; larger is less redundant, and 0.5 the least there is.
{_verdicts(by_split, order, "independence", share)} That of all features is on average that of random ones.

{paired_table(by_split[by_split["independence"].notna()], "independence", share)}"""


def means_of_sizes(rows: pandas.DataFrame) -> pandas.DataFrame:
    """A row per split and method."""
    return rows.groupby(["split", "method"], as_index=False)[["auc", "independence"]].mean()


def _means_table(rows: pandas.DataFrame, by_split: pandas.DataFrame, order: Sequence[str]) -> str:
    shown = (SIZES[0], 50, SIZES[-1])
    lines = []
    for name in order:
        own = rows[rows["method"] == name]
        largest = own[own["m"] == SIZES[-1]]
        lines.append(
            (
                name,
                *(_mean(own.loc[own["m"] == m, "auc"]) for m in shown),
                _mean(by_split.loc[by_split["method"] == name, "auc"]),
                float(largest["independence"].mean()),
                float((largest if len(largest) else own)["selected"].mean()),
                float(largest["distinct"].mean()),
            )
        )
    head = ("method", *(f"m = {m}" for m in shown), "all m", f"independence, m = {SIZES[-1]}", "selected", "distinct")
    return table(head, lines)


def compared(by_split: pandas.DataFrame, first: str, other: str, metric: str, test_share: float) -> str:
    """Two methods: the first is "better than", "worse than", or "not told from" the other, by corrected tests."""
    wide = by_split.pivot(index="split", columns="method", values=metric)
    own, values = wide[first].to_numpy(), wide[other].to_numpy()
    if paired_test(own, values, test_share).p_corrected < _LEVEL:
        return "better than"
    return "worse than" if paired_test(values, own, test_share).p_corrected < _LEVEL else "not told from"


def _verdicts(by_split: pandas.DataFrame, order: Sequence[str], metric: str, test_share: float) -> str:
    known = by_split.groupby("method")[metric].count()
    others = [name for name in order if name != "land" and known.get(name, 0)]
    found: dict[str, list[str]] = {"better than": [], "worse than": [], "not told from": []}
    for name in others:
        found[compared(by_split, "land", name, metric, test_share)].append(name)
    said = "; ".join(f"{word} {', '.join(names)}" for word, names in found.items() if names)
    noun = {"auc": "AUC", "independence": "independence rate"}[metric]
    verdict = "confirmed" if len(found["better than"]) == len(others) else "not confirmed"
    return f"That land has the largest {noun} of all is **{verdict}**: by corrected tests at {_LEVEL:.0%} it is {said}."


def _best(by_split: pandas.DataFrame) -> str:
    able = by_split[by_split["independence"].notna() & (by_split["method"] != RANDOM)]
    means = able.groupby("method")["auc"].mean()
    return f"{means.idxmax()} ({means.max():.3f})"


def _mean(values: pandas.Series) -> str:
    if values.empty:
        return ""
    return f"{values.mean():.3f} ± {values.sem():.3f}"


def draw(rows: pandas.DataFrame, order: Sequence[str]) -> Figure:
    """AUC and independence rate against m. A method without m is a horizontal line."""
    made, axes = figure(1, 2, (5.2, 3.8))
    of_sizes = rows[rows["m"].notna()]
    for ax, metric, label in zip(axes[0], ("auc", "independence"), ("AUC", "independence rate")):
        draw_means(ax, of_sizes, "m", metric, "method", order)
        ax.set(xlabel="features asked for", ylabel=label)
    for name, own in rows[rows["m"].isna()].groupby("method"):
        line = {"color": style(str(name), order)["color"], "linestyle": "--", "linewidth": 1.2}
        axes[0, 0].axhline(own["auc"].mean(), label=name, **line)
    legend_below(made, axes[0, 0], columns=5)
    return made
