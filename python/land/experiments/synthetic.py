"""The paper's made-up example: its path, and how time grows with the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import land

from . import growth
from .drawing import figure
from .experiment import Experiment, Piece, Report, Row, Scale
from .markdown import table
from .planted import paper_example

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_SAMPLES, _FEATURES, _SELECTED = 300, 2000, 10
#: X1, X2 and X3 of the target are the first features.
_TRUE = 3
#: In what share of the tables the three have to come first.
_MOSTLY = 0.9


def stands_for(index: int, features: int) -> str:
    """Which of the true features this is, or is a copy of."""
    original = index % (features // 2)
    if original >= _TRUE:
        return "noise"
    return f"X{original + 1}" + (" (copy)" if original != index else "")


def true_come_first(entered: list[str]) -> bool:
    """The first to enter are the true features, each once, as itself or as its copy."""
    first = [name.removesuffix(" (copy)") for name in entered[:_TRUE]]
    return sorted(first) == [f"X{k + 1}" for k in range(_TRUE)]


def _path(seed: int, number: int) -> list[Row]:
    """A row for each feature that is active at a knot; `event` is what happens to it there."""
    X, y = paper_example(_SAMPLES, _FEATURES, [seed, number])
    selection = land.select(X, y, n_features=_SELECTED)
    return [
        {
            "part": "path",
            "table": number,
            "knot": at,
            "lambda": knot.lambda_,
            "index": int(index),
            "stands_for": stands_for(int(index), _FEATURES),
            "coefficient": float(coefficient),
            "event": knot.event if index == knot.index else "",
        }
        for at, knot in enumerate(selection.path)
        for index, coefficient in zip(knot.indices, knot.coefficients)
    ]


def _pieces(scale: Scale) -> list[Piece]:
    tables = scale.count(100, 10)
    paths = [Piece(f"path of table {number}", _path, (scale.seed, number)) for number in range(tables)]
    return [*paths, *growth.pieces(scale)]


def _report(rows: pandas.DataFrame, scale: Scale) -> Report:
    paths = rows[rows["part"] == "path"]
    made, axes = figure(1, 1 + growth.panels(scale))
    _draw_path(axes[0, 0], paths[paths["table"] == 0])
    growth.draw(list(axes[0, 1:]), rows, scale)
    return Report(f"{_paths_found(paths)}\n{growth.findings(rows, scale)}", made)


def _paths_found(paths: pandas.DataFrame) -> str:
    entries = paths[paths["event"] == "enter"]
    orders = entries.groupby("table")["stands_for"].agg(list)
    first = orders.map(true_come_first)
    last = paths[paths["knot"] == paths.groupby("table")["knot"].transform("max")]
    both = last[last["stands_for"] != "noise"].groupby("table")["index"].agg(_has_a_pair)
    lines = [
        (rank + 1, int(row["index"]), row["stands_for"], float(row["lambda"]))
        for rank, (_, row) in enumerate(entries[entries["table"] == 0].iterrows())
    ]
    verdict = "confirmed" if first.mean() >= _MOSTLY else "not confirmed"
    return f"""All data are generated: Y = X1 exp(X2) + X3 + 0.1 E, all N(0, 1), where the second half of the features
are near copies of the first half.

**The path.** {_SELECTED} of {_FEATURES:,} features are selected from {_SAMPLES} samples. The three features of the
target, each as itself or as its copy, should enter before any noise. They do in {first.sum()} of {len(first)} tables,
and at least {_MOSTLY:.0%} were asked for: **{verdict}**. A feature of the target is selected together with its copy in
{both.sum()} of {len(first)}. The first table, in the order of entry:

{table(("", "feature", "stands for", "lambda"), lines)}"""


def _has_a_pair(indices: pandas.Series) -> bool:
    return bool((indices % (_FEATURES // 2)).duplicated().any())


def _draw_path(ax: Axes, path: pandas.DataFrame) -> None:
    """Coefficients against lambda, as in Fig. 1a."""
    for index, own in path.groupby("index"):
        name = own["stands_for"].iloc[0]
        if name == "noise":
            ax.plot(own["lambda"], own["coefficient"], color="0.7", linewidth=1.0, zorder=1)
        else:
            ax.plot(own["lambda"], own["coefficient"], marker="o", markersize=3, label=f"{name}, feature {int(index)}")
    ax.invert_xaxis()
    ax.set(xlabel="lambda", ylabel="coefficient")
    ax.set_title(f"Path of {_SELECTED} features (grey: noise)", fontsize="medium")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize="small")


EXPERIMENT = Experiment(
    name="synthetic",
    title="Synthetic data: the path, and how time grows",
    paper="Fig. 1a is the path of 10 features, Fig. 1b time against samples, Table 1 the work of each algorithm.",
    pieces=_pieces,
    report=_report,
    timed=True,
)
