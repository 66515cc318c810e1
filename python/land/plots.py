"""Pictures of a selection, with matplotlib. Each takes an Axes, or makes one, and returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .selection import Selection


def _axes(ax: Any, size: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def plot_path(selection: "Selection", ax: Any, top: int) -> Any:
    knots = selection.path
    if not knots:
        raise ValueError("there is no path: it belongs to method 'land'")
    ax = _axes(ax, (8, 5))
    lambdas = np.array([knot.lambda_ for knot in knots])
    entered = list(dict.fromkeys(int(k.index) for k in knots if k.event == "enter"))
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
    ax.set_title(f"Path to {len(selection)} features")
    if named:
        ax.legend(title="feature", frameon=False, loc="upper left", fontsize="small")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_relevance(selection: "Selection", ax: Any, top: int) -> Any:
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
    ax.set_title(f"Selected features in order of entry{rest}")
    ax.legend(frameon=False, loc="lower right")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_redundancy(selection: "Selection", ax: Any) -> Any:
    if selection.redundancy is None:
        raise ValueError("there are no redundancies: they belong to method 'land'")
    count = len(selection)
    side = min(12.0, 3.0 + 0.22 * count)
    ax = _axes(ax, (side + 1.0, side))
    scale = np.sqrt(np.diag(selection.redundancy))
    redundancy = np.clip(selection.redundancy / np.outer(scale, scale), 0.0, 1.0)  # 1 on the diagonal for HSIC, too
    order = np.arange(count)
    if count > 2:
        from scipy.cluster.hierarchy import dendrogram, linkage
        from scipy.spatial.distance import squareform

        distance = 1.0 - redundancy
        np.fill_diagonal(distance, 0.0)
        tree = linkage(squareform(distance, checks=False), method="average", optimal_ordering=count <= 200)
        branches = ax.inset_axes([0.0, 1.01, 1.0, 0.16])
        order = np.array(dendrogram(tree, ax=branches, no_labels=True, color_threshold=0.0,
                                    above_threshold_color="0.4")["leaves"])
        branches.set_axis_off()
    off_diagonal = redundancy[~np.eye(count, dtype=bool)]
    most = float(off_diagonal.max()) if off_diagonal.size else 1.0
    image = ax.imshow(redundancy[np.ix_(order, order)], cmap="viridis", vmin=0.0, vmax=max(most, 1e-12),
                      interpolation="nearest", aspect="auto")
    size = max(3.0, min(9.0, 260.0 / max(count, 1)))
    labels = [selection.names[k] for k in order]
    ax.set_xticks(np.arange(count), labels, rotation=90, fontsize=size)
    ax.set_yticks(np.arange(count), labels, fontsize=size)
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label="redundancy (the diagonal is 1)", extend="max")
    ax.set_title("Redundancy among the selected", pad=6 if count <= 2 else 0.16 * _height(ax) + 10)
    return ax


def _height(ax: Any) -> float:
    """Of the Axes, in points."""
    return float(ax.get_position().height * ax.figure.get_size_inches()[1] * 72.0)


def _colours(count: int) -> Any:
    import matplotlib

    return matplotlib.colormaps["tab10" if count <= 10 else "turbo"](
        np.arange(count) if count <= 10 else np.linspace(0.05, 0.95, count)
    )
