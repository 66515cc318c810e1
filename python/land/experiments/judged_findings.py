"""What the rows of methods that trees judged show: means, tests of land against the others, and a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .drawing import draw_means, figure, legend_below, style
from .judged_by_trees import RANDOM
from .markdown import table
from .paired import comparisons, paired_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Of a corrected, one-tailed test.
_LEVEL = 0.05


def findings(
    rows: pandas.DataFrame, order: Sequence[str], shown: Sequence[int], rivals: Sequence[str] | None = None
) -> str:
    """Of AUC and independence. `shown`: sizes that have a column. The claim is that land is better than the `rivals`;
    without them, than all others."""
    share = held_out_share(rows)
    by_split = means_of_sizes(rows)
    sizes = sizes_of(rows)
    listed = f"{sizes[0]}, {sizes[1]}, ..., {sizes[-1]}" if len(sizes) > 3 else ", ".join(map(str, sizes))
    return f"""**AUC** on held-out samples, with standard errors over {rows["split"].nunique()} splits. "All m" is the
mean over m = {listed}. "Selected" is how many features a method returned when asked for {sizes[-1]}, and "distinct"
how many of their columns differ from each other in the training samples.

{_means_table(rows, by_split, order, shown)}
{_verdict(by_split, order, rivals, "auc", share)} Best of the methods that select is {_best(by_split)}. The tests
are of the mean over all m:

{paired_table(by_split, "auc", share)}
**Independence rate** of the selected features, in the training samples; larger is less redundant, and 0.5 the least
there is. {_verdict(by_split, order, rivals, "independence", share)} That of all features is on
average that of random ones.

{paired_table(by_split[by_split["independence"].notna()], "independence", share)}"""


def held_out_share(rows: pandas.DataFrame) -> float:
    """Held-out samples for each training sample."""
    return float((rows["test"] / rows["train"]).mean())


def means_of_sizes(rows: pandas.DataFrame) -> pandas.DataFrame:
    """A row per split and method."""
    return rows.groupby(["split", "method"], as_index=False)[["auc", "independence"]].mean()


def sizes_of(rows: pandas.DataFrame) -> list[int]:
    return sorted(int(m) for m in rows["m"].dropna().unique())


def _means_table(rows: pandas.DataFrame, by_split: pandas.DataFrame, order: Sequence[str], shown: Sequence[int]) -> str:
    most = sizes_of(rows)[-1]
    lines = []
    for name in order:
        own = rows[rows["method"] == name]
        if own.empty:
            continue
        largest = own[own["m"] == most]
        lines.append(
            (
                name,
                *(mean_and_error(own.loc[own["m"] == m, "auc"]) for m in shown),
                mean_and_error(by_split.loc[by_split["method"] == name, "auc"]),
                float(largest["independence"].mean()),
                float((largest if len(largest) else own)["selected"].mean()),
                float(largest["distinct"].mean()),
            )
        )
    head = ("method", *(f"m = {m}" for m in shown), "all m", f"independence, m = {most}", "selected", "distinct")
    return table(head, lines)


def compared(by_split: pandas.DataFrame, first: str, other: str, metric: str, test_share: float) -> str:
    """Two methods: the first is "better than", "worse than", or "not told from" the other, by corrected tests."""
    both = by_split[by_split["method"].isin((first, other))]
    (found,) = comparisons(both, metric, test_share, first=first)
    return {1: "better than", -1: "worse than", 0: "not told from"}[found.sign(_LEVEL)]


def outcomes(
    by_split: pandas.DataFrame, first: str, others: Sequence[str], metric: str, test_share: float
) -> dict[str, list[str]]:
    """Which others it is "better than", "worse than" and "not told from"."""
    found: dict[str, list[str]] = {"better than": [], "worse than": [], "not told from": []}
    for name in others:
        found[compared(by_split, first, name, metric, test_share)].append(name)
    return found


def outcomes_said(found: Mapping[str, Sequence[str]]) -> str:
    said = "; ".join(f"{word} {', '.join(names)}" for word, names in found.items() if names)
    return f"by corrected tests at {_LEVEL:.0%} it is {said}"


def _verdict(
    by_split: pandas.DataFrame, order: Sequence[str], rivals: Sequence[str] | None, metric: str, test_share: float
) -> str:
    known = by_split.groupby("method")[metric].count()
    others = [name for name in order if name != "land" and known.get(name, 0)]
    found = outcomes(by_split, "land", others, metric, test_share)
    noun = {"auc": "AUC", "independence": "independence rate"}[metric]
    claim = f"the largest {noun} of all" if rivals is None else f"a larger {noun} than {' and '.join(rivals)}"
    holds = set(others if rivals is None else rivals) <= set(found["better than"])
    return f"That land has {claim} is **{'confirmed' if holds else 'not confirmed'}**: {outcomes_said(found)}."


def _best(by_split: pandas.DataFrame) -> str:
    able = by_split[by_split["independence"].notna() & (by_split["method"] != RANDOM)]
    means = able.groupby("method")["auc"].mean()
    return f"{means.idxmax()} ({means.max():.3f})"


def mean_and_error(values: pandas.Series) -> str:
    """Of one value there is no error."""
    if len(values) < 2:
        return "".join(f"{value:.3f}" for value in values)
    return f"{values.mean():.3f} ± {values.sem():.3f}"


def draw(rows: pandas.DataFrame, order: Sequence[str]) -> Figure:
    """AUC and independence rate against m. A method without m is a horizontal line."""
    made, axes = figure(1, 2, (5.2, 3.8))
    draw_judged(axes[0, 0], axes[0, 1], rows, order)
    legend_below(made, axes[0, 0], columns=5)
    return made


def draw_judged(auc: Axes, independence: Axes, rows: pandas.DataFrame, order: Sequence[str]) -> None:
    """The same into two Axes, without a legend."""
    of_sizes = rows[rows["m"].notna()]
    for ax, metric, label in ((auc, "auc", "AUC"), (independence, "independence", "independence rate")):
        draw_means(ax, of_sizes, "m", metric, "method", order)
        ax.set(xlabel="features asked for", ylabel=label)
    for name, own in rows[rows["m"].isna()].groupby("method"):
        line = {"color": style(str(name), order)["color"], "linestyle": "--", "linewidth": 1.2}
        auc.axhline(own["auc"].mean(), label=name, **line)
