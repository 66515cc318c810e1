"""What the rows of the enzymes show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .contact_graphs import DOBSON_DOIG
from .data_sets import missing_note
from .drawing import draw_means, figure, legend_below
from .experiment import Report, Scale
from .judged_by_trees import RANDOM, SELECTED, Judging
from .judged_findings import (
    draw_judged,
    held_out_share,
    mean_and_error,
    means_of_sizes,
    outcomes,
    outcomes_said,
    sizes_of,
)
from .judged_findings import findings as judged
from .markdown import table
from .selection_times import METHODS as TIMED
from .selection_times import RUNS

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

JUDGING = Judging(range(5, 101, 5), trees=500)
#: As few features as the paper needs.
FEW = 20
#: All features take the better part of a second for each tree.
TREES_OF_ALL = 100
ALL = f"all ({TREES_OF_ALL} trees)"
#: What can be counted without selecting anything: residues, and vertices, as a feature of trees and as they are.
RESIDUES, SIZE_BY_TREES, SIZE = "20 residues", "size by trees", "size itself"
_TRIVIAL = (RESIDUES, SIZE_BY_TREES, SIZE)
_ORDER = (*SELECTED, RANDOM, ALL, *_TRIVIAL)
#: What land is better than in the paper, and over how many splits.
_RIVALS = ("mr-nhsic", "mrmr")
_PAPER_SPLITS = 5


def report(rows: pandas.DataFrame, scale: Scale) -> Report:
    names = ("graphs", "split", "all trees", "motif", "time")
    graphs, splits, all_trees, motifs, times = (rows[rows["part"] == name] for name in names)
    if splits.empty:
        made, axes = figure(1, 1, (5.2, 3.8))
        _draw_times(axes[0, 0], times)
        return Report(f"{missing_note(['D&D'])}\n{_times(times)}", made)
    parts = [
        _graphs(graphs.iloc[0]),
        _protocol(splits, all_trees.iloc[0]),
        judged(splits, _ORDER, [m for m in (5, FEW, 50, 100) if m in sizes_of(splits)], _RIVALS),
        few_found(splits, graphs.iloc[0]["features"]),
        _first_splits(splits),
        _motifs(motifs, splits),
        _times(times),
    ]
    made, axes = figure(1, 3, (4.8, 3.8))
    draw_judged(axes[0, 0], axes[0, 1], splits, _ORDER)
    _draw_times(axes[0, 2], times)
    legend_below(made, axes[0, 0], columns=9)
    return Report("\n\n".join(parts), made)


def _graphs(about: pandas.Series) -> str:
    shape = f"""{about["samples"]:,.0f} graphs, {about["enzymes"]:.0f} of them enzymes, and {about["features"]:,.0f}
features: the rooted graphlets of up to 4 vertices that occur. {about["different"]:,.0f} of them differ other than by a
factor: the roots of a graphlet, for example, have the same counts but for a factor, so that it does not matter which
vertex is the root. An enzyme has {about["size_of_enzymes"]:.0f} vertices on average, another graph
{about["size_of_others"]:.0f}."""
    if about["data"] != DOBSON_DOIG:
        return f"""**All data are generated**, and say nothing about proteins: chains with contacts, where enzymes are
larger, and have the triangle of His, Asp and Ser several times. There are {shape}"""
    return f"""The data are the proteins of Dobson and Doig. Vertices are residues, and those that are near each other
in the structure are joined. There are {shape}

The file does not say what its labels mean. Here labels 0 to 19, which are {about["in_residues"]:.1%} of all vertices,
are taken for the residues in the order of the alphabet. The shares of the labels then have a correlation of
{about["fit_of_residues"]:.3f} with those of the residues in Swiss-Prot."""


def _protocol(splits: pandas.DataFrame, all_trees: pandas.Series) -> str:
    first = splits.iloc[0]
    fewer = splits[(splits["method"] == ALL) & (splits["split"] == all_trees["split"])].iloc[0]
    return f"""Each method selects from {first["train"]:.0f} graphs; {first["test"]:.0f}, with the same shares of the
classes, are held out. The paper has {_PAPER_SPLITS} such splits, but an AUC of so few graphs varies. Trees are those of
LightGBM: {JUDGING.trees} of {JUDGING.leaves} leaves, and otherwise its defaults. "{RANDOM}" is as many features at
random. "{RESIDUES}" are the counts of the 20 residues. "{SIZE_BY_TREES}" has the number of vertices as the only feature
of the trees; "{SIZE}" is the AUC of that number as it is, without learning.

"{ALL}" is all features. {fewer["selected"]:,.0f} columns are left without copies and without those that no tree can
split at, which changes no tree. The trees are fewer since they take long: {JUDGING.trees} were grown in one split. They
took {all_trees["wall_seconds"]:.0f} seconds with all threads, and have an AUC of {all_trees["auc"]:.3f}; {TREES_OF_ALL}
have {fewer["auc"]:.3f} there."""


def few_found(splits: pandas.DataFrame, features: float) -> str:
    import pandas

    most = sizes_of(splits)[-1]
    few, many = f"land with {FEW}", f"land with {most}"
    own = splits[(splits["method"] == "land") & splits["m"].isin((FEW, most))]
    own = own.assign(method="land with " + own["m"].astype(int).astype(str))
    by_split = means_of_sizes(pandas.concat([own, splits[splits["method"].isin((*_TRIVIAL, ALL))]]))
    found = outcomes(by_split, few, (*_TRIVIAL, ALL, many), "auc", held_out_share(splits))
    holds = many not in found["worse than"] and set(_TRIVIAL) <= set(found["better than"])
    auc = {name: mean_and_error(values) for name, values in by_split.groupby("method")["auc"]}
    return f"""**As few as {FEW}.** With {FEW} features, {1.0 - FEW / features:.3%} fewer than there are, land has an
AUC of {auc[few]}; with {most}, of {auc[many]}. That its accuracy is high with {FEW} is taken to mean that it is better
than what needs no selection, {", ".join(_TRIVIAL)}, and not worse than with {most}:
**{"confirmed" if holds else "not confirmed"}**. In fact {outcomes_said(found)}."""


def _first_splits(splits: pandas.DataFrame) -> str:
    first = means_of_sizes(splits[splits["split"] < _PAPER_SPLITS])
    auc, independence = first.groupby("method")["auc"].mean(), first.groupby("method")["independence"].mean()
    said = ", ".join(f"{name} {auc[name]:.3f} and {independence[name]:.3f}" for name in ("land", *_RIVALS))
    return f"""Over the first {first["split"].nunique()} splits alone, means over all m of AUC and independence rate
are: {said}."""


def _motifs(motifs: pandas.DataFrame, splits: pandas.DataFrame) -> str:
    """Those of most splits."""
    found = means_of_motifs(motifs)
    count = splits["split"].nunique()
    often = found[found["splits"] > count / 2]
    size = splits.loc[splits["method"] == SIZE, "auc"].mean()
    head = ("graphlet", "splits", "in enzymes", "in others", "AUC", "AUC, per vertex")
    return f"""**The motifs.** land selects {len(found)} different graphlets in {count} splits, {FEW} in each;
{len(often)} of them in more than half of the splits. These are below, with their mean counts in held-out graphs, and
the AUC of the count alone: above 0.5 it is larger in enzymes. So is the size, whose AUC is {size:.3f}; the last column
has the AUC of the count divided by the size.

{table(head, often.itertuples(index=False))}"""


def means_of_motifs(motifs: pandas.DataFrame) -> pandas.DataFrame:
    """A row per graphlet: the number of splits in which it is selected, and means over these, most splits first."""
    groups = motifs.groupby("words")
    found = groups[["in_enzymes", "in_others", "auc", "auc_per_vertex"]].mean()
    found.insert(0, "splits", groups.size())
    return found.sort_values(["splits", "auc"], ascending=False).reset_index()


def _times(times: pandas.DataFrame) -> str:
    one = times[times["threads"] == 1].pivot(index="features", columns="method", values="cpu_seconds")
    every = times[times["threads"] == times["threads"].max()]
    wall = every.pivot(index="features", columns="method", values="wall_seconds")
    lines = [
        (int(d), *(float(one.at[d, name]) for name in TIMED), *(float(wall.at[d, name]) for name in TIMED))
        for d in one.index
    ]
    head = ("features", *TIMED, *(f"{name}, all threads" for name in TIMED))
    kind = "graphs" if times["data"].iloc[0] == DOBSON_DOIG else "made-up graphs"
    first, largest = times.iloc[0], one.loc[one.index.max()]
    ratios = " and ".join(f"{largest['land'] / largest[name]:.2g} times as long as {name}" for name in _RIVALS)
    return f"""**Time** to select {first["m"]:.0f} features from {first["samples"]:,.0f} {kind}: features at random, in
memory as sparse columns; the least of {RUNS} runs. Seconds of the processor on one thread, and on the clock with all
({every["threads"].iloc[0]:.0f}). With the most features land takes {ratios} on one thread.

{table(head, lines)}"""


def _draw_times(ax: Axes, times: pandas.DataFrame) -> None:
    """Fig. 5C."""
    draw_means(ax, times[times["threads"] == 1], "features", "cpu_seconds", "method", _ORDER, errors=False)
    ax.set(xscale="log", yscale="log", xlabel="features", ylabel="processor seconds")
