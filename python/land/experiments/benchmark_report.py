"""What the rows of the benchmarks show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .benchmark_tables import CLASSES, GENERATED, GENERATED_CLASSES, PAPER
from .data_sets import missing_note
from .drawing import draw_means, figure, legend_below
from .experiment import Report, Scale
from .kernel_machines import CLASS_WIDTHS, NUMBER_WIDTHS, PENALTIES
from .markdown import table
from .paired import comparisons, paired_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FOREST, RANDOM, ALL = "forest", "random", "all"
#: Floor and ceiling: they select nothing.
_TRIVIAL = (RANDOM, ALL)
#: Held-out samples for each training sample, in five folds.
_TEST_SHARE = 0.25
_LEVEL = 0.05


class Outcome(NamedTuple):
    """Of LAND with another method on a set."""

    set: str
    other: str
    sign: int  #: 1 if LAND is better, -1 if it is worse, 0 if they cannot be told apart


def report(rows: pandas.DataFrame, scale: Scale) -> Report:
    names = list(rows["set"].unique())
    found = [outcome for name in names for outcome in outcomes(rows, name)]
    parts = [
        _about(rows, names),
        _scores(rows, names),
        _verdict(rows, found),
        _paired(rows, names),
        _remarks(rows, names),
        "" if scale.quick else missing_note(list(PAPER)),
    ]
    return Report("\n".join(part for part in parts if part), _figure(rows, names))


def over_sizes(rows: pandas.DataFrame, name: str, metric: str) -> pandas.DataFrame:
    """A row for each split and method of a set: the mean of the metric over all m."""
    own = rows[rows["set"] == name]
    return own.groupby(["split", "method"])[metric].mean().reset_index()


def outcomes(rows: pandas.DataFrame, name: str) -> list[Outcome]:
    metric = _metric(name)
    compared = comparisons(over_sizes(rows, name, metric), metric, _TEST_SHARE, smaller=metric == "mse")
    return [Outcome(name, one.other, one.sign(_LEVEL)) for one in compared]


def holds(found: list[Outcome], rivals: list[str]) -> bool:
    """LAND is better than each on some set, and worse on none."""
    signs = {rival: [one.sign for one in found if one.other == rival] for rival in rivals}
    return all(max(own) == 1 and min(own) >= 0 for own in signs.values())


def _metric(name: str) -> str:
    return "accuracy" if _has_classes(name) else "mse"


def _has_classes(name: str) -> bool:
    return name in (*CLASSES, GENERATED_CLASSES)


def _methods(rows: pandas.DataFrame) -> list[str]:
    return list(rows["method"].unique())


def _sizes(rows: pandas.DataFrame) -> list[int]:
    return sorted(rows.loc[rows["method"] != ALL, "m"].unique())


# --- text ---------------------------------------------------------------------------------------------------------


def _about(rows: pandas.DataFrame, names: list[str]) -> str:
    data = "All data are generated. " if set(names) <= set(GENERATED) else ""
    splits = rows.groupby("set")["split"].nunique()
    sets = ", ".join(f"{name} ({splits[name]} splits)" for name in names)
    sizes = ", ".join(str(m) for m in _sizes(rows))
    return f"""{data}Sets: {sets}.

A split holds out a fifth of the samples, every sample once in five splits. Each method selects m features, {sizes},
from the other four fifths alone. The selected features then predict the held-out samples: classes by kernel logistic
regression, numbers by kernel ridge regression. Both have a Gaussian kernel, whose width and penalty are chosen by
cross-validation over three folds of the training samples. The floor is `{RANDOM}`, features drawn by chance, and the
ceiling `{ALL}`, all features. Errors are standard errors over splits; since splits share training samples, they are
too small.
"""


def _scores(rows: pandas.DataFrame, names: list[str]) -> str:
    most = max(_sizes(rows))
    at_most = rows[(rows["m"] == most) | (rows["method"] == ALL)]
    with_classes = [name for name in names if _has_classes(name)]
    text = ""
    if with_classes:
        text += f"**Accuracy with {most} features**\n\n{_accuracies(at_most, with_classes)}\n"
        text += f"**Accuracy, mean over m**\n\n{_accuracies(rows, with_classes)}\n"
    for name in names:
        if not _has_classes(name):
            text += f"**{name}.** One value of the target lies far out, and weighs heavily where it is held out.\n\n"
            text += f"With {most} features:\n\n{_errors(at_most, name)}\n"
            text += f"Means over m:\n\n{_errors(rows, name)}\n"
    return text


def _accuracies(rows: pandas.DataFrame, names: list[str]) -> str:
    groups = [over_sizes(rows, name, "accuracy").groupby("method")["accuracy"] for name in names]
    lines = [
        (method, *(f"{one.mean()[method]:.3f} ± {one.sem()[method]:.3f}" for one in groups))
        for method in _methods(rows)
    ]
    return table(("method", *names), lines)


def _errors(rows: pandas.DataFrame, name: str) -> str:
    errors, explained = (over_sizes(rows, name, metric).groupby("method")[metric] for metric in ("mse", "r2"))
    lines = [
        (
            method,
            f"{errors.mean()[method]:.3g} ± {errors.sem()[method]:.1g}",
            float(errors.median()[method]),
            float(explained.median()[method]),
        )
        for method in _methods(rows)
    ]
    return table(("method", "mean squared error", "its median over splits", "median R2"), lines)


def _verdict(rows: pandas.DataFrame, found: list[Outcome]) -> str:
    rivals = [method for method in _methods(rows) if method not in ("land", *_TRIVIAL)]
    own = [one for one in found if one.other in rivals]
    won, lost = (sum(one.sign == sign for one in own) for sign in (1, -1))
    verdict = "confirmed" if holds(found, rivals) else "not confirmed"
    most = max(_sizes(rows))
    ranks = _ranks(rows)
    independence = rows[rows["m"] == most].groupby(["method", "set"])["independence"].mean().groupby("method").mean()
    lines = [
        (
            method,
            float(ranks[method]) if method in ranks else None,
            *(_sets(found, method, sign) for sign in (1, 0, -1)),
            float(independence[method]) if method in independence else None,
        )
        for method in _methods(rows)
    ]
    head = ("method", "mean rank", "LAND better", "not told apart", "LAND worse", f"independence, m = {most}")
    return f"""**Does LAND compare favourably with all baselines?** On each set the means over m of two methods are
compared over the same splits. A difference counts if p < {_LEVEL}, one-tailed, corrected for training samples that
splits share. The claim holds if LAND is better than each baseline on at least one set, and worse on none:
**{verdict}**.

Of {len(own)} comparisons LAND is better in {won}, worse in {lost}, and cannot be told apart in
{len(own) - won - lost}. By chance alone about {_LEVEL * len(own):.1f} would come out either way. Ranks are among the
methods that select. The independence rate is that of the training samples, a mean over sets.

{table(head, lines)}"""


def _sets(found: list[Outcome], method: str, sign: int) -> str:
    return ", ".join(one.set for one in found if one.other == method and one.sign == sign)


def _ranks(rows: pandas.DataFrame) -> pandas.Series:
    """Of each method that selects, the mean over sets: 1 is the best."""
    import pandas

    own = rows[~rows["method"].isin(_TRIVIAL)]
    ranks = []
    for name in own["set"].unique():
        metric = _metric(name)
        means = over_sizes(own, name, metric).groupby("method")[metric].mean()
        ranks.append(means.rank(ascending=metric == "mse"))
    return pandas.concat(ranks, axis=1).mean(axis=1)


def _paired(rows: pandas.DataFrame, names: list[str]) -> str:
    text = """**LAND against each, mean over m.** p is that of Nadeau and Bengio; the naive one takes splits for
independent.

"""
    for name in names:
        for metric in ("accuracy",) if _has_classes(name) else ("mse", "r2"):
            compared = paired_table(over_sizes(rows, name, metric), metric, _TEST_SHARE, smaller=metric == "mse")
            text += f"{name}:\n\n{compared}\n"
    return text


def _remarks(rows: pandas.DataFrame, names: list[str]) -> str:
    classes, numbers = (
        rows[rows["set"].isin([name for name in names if _has_classes(name) is kind])] for kind in (True, False)
    )
    edges = [
        f"of {what} the widest kernel in {(own['width'] == widths[-1]).mean():.0%} and the least penalty in "
        f"{(own['penalty'] == PENALTIES[-1]).mean():.0%} of the fits"
        for what, own, widths in (("classes", classes, CLASS_WIDTHS), ("numbers", numbers, NUMBER_WIDTHS))
        if not own.empty
    ]
    return f"""**Fewer features than asked for.** {_fewer(rows)}

**Edges of the grid.** Cross-validation chose {", ".join(edges)}.
"""


def _fewer(rows: pandas.DataFrame) -> str:
    most = rows[rows["m"] == max(_sizes(rows))]
    short = most[most["selected"] < most["m"]].groupby(["method", "set"])["selected"].agg(["mean", "count"])
    if short.empty:
        return "No method gave any."
    parts = [
        f"{method} on {name} in {int(one['count'])} splits ({one['mean']:.1f} on average)"
        for (method, name), one in short.iterrows()
    ]
    return f"Of {int(most['m'].iloc[0])}: {', '.join(parts)}. The last set then counts for larger m as well."


# --- figure -------------------------------------------------------------------------------------------------------


def _figure(rows: pandas.DataFrame, names: list[str]) -> Figure:
    columns = min(3, len(names))
    made, axes = figure(-(-len(names) // columns), columns)
    for ax in axes.ravel()[len(names) :]:
        ax.set_axis_off()
    for ax, name in zip(axes.ravel(), names):
        _draw(ax, rows[rows["set"] == name], _metric(name))
        ax.set_title(name, fontsize="medium")
    legend_below(made, axes[0, 0], 7)
    return made


def _draw(ax: Axes, own: pandas.DataFrame, metric: str) -> None:
    draw_means(ax, own, "m", metric, "method", [name for name in _methods(own) if name not in _TRIVIAL])
    floor = own[own["method"] == RANDOM].groupby("m")[metric]
    ax.errorbar(
        _sizes(own), floor.mean(), floor.sem(), label=RANDOM, capsize=2, color="0.5", linestyle="--", linewidth=1.5
    )
    ax.axhline(own.loc[own["method"] == ALL, metric].mean(), label=ALL, color="0.5", linestyle=":", linewidth=1.5)
    ax.set(xlabel="features", ylabel="accuracy" if metric == "accuracy" else "mean squared error", xticks=_sizes(own))
