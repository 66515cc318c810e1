"""What figures of experiments have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The same method looks the same in every figure.
_MARKERS = "osD^v<>pPX*h"


def figure(rows: int, columns: int, size: tuple[float, float] = (4.6, 3.6)) -> tuple[Figure, np.ndarray]:
    """Axes in a grid, `size` inches each."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
    FigureCanvasAgg(made)
    return made, np.asarray(made.subplots(rows, columns, squeeze=False))


def draw_means(
    ax: Axes, rows: pandas.DataFrame, x: str, y: str, by: str, order: Sequence[str], *, errors: bool = True
) -> None:
    """A line per value of `by`: the means of `y` over rows of equal `x`, with standard errors."""
    for name in order:
        own = rows[rows[by] == name]
        if own.empty:
            continue
        groups = own.groupby(x)[y]
        means, counts = groups.mean(), groups.count()
        spread = groups.std(ddof=1) / np.sqrt(counts) if errors else None
        ax.errorbar(means.index.to_numpy(), means.to_numpy(), yerr=spread, label=name, capsize=2, **style(name, order))
    ax.spines[["top", "right"]].set_visible(False)


def style(name: str, order: Sequence[str]) -> dict[str, Any]:
    """land is black and thick, the others have colours."""
    import matplotlib

    at = list(order).index(name)
    if name == "land":
        return {"color": "black", "marker": "o", "linewidth": 2.2, "markersize": 5, "zorder": 3}
    colours = matplotlib.colormaps["tab20"]
    return {"color": colours(at % 20), "marker": _MARKERS[at % len(_MARKERS)], "linewidth": 1.2, "markersize": 4}


def legend_below(made: Figure, ax: Axes, columns: int = 6) -> None:
    """One legend for all axes, from the lines of one."""
    handles, labels = ax.get_legend_handles_labels()
    made.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize="small")
