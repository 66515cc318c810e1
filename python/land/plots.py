"""Pictures of a selection, with matplotlib. Each takes an Axes, or makes one, and returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .evaluation import Evaluation
    from .selection import Selection
    from .stability_selection import Stability


def _axes(ax: Any, size: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def plot_path(selection: Selection, ax: Any, top: int) -> Any:
    knots = selection.path
    if not knots:
        raise ValueError("there is no path: it belongs to method 'land'")
    ax = _axes(ax, (8, 5))
    lambdas = np.array([knot.lambda_ for knot in knots])
    entered = list(dict.fromkeys(k.index for k in knots if k.event == "enter" and k.index is not None))
    alphas = np.full((len(entered), len(knots)), np.nan)  # no line where a feature is not active
    row = {index: r for r, index in enumerate(entered)}
    for at, knot in enumerate(knots):
        for index, alpha in zip(knot.indices, knot.coefficients):
            alphas[row[int(index)], at] = alpha
    names = dict(zip(selection.indices.tolist(), selection.names))
    named = sorted(names, key=lambda index: -alphas[row[index], -1])[:top]
    for index in entered:
        if index not in named:
            ax.plot(lambdas, alphas[row[index]], color="0.75", linewidth=0.8, zorder=1)
    colours = _colours(len(named))
    for index, colour in zip(named, colours):
        ax.plot(lambdas, alphas[row[index]], color=colour, linewidth=1.8, label=names[index], zorder=2)
    if lambdas.max() > lambdas.min():
        ax.set_xlim(lambdas.max(), lambdas.min())
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("lambda")
    ax.set_ylabel("coefficient")
    ax.set_title("Path to 1 feature" if len(selection) == 1 else f"Path to {len(selection)} features")
    if named:
        ax.legend(title="feature", frameon=False, loc="upper left", fontsize="small")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_relevance(selection: Selection, ax: Any, top: int) -> Any:
    count = min(top, len(selection))
    ax = _axes(ax, (8, 0.6 + 0.26 * max(count, 4)))
    places = np.arange(count)
    ax.barh(places, selection.relevance[:count], height=0.75, color="#9ecae1", label="relevance")
    if not np.isnan(selection.coefficients).all():
        ax.barh(places, selection.coefficients[:count], height=0.3, color="#08519c", label="coefficient")
    ax.set_yticks(places, selection.names[:count])
    ax.invert_yaxis()
    ax.set_xlabel("NHSIC with the target" if selection.document["measure"] == "nhsic" else "HSIC with the target")
    rest = f" (first {count} of {len(selection)})" if count < len(selection) else ""
    ax.set_title(f"Selected features in order of entry{rest}", pad=24.0)
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, borderpad=0.2)  # over no bar
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_redundancy(selection: Selection, ax: Any) -> Any:
    if selection.redundancy is None:
        raise ValueError("there are no redundancies: they belong to method 'land'")
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    count = len(selection)
    side = min(12.0, 4.0 + 0.22 * count)
    ax = _axes(ax, (side + 1.0, side))
    beside = make_axes_locatable(ax)
    scale = np.sqrt(np.diag(selection.redundancy))
    redundancy = np.clip(selection.redundancy / np.outer(scale, scale), 0.0, 1.0)  # of HSIC: normalised
    order = np.arange(count)
    if count > 2:
        order = _draw_tree(redundancy, beside.append_axes("top", size="15%", pad=0.03))
    shown = redundancy[np.ix_(order, order)]
    np.fill_diagonal(shown, np.nan)  # 1, and nothing to see
    ax.set_facecolor("0.85")
    image = ax.imshow(shown, cmap="viridis", vmin=0.0, vmax=np.nanmax(shown) if count > 1 else 1.0)
    size = max(3.0, min(9.0, 260.0 / max(count, 1)))
    labels = [selection.names[k] for k in order]
    ax.set_xticks(np.arange(count), labels, rotation=90, fontsize=size)
    ax.set_yticks(np.arange(count), labels, fontsize=size)
    bar = beside.append_axes("right", size="4%", pad=0.1)
    ax.figure.colorbar(image, cax=bar, label="redundancy among the selected")
    return ax


_TITLES = {
    "independence": "independence rate",
    "nhsic": "NHSIC of the set and the held-out target",
    "stability": "stability (mean Jaccard index)",
    "accuracy": "accuracy on held-out samples",
    "auc": "AUC on held-out samples",
    "mse": "mean squared error on held-out samples",
}


def plot_evaluation(evaluation: Evaluation, metric: str, ax: Any) -> Any:
    ax = _axes(ax, (8, 5))
    frame = evaluation._rows()
    for method, colour in zip(evaluation.methods, _colours(len(evaluation.methods))):
        rows = [row for row in frame if row["method"] == method]
        errors = [row.get(f"{metric}_error", 0.0) for row in rows]
        ax.errorbar(
            [row["m"] for row in rows],
            [row[metric] for row in rows],
            yerr=errors if any(errors) else None,
            color=colour,
            marker="o",
            capsize=3,
            label=method,
        )
    ax.set_xticks(evaluation.n_features)
    ax.set_xlabel("features asked for")
    ax.set_ylabel(_TITLES.get(metric, metric))
    ax.set_title(f"Means and standard errors over {len(evaluation.held_out)} splits")
    ax.legend(title="method", frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_stability(stability: Stability, ax: Any, top: int) -> Any:
    count = min(top, len(stability.names))
    if count == 0:
        raise ValueError("no feature was selected from any half: there is nothing to show")
    ax = _axes(ax, (8, 0.9 + 0.26 * max(count, 4)))
    places = np.arange(count)
    reached = np.isin(stability.indices[:count], stability.stable)
    groups = np.minimum(stability.group_frequencies[:count], 1.0)
    ax.barh(places, groups, height=0.75, color="#deebf7", label="with near copies (1 at most)")
    for which, colour, label in ((reached, "#08519c", "stable"), (~reached, "#9ecae1", "not stable")):
        if which.any():
            ax.barh(places[which], stability.frequencies[:count][which], height=0.5, color=colour, label=label)
    if stability.threshold is not None:
        ax.axvline(stability.threshold, color="0.3", linestyle="--", label=f"threshold {stability.threshold:g}")
    ax.set_yticks(places, stability.names[:count])
    ax.invert_yaxis()
    ax.set_xlim(0.0, 1.0)
    ax.set_xlabel(f"share of {stability.document['selections']} selections")
    rest = f" (first {count} of {len(stability.names)})" if count < len(stability.names) else ""
    ax.set_title(f"How often features are selected{rest}", pad=24.0)
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, borderpad=0.2)  # over no bar
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _draw_tree(redundancy: np.ndarray, ax: Any) -> np.ndarray:
    """Draws the dendrogram and returns the order of its leaves."""
    from scipy.cluster.hierarchy import dendrogram, linkage
    from scipy.spatial.distance import squareform

    distance = squareform(1.0 - redundancy, checks=False)
    tree = linkage(distance, method="average", optimal_ordering=len(redundancy) <= 200)
    leaves = dendrogram(tree, ax=ax, no_labels=True, color_threshold=0.0, above_threshold_color="0.4")["leaves"]
    ax.set_axis_off()
    return np.array(leaves)


def _colours(count: int) -> Any:
    import matplotlib

    return matplotlib.colormaps["tab10" if count <= 10 else "turbo"](
        np.arange(count) if count <= 10 else np.linspace(0.05, 0.95, count)
    )
